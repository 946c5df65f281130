"""Playing blocks in lockstep: the results of the reference engine, for any players of blackjack.

Machine code plays every table until it has to ask; then the players of each entrant are asked
all at once, and all tables go on. To import this page loads numba.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tourney.asking.seating import Decided
from tourney.engine.cast import MakePlayer
from tourney.engine.compiled.play import worths_of
from tourney.engine.lockstep.fits import may_have_overflowed
from tourney.engine.lockstep.guests import Guests
from tourney.engine.lockstep.observed import seen_at
from tourney.engine.reference import play_block
from tourney.games import Rules
from tourney.games.blackjack.rules import BlackjackRules
from tourney.kernels.blackjack import TableEnd
from tourney.kernels.blackjack_waiting import Pending, WaitingTables
from tourney.ledger import BlockResult, SeatResult, Verdict
from tourney.players import Declared
from tourney.players.questions import Questions, pick
from tourney.schedule import Block


class Record(NamedTuple):
    """What was answered at once."""

    rows: NDArray[np.int64]  # numbers of the seats among those of all tables
    calls: NDArray[np.uint8]
    answers: NDArray[np.int64]


MOST_TABLES = 4_000
"""Tables that advance together; more would take more memory and hardly save time."""


def play_lockstep(
    blocks: Sequence[Block],
    make_player: MakePlayer,
    declared: Callable[[int, Rules], Declared],
) -> list[BlockResult]:
    """Play blocks: a pure function of the blocks and their players.

    Args:
        blocks: Those that fit; see `fits`. Blocks of the same rules advance together.
        make_player: Makes a new player for an entrant.
        declared: Gives what an entrant declares; such seats are not asked, nor are players made.
    Returns: Their results, in any order.
    """
    results: list[BlockResult] = []
    for rules, wave in waves(blocks):
        played = play_wave(rules, Guests(wave, make_player, declared))
        for block, result in zip(wave, played, strict=True):
            is_certain = not may_have_overflowed(result)
            results.append(result if is_certain else play_block(block, make_player))
    return results


def waves(blocks: Sequence[Block]) -> Iterator[tuple[BlackjackRules, list[Block]]]:
    """Give the blocks that advance together: of the same rules, and not too many."""
    by_rules: dict[BlackjackRules, list[Block]] = {}
    for block in blocks:
        assert isinstance(block.rules, BlackjackRules)
        by_rules.setdefault(block.rules, []).append(block)
    for rules, alike in by_rules.items():
        for first in range(0, len(alike), MOST_TABLES):
            yield rules, alike[first : first + MOST_TABLES]


def play_wave(
    rules: BlackjackRules, guests: Guests, records: list[Record] | None = None
) -> list[BlockResult]:
    """Play blocks that advance together.

    Args:
        rules: Of all the blocks.
        guests: Who plays in them.
        records: Takes what was answered, if anybody wants to know.
    """
    with closing(guests):
        worths = worths_of(rules, guests.blocks)
        tables = WaitingTables(rules, guests.sit(), guests.declarations, worths)
        while pending := tables.advance():
            answers = _ask(guests, pending)
            if records is not None:
                records.append(Record(pending.rows, pending.calls, answers))
            tables.answer(answers)
        return _results(guests.blocks, tables.ends(), guests.verdicts)


def _ask(guests: Guests, pending: Pending) -> NDArray[np.int64]:
    """Have every entrant answer the questions to its seats."""
    rows = pending.rows
    questions = Questions(guests.seats[rows], *pending[1:])
    entrants = guests.entrants[rows]
    answers = np.empty(len(rows), np.int64)
    order = np.argsort(entrants, kind="stable")
    for places in np.split(order, np.flatnonzero(np.diff(entrants[order])) + 1):
        own = questions if len(places) == len(rows) else pick(questions, places)
        decided: Decided = guests.desks[int(entrants[places[0]])].decide(own)
        answers[places] = decided.answers
        for place, verdict in decided.faults.items():
            seen = verdict.seen or seen_at(own, place)
            guests.verdicts[int(rows[places[place]])] = replace(verdict, seen=seen)
    return answers


def _results(
    blocks: Sequence[Block], ends: Sequence[TableEnd], verdicts: dict[int, Verdict]
) -> list[BlockResult]:
    results = []
    row = 0
    for block, end in zip(blocks, ends, strict=True):
        seats = []
        for number, (seat, after) in enumerate(zip(block.seats, end.seats, strict=True)):
            facts = after._asdict()
            verdict = verdicts.get(row)
            seats.append(
                SeatResult(
                    seat=number,
                    entrant=seat.entrant,
                    initial=seat.bankroll,
                    verdict=verdict,
                    **facts,
                )
            )
            row += 1
        results.append(BlockResult(block.key, end.rounds, end.shuffles, end.cards, tuple(seats)))
    return results
