"""What goes back and forth with a host: it is sent a frame, and its answer is taken.

First it says what holds it, then it reads a competitor and seats it; and afterwards it is asked.
Between a frame and its answer whoever asked may do something else. Leaves out where hosts come
from, see `host_process`, and what answers mean; see `referee`.
"""

from collections.abc import Collection, Sequence

from tourney.sandbox import wire
from tourney.sandbox.budgets import Budget, Stopwatch
from tourney.sandbox.host_process import HostEndedError, HostProcess
from tourney.sandbox.wire import Kind

MOST_SHOWN = 9
ANSWERS_TO = {Kind.OPEN: Kind.LOADED, Kind.ASK: Kind.ANSWER}


class Sent:
    """What is under way; a host is sent one thing at a time."""

    def __init__(
        self,
        host: HostProcess,
        frame: tuple[Kind, int, bytes],
        count: int,
        most: float,
        budget: Budget,
        *,
        calls: Collection[str],
    ) -> None:
        """Send it.

        Args:
            host: Who is to answer.
            frame: Its kind, its number and its body.
            count: How many answers there are to be.
            most: Seconds of CPU they may take.
            budget: Says how long a host may sleep.
            calls: What a fault in the answer may be a fault of.
        Raises: Ended, if the host cannot be sent anything, or has something to say already.
        """
        kind, sequence, body = frame
        self._host, self._count, self._calls = host, count, calls
        self._awaited = wire.Awaited(ANSWERS_TO[kind], sequence, wire.most_bytes(count))
        self._watch = Stopwatch(host.sleep, most, budget.stall)
        host.check_silent()
        host.send(wire.frame(kind, sequence, body))

    def wait(self) -> bytes:
        """Wait for the answer; give its body.

        Raises: Ended, if anything else comes, or nothing in time.
        """
        self._watch.resume()
        body = self._host.receive(self._awaited, self._watch)
        # Not whether it slept: since it answered it has waited, and rightly so.
        if late := self._watch.overspent():
            raise HostEndedError(*late)
        return body

    def read(self, body: bytes) -> tuple[memoryview, tuple[wire.Faulted, ...]]:
        """Read what came: numbers, not checked, and faults.

        Raises: Ended, if it is no answer.
        """
        try:
            return wire.read_answers(body, self._count, self._calls)
        except wire.ProtocolError as fault:
            raise HostEndedError("protocol", str(fault)) from None


REPORT_BYTES = wire.SIZES.size
STARTING_SECONDS = 30.0
"""Of CPU, to start: nothing of the competitor has run yet."""


def wait_until_held(host: HostProcess) -> wire.Report:
    """Wait until a host has shut itself in; give what holds it.

    Raises: Ended or ProtocolError, if it has not.
    """
    watch = Stopwatch(host.sleep, STARTING_SECONDS, STARTING_SECONDS)
    body = host.receive(wire.Awaited(Kind.READY, 0, REPORT_BYTES), watch)
    held = wire.read_report(body)
    if held.has_listener:
        host.take_listener()
    return held


def load(
    host: HostProcess, opening: wire.Opening, budget: Budget
) -> tuple[Sequence[int], tuple[wire.Faulted, ...]]:
    """Have a competitor read and its players made.

    Returns: What each player does, in bits: 1 if it acts, 2 if it watches; and faults.
    Raises: Ended, if no honest host would answer so, or none does.
    """
    count = len(opening.seat_requests)
    most = budget.loading + budget.decision * count
    opened = Kind.OPEN, 0, wire.write_opening(opening)
    sent = Sent(host, opened, count, most, budget, calls=wire.SEATING_CALLS)
    flags, faults = sent.read(sent.wait())
    if any(flag not in range(4) for flag in flags):
        got = ", ".join(map(str, flags[:MOST_SHOWN]))
        raise HostEndedError("protocol", f"expected what seats want, from 0 to 3, got {got}")
    return flags, faults
