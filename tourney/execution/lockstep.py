"""Playing blocks of any game with sandboxed players, asking about many tables together.

The tables are those of the reference engine. Each advances until it needs an answer from another
process. Then the entrant that most tables wait for is asked about all of them together. No machine
code is involved.
"""

from collections.abc import Collection, Mapping, Sequence
from contextlib import closing
from typing import Any

from tourney.errors import EngineError
from tourney.game import Flow, FlowTable, Turn
from tourney.game.accelerators import Confined
from tourney.game.asking.exchange import AnyPool, SeatRequest
from tourney.game.asking.player_calls import CompetitorError
from tourney.game.batches import QuestionBatch, TurnCodec, Write, turns_of
from tourney.game.blocks import Block, RecordedFault
from tourney.game.determinism_check import ask_again, note_answers
from tourney.game.fault_replay import ReplayedPool
from tourney.game.ledger import Account, BlockKey, BlockResult
from tourney.game.lineup import Lineup
from tourney.game.seats import SeatedPlayer, accounts_of, seat_players
from tourney.game.turns import Watcher

MOST_TABLES = 4_000
"""Tables that advance together; more would need more memory and hardly save time."""


def play_together(
    blocks: Sequence[Block],
    lineup: Lineup,
    watchers: Mapping[BlockKey, Watcher],
    recorded: Sequence[RecordedFault] = (),
    *,
    asks_again: Collection[int] = (),
) -> Confined:
    """Play blocks: a pure function of the blocks, their players and the recorded faults.

    Args:
        blocks: Blocks of one game, whose tables have flows.
        lineup: The players. A pool is opened for every sandboxed entrant and always closed again.
        watchers: Watchers of some blocks.
        recorded: Faults of sandboxed players that are repeated instead of found again.
        asks_again: Entrants whose first questions are repeated, to test whether they are
            repeatable.
    Raises: ConfinementError, if a sandbox cannot be set up.
    """
    results: list[BlockResult] = []
    warnings: dict[int, str] = {}
    differing: dict[int, str] = {}
    for first in range(0, len(blocks), MOST_TABLES):
        group = _TableGroup(blocks[first : first + MOST_TABLES], lineup, watchers, recorded)
        note_answers(group.pools, group.blocks, asks_again)
        with closing(group):
            results += group.play()
            warnings |= group.warnings()
        differing |= ask_again(group.pools, lineup.confined)
    return Confined(results, warnings, differing)


