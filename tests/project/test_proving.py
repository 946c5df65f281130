"""What `make prove` adds stands beside what `make test` shows, but in a few files."""

import ast
from argparse import ArgumentTypeError
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.support import proving
from tests.support.proving import with_more

ROOT = Path(__file__).parents[2]
LONG = {"test_course.py", "test_finite_shoes.py", "test_large_board.py", "test_notebooks.py"}
"""Files of one long story each, whose parts others show: a portal's course, the literature's
shoes, of which `differential/oracles/test_finite.py` has small ones, a board of 250 beside the
small ones of `e2e/browser/`, and a notebook of what is asked in
`integration/api/test_python.py`."""


def test_no_file_of_tests_is_left_out_whole() -> None:
    """What takes long stands beside what shows the same promise, or a part of it, at once."""
    files = [path for path in (ROOT / "tests").rglob("test_*.py") if path.name not in LONG]
    for path in files:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        tests = [
            each
            for each in ast.walk(tree)
            if isinstance(each, ast.FunctionDef) and each.name.startswith("test_")
        ]
        marks = [{ast.unparse(mark) for mark in test.decorator_list} for test in tests]
        assert not marks or any("pytest.mark.prove" not in each for each in marks), path
        assert "mark.prove" not in "".join(map(ast.unparse, filter(_is_for_all, tree.body))), path


def _is_for_all(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Assign) and "pytestmark" in ast.unparse(statement.targets[0])


def test_there_is_a_value_that_is_always_tried() -> None:
    """Or else the test would be left out as a whole."""
    first, *more = with_more([(2, 2)], [(1, 10), (2, 4)])
    assert first == (2, 2)
    assert [each.values for each in more] == [(1, 10), (2, 4)]
    assert [mark.name for each in more for mark in each.marks] == ["prove", "prove"]
    with pytest.raises(AssertionError, match="expected a value that is always tried, got none"):
        with_more([], [1])


def test_every_test_belongs_to_one_part() -> None:
    """And each part has about as many."""
    names = [f"tests/unit/test_a.py::test_b[{number}]" for number in range(900)]
    parts = [proving.part_of(f"{number}/3") for number in (1, 2, 3)]
    chosen = [[name for name in names if proving.is_in(part, name)] for part in parts]
    assert sorted(name for each in chosen for name in each) == sorted(names)
    assert all(250 < len(each) < 350 for each in chosen)


@pytest.mark.parametrize("words", ["0/2", "3/2", "1", "a/b", ""])
def test_what_is_no_part_is_refused(words: str) -> None:
    """Before any test is run."""
    with pytest.raises(ArgumentTypeError, match="expected a part, such as 1/2, got"):
        proving.part_of(words)


def test_what_is_long_leaves_something_of_every_test_and_quick_file() -> None:
    """Quick values stay, and so does the quickest test of a file unless it takes seconds."""
    seconds = {
        "a.py::test_table[1]": 0.01,
        "a.py::test_table[2]": 0.04,
        "a.py::test_table[3]": 0.4,
        "a.py::test_evening[1]": 9.0,
        "a.py::test_evening[2]": 8.0,
        "b.py::test_solver[1]": 7.0,
        "b.py::test_solver[2]": 7.1,
        "b.py::test_solver[3]": 0.1 + 7.1,
        "b.py::test_cluster": 0.3,
    }
    assert proving.long_ones(seconds) == [
        "a.py::test_evening[1]",
        "a.py::test_evening[2]",
        "a.py::test_table[3]",
        "b.py::test_solver[1]",
        "b.py::test_solver[2]",
        "b.py::test_solver[3]",
    ]
    assert proving.long_ones({"c.py::test_story": 1.9, "d.py::test_story": 60.0}) == [
        "d.py::test_story"
    ]


def test_the_list_of_what_is_long_names_no_file_that_is_gone() -> None:
    """Or it would be of another tree."""
    names = proving.LONG.read_text(encoding="utf-8").splitlines()
    assert names == sorted(names)
    assert [name for name in names if not (ROOT / name.partition("::")[0]).is_file()] == []


@pytest.mark.parametrize(
    ("words", "is_left_out"),
    [
        (["tests"], True),
        (["tests/a/test_a.py"], True),
        (["tests/a/test_a.py::test_other"], True),
        (["tests/a/test_a.py::test_it"], False),
        (["tests/a/test_a.py::test_it[many]"], False),
        (["--prove"], False),
        (["-m", "prove or hypothesis"], False),
    ],
)
def test_whoever_names_a_test_has_all_of_it(words: list[str], *, is_left_out: bool) -> None:
    """And whoever asks for everything; others have what shows the promise."""
    mark = words[1] if words[0] == "-m" else ""
    option = SimpleNamespace(prove="--prove" in words, markexpr=mark)
    test: Any = SimpleNamespace(
        config=SimpleNamespace(option=option, args=words),
        nodeid="tests/a/test_a.py::test_it[many]",
        get_closest_marker=lambda name: name == "prove",
    )
    assert proving.is_left_out(test) is is_left_out
