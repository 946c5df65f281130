"""Compiling machine code in a child process, while this process plays without it.

Compiling takes half a minute, once after an installation, and a run does not wait for it, because
all engines give the same results. Only one process of a machine compiles a part of the code at a
time; other processes use the result. A child ends with its parent, even if the parent is killed.
`tourney.execution.warm_up` contains the code that compiles.
"""

import atexit
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from tempfile import TemporaryFile
from time import monotonic, perf_counter, process_time, sleep
from typing import Any

from tourney.game import Game
from tourney.game.accelerators import Kernels
from tourney.game.blocks import Block
from tourney.game.machine.compile_cache import (
    CodeUnit,
    is_made,
    lock_of,
    locks,
    note_missed,
    seconds_of,
    was_missed,
)

PROGRAM = (
    "import sys; module, kind, name, *sys.path = sys.argv[1:];"
    "from tourney.execution.warm_up import make_for_parent; make_for_parent(module, kind, name)"
)

MANY_PROCESSORS = 4
"""With fewer processors, parts are compiled one after another, so that some remain for play."""
WORTH = 8.0
"""Seconds that a process computes without a part of the code before the part is compiled.

They count from the arrival of another part; if that took longer to compile, so long. Compiling a
part takes longer than most runs take without it, and occupies a processor."""
CROWDED = 1.2
"""A processor counts as shared if a process takes this many times longer than it computes."""
ENDING_SECONDS = 2.0
"""Seconds within which a process that compiled for a worker has ended."""
GIVES_WAY = 3.0
"""Such a process pauses for this many times its computing time in favour of the compiler."""


