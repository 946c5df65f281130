"""The range for the tables needed, held against many runs of fields that are known."""

from collections.abc import Callable
from math import ceil, inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from naive_tables import Results, Runs, sample

from tourney.standings.bounded_differences import Bounds
from tourney.standings.rank_sets import rank_sets
from tourney.standings.tables_needed import TablesNeeded, tables_needed


def normal(rng: np.random.Generator, shape: tuple[int, int]) -> Results:
    """Draw results of no skill."""
    return rng.standard_normal(shape)


FIELDS_OF_EACH = 20
FIELDS: dict[str, Callable[[np.random.Generator], Results]] = {
    "two": lambda rng: np.array([0.0, 0.4 * abs(rng.standard_normal())]),
    "equal": lambda rng: np.zeros(6),
    "even": lambda rng: 0.5 * rng.permutation(8).astype(float),
    "outlier": lambda rng: np.array([20.0, *rng.standard_normal(7)]),
    "heavy": lambda rng: rng.standard_t(2, 8),
}


@pytest.mark.prove
@pytest.mark.parametrize("name", FIELDS)
def test_the_range_holds_the_number_that_runs_need(name: str) -> None:
    """In nine of ten fields, of which there are few here and many in benchmarks/pilot.py."""
    held = 0
    for seed in range(FIELDS_OF_EACH):
        rng = np.random.default_rng([seed, len(name)])
        skills = FIELDS[name](rng)
        known = sample(skills + normal(rng, (100, len(skills))))
        found = tables_needed(known, known, 0.5)
        assert found
        true = Runs(skills, normal, 21, seed).tables(ceil((len(skills) - 1) / 2))
        held += (found.least or inf) <= true <= (found.most or inf)
    assert held >= FIELDS_OF_EACH - 3  # of 20 that hold with 95 %, more fail once in 60 times


def test_a_large_pilot_finds_the_number_closely() -> None:
    """The range closes on what runs need."""
    rng = np.random.default_rng(5)
    skills = 0.3 * np.arange(5.0)
    true = Runs(skills, normal, 101, 1).tables(2)
    known = sample(skills + normal(rng, (20_000, 5)))
    found = tables_needed(known, known, 0.5)
    assert found
    assert found.least
    assert found.most
    assert 0.75 * true < found.least <= true <= found.most < 1.3 * true


@given(st.integers(0, 2**32), st.integers(2, 12), st.integers(2, 60))
def test_a_range_is_one_and_asks_for_more_for_more(seed: int, entrants: int, tables: int) -> None:
    """The ends are in order, and no part needs fewer tables than a smaller one."""
    rng = np.random.default_rng(seed)
    skills = rng.choice([0.0, 0.3, 1.0, 5.0], entrants) * rng.standard_normal(entrants)
    known = sample(skills + normal(rng, (tables, entrants)))
    ranges = [tables_needed(known, known, part) for part in (0.1, 0.5, 0.9, 1.0)]
    before = TablesNeeded(0, 1, 1)
    for each in ranges:
        assert each
        assert (each.least or inf) <= (each.most or inf)
        assert (before.least or inf) <= (each.least or inf)
        assert before.pairs <= each.pairs <= entrants - 1
        before = each


@given(st.integers(0, 2**32), st.floats(0.001, 1000), st.permutations(range(5)))
def test_neither_scale_nor_order_matter(seed: int, scale: float, order: list[int]) -> None:
    """Chips may be of any size, and entrants listed in any order."""
    results = np.arange(5.0) / 3 + np.random.default_rng(seed).standard_normal((30, 5))
    known, other = sample(results), sample(scale * results[:, order])
    one, two = tables_needed(known, known, 0.5), tables_needed(other, other, 0.5)
    assert one
    assert two
    for mine, theirs in ((one.least, two.least), (one.most, two.most)):
        assert (mine or inf) == pytest.approx(theirs or inf, rel=0.02)


def test_tables_of_ones_own_need_more() -> None:
    """What is shared in the pilot and not in the run no longer helps."""
    rng = np.random.default_rng(1)
    results = np.arange(4.0) / 4 + normal(rng, (100, 4)) / 5 + normal(rng, (100, 1))
    shared = sample(results)
    own = sample(results + normal(rng, (100, 4)))
    one, two = tables_needed(shared, shared, 0.5), tables_needed(shared, own, 0.5)
    assert one
    assert two
    assert one.most
    assert two.least
    assert one.most < two.least


@pytest.mark.parametrize("span", [12.0, 60.0])
def test_bounds_of_results_need_more(span: float) -> None:
    """About as many as runs need: two thirds are too few, and half as many more are enough."""
    rng = np.random.default_rng(4)
    skills, bounds = 0.5 * np.arange(4.0), Bounds(-span / 2, span / 2)
    large = skills + normal(rng, (20_000, 4))
    without, within = sample(large), sample(large, bounds)
    found, plain = tables_needed(within, within, 1.0), tables_needed(without, without, 1.0)
    assert found
    assert plain
    assert found.most
    assert plain.most
    assert found.most > 1.1 * plain.most
    for part, is_enough in ((0.67, False), (1.5, True)):
        shape = int(part * found.most), 4
        told = [rank_sets(sample(skills + normal(rng, shape), bounds)).decided for _ in range(21)]
        enough = sum(bool(each[range(1, 4), range(3)].all()) for each in told)
        assert (enough > 10) == is_enough


def test_nobody_has_no_neighbour() -> None:
    """A single entrant is told apart from nobody; two who do the same never are."""
    results = np.random.default_rng(1).standard_normal((30, 1))
    known = sample(results)
    assert tables_needed(known, known, 0.5) is None
    both = sample(np.hstack([results, results]))
    found = tables_needed(both, both, 0.5)
    assert found
    assert found.most is None
