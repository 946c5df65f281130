"""Playing one block: seats are filled, rounds are played, results are read off."""

from collections.abc import Callable
from functools import partial
from typing import Any

from tourney.asking.chair import Chair, StandIn
from tourney.asking.seated import CompetitorFault
from tourney.cards.shoe import make_shoe
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
    block: Block, make_player: MakePlayer, watcher: Watcher | None = None
) -> BlockResult:
    """Play a block: a pure function of the block and its players.

    Args:
        block: What to play.
        make_player: Makes a new player for an entrant.
        watcher: Told everything that happens.
    Raises: EngineError, if the game is not one this engine knows.
    """
    rules = block.rules
    if isinstance(rules, StraightsRules):
        return play_straights(block, rules, make_player, watcher)
    if not isinstance(rules, BlackjackRules):
        raise EngineError(f"engine reference: expected a game it can play, got {rules.game}")
    shoe = make_shoe(rules.decks, rules.shuffle, block.shoe_key)
    table = Table(rules, shoe, (block.minimum, block.maximum), watcher)
    accounts = [
        Account(number, seat.entrant, seat.bankroll) for number, seat in enumerate(block.seats)
    ]
    chairs = [_seat(block, table, accounts, number, make_player) for number in range(len(accounts))]
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
        account.verdict = fault.verdict
        account.left_round = block.key.first_round
        return StandIn(number)


def _view(block: Block, table: Table, accounts: list[Account], number: int) -> TableView:
    """Show a seat the public state of its table, in chips."""
    unit = block.rules.unit
    wagers = table.wagers_by_seat()
    return TableView(
        seat=number,
        minimum=block.minimum // unit,
        maximum=block.maximum // unit,
        rounds_left=table.rounds_left,
        bankrolls=tuple(
            (account.bankroll - wagers.get(account.seat, 0)) // unit for account in accounts
        ),
        wagers=tuple(wagers.get(account.seat, 0) // unit for account in accounts),
    )