class _TableGroup:
    """Tables that advance together, and the pools of sandboxed players."""

    def __init__(
        self,
        blocks: Sequence[Block],
        lineup: Lineup,
        watchers: Mapping[BlockKey, Watcher],
        recorded: Sequence[RecordedFault],
    ) -> None:
        self.blocks = blocks
        entrants = sorted({seat.entrant for block in blocks for seat in block.seats})
        pools = {entrant: lineup.confined(entrant) for entrant in entrants}
        self.pools: dict[int, AnyPool] = {entrant: pool for entrant, pool in pools.items() if pool}
        self._codec = _codec_of(blocks[0])
        self._writers: dict[int, Write] = {entrant: self._codec.writer() for entrant in self.pools}
        self._tables: list[FlowTable[Any, Any]] = []
        self._seated: list[dict[int, SeatedPlayer]] = []  # in this process, by table and seat
        for block in blocks:
            accounts = accounts_of(block)
            table = _table_of(block, accounts, watchers.get(block.key))
            here = seat_players(block, accounts, lineup.make, table.fault, self.pools)
            self._tables.append(table)
            self._seated.append(here)
        self._recall(recorded)
        self._flows: list[Flow[Any, Any]] = []
        self._numbers: dict[tuple[int, int], int] = {}  # in its pool, by table and seat
        self._waiting: dict[int, list[tuple[int, Turn[Any, Any]]]] = {}  # tables, by entrant

    def play(self) -> list[BlockResult]:
        """Play all tables to the end."""
        for entrant in self.pools:
            self._sit(entrant)
        for number, table in enumerate(self._tables):
            self._flows.append(table.flow())
            self._go_on(number, None)
        while self._waiting:
            self._ask(max(self._waiting, key=lambda entrant: len(self._waiting[entrant])))
        return [table.result() for table in self._tables]

    def warnings(self) -> dict[int, str]:
        """Return the warnings of pools, by entrant."""
        return {entrant: pool.warning for entrant, pool in self.pools.items() if pool.warning}

    def close(self) -> None:
        """Close all pools, which ends their processes."""
        for pool in self.pools.values():
            pool.close()

    def _places(self, entrant: int) -> list[tuple[int, int]]:
        """Return the tables and seats of an entrant, in seating order."""
        return [
            (number, place)
            for number, block in enumerate(self.blocks)
            for place, seat in enumerate(block.seats)
            if seat.entrant == entrant
        ]

    def _recall(self, faults: Sequence[RecordedFault]) -> None:
        """Make sandboxed players repeat their recorded faults."""
        known = {(fault.key, fault.seat): fault.verdict for fault in faults}
        for entrant, pool in self.pools.items():
            verdicts = {
                number: known[self.blocks[table].key, seat]
                for number, (table, seat) in enumerate(self._places(entrant))
                if (self.blocks[table].key, seat) in known
            }
            if verdicts:
                self.pools[entrant] = ReplayedPool(pool, self._codec, verdicts)

    def _sit(self, entrant: int) -> None:
        places = self._places(entrant)
        seat_requests = [
            SeatRequest(
                self.blocks[number].key.first_round, self.blocks[number].seats[seat].random_key
            )
            for number, seat in places
        ]
        self._numbers |= {place: at for at, place in enumerate(places)}
        for (number, seat), seating in zip(
            places, self.pools[entrant].sit(seat_requests), strict=True
        ):
            if seating.verdict:
                first = self.blocks[number].key.first_round
                self._tables[number].fault(seat, CompetitorError(seating.verdict), first)

    def _go_on(self, number: int, answer: Any) -> None:
        """Advance a table to the next turn of a sandboxed player, or to its end."""
        # The answer is an action or a fault; None starts the generator.
        block, flow, seated = self.blocks[number], self._flows[number], self._seated[number]
        try:
            turn = flow.send(answer)
            while player := seated.get(turn.seat):
                turn = flow.send(player.answer(block.rules.game, turn))
        except StopIteration:
            return
        entrant = block.seats[turn.seat].entrant
        self._waiting.setdefault(entrant, []).append((number, turn))

    def _ask(self, entrant: int) -> None:
        """Ask an entrant's players at all tables that wait for them."""
        waiting = self._waiting.pop(entrant)
        asked = [QuestionBatch(self._numbers[number, turn.seat], turn) for number, turn in waiting]
        turns = turns_of(asked, self._writers[entrant])
        answers, faults = self.pools[entrant].decide(turns)
        for place, ((number, turn), answer) in enumerate(
            zip(waiting, answers.tolist(), strict=True)
        ):
            verdict = faults.get(place)
            self._go_on(number, CompetitorError(verdict) if verdict else turn.legal[answer])


def _codec_of(block: Block) -> TurnCodec[Any, Any]:
    codec = block.rules.game.codec()
    assert isinstance(codec, TurnCodec), "a game with another codec has a lockstep"
    return codec


def _table_of(
    block: Block, accounts: Sequence[Account], watcher: Watcher | None
) -> FlowTable[Any, Any]:
    game = block.rules.game
    table = game.table(block, accounts, watcher)
    if not isinstance(table, FlowTable):
        raise EngineError(
            f"{game}: the class {type(table).__name__} of its table asks its players itself, so "
            "they cannot run in a sandbox; give the table a flow, or play with --no-sandbox"
        )
    return table
