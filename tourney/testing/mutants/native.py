"""Tries test cases in C++ on implementations: each pair is a program, shut in as a player's is.

A case's `main` is the program's, and its exit status the verdict. Every implementation and every
case is compiled once, and linked together in the compilers' sandbox. Programs run in the sandbox of
competitors instead: a tool may read its folder and start others, and a case may do neither. Grades
of cases are in `tourney.testing.grading`.
"""

import os
import signal
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from math import ceil
from pathlib import Path
from typing import NamedTuple

from tourney.config.words import joined
from tourney.errors import BuildError, ConfinementError
from tourney.game.mutants import Implementation, Mutants, NativeSource
from tourney.sandbox import native as sandbox_native
from tourney.sandbox.budgets import Stopwatch
from tourney.sandbox.exchange import wait_until_held
from tourney.sandbox.host_process import HostEndedError, HostProcess, Setup
from tourney.sandbox.levels import Level, setup_for
from tourney.sandbox.lockdown import Limits
from tourney.sandbox.native.compilation import SOURCES, build_object, link_objects
from tourney.sandbox.native.diagnostics import place_in, told_by
from tourney.sandbox.native.tools import BUILD_CPU_SECONDS, BUILD_SECONDS, BuildBudget
from tourney.sandbox.wire import Awaited, Kind, ProtocolError
from tourney.testing.student_tests import NativeCase

OURS = ("-ffunction-sections", "-ffile-prefix-map=./=/tourney/")
"""Lets what no case uses be left out, and names our files as no author's are."""
OWN_PROGRAM = (
    Path(sandbox_native.__file__).parent / "case_cpp" / "case.cpp",
    SOURCES / "entry.cpp",
    SOURCES / "chance.cpp",
    SOURCES / "faults.cpp",
)
"""What every case is linked with, whatever the game."""

CASE_CPU_SECONDS = 5.0
"""Of compiling and linking, for each case on average; those of the course's suite take 1 to 2."""

NO_ANSWER = "something done to the pipe on which players answer"

Objects = Mapping[str, Sequence[bytes]]
"""By the name of an implementation, all but a case that its programs are linked of; correct ones go
by the name of their class."""


class CaseFailedError(Exception):
    """A case fails a correct implementation."""

    def __init__(self, other: Implementation | None, place: str, got: str) -> None:
        """Keep which one, None for the correct one itself; where, if it is known; and how."""
        super().__init__(got)
        self.other, self.place, self.got = other, place, got


class Ran(NamedTuple):
    """How a program ended."""

    error: str  # in words; empty for status 0
    addresses: str  # where, as `place_in` takes them


