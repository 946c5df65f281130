"""`tourney serve`: starts the portal's processes, and starts them again when they end.

They end with it, however it ends: each holds the reading end of a pipe, and leaves when nobody
holds the other. Until the last has left, the lock of the folder is held, so that the next
supervisor begins when nothing of this one is left.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Event

from tourney.errors import PortalError
from tourney.portal.health import ROLES, was_well
from tourney.portal.places import Places

LONGEST_WAIT, LONGEST_OF_SOUND = 60.0, 5.0
"""Seconds before a process is started again that ends again and again, 1, 2, 4 before; and of one
that had begun well, whatever ended it."""
SOUND_AFTER = 30.0
"""Seconds after which a process that ends had nothing wrong with its start."""
SECONDS_TO_LEAVE = 4.0
"""That the others have when the portal ends, before they are killed."""
LOOK_EVERY = 0.1


@dataclass(slots=True)
class _Child:
    role: str
    process: subprocess.Popen[bytes] | None = None
    begun: float = 0.0
    failures: int = 0
    next_start: float = 0.0


@dataclass
class Supervisor:
    """The processes of one portal.

    Args:
        places: Where it is.
        arguments: What every process is told beside its role and the folder.
        tell: Hears what happens, in words.
        roles: Which processes there are.
        prepare: Called once no other portal has the folder, before they start; raises what keeps
            them from it.
    """

    places: Places
    arguments: Sequence[str] = ()
    tell: Callable[[str], None] = print
    roles: Sequence[str] = ROLES
    prepare: Callable[[], None] = lambda: None
    _stop: Event = field(default_factory=Event)

    def stop(self, *_: object) -> None:
        """Let the portal end; may be called by a signal."""
        self._stop.set()

    def run(self) -> None:
        """Keep the processes alive until `stop`, then end them.

        Raises: PortalError, if another portal has the folder; whatever `prepare` does.
        """
        lock = self._lock()
        reading, writing = os.pipe()
        children = [_Child(role) for role in self.roles]
        try:
            self.prepare()
            while not self._stop.wait(LOOK_EVERY):
                for child in children:
                    self._look_after(child, reading, lock)
        finally:
            os.close(writing)
            self._end(children)
            os.close(reading)
            os.close(lock)

    def _lock(self) -> int:
        import fcntl  # noqa: PLC0415 - a portal stands on Linux; other commands do not

        lock = os.open(self.places.lock, os.O_RDWR | os.O_CREAT, 0o600)
        for _ in range(100):
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                time.sleep(LOOK_EVERY)
            else:
                return lock
        os.close(lock)
        raise PortalError(
            f"{self.places.root}: expected a folder that no portal serves, got one whose "
            "`tourney serve` is running; end that first, or name another folder"
        )

    def _look_after(self, child: _Child, reading: int, lock: int) -> None:
        moment = time.monotonic()
        if child.process and (status := child.process.poll()) is not None:
            is_sound = moment - child.begun > SOUND_AFTER
            child.failures = 0 if is_sound else child.failures + 1
            had_begun = was_well(self.places, child.role, child.process.pid)
            wait = _wait(child.failures, had_begun=had_begun)
            child.process, child.next_start = None, moment + wait
            self.tell(f"{child.role} ended ({_ending(status)}); started again in {wait:g} s")
        if child.process is None and moment >= child.next_start:
            child.process, child.begun = self._start(child.role, reading, lock), moment

    def _start(self, role: str, reading: int, lock: int) -> subprocess.Popen[bytes]:
        command = (sys.executable, "-m", "tourney.portal.processes", role, str(self.places.root))
        return subprocess.Popen(  # noqa: S603 - this very program
            (*command, *self.arguments), stdin=reading, pass_fds=(lock,), env=_environment()
        )

    @staticmethod
    def _end(children: Sequence[_Child]) -> None:
        running = [child.process for child in children if child.process]
        for process in running:
            with suppress(ProcessLookupError):
                process.send_signal(signal.SIGTERM)
        deadline = time.monotonic() + SECONDS_TO_LEAVE
        for process in running:
            try:
                process.wait(max(0.0, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _environment() -> Mapping[str, str]:
    """Give what the processes find in their environment: results do not hang on its hashes."""
    return {**os.environ, "PYTHONUNBUFFERED": "1"}


def _wait(failures: int, *, had_begun: bool) -> float:
    """Give the seconds before the next start, after so many endings in a row."""
    longest = LONGEST_OF_SOUND if had_begun else LONGEST_WAIT
    return min(longest, 2.0 ** (failures - 1)) if failures else 0.0


def _ending(status: int) -> str:
    return signal.Signals(-status).name if status < 0 else f"status {status}"
