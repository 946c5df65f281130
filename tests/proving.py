"""How much is tried: `make test` shows each promise once, `make prove` goes on to everything.

A property is tried with a few examples, and with all that stand beside it where `--prove` is
given. Left out without `--prove`, unless their test is named (`pytest FILE::TEST`), are more
values of a parameter, which repeat with more luck or more rounds what others show; and what
computes for two seconds or more, as whole evenings, solvers and clusters do, whose parts have
tests of their own.
"""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

FEW = 12
"""Examples of a property without `--prove`; those that once failed are tried besides."""


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


def _function(place: str) -> str:
    return place.rpartition("::")[2].partition("[")[0]
