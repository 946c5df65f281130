"""Faults that depend on the machine stand only if a second play gives them as well.

Out of time, out of memory, asleep or dead: a machine that is busy with something else may bring
these about. So the batch is played once more by itself. Everybody else plays as before, because
blocks are pure.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace

from tourney.engine import Played
from tourney.ledger import MACHINE_CAUSES, BlockKey, BlockResult, Remark, SeatResult, Verdict

Faults = dict[int, tuple[BlockKey, Verdict]]
"""The first fault that depends on the machine, by entrant."""


def play_confirmed(play: Callable[[], Played]) -> tuple[Played, tuple[Remark, ...]]:
    """Play a batch until every fault that depends on the machine has been seen twice.

    Args:
        play: Plays it.
    Returns: The last play, whose faults of this kind are marked as confirmed; and what to remark:
        faults that were not, and warnings.
    """
    suspected: Faults = {}
    played = play()
    while (found := _faults(played.results)).keys() - suspected.keys():
        # Whoever failed before and does not now is cleared; whoever fails only now is suspected.
        suspected = {**found, **suspected}
        played = play()
    remarks = [
        Remark(
            entrant,
            message="a second play of the batch gave no such fault",
            key=key,
            verdict=verdict,
        )
        for entrant, (key, verdict) in sorted(suspected.items())
        if entrant not in found
    ]
    remarks += [Remark(entrant, message) for entrant, message in played.warnings]
    if found:
        played = played._replace(results=tuple(map(_marked, played.results)))
    return played, tuple(remarks)


def _faults(results: Iterable[BlockResult]) -> Faults:
    faults: Faults = {}
    for result in results:
        for seat in result.seats:
            if _depends_on_machine(seat.verdict):
                assert seat.verdict
                faults.setdefault(seat.entrant, (result.key, seat.verdict))
    return faults


def _marked(result: BlockResult) -> BlockResult:
    return replace(result, seats=tuple(map(_marked_seat, result.seats)))


def _marked_seat(seat: SeatResult) -> SeatResult:
    if not _depends_on_machine(seat.verdict):
        return seat
    assert seat.verdict
    return replace(seat, verdict=replace(seat.verdict, is_confirmed=True))


def _depends_on_machine(verdict: Verdict | None) -> bool:
    return verdict is not None and verdict.cause in MACHINE_CAUSES
