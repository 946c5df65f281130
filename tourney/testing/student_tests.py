"""The tests in a file, found without running it."""

import ast
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from tourney.config.words import joined
from tourney.errors import GradingError
from tourney.plugins.fault_text import printable

MOST_BYTES = 1_000_000  # of a file of tests
MOST_TESTS = 1_000
MOST_CASES = 200
"""Each case is compiled, and linked with every mutant."""
CASE = re.compile(r"(?P<home>[a-z]+)\.case\.\w+\.cpp")
MAIN = re.compile(r"^[^\S\n]*(?:int|auto|signed)\s+main\s*\(", re.MULTILINE)
NATIVE_SUFFIX = ".cpp"
SUCH_AS = "such as deck.case.1.cpp"

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@dataclass(frozen=True, slots=True)
class GradedTest:
    """A test and its result."""

    name: str
    """Name in the file."""

    line: int
    """Line of the file, from 1."""

    fault: str = ""
    """Why it does not count; empty if it does."""

    catches: tuple[str, ...] = ()
    """Names of the mutants that it catches, in their order."""


class NativeCase(NamedTuple):
    """A program that tests an implementation: exit status 0 means correct."""

    name: str  # of its file
    source: str

    @property
    def home(self) -> str:
        """Return the beginning of its name, which selects the implementation."""
        return self.name.partition(".")[0]

    @property
    def has_main(self) -> bool:
        """Check whether there seems to be a `main`."""
        return bool(MAIN.search(self.source))

    @property
    def line(self) -> int:
        """Return the line of its `main`, from 1; 1 if it has no `main`."""
        found = MAIN.search(self.source)
        return self.source.count("\n", 0, found.start()) + 1 if found else 1


def read_cases(path: Path) -> list[NativeCase]:
    """Read test cases in C++: one file, or all cases of a folder.

    Raises: GradingError, if there are no cases, or one is not text or too large.
    """
    if not path.is_dir():
        if path.is_file() and not CASE.fullmatch(path.name):
            raise GradingError(
                f"{printable(str(path))}: this is not the name of a test case {SUCH_AS}; "
                "rename it after the class that it tests"
            )
        return [NativeCase(path.name, read_tests(path, "a test case in C++"))]
    try:
        names = [each for each in path.iterdir() if CASE.fullmatch(each.name)]
    except OSError as error:
        raise GradingError(
            f"{printable(str(path))}: the folder cannot be read ({error.strerror}); "
            "check its permissions"
        ) from error
    files = sorted(names, key=_numbered)
    if not 0 < len(files) <= MOST_CASES:
        raise GradingError(
            f"{printable(str(path))}: the folder has {len(files) or 'no'} test cases in C++; pass "
            f"a Python file of tests, or a folder of 1 to {MOST_CASES} test cases {SUCH_AS}"
        )
    return [NativeCase(file.name, read_tests(file, "a test case in C++")) for file in files]


def _numbered(path: Path) -> list[tuple[int, str]]:
    """Return a sort key that compares numbers in names as numbers."""
    parts = re.split(r"(\d+)", path.name)
    return [(int(part), "") if part.isdigit() else (0, part) for part in parts]


def read_tests(path: Path, kind: str = "a Python file of tests") -> str:
    """Read a file of tests.

    Args:
        kind: The expected kind of file, for messages.
    Raises: GradingError, if it is not text or too large.
    """
    place = printable(str(path))
    if not path.is_file():
        problem = f"is not {kind}" if path.exists() else "does not exist"
        raise GradingError(f"{place} {problem}; check the spelling")
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise GradingError(f"{place} cannot be read ({error.strerror})") from error
    if len(content) > MOST_BYTES:
        raise GradingError(f"{place} is larger than {MOST_BYTES:,} bytes; shorten it")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise GradingError(
            f"{place}:{line}: the byte {content[error.start]:#04x} is not UTF-8; save the file "
            "as UTF-8"
        ) from error


def tests_in(source: str, filename: str, homes: Mapping[str, str]) -> list[GradedTest]:
    """Find the tests of a file, with a fault for a test that cannot be called.

    Args:
        source: The text of the file.
        filename: Its name in messages.
        homes: Modules from which the file must import implementations, by name.
    Raises: GradingError, if it is not Python, has wrong imports, or has no tests.
    """
    try:
        with warnings.catch_warnings(action="ignore"):  # such as those of odd escapes
            tree = ast.parse(source, filename)
            compile(source, filename, "exec")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = getattr(error, "lineno", None)
        words = printable(getattr(error, "msg", None) or str(error) or type(error).__name__)
        raise GradingError(
            f"{filename}{f':{line}' if line else ''}: this is not valid Python: {words}"
        ) from error
    for imported in ast.walk(tree):
        if isinstance(imported, ast.ImportFrom):
            _check_import(imported, filename, homes)
    nodes = [node for node in tree.body if isinstance(node, Definition) and _is_test(node)]
    if not nodes:
        raise GradingError(f"{filename} has no functions named test_…; write: def test_deck():")
    if len(nodes) > MOST_TESTS:
        raise GradingError(
            f"{filename} has {len(nodes):,} tests, and the limit is {MOST_TESTS:,}, because each "
            "runs on all mutants; write fewer tests"
        )
    return list(_graded(nodes, filename))


def _is_test(node: Definition) -> bool:
    return node.name.startswith("Test" if isinstance(node, ast.ClassDef) else "test_")


def _graded(nodes: Sequence[Definition], filename: str) -> Iterator[GradedTest]:
    last = {node.name: node.lineno for node in nodes}
    for node in nodes:
        problem = ""
        if node.lineno != last[node.name]:
            problem = f"line {last[node.name]} has another test of this name; rename one"
        elif isinstance(node, ast.ClassDef):
            problem = "classes are not run; write its tests as functions"
        elif named := _parameters(node.args):
            problem = f"tests have no parameters such as {joined(named, 'and')}; write a loop"
        fault = f"{filename}:{node.lineno}: {node.name}: {problem}" if problem else ""
        yield GradedTest(node.name, node.lineno, fault)


def _parameters(given: ast.arguments) -> list[str]:
    """Return the names of required parameters."""
    by_place = [*given.posonlyargs, *given.args]
    by_name = zip(given.kwonlyargs, given.kw_defaults, strict=True)
    needed = by_place[: len(by_place) - len(given.defaults)]
    return [each.arg for each in (*needed, *(name for name, value in by_name if value is None))]


def _check_import(node: ast.ImportFrom, filename: str, homes: Mapping[str, str]) -> None:
    """Check that the file imports implementations from the modules where they are exchanged."""
    for alias in node.names:
        home = homes.get(alias.name, node.module)
        if node.module != home:
            raise GradingError(
                f"{filename}:{node.lineno}: {alias.name} of {node.module} is never exchanged for a "
                f"buggy one; write: from {home} import {alias.name}"
            )
