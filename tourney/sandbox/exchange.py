"""Exchanges with a host: sending a frame and receiving the answer.

First a host reports its restrictions, then it reads a competitor and seats its players, and then it
answers questions. Between a frame and its answer, the caller can do other work. Hosts are started
in `host_process`, and answers are interpreted in `referee`.
"""

from collections.abc import Collection, Sequence

from tourney.sandbox import wire
from tourney.sandbox.budgets import Budget, Share, Stopwatch
from tourney.sandbox.host_process import HostEndedError, HostProcess
from tourney.sandbox.wire import Kind

MOST_SHOWN = 9
ANSWERS_TO = {Kind.OPEN: Kind.LOADED, Kind.ASK: Kind.ANSWER}


class Sent:
    """A frame that was sent; a host receives one at a time."""

    def __init__(
        self,
        host: HostProcess,
        frame: tuple[Kind, int, bytes],
        count: int,
        share: Share,
        budget: Budget,
        *,
        calls: Collection[str],
    ) -> None:
        """Send the frame.

        Args:
            host: The host.
            frame: Its kind, its number and its body.
            count: Number of answers.
            share: The time for them.
            budget: Limits the sleep of the host.
            calls: Calls that a fault in the answer may name.
        Raises: HostEndedError, if the host cannot receive, or has sent unexpected data.
        """
        kind, sequence, body = frame
        self._host, self._count, self._calls = host, count, calls
        self._awaited = wire.Awaited(ANSWERS_TO[kind], sequence, wire.most_bytes(count))
        self._watch = Stopwatch(host.sleep, share.seconds, budget.stall, share.words)
        host.check_silent()
        host.send(wire.frame(kind, sequence, body))

    def wait(self) -> bytes:
        """Wait for the answer and return its body.

        Raises: HostEndedError, if something else arrives, or no answer arrives in time.
        """
        self._watch.resume()
        body = self._host.receive(self._awaited, self._watch)
        # Not its sleep: since it answered, it has rightly waited.
        if late := self._watch.overspent():
            raise HostEndedError(*late)
        return body

    def read(self, body: bytes) -> tuple[memoryview, tuple[wire.Faulted, ...]]:
        """Read the answers, as unchecked numbers, and the faults.

        Raises: HostEndedError, if the body is not valid.
        """
        try:
            return wire.read_answers(body, self._count, self._calls)
        except wire.ProtocolError as fault:
            raise HostEndedError("protocol", str(fault)) from None


STARTING_SECONDS = 30.0
"""Seconds of CPU to start, before any code of the competitor runs."""


def wait_until_held(host: HostProcess) -> wire.Report:
    """Wait until a host has locked itself down; return its restrictions.

    Raises: HostEndedError or ProtocolError, if it has not.
    """
    watch = Stopwatch(host.sleep, STARTING_SECONDS, STARTING_SECONDS)
    body = host.receive(wire.Awaited(Kind.READY, 0, wire.SIZES.size), watch)
    held = wire.read_report(body)
    if held.has_listener:
        host.take_listener()
    return held


def load(
    host: HostProcess, opening: wire.Opening, budget: Budget
) -> tuple[Sequence[int], tuple[wire.Faulted, ...]]:
    """Let a host read a competitor and make its players.

    Returns: For each player the sum of 1 if it acts and 2 if it watches; and faults.
    Raises: HostEndedError, if the answer is missing or not valid.
    """
    count = len(opening.seat_requests)
    most = budget.loading + budget.decision * count
    opened = Kind.OPEN, 0, wire.write_opening(opening)
    sent = Sent(host, opened, count, Share(most), budget, calls=wire.SEATING_CALLS)
    flags, faults = sent.read(sent.wait())
    if any(flag not in range(4) for flag in flags):
        got = ", ".join(map(str, flags[:MOST_SHOWN]))
        raise HostEndedError("protocol", f"expected requests of seats from 0 to 3, got {got}")
    return flags, faults
