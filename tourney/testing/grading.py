"""Grades tests that students wrote: counts the mutants that they catch.

A file of `test_…` functions runs unchanged under pytest or here. Here it runs many times: its
imports such as `Deck` are exchanged, one at a time, first for other correct implementations and
then for buggy ones, which the game provides. In C++ each test is a file, which is linked with each
implementation. A test that fails a correct implementation does not count.
"""

import os
import time
from collections import defaultdict
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from tourney.config.words import joined
from tourney.errors import BuildError, GradingError
from tourney.game import Game
from tourney.game.mutants import Implementation, Mutants
from tourney.plugins.fault_text import printable
from tourney.plugins.loading import load_plugins
from tourney.sandbox.levels import Level, probe
from tourney.testing.mutants.native import CaseFailedError, CaseTrials
from tourney.testing.mutants.trial import NOTHING_EXCHANGED, Answer, FileOfTests, Trial
from tourney.testing.mutants.watch import watch_tests
from tourney.testing.student_tests import GradedTest, NativeCase, tests_in

SECONDS = 5.0
"""Time limit of a test; one without a loop takes a thousandth."""

Watch = Callable[[Sequence[Trial]], Generator[Answer, None, None]]
Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Grade:
    """The grade of a file of tests."""

    tests: tuple[GradedTest, ...]  # in the order of the file
    level: Level  # of the sandbox
    mutants: Mutants = field(repr=False)  # of the game

    @property
    def faults(self) -> tuple[str, ...]:
        """Why some tests do not count."""
        return tuple(test.fault for test in self.tests if test.fault)

    def caught(self, of: str) -> tuple[Implementation, ...]:
        """Return the mutants of a class that at least one test catches."""
        names = {name for test in self.tests for name in test.catches}
        return tuple(bug for bug in self.mutants.buggy if bug.of == of and bug.name in names)

    def missed(self, of: str) -> tuple[Implementation, ...]:
        """Return the mutants of a class that no test catches."""
        caught = self.caught(of)
        return tuple(bug for bug in self.mutants.buggy if bug.of == of and bug not in caught)


def grade_tests(
    source: str,
    filename: str = "tests.py",
    *,
    game: Game[Any, Any, Any] | None = None,
    seconds: float = SECONDS,
    most_seconds: float | None = None,
    trusts_files: bool = False,
    tell: Tell = lambda _: None,
) -> Grade:
    """Run a file of tests on all mutants of a game, in separate processes.

    Args:
        source: The text of the file.
        filename: Its name in messages.
        game: The game with the mutants; `None` for the only installed game that has mutants.
        seconds: Time limit of a test with one implementation.
        most_seconds: Time limit of all tests together; `None` for no limit.
        trusts_files: Run the tests without a sandbox.
        tell: Receives lines of progress.
    Raises: GradingError, if the file does not load, has no tests, takes too long or cannot run in a
        sandbox, or if there are no mutants.
    """
    level = Level.UNSAFE if trusts_files else _level(filename)
    game, mutants = _with_mutants(game)
    file = FileOfTests(game, source, filename)
    watch: Watch = partial(watch_tests, file, seconds=seconds, level=level)
    if most_seconds is not None:
        watch = _within(most_seconds, watch, filename)
    tests = tests_in(source, filename, mutants.homes)
    runs = [test.name for test in tests if not test.fault]
    faults = _faults(file, runs, mutants.allowed, watch)
    tests = [replace(test, fault=test.fault or faults.get(test.name, "")) for test in tests]
    counted = [test.name for test in tests if not test.fault]
    tell(f"{len(counted)} of {len(tests)} tests pass with every correct implementation")
    catches: dict[str, list[str]] = defaultdict(list)
    for answer in watch(_trials(mutants.buggy, counted)):
        # If a file does not load with a bug, every test fails, as in pytest.
        for name in [answer.test] if answer.test else counted:
            catches[name] += [answer.implementation] if answer.error else []
    graded = (replace(test, catches=tuple(catches.get(test.name, ()))) for test in tests)
    return Grade(tuple(graded), level, mutants)


def grade_cases(
    cases: Sequence[NativeCase],
    *,
    game: Game[Any, Any, Any] | None = None,
    seconds: float = SECONDS,
    trusts_files: bool = False,
) -> Grade:
    """Run test cases in C++ on all mutants of a game in C++, each pair as a separate program.

    Args:
        cases: Each is a program.
        game: The game with the mutants; `None` for the only installed game that has mutants.
        seconds: Time limit of a case with one implementation.
        trusts_files: Run the cases without a sandbox.
    Raises: GradingError, if there is no sandbox or there are no mutants in C++;
        ConfinementError, if this machine cannot compile.
    """
    level = Level.UNSAFE if trusts_files else _level(cases[0].name)
    game, mutants = _with_mutants(game)
    if mutants.native is None:
        raise GradingError(
            f"{game} has mutants only in Python, not in C++; write the tests in Python, or name "
            "another game"
        )
    trials = CaseTrials(mutants.native, seconds, level, len(cases))
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        tests = tuple(pool.map(partial(_tried, trials), cases))
    return Grade(tests, level, mutants.native)


