"""Grades a class's own tests: which bugs of a zoo do they catch?

A file of `test_…` functions runs as it is, under pytest or here. Here it runs again and again:
what it imports as `Deck`, `Hand`, `Simple` or `Counting` is exchanged, one at a time, first for
other correct implementations and then for buggy ones. A test that fails a correct one counts
for nothing. Leaves out marks; that is for whoever reads the grade.
Source: VE280 project 4, section VI; EECS 280 (winter 2008) project 4, section IV.
"""

import ast
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from tourney.entrants.words import joined, printable
from tourney.errors import GradingError
from tourney.jail.levels import Level, probe
from tourney.testing.zoo import ALLOWED, BUGS, HOMES, Implementation
from tourney.testing.zoo.trial import NOTHING_EXCHANGED, Answer, Trial
from tourney.testing.zoo.watch import watch_tests

SECONDS = 5.0
"""What a test may take; one that needs no loop takes a thousandth."""

MOST_BYTES = 1_000_000  # of a file of tests
MOST_TESTS = 1_000


@dataclass(frozen=True, slots=True)
class GradedTest:
    """A test, and what came of it."""

    name: str
    line: int  # of the file, from 1
    fault: str = ""  # why it does not count; empty if it does
    catches: tuple[str, ...] = ()  # names of bugs, in the order of the zoo


@dataclass(frozen=True, slots=True)
class Grade:
    """What a file of tests is good for."""

    tests: tuple[GradedTest, ...]  # in the order of the file
    level: Level  # how well it was shut in

    @property
    def faults(self) -> tuple[str, ...]:
        """Why some tests do not count."""
        return tuple(test.fault for test in self.tests if test.fault)

    def caught(self, of: str) -> tuple[Implementation, ...]:
        """Give the buggy implementations of a class that some test catches."""
        names = {name for test in self.tests for name in test.catches}
        return tuple(bug for bug in BUGS if bug.of == of and bug.name in names)

    def missed(self, of: str) -> tuple[Implementation, ...]:
        """Give those that no test catches."""
        caught = self.caught(of)
        return tuple(bug for bug in BUGS if bug.of == of and bug not in caught)


def read_tests(path: Path) -> str:
    """Read a file of tests.

    Raises: GradingError, if it is no file of text of modest size.
    """
    expected = f"{printable(str(path))}: expected a Python file of tests"
    if not path.is_file():
        got = "something else" if path.exists() else "nothing of that name"
        raise GradingError(f"{expected}, got {got}; check the spelling")
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise GradingError(f"{expected} that can be read, got {error.strerror}") from error
    if len(content) > MOST_BYTES:
        raise GradingError(f"{expected} of at most {MOST_BYTES:,} bytes, got more; make it shorter")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise GradingError(
            f"{expected} in UTF-8, got the byte {content[error.start]:#04x} in line {line}; "
            "save the file as UTF-8"
        ) from error


def grade_tests(
    source: str,
    filename: str = "tests.py",
    *,
    seconds: float = SECONDS,
    trusts_files: bool = False,
) -> Grade:
    """Run a file of tests on the whole zoo, in processes of their own.

    Args:
        source: The text of the file.
        filename: What messages call it.
        seconds: What a test may take with one implementation.
        trusts_files: Whether it may run with all rights; else its processes are shut in.
    Raises: GradingError, if the file does not load, has no tests or cannot be shut in.
    """
    level = Level.UNSAFE if trusts_files else _level(filename)
    watch = partial(watch_tests, source, filename, seconds=seconds, level=level)
    tests = _tests_in(source, filename)
    runs = [test.name for test in tests if not test.fault]
    faults = _faults(source, filename, runs, watch)
    tests = [replace(test, fault=test.fault or faults.get(test.name, "")) for test in tests]
    counted = [test.name for test in tests if not test.fault]
    catches: dict[str, list[str]] = defaultdict(list)
    for answer in watch(_trials(BUGS, counted)):
        # A file that cannot even be loaded with a bug fails with every test, as in pytest.
        for test in [answer.test] if answer.test else counted:
            catches[test] += [answer.implementation] if answer.error else []
    return Grade(
        tuple(
            test if test.fault else replace(test, catches=tuple(catches[test.name]))
            for test in tests
        ),
        level,
    )


def _level(filename: str) -> Level:
    """Find out how well a file can be shut in here.

    Raises: GradingError, if it cannot.
    """
    level = probe()
    if level is Level.UNSAFE:
        raise GradingError(
            f"{filename}: expected a machine that can confine tests, got one that cannot: they "
            "would run with all your rights; read them, then add --trust-submissions"
        )
    return level


def _trials(
    implementations: Sequence[Implementation], tests: Sequence[str]
) -> list[tuple[str, str]]:
    return [(each.name, test) for each in implementations for test in tests]


