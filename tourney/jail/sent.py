"""A frame that a host was sent, until its answer has been taken: how long that may be, and take.

Between the two whoever asked may do something else. Leaves out what answers mean; see `referee`.
"""

from tourney.jail import frames
from tourney.jail.budgets import Budget, Stopwatch
from tourney.jail.frames import Kind
from tourney.jail.process import Ended, HostProcess

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
    ) -> None:
        """Send it.

        Args:
            host: Who is to answer.
            frame: Its kind, its number and its body.
            count: How many answers there are to be.
            most: Seconds of CPU they may take.
            budget: Says how long a host may sleep.
        Raises: Ended, if the host cannot be sent anything, or has something to say already.
        """
        kind, sequence, body = frame
        self._host, self._count = host, count
        self._awaited = frames.Awaited(ANSWERS_TO[kind], sequence, frames.most_bytes(count))
        self._watch = Stopwatch(host.sleep, most, budget.stall)
        host.check_silent()
        host.send(frames.frame(kind, sequence, body))

    def wait(self) -> bytes:
        """Wait for the answer; give its body.

        Raises: Ended, if anything else comes, or nothing in time.
        """
        self._watch.resume()
        body = self._host.receive(self._awaited, self._watch)
        # Not whether it slept: since it answered it has waited, and rightly so.
        if late := self._watch.overspent():
            raise Ended(*late)
        return body

    def read(self, body: bytes) -> tuple[memoryview, tuple[frames.Faulted, ...]]:
        """Read what came: numbers, not checked, and faults.

        Raises: Ended, if it is no answer.
        """
        try:
            return frames.read_answers(body, self._count)
        except frames.ProtocolFault as fault:
            raise Ended("protocol", str(fault)) from None
