"""How much is tried: `make test` shows each promise once, `make prove` goes on to everything.

A property is tried with a few examples, and with all that stand beside it where `--prove` is
given. Left out without `--prove`, unless their test is named (`pytest FILE::TEST`), are more
values of a parameter, which repeat with more luck or more rounds what others show; and what
computes for two seconds or more, as whole evenings, solvers and clusters do, whose parts have
tests of their own. Besides these, which are marked where they stand, what `make costs` found to be
long is left out where all tests are run, and where nothing is named: see `LONG`.
"""

from argparse import ArgumentTypeError
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest
from hypothesis import HealthCheck, settings

FEW = 12
"""Examples of a property without `--prove`; those that once failed are tried besides."""


LONG = Path(__file__).parents[1] / "long.txt"
"""What `make costs` has found to be long, by name, one to a line: see `long_ones`."""
REPEATS, ALONE, FILE = 0.05, 0.3, 2.0
"""Seconds from which on a further value of a parameter is long, a test by itself, and the quickest
test of a file."""


def tried(examples: int, **others: Any) -> settings:
    """Give the settings of a property.

    Args:
        examples: How often it is tried with `--prove`.
        others: Further settings of Hypothesis.
    """
    proves = settings().max_examples > FEW
    return settings(max_examples=examples if proves else min(examples, FEW), **others)


def with_more(always: Sequence[Any], more: Sequence[Any]) -> list[Any]:
    """Give the values of a parameter.

    Args:
        always: Those that show what the test promises.
        more: Those that show it again, with `--prove`.
    """
    assert always, "expected a value that is always tried, got none"
    rows = [each if isinstance(each, tuple) else (each,) for each in more]
    return [*always, *(pytest.param(*row, marks=pytest.mark.prove) for row in rows)]


def settle(config: pytest.Config) -> None:
    """Fix how often properties are tried, before the tests are read."""
    # Other work on the machine must not fail a test.
    unhurried: dict[str, Any] = {
        "deadline": None,
        "suppress_health_check": [HealthCheck.too_slow],
    }
    settings.register_profile("test", max_examples=FEW, **unhurried)
    settings.register_profile("prove", **unhurried)
    settings.load_profile("prove" if config.getoption("--prove") else "test")


def is_left_out(test: pytest.Item) -> bool:
    """Say whether a test is for `--prove` alone, and neither its name nor its mark is asked for."""
    options = test.config.option
    if options.prove or "prove" in options.markexpr or not test.get_closest_marker("prove"):
        return False
    named = {_function(place) for place in test.config.args if "::" in place}
    return _function(test.nodeid) not in named


def part_of(words: str) -> tuple[int, int]:
    """Read which part of the tests is run, as 1/2, and return it: number, from 0, and parts.

    Raises: ArgumentTypeError, if it is none.
    """
    number, _, parts = words.partition("/")
    is_part = number.isdecimal() and parts.isdecimal() and 1 <= int(number) <= int(parts)
    if not is_part:
        raise ArgumentTypeError(f"expected a part, such as 1/2, got {words!r}")
    return int(number) - 1, int(parts)


def is_in(part: tuple[int, int], name: str) -> bool:
    """Say whether a test belongs to a part; values of one parameter are spread over all parts."""
    number, parts = part
    return crc32(name.encode()) % parts == number


def long_ones(seconds: Mapping[str, float]) -> list[str]:
    """Choose what `make test` can do without, so that it takes minutes.

    A file keeps its quickest test, unless even that takes seconds. A test keeps its quickest
    values, unless these are long by themselves, and all others that take next to nothing.

    Args:
        seconds: What each test took, by its name.
    Returns: The names of the others, sorted.

    >>> long_ones({"a.py::test_a[1]": 0.2, "a.py::test_a[2]": 0.3, "a.py::test_b": 2.0})
    ['a.py::test_a[2]', 'a.py::test_b']
    >>> long_ones({"a.py::test_a": 1.9, "b.py::test_b": 2.1})
    ['b.py::test_b']
    """
    quickest = sorted(seconds, key=seconds.__getitem__)
    kept: set[str] = set()
    shown: dict[str, set[str]] = defaultdict(set)  # functions of which something is kept, by file
    for name in quickest:
        file = name.partition("::")[0]
        most = REPEATS if name.partition("[")[0] in shown[file] else ALONE
        if seconds[name] <= (most if shown[file] else FILE):
            kept.add(name)
            shown[file].add(name.partition("[")[0])
    return sorted(seconds.keys() - kept)


@cache
def _are_long() -> frozenset[str]:
    return frozenset(LONG.read_text(encoding="utf-8").splitlines())


def mark_long(tests: Sequence[pytest.Item], config: pytest.Config) -> None:
    """Mark what is long, where all tests are run and not in order to learn what is."""
    runs_all = config.args_source is pytest.Config.ArgsSource.TESTPATHS
    if runs_all and not config.getoption("--costs", None):
        for test in tests:
            if test.nodeid in _are_long():
                test.add_marker("prove")


def _function(place: str) -> str:
    return place.rpartition("::")[2].partition("[")[0]
