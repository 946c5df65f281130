"""The reference engine: makes and asks players in this process, and checks their answers.

Players of tables with a flow are called here and in pools only.
"""

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Any

from tourney.game.asking.player_calls import CompetitorError, Seated
from tourney.game.ledger import Account, BlockResult
from tourney.game.players import BasePlayer, give_luck
from tourney.game.turns import ActionT, FlowTable, Judge, MakePlayer, Turn, ViewT_co

if TYPE_CHECKING:  # rules import their game, so this would be a cycle
    from tourney.game.blocks import Block
    from tourney.game.turns import Watcher


class SeatedPlayer(Seated[BasePlayer]):
    """A seat's player and account."""

    __slots__ = ()

    def ask(self, game: Judge, turn: Turn[ViewT_co, ActionT]) -> ActionT:
        """Return the player's action.

        Raises: CompetitorError, if the player raises an exception or its answer is illegal.
        """
        self.round, self.call = turn.round, turn.call
        try:
            answer = game.ask(self.player, turn)
            action: ActionT | None = game.accept(answer, turn)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            raise self.raised(error) from error
        if action is None:
            raise self.refused(game.expected(turn), answer)
        self.decisions += 1
        return action

    def answer(
        self, game: Judge, turn: Turn[Any, Any]
    ) -> Any:  # an action or a fault, as flows take them
        """Return the player's action or its fault, to be sent to a table's flow."""
        try:
            return self.ask(game, turn)
        except CompetitorError as fault:
            return fault


def seat_players(
    block: "Block",
    accounts: Sequence[Account],
    make_player: MakePlayer,
    fault_of: Callable[[int, CompetitorError, int], None],
    elsewhere: Collection[int] = (),
) -> dict[int, SeatedPlayer]:
    """Make the players of a block.

    Args:
        block: The block.
        accounts: Accounts of its seats, in order.
        make_player: Makes a new player for an entrant.
        fault_of: Called for players that cannot be made; see `FlowTable.fault`.
        elsewhere: Entrants whose players sit in other processes.
    Returns: The players, by place at the table.
    """
    seated: dict[int, SeatedPlayer] = {}
    first = block.key.first_round
    for number, seat in enumerate(block.seats):
        if seat.entrant in elsewhere:
            continue

        def make(entrant: int = seat.entrant, key: bytes = seat.random_key) -> BasePlayer:
            player: BasePlayer = make_player(entrant)
            give_luck(player, int.from_bytes(key, "little"))
            return player

        try:
            seated[number] = SeatedPlayer(accounts[number], make, first)
        except CompetitorError as fault:
            fault_of(number, fault, first)
    return seated


def accounts_of(block: "Block") -> tuple[Account, ...]:
    """Open the accounts of a block's seats."""
    return tuple(
        Account(number, seat.entrant, seat.bankroll) for number, seat in enumerate(block.seats)
    )


def play_here(
    table: FlowTable[Any, Any],
    block: "Block",
    accounts: Sequence[Account],
    make_player: MakePlayer,
) -> BlockResult:
    """Play a table's flow with players that are made in this process."""
    seated, game = seat_players(block, accounts, make_player, table.fault), block.rules.game
    flow = table.flow()
    answer: Any = None  # starts the generator
    try:
        while True:
            turn = flow.send(answer)
            try:
                answer = seated[turn.seat].ask(game, turn)
            except CompetitorError as fault:
                answer = fault
    except StopIteration:
        return table.result()


def play_block(
    block: "Block", make_player: MakePlayer, watcher: "Watcher | None" = None
) -> BlockResult:
    """Play a block of any game at its table: a pure function of the block and its players.

    Args:
        block: The block.
        make_player: Makes a new player for an entrant.
        watcher: Receives every event.
    """
    return block.rules.game.table(block, accounts_of(block), watcher).play(make_player)
