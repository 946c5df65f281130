"""Playing blocks in lockstep: the results of the reference engine, for any players of blackjack.

Machine code plays every table until it has to ask; then the players of each entrant are asked
all at once, and all tables go on. Confined players are asked so whatever their number, since a
block by itself would wait for a pipe at every decision; what was answered is kept until the batch
is over, as blocks that are watched, or whose sums outgrow a word, are played by the reference
engine from those answers. To import this page loads numba.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing
from functools import cached_property
from itertools import count, islice

import numpy as np
from numpy.typing import NDArray

from tourney.game.accelerators import Confined
from tourney.game.blocks import Block, RecordedFault
from tourney.game.determinism_check import ask_again, note_answers
from tourney.game.ledger import BlockKey, BlockResult
from tourney.game.lineup import Lineup
from tourney.game.watcher import Watcher
from tourney.games.blackjack.asking.remote_seats import Recorded
from tourney.games.blackjack.engines.compiled_play import by_rules, result_of, worths_of
from tourney.games.blackjack.engines.lockstep_fit import could_overflow, may_have_overflowed
from tourney.games.blackjack.engines.seat_rows import SeatRows
from tourney.games.blackjack.engines.wave import Record, Wave
from tourney.games.blackjack.kernels.lockstep_tables import LockstepTables
from tourney.games.blackjack.rules import BlackjackRules
from tourney.games.blackjack.table import play_recorded

MOST_TABLES = 4_000
"""Tables that advance together; more would take more memory and hardly save time."""
NO_WATCHERS: Mapping[BlockKey, Watcher] = {}


def play_lockstep(
    blocks: Sequence[Block],
    lineup: Lineup,
    watchers: Mapping[BlockKey, Watcher] = NO_WATCHERS,
    recorded: Sequence[RecordedFault] = (),
    *,
    asks_again: Collection[int] = (),
) -> Confined:
    """Play blocks, with confined players or without; see `Lockstep.play_confined`.

    Blocks of the same rules advance together.
    """
    results: list[BlockResult] = []
    warnings: dict[int, str] = {}
    differing: dict[int, str] = {}
    for rules, wave in waves(blocks):
        seat_rows = SeatRows(wave, lineup.make, lineup.declared, lineup.confined)
        seat_rows.recall(recorded)
        note_answers(seat_rows.pools, wave, asks_again)
        # The reference engine plays some blocks from these answers: nobody is asked twice.
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
    """What was answered in blocks that advanced together, by row.

    Args:
        seat_rows: Their seats.
        records: What was answered, in order; None where nothing was kept.
    """

    def __init__(self, seat_rows: SeatRows, records: Sequence[Record] | None) -> None:
        self._seat_rows, self._records = seat_rows, records

    @cached_property
    def _by_row(self) -> tuple[NDArray[np.int64], list[tuple[int, int]]]:
        """Give rows in order, and calls and answers beside them, each row's as they came."""
        records = self._records or ()
        empty = np.zeros(0, np.int64)
        rows, calls, answers = (
            np.concatenate([empty, *(getattr(each, name) for each in records)])
            for name in ("rows", "calls", "answers")
        )
        order = np.argsort(rows, kind="stable")
        told = zip(calls[order].tolist(), answers[order].tolist(), strict=True)
        return rows[order], list(told)

    def recorded(self, first: int, seats: int) -> dict[int, Recorded]:
        """Give what the seats of a block have answered; those that declare were not asked.

        Args:
            first: Row of its first seat.
            seats: How many it has.
        """
        rows, told = self._by_row
        ends = np.searchsorted(rows, np.arange(first, first + seats + 1)).tolist()
        known = self._seat_rows
        return {
            seat: Recorded(
                known.starts[first + seat].acts,
                tuple(told[ends[seat] : ends[seat + 1]]),
                known.verdicts.get(first + seat),
            )
            for seat in range(seats)
            if known.is_asked(first + seat)
        }


def waves(blocks: Sequence[Block]) -> Iterator[tuple[BlackjackRules, list[Block]]]:
    """Give the blocks that advance together: of the same rules, and not too many."""
    for rules, alike in by_rules(blocks).items():
        for first in range(0, len(alike), MOST_TABLES):
            yield rules, alike[first : first + MOST_TABLES]


def play_wave(
    rules: BlackjackRules, seat_rows: SeatRows, records: list[Record] | None = None
) -> list[BlockResult]:
    """Play blocks that advance together.

    Args:
        rules: Of all the blocks.
        seat_rows: Who plays in them.
        records: Takes the answers, if they are needed afterwards.
    """
    with closing(seat_rows):
        starts = seat_rows.sit()
        worths = worths_of(rules, seat_rows.blocks)
        tables = LockstepTables(rules, starts, seat_rows.declarations, worths)
        for record in Wave(seat_rows, tables).play():
            if records is not None:
                records.append(record)
        verdicts = map(seat_rows.verdicts.get, count())  # by row
        return [
            result_of(block, end, list(islice(verdicts, len(block.seats))))
            for block, end in zip(seat_rows.blocks, tables.ends(), strict=True)
        ]
