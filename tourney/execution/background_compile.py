"""Having machine code made by a child process while this one plays without it.

To compile takes half a minute, once after an installation, and nobody should wait for that: all
engines give the same results. Only one process of a machine makes a part of the code at a time;
whoever needs it looks for what has been made. A child ends with its parent, however that ends.
Leaves out what is played to make it; see `tourney.execution.warm_up`.
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
"""With fewer, parts are made one after the other, since play needs processors, too."""
MUCH, WORTH = 1.0, 8.0
"""Seconds that a process computes without a part of the code, after another one has come: for so
many the part is made when the run is over, and for so many while it goes on, or for as many as
the other took to make, if that is more: on a slow machine all takes longer. It takes longer to
make than most runs take to end without, and keeps a processor from playing."""
CROWDED = 1.2
"""How much longer than it computes a process takes that has to share its processor."""
ENDING_SECONDS = 2.0
"""How long a process takes at most to end that made a part for a worker."""
GIVES_WAY = 3.0
"""For how many times as long as it computed such a process leaves its processor to the compiler."""


class Child:
    """A process that makes a part of the machine code, the only one of this machine."""

    def __init__(self, kernels: Kernels, part: CodeUnit, lock: int) -> None:
        """Start it.

        Args:
            kernels: Whose part it makes.
            part: What it makes.
            lock: An open file that is locked; it stays so until the child ends.
        """
        self.part = part
        self._said = TemporaryFile()  # noqa: SIM115 - closed with the child
        what = (type(kernels).__module__, type(kernels).__qualname__, part.name)
        self._process = subprocess.Popen(  # noqa: S603 - this very Python
            [sys.executable, *_flags(), "-P", "-c", PROGRAM, *what, *sys.path],
            stdin=subprocess.PIPE,  # which closes when this process ends
            stdout=subprocess.DEVNULL,
            stderr=self._said,
            pass_fds=(lock,),
            start_new_session=True,  # an interrupt is for this process, which ends it
        )

    def is_over(self) -> bool:
        """Say whether it has ended."""
        return self._process.poll() is not None

    def wait_at_most(self, seconds: float) -> None:
        """Wait for its end, but not for longer."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(seconds)

    def wait(self) -> str:
        """Wait for its end, and say why it failed; nothing, if it did not."""
        status = self._process.wait()
        self._said.seek(0)
        said = self._said.read().decode(errors="replace").strip()
        self.end()
        if is_made(self.part):
            return ""
        return f"exit status {status}: {said.splitlines()[-1] if said else 'it said nothing'}"

    def end(self) -> None:
        """End it at once, if it has not ended."""
        self._process.kill()
        self._process.wait()
        assert self._process.stdin
        self._process.stdin.close()
        self._said.close()


def _flags() -> list[str]:
    # What is asserted is compiled, too.
    return [f"-{'O' * sys.flags.optimize}"] if sys.flags.optimize else []


def start(kernels: Kernels, part: CodeUnit) -> Child | None:
    """Have a part made, unless another process makes it.

    Raises: OSError, if no process can be started or nothing can be locked.
    """
    lock = lock_of(part)
    if lock is None:
        return None
    with _locked(lock) as file:
        return None if file is None else Child(kernels, part, file)


