"""Playing blocks in lockstep, with the reference engine's results, for any players of blackjack.

Machine code plays every table until it needs an answer. Then the players of each entrant answer
the questions of all tables together. Sandboxed players are always asked in this way, since a
single block would wait for a pipe at every decision. The answers are kept until the end of the
batch: the reference engine uses them to replay blocks that are watched, or whose sums exceed 64
bits. Importing this module loads numba.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from functools import cached_property, partial
from itertools import count, islice, pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tourney.game import MakePlayer
from tourney.game.accelerators import Confined
from tourney.game.asking.exchange import AnyPool, Asking, SeatReply, SeatRequest
from tourney.game.blocks import Block, RecordedFault
from tourney.game.determinism_check import ask_again, note_answers
from tourney.game.fault_replay import ReplayedPool
from tourney.game.ledger import BlockKey, BlockResult, Verdict
from tourney.game.lineup import Declared, Lineup, OpenPool, nobody_is_confined
from tourney.game.rules import Rules
from tourney.game.turns import Watcher
from tourney.games.blackjack.asking.pool import Pool
from tourney.games.blackjack.asking.questions_codec import QuestionsCodec, seen_at
from tourney.games.blackjack.asking.seats import Recorded
from tourney.games.blackjack.declaration import Declaration
from tourney.games.blackjack.engines.compiled_play import by_rules, result_of, table_of, worths_of
from tourney.games.blackjack.engines.fit import could_overflow, is_declared, may_have_overflowed
from tourney.games.blackjack.kernels.accounts import ASKED, STAND_IN
from tourney.games.blackjack.kernels.declared_blocks import SeatStart, TableStart
from tourney.games.blackjack.kernels.lockstep_tables import LockstepTables
from tourney.games.blackjack.players.questions import Questions, pick, pick_run
from tourney.games.blackjack.rules import BlackjackRules
from tourney.games.blackjack.table import play_recorded

MOST_TABLES = 4_000
"""Most tables that advance together; more would need more memory and save little time."""
NO_WATCHERS: Mapping[BlockKey, Watcher] = {}


class SeatRows:
    """The seats of all tables of a wave, in rows: table by table, in order of play.

    Args:
        blocks: The blocks of the wave.
        make_player: Makes a new player for an entrant.
        declared: Returns the declaration of an entrant for a game.
        confined: Returns the pool of an entrant whose players run in a sandbox.

    `sit` makes the players. After it, `close` must be called.
    """

    def __init__(
        self,
        blocks: Sequence[Block],
        make_player: MakePlayer,
        declared: Callable[[int, Rules], Declared],
        confined: OpenPool = nobody_is_confined,
    ) -> None:
        self.pools: dict[int, AnyPool] = {}  # by entrant; of entrants that are asked
        self.verdicts: dict[int, Verdict] = {}  # by row
        self.blocks, self._make_player = blocks, make_player
        places = [(block, seat) for block in blocks for seat in range(len(block.seats))]
        self.entrants = np.array([block.seats[seat].entrant for block, seat in places], np.int64)
        self.seats: NDArray[np.int32] = np.zeros(len(places), np.int32)  # in the entrant's pool
        # Entrants with the same declaration share their tables.
        numbers: dict[Declaration, int] = {}
        self.starts: dict[int, SeatStart] = {}  # by row
        seat_requests: dict[int, list[int]] = {}  # rows by entrant
        for row, (block, seat) in enumerate(places):
            entrant, bankroll = block.seats[seat].entrant, block.seats[seat].bankroll
            pool = None if entrant in self.pools else confined(entrant)
            if pool:
                self.pools[entrant] = pool
            # A sandboxed player is not asked for a declaration, as this would run its code here.
            found = None if entrant in self.pools else declared(entrant, block.rules)
            if found and is_declared(block, seat, found):
                assert isinstance(found, Declaration)
                number = numbers.setdefault(found, len(numbers))
                self.starts[row] = SeatStart(number, bankroll)
            else:
                seat_requests.setdefault(entrant, []).append(row)
        self._places, self._seat_requests = places, seat_requests
        self.declarations = tuple(numbers)

    def recall(self, faults: Iterable[RecordedFault]) -> None:
        """Before `sit`, arrange for sandboxed players to fail where they failed before."""
        known = {(fault.key, fault.seat): fault.verdict for fault in faults}
        for entrant, pool in self.pools.items():
            places = [self._places[row] for row in self._seat_requests[entrant]]
            verdicts = {
                number: known[block.key, seat]
                for number, (block, seat) in enumerate(places)
                if (block.key, seat) in known
            }
            if verdicts:
                self.pools[entrant] = ReplayedPool(pool, QuestionsCodec(), verdicts)

    def sit(self) -> list[TableStart]:
        """Make all players, entrant by entrant; return the start of each table."""
        for entrant, rows in self._seat_requests.items():
            self.seats[rows] = np.arange(len(rows))
            pool = self.pools.setdefault(entrant, Pool(partial(self._make_player, entrant)))
            places = [self._places[row] for row in rows]
            seated = pool.sit(
                [
                    SeatRequest(block.key.first_round, block.seats[seat].random_key)
                    for block, seat in places
                ]
            )
            for row, (block, seat), seating in zip(rows, places, seated, strict=True):
                self.starts[row] = _start(block.seats[seat].bankroll, seating)
                if seating.verdict:
                    self.verdicts[row] = seating.verdict
        starts = (self.starts[row] for row in range(len(self._places)))
        return [table_of(block, list(islice(starts, len(block.seats)))) for block in self.blocks]

    def close(self) -> None:
        """Close all pools, which ends the processes of sandboxed players."""
        for pool in self.pools.values():
            pool.close()


def _start(bankroll: int, seating: SeatReply) -> SeatStart:
    if seating.verdict:
        return SeatStart(STAND_IN, bankroll)
    return SeatStart(ASKED, bankroll, seating.acts, seating.watches)


class Record(NamedTuple):
    """The answers of one step of all tables."""

    rows: NDArray[np.int64]  # row numbers of the seats
    calls: NDArray[np.uint8]
    answers: NDArray[np.int64]


class _Asked(NamedTuple):
    """The questions to an entrant in one step of all tables."""

    places: NDArray[np.int64]  # indices of the questions among those of the wave
    questions: Questions
    asking: Asking


def play_lockstep(
    blocks: Sequence[Block],
    lineup: Lineup,
    watchers: Mapping[BlockKey, Watcher] = NO_WATCHERS,
    recorded: Sequence[RecordedFault] = (),
    *,
    asks_again: Collection[int] = (),
) -> Confined:
    """Play blocks, with or without sandboxed players; see `Lockstep.play_confined`.

    Blocks of the same rules advance together.
    """
    results: list[BlockResult] = []
    warnings: dict[int, str] = {}
    differing: dict[int, str] = {}
    for rules, wave in waves(blocks):
        seat_rows = SeatRows(wave, lineup.make, lineup.declared, lineup.confined)
        seat_rows.recall(recorded)
        note_answers(seat_rows.pools, wave, asks_again)
        # The reference engine replays some blocks from these answers, so that no player is asked
        # twice.
        is_kept = bool(seat_rows.pools) or any(map(could_overflow, wave))
        records: list[Record] | None = [] if is_kept else None
        played = play_wave(rules, seat_rows, records)
        answers = _Answers(seat_rows, records)
        first = 0  # row of the block's first seat
        for block, result in zip(wave, played, strict=True):
            watcher = watchers.get(block.key)
            if watcher or may_have_overflowed(result):
                recorded_seats = answers.recorded(first, len(block.seats))
                results.append(play_recorded(block, lineup.make, watcher, recorded_seats))
            else:
                results.append(result)
            first += len(block.seats)
        warnings |= {
            entrant: each.warning for entrant, each in seat_rows.pools.items() if each.warning
        }
        differing |= ask_again(seat_rows.pools, lineup.confined)
    return Confined(results, warnings, differing)


class _Answers:
    """The answers in blocks that advanced together, by row.

    Args:
        seat_rows: The seats of the blocks.
        records: All answers in order; `None` if they were not kept.
    """

    def __init__(self, seat_rows: SeatRows, records: Sequence[Record] | None) -> None:
        self._seat_rows, self._records = seat_rows, records

    @cached_property
    def _by_row(self) -> tuple[NDArray[np.int64], list[tuple[int, int]]]:
        """Return sorted rows and their (call, answer) pairs; the order within a row stays."""
        records = self._records or ()
        empty = np.zeros(0, np.int64)
        rows, calls, answers = (
            np.concatenate([empty, *(getattr(each, name) for each in records)])
            for name in ("rows", "calls", "answers")
        )
        order = np.argsort(rows, kind="stable")
        pairs = zip(calls[order].tolist(), answers[order].tolist(), strict=True)
        return rows[order], list(pairs)

    def recorded(self, first: int, seats: int) -> dict[int, Recorded]:
        """Return the answers of the seats of a block that were asked.

        Args:
            first: Row of the block's first seat.
            seats: Number of seats of the block.
        """
        rows, pairs = self._by_row
        ends = np.searchsorted(rows, np.arange(first, first + seats + 1)).tolist()
        known = self._seat_rows
        return {
            seat: Recorded(
                known.starts[first + seat].acts,
                tuple(pairs[ends[seat] : ends[seat + 1]]),
                known.verdicts.get(first + seat),
            )
            for seat in range(seats)
            if known.starts[first + seat].declaration in {ASKED, STAND_IN}
        }


def waves(blocks: Sequence[Block]) -> Iterator[tuple[BlackjackRules, list[Block]]]:
    """Group blocks that advance together: of the same rules, at most `MOST_TABLES`."""
    for rules, alike in by_rules(blocks).items():
        for first in range(0, len(alike), MOST_TABLES):
            yield rules, alike[first : first + MOST_TABLES]


def play_wave(
    rules: BlackjackRules, seat_rows: SeatRows, records: list[Record] | None = None
) -> list[BlockResult]:
    """Play blocks that advance together.

    Args:
        rules: The rules of all the blocks.
        seat_rows: The seats of the blocks.
        records: A list to which the answers are added, if they are needed afterwards.
    """
    with closing(seat_rows):
        starts = seat_rows.sit()
        worths = worths_of(rules, seat_rows.blocks)
        tables = LockstepTables(rules, starts, seat_rows.declarations, worths)
        for record in _steps(seat_rows, tables):
            if records is not None:
                records.append(record)
        verdicts = map(seat_rows.verdicts.get, count())  # by row
        return [
            result_of(block, end, list(islice(verdicts, len(block.seats))))
            for block, end in zip(seat_rows.blocks, tables.ends(), strict=True)
        ]


def _steps(seat_rows: SeatRows, tables: LockstepTables) -> Iterator[Record]:
    """Play tables that advance together to their ends; yield the answers of each step.

    Each table advances to its next question. The processes of all entrants compute at the same
    time.

    Args:
        seat_rows: The seats, after `sit`.
        tables: The tables.
    """
    while pending := tables.advance():
        rows = pending.seats.astype(np.int64)
        asked = _by_entrant(seat_rows, rows, pending)
        for each in asked:
            each.asking.send()
        for each in asked:
            each.asking.wait()
        answers = np.empty(len(rows), np.int64)
        for places, own, asking in asked:
            decided = asking.answers()
            answers[places] = decided.answers
            for place, verdict in decided.faults.items():
                seen = verdict.seen or seen_at(own, place)
                seat_rows.verdicts[int(rows[places[place]])] = replace(verdict, seen=seen)
        tables.answer(answers)
        yield Record(rows, pending.calls, answers)


def _by_entrant(seat_rows: SeatRows, rows: NDArray[np.int64], pending: Questions) -> list[_Asked]:
    """Prepare the questions to each entrant.

    The questions to an entrant, and their order, depend only on its tables, not on the tables of
    other entrants in the wave.
    """
    questions = pending._replace(seats=seat_rows.seats[rows])
    entrants = seat_rows.entrants[rows]
    order = np.argsort(entrants, kind="stable")
    is_sorted = bool((order[1:] > order[:-1]).all())
    changes = np.flatnonzero(np.diff(entrants[order])) + 1
    stops = [*changes.tolist(), len(order)]
    asked = []
    for start, stop in pairwise((0, *stops)):
        places = order[start:stop]
        own = pick_run(questions, start, stop) if is_sorted else pick(questions, places)
        pool = seat_rows.pools[entrants.item(places.item(0))]
        asked.append(_Asked(places, own, pool.asking(own)))
    return asked
