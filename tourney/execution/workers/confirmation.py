"""Faults that depend on the machine stand only if a second play shows them as well.

Out of time, out of memory, asleep or dead: a machine that is busy with something else may bring
these about. So the batch is played once more by itself. A player gains nothing by that: whoever
answers otherwise in the second play, while it is asked the same, has the verdict `unrepeatable`
(see `exchange_logs`), and the batch is played without it. The first fault is kept as a remark
where the second play gave none, or gave it elsewhere.
"""

from collections.abc import Callable, Collection, Iterable
from dataclasses import replace

from tourney.execution.engine_selection import Played
from tourney.game.blocks import RecordedFault
from tourney.game.ledger import (
    MACHINE_CAUSES,
    RECORDED_CAUSES,
    BlockKey,
    BlockResult,
    Remark,
    SeatResult,
    Verdict,
)

Faults = dict[int, tuple[BlockKey, Verdict]]
"""The first fault that depends on the machine, by entrant."""

NOT_AGAIN = "a second play of the batch gave no such fault; its result stands"
ELSEWHERE = "a second play of the batch gave another fault; its result stands"
"""What is remarked of a first fault."""

Play = Callable[[tuple[RecordedFault, ...]], Played]


def play_confirmed(play: Play) -> tuple[Played, tuple[Remark, ...]]:
    """Play a batch until every fault that depends on the machine has been seen twice.

    Args:
        play: Plays it, with what is recorded of those who are never the same twice.
    Returns: The last play, whose faults of this kind are marked as confirmed; and remarks: faults
        that were not confirmed where they were, and warnings.
    """
    suspected: Faults = {}
    recorded: tuple[RecordedFault, ...] = ()
    played = play(recorded)
    while True:
        found = _faults(played.results)
        if not played.differing and not found.keys() - suspected.keys():
            break
        recorded += played.differing
        # Whoever failed before and does not now is cleared; whoever fails only now is suspected.
        suspected = {**found, **suspected}
        played = play(recorded)
    blamed = _faults(played.results, RECORDED_CAUSES)
    remarks = [
        Remark(entrant, NOT_AGAIN if entrant not in blamed else ELSEWHERE, key, verdict)
        for entrant, (key, verdict) in sorted(suspected.items())
        if entrant not in blamed or _place(key, verdict) != _place(*blamed[entrant])
    ]
    remarks += [Remark(entrant, message) for entrant, message in played.warnings]
    if found:
        played = played._replace(results=tuple(map(_marked, played.results)))
    return played, tuple(remarks)


def _faults(results: Iterable[BlockResult], causes: Collection[str] = MACHINE_CAUSES) -> Faults:
    faults: Faults = {}
    for result in results:
        for seat in result.seats:
            if seat.verdict and seat.verdict.cause in causes:
                faults.setdefault(seat.entrant, (result.key, seat.verdict))
    return faults


def _place(key: BlockKey, verdict: Verdict) -> tuple[object, ...]:
    """Give what has to be alike for one fault to be the same as another."""
    return key, verdict.cause, verdict.call, verdict.round, verdict.decision


def _marked(result: BlockResult) -> BlockResult:
    return replace(result, seats=tuple(map(_marked_seat, result.seats)))


def _marked_seat(seat: SeatResult) -> SeatResult:
    if not seat.verdict or seat.verdict.cause not in MACHINE_CAUSES:
        return seat
    return replace(seat, verdict=replace(seat.verdict, is_confirmed=True))
