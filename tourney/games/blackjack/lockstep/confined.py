"""Playing blocks with confined players: in lockstep, whatever their number, and nowhere else.

A process is asked a batch of questions at a time, so a block by itself would wait for a pipe at
every decision. What was answered is kept until the batch is over, since blocks that are watched, or
whose sums outgrow a word, are played by the reference engine from those answers.
"""

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from tourney.game.accelerators import Confined
from tourney.game.blocks import Block, RecordedFault
from tourney.game.cast import Cast
from tourney.game.ledger import BlockKey, BlockResult
from tourney.game.recalled import ENDS_NO_PROCESS
from tourney.game.repeated import ask_again, note_answers
from tourney.game.watcher import Watcher
from tourney.games.blackjack.lockstep.fits import may_have_overflowed
from tourney.games.blackjack.lockstep.guests import Guests
from tourney.games.blackjack.lockstep.part import FailedTogether, Record
from tourney.games.blackjack.lockstep.play import play_wave, waves
from tourney.games.blackjack.recorded import Recorded
from tourney.games.blackjack.reference import play_recorded
from tourney.games.blackjack.rules import BlackjackRules

SEATS_WORTH_HALVING = 2_000
"""Of everybody confined: with fewer, to be asked twice as often costs more than is gained."""


def play_confined(
    blocks: Sequence[Block],
    cast: Cast,
    watchers: Mapping[BlockKey, Watcher],
    recorded: Sequence[RecordedFault] = (),
    *,
    asks_again: Collection[int] = (),
) -> Confined:
    """Play blocks; see `Lockstep.play_confined`."""
    results: list[BlockResult] = []
    warnings: dict[int, str] = {}
    differing: dict[int, str] = {}
    for rules, wave in waves(blocks):
        guests, records, played = _play(rules, wave, cast, recorded, asks_again=asks_again)
        first = 0  # row of the block's first seat
        for block, result in zip(wave, played, strict=True):
            watcher = watchers.get(block.key)
            if watcher or may_have_overflowed(result):
                answers = _recorded(guests, records, range(first, first + len(block.seats)))
                results.append(play_recorded(block, cast.make, watcher, answers))
            else:
                results.append(result)
            first += len(block.seats)
        warnings |= {
            entrant: each.warning for entrant, each in guests.desks.items() if each.warning
        }
        differing |= ask_again(guests.desks, cast.confined)
    return Confined(results, warnings, differing)


def _play(
    rules: BlackjackRules,
    wave: Sequence[Block],
    cast: Cast,
    recorded: Sequence[RecordedFault],
    *,
    asks_again: Collection[int],
) -> tuple[Guests, list[Record], list[BlockResult]]:
    """Play blocks that advance together, in halves if that pays and if nobody ends with all seats.

    Whoever ends does so at all tables at once. So what had been played in halves until then does
    not count, and all tables are played together with new players: verdicts are those of one wave.
    """
    halves = all(fault.verdict.cause in ENDS_NO_PROCESS for fault in recorded)
    while True:
        guests = Guests(wave, cast.make, cast.declared, cast.confined)
        guests.recall(recorded)
        note_answers(guests.desks, wave, asks_again)
        halves &= guests.fewest_confined >= SEATS_WORTH_HALVING
        records: list[Record] = []
        try:
            return guests, records, play_wave(rules, guests, records, halves=halves)
        except FailedTogether:
            halves = False


def _recorded(guests: Guests, records: Sequence[Record], rows: range) -> dict[int, Recorded]:
    """Give what the seats of a block have answered; those that declare were not asked."""
    answers: dict[int, list[tuple[int, int]]] = {row: [] for row in rows if guests.is_asked(row)}
    for record in records:
        for at in np.flatnonzero((rows.start <= record.rows) & (record.rows < rows.stop)):
            told = int(record.calls[at]), int(record.answers[at])
            answers[int(record.rows[at])].append(told)
    return {
        row - rows.start: Recorded(guests.starts[row].acts, tuple(given), guests.verdicts.get(row))
        for row, given in answers.items()
    }
