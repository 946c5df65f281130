"""A table for a block of blackjack: seats players, plays rounds and returns results."""

from collections.abc import Mapping, Sequence
from functools import partial

from tourney.game import MakePlayer, Table
from tourney.game.asking.player_calls import CompetitorError
from tourney.game.blocks import Block
from tourney.game.cards.shoe import make_shoe
from tourney.game.ledger import Account, BlockResult
from tourney.game.seats import accounts_of
from tourney.game.turns import Watcher
from tourney.game.view import TableView
from tourney.games.blackjack.asking.seats import PlayerSeat, Recorded, RecordedOccupant, StandIn
from tourney.games.blackjack.luck import Luck
from tourney.games.blackjack.players import Player, sit_down
from tourney.games.blackjack.rules import BlackjackRules
from tourney.games.blackjack.table_loop import TableLoop


class BlackjackTable(Table):
    """A block of blackjack, whose table asks its players itself.

    Args:
        block: The block.
        accounts: Of its seats, in order.
        watcher: Receives all events.
        recorded: Recorded answers of seats, which then need no player.
    """

    def __init__(
        self,
        block: Block,
        accounts: Sequence[Account],
        watcher: Watcher | None = None,
        recorded: Mapping[int, Recorded] | None = None,
    ) -> None:
        assert isinstance(block.rules, BlackjackRules)
        self._block, self._accounts, self._recorded = block, accounts, recorded or {}
        rules = block.rules
        self._luck = Luck(rules) if block.follows_luck else None
        self._table = TableLoop(
            rules,
            make_shoe(rules.decks, rules.shuffle, block.shoe_key),
            (block.minimum, block.maximum),
            watcher=watcher,
            heat=block.state,
            luck=self._luck,
        )

    def play(self, make_player: MakePlayer) -> BlockResult:
        """Play the block with players that are created in this process."""
        block, table = self._block, self._table
        for account in self._accounts if self._luck else ():
            account.add_luck(0)
        occupants = [self._seat(number, make_player) for number in range(len(self._accounts))]
        table.play(occupants, block.key.first_round, block.rounds)
        return BlockResult(
            key=block.key,
            rounds=table.rounds,
            shuffles=table.shuffles,
            cards=table.cards,
            seats=tuple(account.result() for account in self._accounts),
        )

    def _seat(self, number: int, make_player: MakePlayer) -> PlayerSeat | StandIn:
        """Fill a seat, with a player or its recorded answers.

        If a player cannot be created, its verdict precedes the first round.
        """
        seat, account = self._block.seats[number], self._accounts[number]

        def make() -> Player:
            player: Player = make_player(seat.entrant)
            look = partial(self._view, number)
            sit_down(player, int.from_bytes(seat.random_key, "little"), look)
            return player

        first = self._block.key.first_round
        try:
            if number in self._recorded:
                return RecordedOccupant(account, self._recorded[number])
            return PlayerSeat(account, make, first)
        except CompetitorError as fault:
            account.verdict, account.left_round = fault.verdict, first
            return StandIn(account.seat)

    def _view(self, number: int) -> TableView:
        """Return the public state of the table for a seat, in chips."""
        block, table = self._block, self._table
        unit, wagers = block.rules.unit, table.wagers_shown()
        return TableView(
            seat=number,
            minimum=block.minimum // unit,
            maximum=block.maximum // unit,
            rounds_left=table.rounds_left + block.state.rounds_after,
            bankrolls=tuple(
                (account.bankroll - wagers.get(account.seat, 0)) // unit
                for account in self._accounts
            ),
            wagers=tuple(wagers.get(account.seat, 0) // unit for account in self._accounts),
            button=table.button,
            level=block.state.level,
            advance=block.state.advance,
        )


def play_recorded(
    block: Block,
    make_player: MakePlayer,
    watcher: Watcher | None,
    recorded: Mapping[int, Recorded],
) -> BlockResult:
    """Play a block again in which some seats give recorded answers.

    Args:
        block: The block.
        make_player: Creates a new player for an entrant.
        watcher: Receives all events.
        recorded: Recorded answers of seats, which then need no player.
    """
    return BlackjackTable(block, accounts_of(block), watcher, recorded).play(make_player)
