"""Trials of test cases in C++ on implementations: each pair is a program in a sandbox.

The case's `main` is the program's, and its exit status the verdict. Every implementation and every
case is compiled once, and they are linked in the compilers' sandbox. Programs run in the stricter
sandbox of competitors: a compiler may read its folder and start other tools, but a case may not.
`tourney.testing.grading` makes the grades.
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
from tourney.sandbox.native.source_selection import with_plain_includes
from tourney.sandbox.native.tools import BUILD_CPU_SECONDS, BUILD_SECONDS, BuildBudget
from tourney.sandbox.wire import Awaited, Kind, ProtocolError
from tourney.testing.student_tests import NativeCase

OURS = ("-ffunction-sections", "-ffile-prefix-map=./=/tourney/")
"""Drop code that a case does not use, and give our files names that no author's file has."""
OWN_PROGRAM = (
    Path(sandbox_native.__file__).parent / "case_cpp" / "case.cpp",
    SOURCES / "entry.cpp",
    SOURCES / "chance.cpp",
    SOURCES / "faults.cpp",
)
"""Linked with every case of any game."""

CASE_CPU_SECONDS = 5.0
"""Average time to compile and link a case; those of the course's suite take 1 to 2."""

NO_ANSWER = "something done to the pipe on which players answer"

Objects = Mapping[str, Sequence[bytes]]
"""Object files by implementation, without the case; correct ones have the name of their class."""


class CaseFailedError(Exception):
    """A case fails a correct implementation."""

    def __init__(self, other: Implementation | None, place: str, got: str) -> None:
        """Keep the other implementation (`None` for the correct one), the place, if known, and the
        failure.
        """
        super().__init__(got)
        self.other, self.place, self.got = other, place, got


class Ran(NamedTuple):
    """The end of a program."""

    error: str  # in words; empty for status 0
    addresses: str  # in the format of `place_in`


class CaseTrials:
    """Tries cases on the mutants of a game; several threads may do so at the same time."""

    def __init__(self, mutants: Mutants, seconds: float, level: Level, most_cases: int = 1) -> None:
        """Compile the implementations.

        Args:
            mutants: Those in C++.
            seconds: Time limit of a case with one implementation.
            level: Level of the sandbox.
            most_cases: Number of cases; they share one limit of compile time.
        Raises: ConfinementError, if this machine cannot compile.
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
        """Return the names of the mutants that a case catches.

        Raises: BuildError, if it tests another class or does not compile; CaseFailedError,
            if it fails a correct implementation.
        """
        classes = [of for of, home in self._mutants.homes.items() if home == case.home]
        if not classes:
            homes = joined(list(dict.fromkeys(self._mutants.homes.values())))
            what = f"{case.home} is not a tested class; the classes are {homes}"
            raise BuildError(what, f"{case.name}:{case.line}", "name the case after its class")
        budget = BuildBudget(title="a test case whose build takes", within=self._budget)
        text = with_plain_includes(case.source, self._headers)
        own = build_object(case.name, text.encode(), self._headers, budget=budget)
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
        """Compile each implementation once, in parallel on all processors."""
        kinds = {of: (of, kind) for of, kind in self._mutants.correct.items()}
        kinds |= {each.name: (each.of, each.kind) for each in self._mutants.all}
        parts = {name: self._parts(of, _native(kind)) for name, (of, kind) in kinds.items()}
        ordered = sorted({part for each in parts.values() for part in each})
        with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
            made = pool.map(lambda part: self._object(*part), ordered)
            objects = dict(zip(ordered, made, strict=True))
        return {name: [objects[part] for part in each] for name, each in parts.items()}

    def _parts(self, of: str, kind: type[NativeSource]) -> list[tuple[Path, tuple[str, ...]]]:
        """Return the files of an implementation's programs, with their options."""
        others = [(path, self._options()) for path in (*kind.beside, *OWN_PROGRAM)]
        return [(kind.file, self._options(of, kind.number)), *others]

    def _options(self, of: str = "", number: int = 0) -> tuple[str, ...]:
        """Return the compiler options for one bug of one class; 0 is the correct version."""
        return tuple(f"-D{each.upper()}={number * (each == of)}" for each in self._mutants.homes)

    def _object(self, path: Path, options: Sequence[str]) -> bytes:
        beside = {**_texts(sorted(SOURCES.iterdir())), **self._headers}
        return build_object(path.name, path.read_bytes(), beside, *options, *OURS)


def _without_main(case: NativeCase) -> BuildError:
    what = "main is missing"
    return BuildError(what, f"{case.name}:1", "write one that returns 0 for a correct class")


def _native(kind: type) -> type[NativeSource]:
    assert issubclass(kind, NativeSource), "a game's mutants in C++ are sources"
    return kind


def _texts(paths: Sequence[Path]) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in paths}


def run_case(program: bytes, seconds: float, level: Level) -> Ran:
    """Run a program in a sandbox and return its end.

    Args:
        program: The linked program.
        seconds: Limit of CPU time.
        level: Level of the sandbox.
    Raises: ConfinementError, if the sandbox does not start.
    """
    limits = Limits(cpu_seconds=ceil(seconds) + 1)
    host = HostProcess(setup_for(level, Setup(limits=limits, has_numpy=False, program=program)))
    try:
        error = _end_of(host, seconds)
    finally:
        printed = host.end()
    _, why, addresses = told_by(printed)
    own = bool(host.status)  # otherwise its reported end is not the real one
    return Ran(why if own and why else error, addresses if own else "")


def _end_of(host: HostProcess, seconds: float) -> str:
    """Wait for the end of a program; return its description, empty for status 0."""
    try:
        wait_until_held(host)
    except (HostEndedError, ProtocolError) as error:
        if isinstance(error, HostEndedError) and error.cause == "protocol":
            return NO_ANSWER  # the program has already started and written
        raise ConfinementError(
            f"the process for test cases could not enter its sandbox: {error}"
        ) from error
    try:
        # It receives no questions, so its output is not an answer.
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
