"""The sequential test of two: right at any stop, and nearly as quick as a test that knows."""

from math import inf, sqrt

import numpy as np
import pytest

from tourney.errors import PluginError
from tourney.standings.sequential_test import Interval, SequentialTest, looks_up_to

MOST = 200
FALSE_OF_100 = 11
"""More false decisions among 100 comparisons, at 5 %, have a probability of 0.4 %."""


def decision(
    draw: np.random.Generator, kind: str, mean: float, most: int = MOST
) -> tuple[str, int, Interval]:
    """Compare two whose tables differ by some law; give the decision and the tables."""
    test = SequentialTest(most, None if kind == "chips" else 1.0)
    before = 0
    for look in looks_up_to(most, 20):
        count = look - before
        if kind == "chips":
            rows = draw.standard_t(3, count) / sqrt(3) + mean
        elif kind == "points":
            rows = np.clip(draw.normal(mean, 1 / 7, count), -1, 1)
        else:  # win, draw or loss, with a part of draws
            ties = float(kind)
            drawn = draw.random(count)
            rows = np.select(
                [drawn < (1 - ties - mean) / 2, drawn < (1 - ties - mean) / 2 + ties], [-1, 0], 1
            )
        test.take(rows.astype(np.float64))
        before = look
        found = test.interval()
        if found.relation() != "not separated yet":
            break
    return found.relation(), before, found


@pytest.mark.parametrize("kind", ["0.0", "0.5", "0.9", "points", "chips"])
def test_equals_are_rarely_called_different(kind: str) -> None:
    """At most in 5 % of comparisons, although each is looked at 25 times."""
    draw = np.random.default_rng(2)
    false = sum(decision(draw, kind, 0.0)[0] == "separated" for _ in range(100))
    assert false <= FALSE_OF_100


@pytest.mark.parametrize(
    ("kind", "spread"), [("0.0", 1.0), ("0.9", sqrt(0.1)), ("points", 1 / 7), ("chips", 1.0)]
)
def test_a_difference_is_found_nearly_as_soon_as_by_a_test_that_knows_it(
    kind: str, spread: float
) -> None:
    """With 95 % probability, that one needs 200 tables; this one 1.3 times as many at most."""
    draw = np.random.default_rng(3)
    mean = 3.605 * spread / sqrt(200)
    found = [decision(draw, kind, mean, 2_000) for _ in range(40)]
    assert [relation for relation, _, _ in found].count("separated") >= 38
    assert all(each.difference > 0 for relation, _, each in found if relation == "separated")
    assert sum(tables for _, tables, _ in found) / len(found) <= 1.3 * 200


def test_the_interval_holds_the_truth_at_every_look() -> None:
    """Which 5 % of comparisons may miss at some look."""
    draw = np.random.default_rng(4)
    missed = 0
    for _ in range(60):
        test = SequentialTest(200)
        is_missed = False
        for look in range(5):
            test.take(draw.normal(0.3, 1.0, 40))
            found = test.interval()
            assert found.tables == 40 * (look + 1)
            is_missed |= not found.low <= 0.3 <= found.high
        missed += is_missed
    assert missed <= 8  # with 5 %, more have a probability of 0.5 %


def test_a_margin_ends_what_no_difference_would() -> None:
    """Two that hardly differ are practically equal."""
    test = SequentialTest(1_000, 1.0)
    test.take(np.tile([0.01, -0.01], 500))
    found = test.interval()
    assert -0.02 < found.low < 0 < found.high < 0.02
    assert (found.relation(), found.relation(0.02)) == ("not separated yet", "practically equal")


def test_the_same_results_leave_the_interval_open() -> None:
    """There is no spread to judge by."""
    test = SequentialTest(100)
    test.take(np.zeros(20))
    assert test.are_equal
    assert test.interval() == Interval(20, 0.0, -inf, inf)


def test_a_result_out_of_bounds_is_a_fault_of_the_game() -> None:
    """It names what to correct."""
    test = SequentialTest(100, 2.0)
    with pytest.raises(PluginError, match=r"a difference of 3 at a table .* correct round_bounds"):
        test.take(np.array([0.0, 3.0]))


def test_a_forecast_is_about_right() -> None:
    """Most differences of the size that it names are found within its tables."""
    draw = np.random.default_rng(5)
    pilot = SequentialTest(1_000)
    pilot.take(draw.normal(0.0, 1.0, 200))
    mean = pilot.detectable(1_000)
    found = 0
    for _ in range(40):
        test = SequentialTest(1_000)
        test.take(draw.normal(mean, 1.0, 1_000))
        found += test.interval().relation() == "separated"
    assert found >= 36
    assert mean < 0.2