def _tried(trials: CaseTrials, case: NativeCase) -> GradedTest:
    """Try a case, and grade it."""
    place = f"{case.name}:{case.line}"
    try:
        return GradedTest(case.name, case.line, catches=trials.catches(case))
    except BuildError as error:
        fault = str(error) if error.place else f"{place}: {error}"
    except CaseFailedError as failed:
        whom = f"every correct {failed.other.of}" if failed.other else "the correct implementations"
        fault = (
            f"{failed.place or place}: does not return 0 with {whom}: {failed.got}; "
            f"{_remedy(failed.other)}"
        )
    return GradedTest(case.name, case.line, fault)


def _level(filename: str) -> Level:
    """Find the best sandbox for a file.

    Raises: GradingError, if there is no sandbox.
    """
    level = probe()
    if level is Level.UNSAFE:
        raise GradingError(
            f"{filename}: this machine has no sandbox, so the tests would run with your "
            "permissions; read them, then add --no-sandbox"
        )
    return level


def _with_mutants(game: Game[Any, Any, Any] | None) -> tuple[Game[Any, Any, Any], Mutants]:
    """Return a game with its mutants; by default the only installed game that has mutants.

    Raises: GradingError, if there is no such game, or there are several.
    """
    if game is None:
        installed = dict.fromkeys(each.rules.game for each in load_plugins().games.values())
        having = [each for each in installed if each.mutants()]
        if len(having) != 1:
            if having:
                found = f"several games have mutants: {joined(list(map(str, having)), 'and')}"
                raise GradingError(f"{found}; name one with --game")
            raise GradingError("no installed game has mutants; install one that has")
        (game,) = having
    mutants = game.mutants()
    if mutants is None:
        raise GradingError(f"{game} has no mutants for tests to catch; name another game")
    return game, mutants


def _within(most_seconds: float, watch: Watch, filename: str) -> Watch:
    """Limit a watch to a number of seconds from now."""
    due = time.monotonic() + most_seconds

    def watched(trials: Sequence[Trial]) -> Generator[Answer, None, None]:
        with closing(watch(trials)) as answers:  # closing ends the process
            for answer in answers:
                yield answer
                if time.monotonic() > due:
                    raise GradingError(
                        f"{filename}: the tests take more than {most_seconds:g} s with all "
                        "implementations together; end their loops, or write fewer tests"
                    )

    return watched


def _trials(
    implementations: Sequence[Implementation], tests: Sequence[str]
) -> list[tuple[str, str]]:
    return [(each.name, test) for each in implementations for test in tests]


def _faults(
    file: FileOfTests, tests: Sequence[str], allowed: Sequence[Implementation], watch: Watch
) -> Mapping[str, str]:
    """Find the tests that fail a correct implementation; return the faults by test.

    Raises: GradingError, if the file does not load.
    """
    others = {each.name: each for each in allowed}
    faults: dict[str, str] = {}
    trials = [(NOTHING_EXCHANGED, test) for test in tests] + _trials(allowed, tests)
    for answer in watch(trials):
        place = f"{file.name}:{answer.line}" if answer.line else file.name
        got, other = _got(file.source.splitlines(), answer), others.get(answer.implementation)
        whom = f"every correct {other.of}" if other else "the correct implementations"
        if not answer.test:
            raise GradingError(
                f"{place}: the file does not load with {whom}: {got}; "
                "fix the line, because tests run only after loading"
            )
        if answer.error and answer.test not in faults:
            faults[answer.test] = (
                f"{place}: {answer.test}: fails with {whom}: {got}; {_remedy(other)}"
            )
    return faults


def _got(lines: Sequence[str], answer: Answer) -> str:
    """Describe a failure, with the line of the file, because a bare assert does not repeat it."""
    words = printable(answer.error)
    if 0 < answer.line <= len(lines):
        return f"{words} in `{printable(lines[answer.line - 1].strip())}`"
    return words


def _remedy(other: Implementation | None) -> str:
    if other is None:
        return "it does not count until it is fixed"
    return f"it meets {other.story[0].lower()}{other.story[1:]} Test only what they promise"
