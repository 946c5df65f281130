"""What `make prove` adds repeats what `make test` shows: no test is for the former alone."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests import proving
from tests.proving import with_more

ROOT = Path(__file__).parents[2]


def test_nothing_is_marked_but_further_values_of_a_parameter() -> None:
    """They stand beside values that are always tried."""
    marking = [path for path in (ROOT / "tests").rglob("*.py") if "mark.prove" in path.read_text()]
    assert {path.name for path in marking} == {"proving.py", Path(__file__).name}


def test_there_is_a_value_that_is_always_tried() -> None:
    """Or else the test would be left out as a whole."""
    first, *more = with_more([(2, 2)], [(1, 10), (2, 4)])
    assert first == (2, 2)
    assert [each.values for each in more] == [(1, 10), (2, 4)]
    assert [mark.name for each in more for mark in each.marks] == ["prove", "prove"]
    with pytest.raises(AssertionError, match="expected a value that is always tried, got none"):
        with_more([], [1])


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
