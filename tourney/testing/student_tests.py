"""What is in a file of tests, found out without running it.

Leaves out what the tests are good for; see `grading`.
"""

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
"""Each is compiled, and linked with every mutant."""
CASE = re.compile(r"(?P<home>[a-z]+)\.case\.\w+\.cpp")
MAIN = re.compile(r"^[^\S\n]*(?:int|auto|signed)\s+main\s*\(", re.MULTILINE)
NATIVE_SUFFIX = ".cpp"
SUCH_AS = "such as deck.case.1.cpp"

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@dataclass(frozen=True, slots=True)
class GradedTest:
    """A test, and what came of it."""

    name: str
    """Name in the file."""

    line: int
    """Line of the file, from 1."""

    fault: str = ""
    """Why it does not count; empty if it does."""

    catches: tuple[str, ...] = ()
    """Names of the mutants that it catches, in their order."""


class NativeCase(NamedTuple):
    """A program that tests an implementation: its exit status says whether that is correct."""

    name: str  # of its file
    source: str

    @property
    def home(self) -> str:
        """Give what its name begins with, which says what it is linked with."""
        return self.name.partition(".")[0]

    @property
    def has_main(self) -> bool:
        """Say whether there seems to be a `main`."""
        return bool(MAIN.search(self.source))

    @property
    def line(self) -> int:
        """Give the line of its `main`, from 1; 1 if there is none."""
        found = MAIN.search(self.source)
        return self.source.count("\n", 0, found.start()) + 1 if found else 1


def read_cases(path: Path) -> list[NativeCase]:
    """Read test cases in C++: one file, or all of a folder that are named as cases are.

    Raises: GradingError, if there are none, or one is no text of modest size.
    """
    if not path.is_dir():
        if path.is_file() and not CASE.fullmatch(path.name):
            raise GradingError(
                f"{printable(str(path))}: expected a test case {SUCH_AS}, got another name; "
                "rename it after what it tests, as the documents do"
            )
        return [NativeCase(path.name, read_tests(path, "a test case in C++"))]
    try:
        names = [each for each in path.iterdir() if CASE.fullmatch(each.name)]
    except OSError as error:
        raise GradingError(
            f"{printable(str(path))}: expected a folder that can be read, got {error.strerror}; "
            "see who may read it"
        ) from error
    files = sorted(names, key=_numbered)
    if not 0 < len(files) <= MOST_CASES:
        raise GradingError(
            f"{printable(str(path))}: expected a Python file of tests, or a folder of up to "
            f"{MOST_CASES} test cases in C++ {SUCH_AS}, got a folder with {len(files) or 'none'}"
        )
    return [NativeCase(file.name, read_tests(file, "a test case in C++")) for file in files]


def _numbered(path: Path) -> list[tuple[int, str]]:
    """Give what sorts names with their numbers as numbers."""
    parts = re.split(r"(\d+)", path.name)
    return [(int(part), "") if part.isdigit() else (0, part) for part in parts]


def read_tests(path: Path, kind: str = "a Python file of tests") -> str:
    """Read a file of tests.

    Args:
        path: Where it is.
        kind: What messages expect there.
    Raises: GradingError, if it is no file of text of modest size.
    """
    expected = f"{printable(str(path))}: expected {kind}"
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


def tests_in(source: str, filename: str, homes: Mapping[str, str]) -> list[GradedTest]:
    """Find the tests of a file, with a fault where one cannot be called.

    Args:
        source: The text of the file.
        filename: What messages call it.
        homes: The modules from which it has to import what can be exchanged, by name.
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
    for imported in ast.walk(tree):
        if isinstance(imported, ast.ImportFrom):
            _check_import(imported, filename, homes)
    nodes = [node for node in tree.body if isinstance(node, Definition) and _is_test(node)]
    if not nodes:
        raise GradingError(
            f"{filename}: expected functions named test_…, got none; write: def test_deck():"
        )
    if len(nodes) > MOST_TESTS:
        raise GradingError(
            f"{filename}: expected at most {MOST_TESTS:,} tests, got {len(nodes):,}; each is run "
            "on all mutants, so ask more in fewer"
        )
    return list(_graded(nodes, filename))


def _is_test(node: Definition) -> bool:
    return node.name.startswith("Test" if isinstance(node, ast.ClassDef) else "test_")


def _graded(nodes: Sequence[Definition], filename: str) -> Iterator[GradedTest]:
    last = {node.name: node.lineno for node in nodes}
    for node in nodes:
        expected = ""
        if node.lineno != last[node.name]:
            expected = f"a name of its own, got another test of that name in line {last[node.name]}"
        elif isinstance(node, ast.ClassDef):
            expected = "a function, got a class; write its tests as functions"
        elif named := _parameters(node.args):
            expected = (
                f"no parameters, got {joined(named, 'and')}; write a loop in the test instead"
            )
        fault = f"{filename}:{node.lineno}: {node.name}: expected {expected}" if expected else ""
        yield GradedTest(node.name, node.lineno, fault)


def _parameters(given: ast.arguments) -> list[str]:
    """Name the parameters that somebody would have to fill."""
    by_place = [*given.posonlyargs, *given.args]
    by_name = zip(given.kwonlyargs, given.kw_defaults, strict=True)
    needed = by_place[: len(by_place) - len(given.defaults)]
    return [each.arg for each in (*needed, *(name for name, value in by_name if value is None))]


def _check_import(node: ast.ImportFrom, filename: str, homes: Mapping[str, str]) -> None:
    """See that what the file tests is imported from where it can be exchanged."""
    for alias in node.names:
        home = homes.get(alias.name, node.module)
        if node.module != home:
            raise GradingError(
                f"{filename}:{node.lineno}: expected {alias.name} from {home}, got it from "
                f"{node.module}, where it is never exchanged for a buggy one; write: "
                f"from {home} import {alias.name}"
            )