class Child:
    """A process that compiles a part of the machine code; only one runs on a machine."""

    def __init__(self, kernels: Kernels, part: CodeUnit, lock: int) -> None:
        """Start the process.

        Args:
            kernels: The kernels of a game.
            part: The part to compile.
            lock: An open, locked file; the child keeps it locked until it ends.
        """
        self.part = part
        self._errors = TemporaryFile()  # noqa: SIM115 - closed with the child
        what = (type(kernels).__module__, type(kernels).__qualname__, part.name)
        self._process = subprocess.Popen(  # noqa: S603 - this very Python
            [sys.executable, *_flags(), "-P", "-c", PROGRAM, *what, *sys.path],
            stdin=subprocess.PIPE,  # which closes when this process ends
            stdout=subprocess.DEVNULL,
            stderr=self._errors,
            pass_fds=(lock,),
            start_new_session=True,  # Ctrl-C reaches this process, which ends the child
        )

    def is_over(self) -> bool:
        """Return whether the process has ended."""
        return self._process.poll() is not None

    def wait_at_most(self, seconds: float) -> None:
        """Wait for the end of the process, up to a time limit."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(seconds)

    def wait(self) -> str:
        """Wait for the end of the process and return the error; empty on success."""
        status = self._process.wait()
        self._errors.seek(0)
        text = self._errors.read().decode(errors="replace").strip()
        self.end()
        if is_made(self.part):
            return ""
        return f"exit status {status}: {text.splitlines()[-1] if text else 'no message'}"

    def end(self) -> None:
        """Kill the process, if it has not ended."""
        self._process.kill()
        self._process.wait()
        assert self._process.stdin
        self._process.stdin.close()
        self._errors.close()


def _flags() -> list[str]:
    # Assertions are compiled, too, so the child needs the same setting.
    return [f"-{'O' * sys.flags.optimize}"] if sys.flags.optimize else []


def start(kernels: Kernels, part: CodeUnit) -> Child | None:
    """Start to compile a part, unless another process compiles it.

    Raises: OSError, if a process cannot be started or a file cannot be locked.
    """
    lock = lock_of(part)
    if lock is None:
        return None
    with _locked(lock) as file:
        return None if file is None else Child(kernels, part, file)


class Making:
    """The compilations that this process has started."""

    def __init__(self) -> None:
        self._child: Child | None = None
        self._made: set[CodeUnit] = set()
        self.failed: set[CodeUnit] = set()  # parts that could not be compiled
        self._without = 0.0  # seconds computed since the last part arrived
        self._news: list[str] = []

    def has(self, kernels: Kernels, part: CodeUnit, *, starts: bool = True) -> bool:
        """Return whether a part exists; if not, start to compile it, unless `starts` is False."""
        # Windows has no lock that a child could hold: there, a process compiles and waits.
        if part in self._made or sys.platform == "win32" or is_made(part):
            if part not in self._made:
                self._made.add(part)
                self._without = 0.0
            return True
        if not starts:
            return False
        try:
            if self._child and self._child.is_over():
                child, self._child = self._child, None
                if why := child.wait():
                    self._fail(child.part, why)
            if not self._child and part not in self.failed:
                self._child = start(kernels, part)
        except OSError as error:
            self._fail(part, str(error))
        return False

    def is_missed(self, part: CodeUnit, there: Iterable[CodeUnit]) -> bool:
        """Record and return whether so much was played without a part that compiling it pays.

        Args:
            part: The missing part.
            there: Other parts, which exist.
        """
        is_missed = self._without >= max([WORTH, *map(seconds_of, there)])
        if is_missed:
            note_missed(part)
        return is_missed

    @contextmanager
    def giving_way(self) -> Iterator[None]:
        """Leave the processor to the child for a while after the body, if both need it.

        The sooner a part is compiled, the sooner all blocks are played fast. The time of the body
        counts as play without the parts that are missing.
        """
        began, computed = perf_counter(), process_time()
        yield
        computed = process_time() - computed
        self._without += computed
        if self._child and perf_counter() - began > CROWDED * computed:
            self._child.wait_at_most(GIVES_WAY * computed)

    def take(self, part: CodeUnit) -> Child | None:
        """Hand the child that compiles a part over to the caller."""
        if not self._child or self._child.part != part:
            return None
        child, self._child = self._child, None
        return child

    def _fail(self, part: CodeUnit, why: str) -> None:
        self.failed.add(part)
        self._news.append(
            f"machine code could not be compiled ({why}); the run continues without it, more slowly"
        )

    def news(self) -> tuple[str, ...]:
        """Return messages for the organiser, once."""
        news, self._news = self._news, []
        return tuple(news)

    def end(self) -> None:
        """End the child, if there is one."""
        if self._child:
            self._child.end()


@cache
def own_making() -> Making:
    """Return the instance of this process; it affects only speed, never a result."""
    made = Making()
    atexit.register(made.end)
    return made


def is_there(game: Game[Any, Any, Any], *, all_of_it: bool = False) -> bool:
    """Return whether machine code for a game exists; always True for a game without kernels.

    Args:
        game: The game.
        all_of_it: Whether the optional, faster parts must exist, too.
    """
    kernels = game.kernels()
    return not kernels or all(map(is_made, kernels.parts[: None if all_of_it else 1]))


def ways_for(blocks: Iterable[Block]) -> frozenset[CodeUnit]:
    """Return the existing parts of machine code for blocks; start to compile one that is missed."""
    wanted: dict[CodeUnit, Kernels] = {}
    for block in blocks:
        if kernels := block.rules.game.kernels():
            wanted |= dict.fromkeys(kernels.parts_for(block), kernels)
    making, there, lacks = own_making(), set[CodeUnit](), False
    are_few = (os.cpu_count() or 1) < MANY_PROCESSORS
    for part, kernels in wanted.items():
        starts = not (are_few and lacks) and making.is_missed(part, there)
        if making.has(kernels, part, starts=starts):
            there.add(part)
        elif part not in making.failed:  # compiled by this process or by another
            lacks = True
    return frozenset(there)


def missed_parts(game: Game[Any, Any, Any]) -> list[CodeUnit]:
    """Return the parts of machine code that were missed here and have not been compiled since."""
    kernels = game.kernels()
    return [
        each
        for each in (kernels.parts if kernels else ())
        if was_missed(each) and not is_made(each)
    ]


def make_missed(game: Game[Any, Any, Any]) -> str:
    """Compile the missed parts, now that no run waits for them; return the error, if any.

    A part that another process is compiling is left to it, unless that process ends soon, like
    those of workers whose run has just finished.

    Raises: OSError, if a process cannot be started or a file cannot be locked.
    """
    kernels = game.kernels()
    assert kernels
    for part in missed_parts(game):
        # If only this process played, it has started the child, which would end with it.
        if child := own_making().take(part) or _started_soon(kernels, part):
            try:
                if why := child.wait():
                    return why
            finally:
                child.end()
    return ""


def _started_soon(kernels: Kernels, part: CodeUnit) -> Child | None:
    """Start to compile a part; wait only for processes that are about to end."""
    until = monotonic() + ENDING_SECONDS
    while not (child := start(kernels, part)) and lock_of(part) and monotonic() < until:
        sleep(ENDING_SECONDS / 20)
    return child


def is_being_made() -> bool:
    """Return whether a process of this machine compiles machine code."""
    return any(map(_is_locked, locks()))


def _is_locked(lock: Path) -> bool:
    with _locked(lock) as file:
        return file is None


if sys.platform == "win32":

    @contextmanager
    def _locked(_lock: Path) -> Iterator[int | None]:
        yield None
else:
    import fcntl

    @contextmanager
    def _locked(lock: Path) -> Iterator[int | None]:
        """Lock a file and yield it, open; `None` if another process has locked it."""
        file = os.open(lock, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                yield None
            else:
                yield file
        finally:
            os.close(file)  # a child that inherited it keeps the lock
