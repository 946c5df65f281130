"""`tourney serve`: starts the portal's processes, and restarts them when they end.

They end with it, however it ends: each holds the reading end of a pipe, and leaves when the other
end is closed. The folder stays locked until the last process has left, so that the next supervisor
starts after all of them.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Event
from typing import Any

from tourney.errors import PortalError
from tourney.portal.places import Places
from tourney.portal.worker import ROLES, was_well

LONGEST_WAIT, LONGEST_OF_SOUND = 60.0, 5.0
"""Longest pause in seconds before a restart (after 1, 2, 4): of a process that ends repeatedly, and
of one that had started well.
"""
SOUND_AFTER = 30.0
"""A process that lived this many seconds had a good start."""
SECONDS_TO_LEAVE = 4.0
"""Seconds that the processes have to leave when the portal ends, before they are killed."""
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
        places: Its folder.
        options: Those of `tourney serve`, which every process gets.
        tell: Called with a text for each event.
        prepare: Called before they start, with the folder locked; may raise to prevent the start.
        is_ready: Whether the portal answers.
        announce: Called once, when it does.
    """

    places: Places
    options: Mapping[str, Any]
    tell: Callable[[str], None]
    prepare: Callable[[], None]
    is_ready: Callable[[], bool]
    announce: Callable[[], None]
    _stop: Event = field(default_factory=Event)

    def stop(self, *_: object) -> None:
        """End the portal; safe in a signal handler."""
        self._stop.set()

    def run(self) -> None:
        """Keep the processes alive until `stop`, then end them.

        Raises: PortalError, if another portal has the folder; the errors of `prepare`.
        """
        lock = self._lock()
        reading, writing = os.pipe()
        children = [_Child(role) for role in ROLES]
        try:
            self.prepare()
            is_announced = False
            while not self._stop.wait(LOOK_EVERY):
                for child in children:
                    self._look_after(child, reading, lock)
                if not is_announced and self.is_ready():
                    is_announced = True
                    self.announce()
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
            f"{self.places.root}: another `tourney serve` is running in this folder; end it first, "
            "or name another folder"
        )

    def _look_after(self, child: _Child, reading: int, lock: int) -> None:
        moment = time.monotonic()
        if child.process and (status := child.process.poll()) is not None:
            is_sound = moment - child.begun > SOUND_AFTER
            child.failures = 0 if is_sound else child.failures + 1
            had_begun = was_well(self.places, child.role, child.process.pid)
            wait = _wait(child.failures, had_begun=had_begun)
            child.process, child.next_start = None, moment + wait
            self.tell(f"{child.role} ended ({_ending(status)}); restarts in {wait:g} s")
        if child.process is None and moment >= child.next_start:
            child.process, child.begun = self._start(child.role, reading, lock), moment

    def _start(self, role: str, reading: int, lock: int) -> subprocess.Popen[bytes]:
        command = (sys.executable, "-m", "tourney.portal.processes", role, str(self.places.root))
        variables = {**os.environ, "PYTHONUNBUFFERED": "1"}
        return subprocess.Popen(  # noqa: S603 - this very program
            (*command, json.dumps(self.options)), stdin=reading, pass_fds=(lock,), env=variables
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


def _wait(failures: int, *, had_begun: bool) -> float:
    """Give the seconds before the next start, after `failures` ends in a row."""
    longest = LONGEST_OF_SOUND if had_begun else LONGEST_WAIT
    return min(longest, 2.0 ** (failures - 1)) if failures else 0.0


def _ending(status: int) -> str:
    return signal.Signals(-status).name if status < 0 else f"status {status}"
