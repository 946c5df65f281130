"""Grades a class's own tests: which mutants do they catch?

A file of `test_…` functions runs as it is, under pytest or here. Here it runs again and again:
what it imports as, say, `Deck` is exchanged, one at a time, first for other correct
implementations and then for buggy ones, all of which a game brings. In C++ each test is a file, and
is linked with one after the other. A test that fails a correct one counts for nothing. Leaves out
marks; that is for whoever reads the grade.
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
"""What a test may take; one that needs no loop takes a thousandth."""

Watch = Callable[[Sequence[Trial]], Generator[Answer, None, None]]
Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Grade:
    """What a file of tests is good for."""

    tests: tuple[GradedTest, ...]  # in the order of the file
    level: Level  # how well it was shut in
    mutants: Mutants = field(repr=False)  # that they were tried on

    @property
    def faults(self) -> tuple[str, ...]:
        """Why some tests do not count."""
        return tuple(test.fault for test in self.tests if test.fault)

    def caught(self, of: str) -> tuple[Implementation, ...]:
        """Give the buggy implementations of a class that some test catches."""
        names = {name for test in self.tests for name in test.catches}
        return tuple(bug for bug in self.mutants.buggy if bug.of == of and bug.name in names)

    def missed(self, of: str) -> tuple[Implementation, ...]:
        """Give those that no test catches."""
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
    """Run a file of tests on all mutants of a game, in processes of their own.

    Args:
        source: The text of the file.
        filename: What messages call it.
        game: Whose mutants; None for the only installed game that has some.
        seconds: What a test may take with one implementation.
        most_seconds: What all tests may take with all implementations; None for any time.
        trusts_files: Whether it may run with all rights; else its processes are shut in.
        tell: Hears how far it is, line by line.
    Raises: GradingError, if the file does not load, has no tests, takes too long or cannot be shut
        in, or if there are no mutants.
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
        # A file that cannot even be loaded with a bug fails with every test, as in pytest.
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
    """Run test cases in C++ on all mutants of a game in C++, each pair as a program of its own.

    Args:
        cases: Of which each is a program.
        game: Whose mutants; None for the only installed game that has some.
        seconds: What a case may take with one implementation.
        trusts_files: Whether cases may run with all rights; else their processes are shut in.
    Raises: GradingError, if they cannot be shut in or there are no mutants in C++;
        ConfinementError, if nothing can be compiled here.
    """
    level = Level.UNSAFE if trusts_files else _level(cases[0].name)
    game, mutants = _with_mutants(game)
    if mutants.native is None:
        raise GradingError(
            f"{game}: expected a game that has mutants in C++, got one that has them in Python "
            "only; write the tests in Python, or name another game"
        )
    trials = CaseTrials(mutants.native, seconds, level, len(cases))
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        tests = tuple(pool.map(partial(_tried, trials), cases))
    return Grade(tests, level, mutants.native)


def _tried(trials: CaseTrials, case: NativeCase) -> GradedTest:
    """Try a case, and say what it is good for."""
    place = f"{case.name}:{case.line}"
    try:
        return GradedTest(case.name, case.line, catches=trials.catches(case))
    except BuildError as error:
        fault = str(error) if error.place else f"{place}: {error}"
    except CaseFailedError as failed:
        whom = f"every correct {failed.other.of}" if failed.other else "the correct implementations"
        fault = (
            f"{failed.place or place}: expected to return 0 with {whom}, got {failed.got}; "
            f"{_remedy(failed.other)}"
        )
    return GradedTest(case.name, case.line, fault)


def _level(filename: str) -> Level:
    """Find out how well a file can be shut in here.

    Raises: GradingError, if it cannot.
    """
    level = probe()
    if level is Level.UNSAFE:
        raise GradingError(
            f"{filename}: expected a machine that can confine tests, got one that cannot: they "
            "would run with all your rights; read them, then add --no-sandbox"
        )
    return level


def _with_mutants(game: Game[Any, Any, Any] | None) -> tuple[Game[Any, Any, Any], Mutants]:
    """Give a game's mutants with it; without a game those of the only one that has some.

    Raises: GradingError, if there are none, or several games have some.
    """
    if game is None:
        installed = dict.fromkeys(each.rules.game for each in load_plugins().games.values())
        having = [each for each in installed if each.mutants()]
        if len(having) != 1:
            got = joined(list(map(str, having)), "and") or "none"
            raise GradingError(f"expected one game that has mutants, got {got}; name one (--game)")
        (game,) = having
    mutants = game.mutants()
    if mutants is None:
        raise GradingError(
            f"{game}: expected a game that has mutants for tests to catch, got one that has none; "
            "name another game"
        )
    return game, mutants


def _within(most_seconds: float, watch: Watch, filename: str) -> Watch:
    """Give what watches no longer than so many seconds from now on."""
    due = time.monotonic() + most_seconds

    def watched(trials: Sequence[Trial]) -> Generator[Answer, None, None]:
        with closing(watch(trials)) as answers:  # which ends its process
            for answer in answers:
                yield answer
                if time.monotonic() > due:
                    raise GradingError(
                        f"{filename}: expected tests that take up to {most_seconds:g} s with all "
                        "implementations together, got more; make loops end, or ask more in fewer"
                    )

    return watched


def _trials(
    implementations: Sequence[Implementation], tests: Sequence[str]
) -> list[tuple[str, str]]:
    return [(each.name, test) for each in implementations for test in tests]


def _faults(
    file: FileOfTests, tests: Sequence[str], allowed: Sequence[Implementation], watch: Watch
) -> Mapping[str, str]:
    """Say which tests fail a correct implementation, by their names.

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
                f"{place}: expected Python that runs with {whom}, got {got}; "
                "mend the line, a file is loaded before its tests are run"
            )
        if answer.error and answer.test not in faults:
            faults[answer.test] = (
                f"{place}: {answer.test}: expected to pass with {whom}, got {got}; {_remedy(other)}"
            )
    return faults


def _got(lines: Sequence[str], answer: Answer) -> str:
    """Say what went wrong, with the line of the file, which a bare assert does not repeat."""
    words = printable(answer.error)
    if 0 < answer.line <= len(lines):
        return f"{words} in `{printable(lines[answer.line - 1].strip())}`"
    return words


def _remedy(other: Implementation | None) -> str:
    if other is None:
        return "it counts for nothing until it is mended"
    return f"it meets {other.story[0].lower()}{other.story[1:]} Ask only what they promise"
