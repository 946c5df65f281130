"""The bound on sums of signs: exactly, by every pattern of signs that there is."""

from itertools import product
from math import inf, isclose, sqrt
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tourney.standings.rank_sets import against_lean, critical, rank_sets, student
from tourney.standings.sample import Played, sample_of

MOST_TABLES = 12
SPREADS = st.lists(st.sampled_from((0, 1, 2, 3, 5, 50, 1000)), min_size=2, max_size=MOST_TABLES)


def patterns(tables: int) -> NDArray[np.float64]:
    """Give every pattern of signs, a row for each."""
    return np.array(list(product((-1.0, 1.0), repeat=tables)))


@given(SPREADS, st.sampled_from((0.5, 0.2, 0.05, 0.01, 0.001)))
def test_no_spread_of_results_exceeds_the_limit_more_often(spread: list[int], alpha: float) -> None:
    """However far tables stray from the truth: signs are all that chance decides."""
    distances = np.array(spread, float)
    length = sqrt(float(distances @ distances))
    if not length:
        return
    sums = patterns(len(spread)) @ distances / length
    assert (sums >= critical(alpha, 1)).mean() <= alpha


def test_the_bound_cannot_be_lowered() -> None:
    """Two equal tables are both wins one time in four, where the constant comes from."""
    sums = patterns(2).sum(axis=1) / sqrt(2)
    limit = sqrt(2)
    beyond = float((sums >= limit - 1e-12).mean())
    constant = beyond / NormalDist().cdf(-limit)
    assert isclose(critical(beyond, 1), limit, rel_tol=1e-9)
    assert round(constant, 4) == 3.1787


@pytest.mark.parametrize("tables", [6, 8, 10, 12])
@pytest.mark.parametrize("kind", ["equal", "rising", "one large", "three values"])
def test_two_equal_entrants_are_ordered_by_at_most_one_pattern_in_twenty(
    tables: int, kind: str
) -> None:
    """The whole of the method, in every world that differs by signs."""
    distances = {
        "equal": np.ones(tables),
        "rising": np.arange(1.0, tables + 1),
        "one large": np.array([100.0] + [1.0] * (tables - 1)),
        "three values": np.array([1.0, 2.0, 4.0] * tables)[:tables],
    }[kind]
    keys = [(0, 0, table) for table in range(tables)]
    wrong = 0
    for signs in patterns(tables):
        values = [distances * signs, np.zeros(tables)]
        field = [Played(keys, tuple(each), each) for each in values]
        wrong += bool(rank_sets(sample_of(field)).decided.any())
    assert wrong <= 0.05 * 2**tables


@given(st.integers(2, 1000), st.floats(0.5, 6))
def test_students_t_says_the_same_as_the_sum(tables: int, limit: float) -> None:
    """One follows from the other, for any results."""
    t = student(limit, tables)
    if t == inf:
        assert limit**2 >= tables
    else:
        assert isclose(t / sqrt((tables - 1 + t * t) / tables), limit, rel_tol=1e-6)


@given(st.floats(critical(0.05, 2), 20), st.floats(0.001, 1))
def test_a_small_lean_asks_for_about_what_johnson_says_or_more(limit: float, lean: float) -> None:
    """His correction to the first term; 95 % of it where only two are compared."""
    found = float(against_lean(limit, np.array([lean]))[0])
    assert found - limit >= 0.95 * lean * (limit**2 / 3 + 1 / 6)


def test_many_questions_ask_for_more_than_johnson_says() -> None:
    """Of many means that lean, those lead that have shown the least of it."""
    two, sixty = (
        float(against_lean(limit, np.array([0.2]))[0] - limit) / (0.2 * (limit**2 / 3 + 1 / 6))
        for limit in (critical(0.05, 2), critical(0.05, 60 * 59))
    )
    assert two < 1.0
    assert sixty > 1.8


@given(st.floats(0.5, 20), st.floats(-2, 2), st.floats(0.001, 2))
def test_the_greater_the_lean_to_losses_the_more_is_asked_for(
    limit: float, lean: float, more: float
) -> None:
    """Nothing for one to the wins, and never without end."""
    found, again = against_lean(limit, np.array([lean, lean + more]))
    assert limit <= found <= again < inf
    assert (found == again) == (lean + more <= 0)


def test_without_a_limit_there_is_none_with_a_lean() -> None:
    """Too few tables are too few."""
    assert np.isinf(against_lean(inf, np.array([0.5, 1.0]))).all()
