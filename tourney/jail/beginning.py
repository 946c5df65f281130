"""The first exchanges with a host: it says what holds it, then reads a competitor and seats it.

Leaves out where hosts come from, see `process`, and all that they are asked afterwards.
"""

from collections.abc import Sequence

from tourney.jail import frames
from tourney.jail.budgets import Budget, Stopwatch
from tourney.jail.frames import Kind
from tourney.jail.process import Ended, HostProcess
from tourney.jail.sent import Sent

REPORT_BYTES = frames.SIZES.size
STARTING_SECONDS = 30.0
"""Of CPU, to start: nothing of the competitor has run yet."""


def wait_until_held(host: HostProcess) -> frames.Report:
    """Wait until a host has shut itself in; give what holds it.

    Raises: Ended or ProtocolFault, if it has not.
    """
    watch = Stopwatch(host.sleep, STARTING_SECONDS, STARTING_SECONDS)
    body = host.receive(frames.Awaited(Kind.READY, 0, REPORT_BYTES), watch)
    held = frames.read_report(body)
    if held.has_listener:
        host.take_listener()
    return held


def load(
    host: HostProcess, opening: frames.Opening, budget: Budget
) -> tuple[Sequence[int], tuple[frames.Faulted, ...]]:
    """Have a competitor read and its players made.

    Returns: What each player does, in bits: 1 if it acts, 2 if it watches; and faults.
    Raises: Ended, if no honest host would answer so, or none does.
    """
    count = len(opening.newcomers)
    most = budget.loading + budget.decision * count
    sent = Sent(host, (Kind.OPEN, 0, frames.write_opening(opening)), count, most, budget)
    flags, faults = sent.read(sent.wait())
    if any(flag not in range(4) for flag in flags):
        raise Ended("protocol", "expected what players do, got other numbers")
    return flags, faults