class Making:
    """What this process has made for it."""

    def __init__(self) -> None:
        self._child: Child | None = None
        self._made: set[CodeUnit] = set()
        self._failed: set[CodeUnit] = set()
        self._without = 0.0  # seconds computed since the last part came
        self._news: list[str] = []

    def has(self, kernels: Kernels, part: CodeUnit, *, starts: bool = True) -> bool:
        """Say whether a part is there; if not, have it made meanwhile, unless it is to wait."""
        # Windows has no lock that a child could hold: whoever needs code there makes it and waits.
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
            if not self._child and part not in self._failed:
                self._child = start(kernels, part)
        except OSError as error:
            self._fail(part, str(error))
        return False

    def is_missed(self, part: CodeUnit, there: Iterable[CodeUnit]) -> bool:
        """Say whether so much is played without a part that it is worth a processor to make it.

        Args:
            part: What is not there.
            there: Other parts, which are.
        """
        if self._without >= MUCH:
            note_missed(part)
        return self._without >= max(WORTH, *map(seconds_of, there))

    def may_come(self, part: CodeUnit) -> bool:
        """Say whether a part that is not there may still be made."""
        return part not in self._failed

    @contextmanager
    def giving_way(self) -> Iterator[None]:
        """Do something meanwhile, and then leave the processor to the child, if both want it.

        The sooner a part is made, the sooner everything is played fast.
        """
        began, computed = perf_counter(), process_time()
        yield
        computed = process_time() - computed
        self._without += computed
        if self._child and perf_counter() - began > CROWDED * computed:
            self._child.wait_at_most(GIVES_WAY * computed)

    def take(self, part: CodeUnit) -> Child | None:
        """Give the child that makes a part for this process, which is the caller's from now on."""
        if not self._child or self._child.part != part:
            return None
        child, self._child = self._child, None
        return child

    def _fail(self, part: CodeUnit, why: str) -> None:
        self._failed.add(part)
        self._news.append(
            f"machine code could not be made ({why}): the run goes on without it, more slowly"
        )

    def news(self) -> tuple[str, ...]:
        """Give what people should be told, once."""
        news, self._news = self._news, []
        return tuple(news)

    def end(self) -> None:
        """End the child, if there is one."""
        if self._child:
            self._child.end()


@cache
def own_making() -> Making:
    """Give the one of this process; it decides about time, never about a result."""
    made = Making()
    atexit.register(made.end)
    return made


def is_there(game: Game[Any, Any, Any], *, all_of_it: bool = False) -> bool:
    """Say whether there is machine code that can play a game.

    Args:
        game: Any; one without kernels has all that it can have.
        all_of_it: Whether the parts must be there, too, that play some of it faster.
    """
    kernels = game.kernels()
    return not kernels or all(map(is_made, kernels.parts[: None if all_of_it else 1]))


def ways_for(blocks: Iterable[Block]) -> frozenset[CodeUnit]:
    """Give the parts of machine code that are there for blocks, and have the next one made."""
    wanted: dict[CodeUnit, Kernels] = {}
    for block in blocks:
        if kernels := block.rules.game.kernels():
            wanted |= dict.fromkeys(kernels.parts_for(block), kernels)
    making, there, lacks = own_making(), set[CodeUnit](), False
    are_few = (os.cpu_count() or 1) < MANY_PROCESSORS
    for part, kernels in wanted.items():
        is_missed = bool(there) and not lacks and making.is_missed(part, there)
        starts = is_missed or not (are_few and (there or lacks))
        if making.has(kernels, part, starts=starts):
            there.add(part)
        elif making.may_come(part):  # be it made by this process or by another
            lacks = True
    return frozenset(there)


def missed_parts(game: Game[Any, Any, Any]) -> list[CodeUnit]:
    """Give the parts of machine code that were missed here, and have not been made since."""
    kernels = game.kernels()
    return [
        each
        for each in (kernels.parts if kernels else ())
        if was_missed(each) and not is_made(each)
    ]


def make_missed(game: Game[Any, Any, Any]) -> str:
    """Make what was missed, as nothing waits for it any more, and say why it failed, if it did.

    What another process is making is left to that, unless it ends at once, as do those that
    workers had started, which ended when the board was there.

    Raises: OSError, if no process can be started or nothing can be locked.
    """
    kernels = game.kernels()
    assert kernels
    for part in missed_parts(game):
        # Where nobody else played, this process has begun it, and would end it with itself.
        if child := own_making().take(part) or _started_soon(kernels, part):
            try:
                if why := child.wait():
                    return why
            finally:
                child.end()
    return ""


def _started_soon(kernels: Kernels, part: CodeUnit) -> Child | None:
    """Start to make a part as soon as nobody else does, but wait only for those who are ending."""
    until = monotonic() + ENDING_SECONDS
    while not (child := start(kernels, part)) and lock_of(part) and monotonic() < until:
        sleep(ENDING_SECONDS / 20)
    return child


def is_being_made() -> bool:
    """Say whether a process of this machine makes machine code."""
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
        """Lock a file and give it, open; None if somebody else has locked it."""
        file = os.open(lock, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                yield None
            else:
                yield file
        finally:
            os.close(file)  # a child that has it keeps it locked
