"""A fault that depends on the machine stands if a second play gives it too."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from tourney.execution.engine_selection import Played
from tourney.execution.workers.task import play_confirmed
from tourney.game.blocks import RecordedFault
from tourney.game.ledger import BlockKey, BlockResult, SeatResult, Verdict

KEY = BlockKey(0, 0, 3, 0, 1)


def fault(cause: str, decision: int = 7) -> Verdict:
    """Give a verdict."""
    return Verdict(cause, "bet", 2, decision, f"bet: {cause}", "", "", seen="bankroll 5")


def played(*verdicts: Verdict | None) -> Played:
    """Give a batch of one block, in which entrants 0, 1 … got these verdicts."""
    seats = tuple(
        SeatResult(number, number, 100, 90, 90, 100, 3, None, 15, 50, number, verdict)
        for number, verdict in enumerate(verdicts)
    )
    return Played((BlockResult(KEY, 3, 1, 20, seats),), ("lockstep",))


def plays(*coming: Played) -> Callable[[tuple[RecordedFault, ...]], Played]:
    """Give what plays a batch so, time after time."""
    left: Iterator[Played] = iter(coming)
    return lambda _recorded: next(left)


def verdicts(result: Played) -> list[Verdict | None]:
    """Give the verdicts by entrant."""
    return [seat.verdict for seat in result.results[0].seats]


@pytest.mark.parametrize("cause", ["raised", "illegal", "protocol", "syscall"])
def test_what_depends_on_the_player_alone_is_played_once(cause: str) -> None:
    """It would be the same at any time."""
    once = played(None, fault(cause))
    assert play_confirmed(plays(once)) == (once, ())


@pytest.mark.parametrize("cause", ["cpu", "memory", "stalled", "died"])
def test_a_fault_that_comes_again_is_confirmed(cause: str) -> None:
    """Nothing else is worth a remark."""
    result, remarks = play_confirmed(plays(*[played(None, fault(cause, 7))] * 2))
    _, verdict = verdicts(result)
    assert verdict == replace(fault(cause, 7), is_confirmed=True)
    assert verdict
    assert verdict.is_confirmed
    assert remarks == ()


@pytest.mark.parametrize("again", [fault("died", 9), fault("cpu", 7), fault("unrepeatable", 0)])
def test_a_fault_that_comes_again_elsewhere_leaves_the_first_one_as_a_remark(
    again: Verdict,
) -> None:
    """The second play counts, and nobody has to wonder what the first one was."""
    result, (remark,) = play_confirmed(plays(played(None, fault("died", 7)), played(None, again)))
    _, verdict = verdicts(result)
    assert verdict
    assert (verdict.cause, verdict.decision) == (again.cause, again.decision)
    assert (remark.entrant, remark.key, remark.verdict) == (1, KEY, fault("died", 7))
    assert remark.message == "a second play of the batch gave another fault; its result counts"
    assert not remark.is_warning


def test_a_fault_that_does_not_come_again_is_remarked_and_nothing_else() -> None:
    """The second play's results are kept, and what was suspected is told."""
    clean = played(None, None)
    result, (remark,) = play_confirmed(plays(played(None, fault("cpu")), clean))
    assert result == clean
    assert (remark.entrant, remark.key, remark.verdict) == (1, KEY, fault("cpu"))
    assert remark.message == "a second play of the batch gave no such fault; its result counts"


def test_a_fault_that_only_the_second_play_gives_is_not_confirmed_by_it() -> None:
    """Somebody else's turn to be looked at again."""
    first, second = played(fault("cpu"), None), played(None, fault("stalled"))
    result, remarks = play_confirmed(plays(first, second, played(None, None)))
    assert verdicts(result) == [None, None]
    assert [remark.entrant for remark in remarks] == [0, 1]


def test_a_fault_of_another_kind_confirms_too() -> None:
    """A process that ends late one time and not at all the other is too slow both times."""
    result, _ = play_confirmed(plays(played(fault("died")), played(fault("cpu"))))
    (verdict,) = verdicts(result)
    assert verdict
    assert (verdict.cause, verdict.is_confirmed) == ("cpu", True)


def test_warnings_are_those_of_the_play_that_counts() -> None:
    """One line for each entrant."""
    result = played(None)._replace(warnings=((0, "half of it"),))
    _, (remark,) = play_confirmed(plays(result))
    assert (remark.entrant, remark.message, remark.verdict) == (0, "half of it", None)