class CaseTrials:
    """Tries cases on the mutants of a game; several threads may do so at the same time."""

    def __init__(self, mutants: Mutants, seconds: float, level: Level, most_cases: int = 1) -> None:
        """Compile the implementations.

        Args:
            mutants: Those in C++.
            seconds: What a case may take with one implementation.
            level: How well its process is shut in.
            most_cases: How many are to be tried; all of them have one limit of compiling together.
        Raises: ConfinementError, if nothing can be compiled here.
        """
        self._mutants, self._seconds, self._level = mutants, seconds, level
        headers = {path for kind in mutants.correct.values() for path in _native(kind).headers}
        self._headers = _texts(sorted(headers))
        self._objects = self._compiled()
        computing = BUILD_CPU_SECONDS + most_cases * CASE_CPU_SECONDS
        self._budget = BuildBudget(
            computing, computing * BUILD_SECONDS / BUILD_CPU_SECONDS, title="test cases that take"
        )

    def catches(self, case: NativeCase) -> tuple[str, ...]:
        """Give the names of the mutants that a case catches.

        Raises: BuildError, if it tests something else or does not compile; CaseFailedError,
            if it fails a correct implementation.
        """
        classes = [of for of, home in self._mutants.homes.items() if home == case.home]
        if not classes:
            homes = joined(list(dict.fromkeys(self._mutants.homes.values())))
            what = f"expected a test case of {homes}, got one of {case.home}"
            raise BuildError(what, f"{case.name}:{case.line}", "name it after what it tests")
        budget = BuildBudget(title="a test case whose build takes", within=self._budget)
        own = build_object(case.name, case.source.encode(), self._headers, budget=budget)
        allowed = [each for each in self._mutants.allowed if each.of in classes]
        names = [classes[0], *(each.name for each in allowed)]
        try:
            programs = self._linked(case, own, names, budget)
        except BuildError as error:
            raise _without_main(case) if not case.has_main else error from None
        for other, program in zip((None, *allowed), programs, strict=True):
            ran = run_case(program, self._seconds, self._level)
            if ran.error:
                raise CaseFailedError(other, place_in(program, ran.addresses), ran.error)
        bugs = [each.name for each in self._mutants.buggy if each.of in classes]
        programs = self._linked(case, own, bugs, budget)
        rans = (run_case(program, self._seconds, self._level) for program in programs)
        return tuple(name for name, ran in zip(bugs, rans, strict=True) if ran.error)

    def _linked(
        self, case: NativeCase, own: bytes, names: Sequence[str], budget: BuildBudget
    ) -> list[bytes]:
        programs = [(own, *self._objects[name]) for name in names]
        return link_objects(programs, {case.name}, budget)

    def _compiled(self) -> Objects:
        """Compile each implementation once, as many at a time as there are processors."""
        kinds = {of: (of, kind) for of, kind in self._mutants.correct.items()}
        kinds |= {each.name: (each.of, each.kind) for each in self._mutants.all}
        parts = {name: self._parts(of, _native(kind)) for name, (of, kind) in kinds.items()}
        ordered = sorted({part for each in parts.values() for part in each})
        with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
            made = pool.map(lambda part: self._object(*part), ordered)
            objects = dict(zip(ordered, made, strict=True))
        return {name: [objects[part] for part in each] for name, each in parts.items()}

    def _parts(self, of: str, kind: type[NativeSource]) -> list[tuple[Path, tuple[str, ...]]]:
        """Say which files the programs of an implementation are linked of, and their options."""
        others = [(path, self._options()) for path in (*kind.beside, *OWN_PROGRAM)]
        return [(kind.file, self._options(of, kind.number)), *others]

    def _options(self, of: str = "", number: int = 0) -> tuple[str, ...]:
        """Say which bug of which class is meant: 0 is none."""
        return tuple(f"-D{each.upper()}={number * (each == of)}" for each in self._mutants.homes)

    def _object(self, path: Path, options: Sequence[str]) -> bytes:
        beside = {**_texts(sorted(SOURCES.iterdir())), **self._headers}
        return build_object(path.name, path.read_bytes(), beside, *options, *OURS)


def _without_main(case: NativeCase) -> BuildError:
    what = "expected a main, got none"
    return BuildError(what, f"{case.name}:1", "write one that returns 0 where all is well")


def _native(kind: type) -> type[NativeSource]:
    assert issubclass(kind, NativeSource), "a game's mutants in C++ are sources"
    return kind


def _texts(paths: Sequence[Path]) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in paths}


def run_case(program: bytes, seconds: float, level: Level) -> Ran:
    """Run a program, shut in, and say how it ended.

    Args:
        program: As it is linked.
        seconds: Of computing that it may take.
        level: How well it is shut in.
    Raises: ConfinementError, if there is no process that is shut in.
    """
    limits = Limits(cpu_seconds=ceil(seconds) + 1)
    host = HostProcess(setup_for(level, Setup(limits=limits, has_numpy=False, program=program)))
    try:
        error = _end_of(host, seconds)
    finally:
        printed = host.end()
    _, why, addresses = told_by(printed)
    own = bool(host.status)  # else what it says of its end is not how it ended
    return Ran(why if own and why else error, addresses if own else "")


def _end_of(host: HostProcess, seconds: float) -> str:
    """Wait for the end of a program; say in words how it came, empty for status 0."""
    try:
        wait_until_held(host)
    except (HostEndedError, ProtocolError) as error:
        if isinstance(error, HostEndedError) and error.cause == "protocol":
            return NO_ANSWER  # the program has begun already, and has written at once
        raise ConfinementError(
            f"a process for test cases: expected it to shut itself in, got {error}"
        ) from error
    try:
        # It is asked nothing, so whatever it writes where answers go is none.
        host.receive(Awaited(Kind.ANSWER, 0, 0), Stopwatch(host.sleep, seconds, seconds))
    except HostEndedError as ended:
        return _words(ended, host.status, seconds)
    return NO_ANSWER


def _words(ended: HostEndedError, status: int | None, seconds: float) -> str:
    if ended.cause in {"cpu", "stalled"}:
        return f"no end within {seconds:g} s"
    if ended.cause == "syscall":
        return str(ended)
    if status is None:
        return NO_ANSWER
    if status < 0:
        return f"the end of its process: {signal.Signals(-status).name}"
    return f"exit status {status}" if status else ""
