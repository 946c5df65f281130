"""Playing one block: seats are filled, rounds are played, results are read off."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from tourney.asking.chair import Chair, StandIn
from tourney.asking.seated import CompetitorFault
from tourney.cards.shoe import make_shoe
from tourney.engine.reference.luck import Luck
from tourney.engine.reference.recorded import Recorded, RecordedChair
from tourney.engine.reference.straights import play_straights
from tourney.engine.reference.table import Table
from tourney.engine.reference.watcher import Watcher
from tourney.errors import EngineError
from tourney.games.blackjack.rules import BlackjackRules
from tourney.games.straights.rules import StraightsRules
from tourney.ledger import Account, BlockResult
from tourney.players import Player, TableView, sit_down
from tourney.schedule import Block

MakePlayer = Callable[[int], Any]
"""Makes a new player, of the block's game, for the number of an entrant."""


def play_block(
    block: Block,
    make_player: MakePlayer,
    watcher: Watcher | None = None,
    recorded: Mapping[int, Recorded] | None = None,
) -> BlockResult:
    """Play a block: a pure function of the block and its players.

    Args:
        block: What to play.
        make_player: Makes a new player for an entrant.
        watcher: Told everything that happens.
        recorded: What seats have answered before; nobody is made for them. In blackjack only.
    Raises: EngineError, if the game is not one this engine knows.
    """
    rules = block.rules
    if isinstance(rules, StraightsRules):
        return play_straights(block, rules, make_player, watcher)
    if not isinstance(rules, BlackjackRules):
        raise EngineError(f"engine reference: expected a game it can play, got {rules.game}")
    shoe = make_shoe(rules.decks, rules.shuffle, block.shoe_key)
    luck = Luck(rules) if block.follows_luck else None
    limits = block.minimum, block.maximum
    table = Table(rules, shoe, limits, watcher=watcher, heat=block.state, luck=luck)
    accounts = [
        Account(number, seat.entrant, seat.bankroll) for number, seat in enumerate(block.seats)
    ]
    for account in accounts if luck else ():
        account.add_luck(0)
    known = recorded or {}
    chairs = [
        _seat_again(block, account, known[number])
        if number in known
        else _seat(block, table, accounts, number, make_player)
        for number, account in enumerate(accounts)
    ]
    table.play(chairs, block.key.first_round, block.rounds)
    return BlockResult(
        key=block.key,
        rounds=table.rounds,
        shuffles=table.shuffles,
        cards=table.cards,
        seats=tuple(account.result() for account in accounts),
    )


def _seat(
    block: Block, table: Table, accounts: list[Account], number: int, make_player: MakePlayer
) -> Chair | StandIn:
    """Fill a seat; a player that cannot be made is at fault before the first round."""
    seat = block.seats[number]
    account = accounts[number]

    def make() -> Player:
        player: Player = make_player(seat.entrant)
        look = partial(_view, block, table, accounts, number)
        sit_down(player, int.from_bytes(seat.random_key, "little"), look)
        return player

    try:
        return Chair(account, make, block.key.first_round)
    except CompetitorFault as fault:
        return _stand_in(block, account, fault)


def _seat_again(block: Block, account: Account, recorded: Recorded) -> StandIn:
    """Fill a seat with what it answered before."""
    try:
        return RecordedChair(account, recorded)
    except CompetitorFault as fault:
        return _stand_in(block, account, fault)


def _stand_in(block: Block, account: Account, fault: CompetitorFault) -> StandIn:
    account.verdict = fault.verdict
    account.left_round = block.key.first_round
    return StandIn(account.seat)


def _view(block: Block, table: Table, accounts: list[Account], number: int) -> TableView:
    """Show a seat the public state of its table, in chips."""
    unit = block.rules.unit
    wagers = table.wagers_shown()
    return TableView(
        seat=number,
        minimum=block.minimum // unit,
        maximum=block.maximum // unit,
        rounds_left=table.rounds_left + block.state.rounds_after,
        bankrolls=tuple(
            (account.bankroll - wagers.get(account.seat, 0)) // unit for account in accounts
        ),
        wagers=tuple(wagers.get(account.seat, 0) // unit for account in accounts),
        button=table.button,
        level=block.state.level,
        advance=block.state.advance,
    )