def _faults(
    source: str,
    filename: str,
    tests: Sequence[str],
    watch: Callable[[Sequence[Trial]], Iterator[Answer]],
) -> Mapping[str, str]:
    """Say which tests fail a correct implementation, by their names.

    Raises: GradingError, if the file does not load.
    """
    stories = {each.name: each for each in ALLOWED}
    lines = source.splitlines()
    faults: dict[str, str] = {}
    trials = [(NOTHING_EXCHANGED, test) for test in tests] + _trials(ALLOWED, tests)
    for answer in watch(trials):
        place, got = _place(filename, answer), _got(lines, answer)
        other = stories.get(answer.implementation)
        if not answer.test:
            raise GradingError(
                f"{place}: expected Python that runs with {_whom(other)}, got {got}; "
                "mend the line, a file is loaded before its tests are run"
            )
        if answer.error and answer.test not in faults:
            faults[answer.test] = (
                f"{place}: {answer.test}: expected to pass with {_whom(other)}, got {got}; "
                f"{_remedy(other)}"
            )
    return faults


def _place(filename: str, answer: Answer) -> str:
    return f"{filename}:{answer.line}" if answer.line else filename


def _got(lines: Sequence[str], answer: Answer) -> str:
    """Say what went wrong, with the line of the file, which a bare assert does not repeat."""
    words = printable(answer.error)
    if 0 < answer.line <= len(lines):
        return f"{words} in `{printable(lines[answer.line - 1].strip())}`"
    return words


def _whom(other: Implementation | None) -> str:
    return f"every correct {other.of}" if other else "the correct implementations"


def _remedy(other: Implementation | None) -> str:
    if other is None:
        return "it counts for nothing until it is mended"
    return f"it meets {other.story[0].lower()}{other.story[1:]} Ask only what they promise"


def _tests_in(source: str, filename: str) -> list[GradedTest]:
    """Find the tests of a file without running it.

    Raises: GradingError, if it cannot be read, imports what cannot be exchanged, or has none.
    """
    try:
        with warnings.catch_warnings(action="ignore"):  # of odd escapes and the like
            tree = ast.parse(source, filename)
            compile(source, filename, "exec")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = getattr(error, "lineno", None)
        words = printable(getattr(error, "msg", None) or str(error) or type(error).__name__)
        raise GradingError(
            f"{filename}{f':{line}' if line else ''}: expected Python that can be read, got {words}"
        ) from error
    _check_imports(tree, filename)
    functions = [node for node in tree.body if isinstance(node, Definition) and _is_test(node)]
    tests = list(_graded(functions, filename))
    if not tests:
        raise GradingError(
            f"{filename}: expected functions named test_…, got none; write: def test_deck():"
        )
    if len(tests) > MOST_TESTS:
        raise GradingError(
            f"{filename}: expected at most {MOST_TESTS:,} tests, got {len(tests):,}; each is run "
            "on the whole zoo, so ask more in fewer"
        )
    return tests


Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def _is_test(node: Definition) -> bool:
    return node.name.startswith("Test" if isinstance(node, ast.ClassDef) else "test_")


def _graded(functions: Sequence[Definition], filename: str) -> Iterator[GradedTest]:
    """Give the tests, with a fault where one cannot be called."""
    last = {node.name: node.lineno for node in functions}
    for node in functions:
        expected = ""
        if node.lineno != last[node.name]:
            expected = f"a name of its own, got another test of that name in line {last[node.name]}"
        elif isinstance(node, ast.ClassDef):
            expected = "a function, got a class; write its tests as functions"
        elif named := _parameters(node):
            expected = (
                f"no parameters, got {joined(named, 'and')}; write a loop in the test instead"
            )
        fault = f"{filename}:{node.lineno}: {node.name}: expected {expected}" if expected else ""
        yield GradedTest(node.name, node.lineno, fault)


def _parameters(node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[str]:
    """Name the parameters that somebody would have to fill."""
    given = node.args
    by_place = [*given.posonlyargs, *given.args]
    by_name = zip(given.kwonlyargs, given.kw_defaults, strict=True)
    needed = by_place[: len(by_place) - len(given.defaults)]
    return [each.arg for each in (*needed, *(name for name, value in by_name if value is None))]


def _check_imports(tree: ast.Module, filename: str) -> None:
    """See that what the file tests is imported from where it can be exchanged."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.ImportFrom):
            continue
        for alias in node.names:
            home = HOMES.get(alias.name, node.module)
            if node.module != home:
                raise GradingError(
                    f"{filename}:{node.lineno}: expected {alias.name} from {home}, got it from "
                    f"{node.module}, where it is never exchanged for a buggy one; write: "
                    f"from {home} import {alias.name}"
                )
