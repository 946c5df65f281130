"""Differences of results with declared bounds: valid for every spread, and never bolder."""

from collections.abc import Sequence
from math import comb, exp, isclose, log

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tourney.errors import PluginError
from tourney.standings.bounded_differences import (
    Bounded,
    Bounds,
    bets,
    capital,
    half_widths,
    least_difference,
    likely_difference,
)
from tourney.standings.rank_sets import (
    all_sides,
    critical,
    rank_sets,
    rarest_seen,
    tables_that_tell,
)
from tourney.standings.sample import Played, Sample, sample_of

ALPHAS = st.sampled_from((0.05, 0.01, 0.05 / 56, 0.05 / 380))
SEEDS = st.integers(0, 2**32 - 1)


def sample(
    results: NDArray[np.float64], bounds: Bounds | None = None, heats: Sequence[int] = ()
) -> Sample:
    """Give a sample of results, a column for each entrant, of tables in heats of their own."""
    tables, entrants = results.shape
    heats = heats or [0] * entrants
    return sample_of(
        [
            Played([(0, heat, table) for table in range(tables)], (who,), values)
            for who, (heat, values) in enumerate(zip(heats, results.T.copy(), strict=True))
        ],
        bounds,
    )


def rare(
    rng: np.random.Generator, tables: int, entrants: int, chance: float
) -> NDArray[np.float64]:
    """Draw normal results, and those of one entrant that wins 1 but for rare losses."""
    results = rng.standard_normal((tables, entrants))
    results[:, 0] = np.where(rng.random(tables) < chance, 1 - 1 / chance, 1.0)
    return results


@given(
    st.integers(1, 300),
    st.sampled_from((0.001, 0.01, 0.02, 0.05, 0.1, 0.3, 0.5, 0.7, 0.95, 0.99)),
    ALPHAS,
)
def test_a_false_claim_is_hardly_ever_proven(tables: int, chance: float, alpha: float) -> None:
    """Exactly, for results that take two values and have a mean of 0, however rare the loss is."""
    gain, loss = chance, 1 - chance  # the range is 1
    parts = bets(tables, critical(alpha, 1))
    wrong = 0.0
    for losses in range(tables + 1):
        differences = np.array([gain] * (tables - losses) + [-loss] * losses)
        if capital(differences, parts) >= log(1 / alpha):
            chances = log(chance) * losses + log(1 - chance) * (tables - losses)
            wrong += comb(tables, losses) * exp(chances)
    assert wrong <= alpha * (1 + 1e-9)


@given(SEEDS, st.integers(1, 60), ALPHAS)
def test_tables_that_differ_in_their_means_prove_no_more(
    seed: int, tables: int, alpha: float
) -> None:
    """The expected capital is at most the stake where means of tables add up to 0."""
    rng = np.random.default_rng(seed)
    means = rng.uniform(-0.5, 0.5, tables)
    means -= means.mean()
    for part in bets(tables, critical(alpha, 1)):
        assert np.prod(1 + part * means) <= 1 + 1e-12


@given(SEEDS, st.integers(2, 60), st.integers(2, 8), st.sampled_from((0.3, 1.0, 3.0)))
def test_bounds_never_decide_what_is_open_without_them(
    seed: int, tables: int, entrants: int, step: float
) -> None:
    """Nor do they make any interval narrower, with shared tables or with own ones."""
    rng = np.random.default_rng(seed)
    results = rng.standard_normal((tables, entrants)) + step * rng.permutation(entrants)
    bounds = Bounds(results.min() - rng.exponential(), results.max() + rng.exponential())
    heats = [int(heat) for heat in rng.integers(0, 2, entrants)]
    without, within = (rank_sets(sample(results, each, heats)) for each in (None, bounds))
    assert not (within.decided & ~without.decided).any()
    assert (within.best <= without.best).all()
    assert (within.worst >= without.worst).all()
    assert (within.half_widths >= without.half_widths).all()
    assert (within.own_half_widths >= without.own_half_widths).all()


@pytest.mark.parametrize("chance", [0.05, 0.02])
@pytest.mark.parametrize(("entrants", "tables"), [(2, 20), (8, 20), (8, 40), (20, 28)])
def test_a_rare_loss_that_has_not_come_claims_no_rank(
    entrants: int, tables: int, chance: float
) -> None:
    """As in benchmarks/rank_coverage.py: without bounds far more than 5 % of orders are false."""
    bounds, fields = Bounds(1 - 1 / chance, 1 / chance - 1), 60
    wrong = {None: 0, bounds: 0}
    for seed in range(fields):
        results = rare(np.random.default_rng([seed, tables]), tables, entrants, chance)
        for each in wrong:
            wrong[each] += bool(rank_sets(sample(results, each)).decided.any())
    assert wrong[bounds] == 0
    assert wrong[None] > 0.05 * fields


def test_clear_differences_are_told_within_bounds() -> None:
    """A wide range costs little where there are many tables."""
    rng = np.random.default_rng(1)
    results = rng.uniform(-0.5, 0.5, (400, 4)) + np.array([0.75, 0.5, 0.25, 0.0])
    sets = rank_sets(sample(results, Bounds(-2, 2)))
    assert list(sets.best) == list(sets.worst) == [1, 2, 3, 4]


@given(SEEDS, st.integers(2, 40), ALPHAS)
def test_a_better_result_never_wins_less(seed: int, tables: int, alpha: float) -> None:
    """Nor does the order of the tables matter."""
    rng = np.random.default_rng(seed)
    differences = rng.uniform(-1, 1, tables)
    parts = bets(tables, critical(alpha, 1))
    better = np.minimum(differences + rng.choice([0, 0.3], tables), 1.0)
    assert capital(better, parts) >= capital(differences, parts)
    assert isclose(capital(np.sort(differences), parts), capital(differences, parts), abs_tol=1e-9)


@given(SEEDS, st.integers(2, 40), ALPHAS)
def test_an_interval_leaves_out_0_where_the_capital_proves_it(
    seed: int, tables: int, alpha: float
) -> None:
    """The interval is what the gamblers have not refuted."""
    rng = np.random.default_rng(seed)
    differences = rng.uniform(-1, 1) + rng.uniform(-0.1, 0.1, tables)
    differences = np.clip(differences, -1, 1)
    parts, needed = bets(tables, critical(alpha, 1)), log(1 / alpha)
    (width,) = half_widths(differences[None, :], parts, needed)
    leads = abs(differences.mean())
    towards = differences if differences.mean() > 0 else -differences
    assert width >= 0
    if width < leads:
        assert capital(towards, parts) >= needed
    # No true mean beyond the ends is left: gamblers against it have won.
    mean, beyond = differences.mean(), width * (1 + 1e-6) + 1e-8
    for sign in (1, -1):
        end = sign * mean - beyond
        if end > -1:
            assert capital((sign * differences - end) / (1 + end), parts) >= needed


@pytest.mark.parametrize("result", [-1.0, 1.0])
def test_results_that_are_all_at_a_bound_have_an_interval(result: float) -> None:
    """To one side only, as nothing lies beyond the bound."""
    parts = bets(20, critical(0.05, 2))
    (width,) = half_widths(np.full((1, 20), result), parts, log(40))
    assert isclose(width, 2 - 2 * exp(-log(40) / 20), rel_tol=0.3)


@pytest.mark.parametrize("entrants", [*range(2, 60), 100, 300, 1000])
@pytest.mark.parametrize("alpha", [0.05, 0.0125, 0.001])
def test_bounds_ask_for_no_more_tables_before_anything_can_be_told(
    entrants: int, alpha: float
) -> None:
    """So `least_tables` of a board is the same with bounds and without."""
    tables, sides = tables_that_tell(entrants, alpha), all_sides(entrants)
    parts = bets(tables, critical(alpha, sides))
    assert capital(np.ones(tables), parts) >= log(sides / alpha)


@given(SEEDS, st.integers(6, 500), st.integers(2, 30))
@example(0, 19, 30)
def test_no_smaller_difference_than_the_least_can_be_told(
    seed: int, tables: int, entrants: int
) -> None:
    """However alike tables are; about that much is enough, if they are all the same."""
    sides = all_sides(entrants)
    needed, limit = log(sides / 0.05), critical(0.05, sides)
    least = least_difference(1.0, tables, needed)
    if least >= 1:
        return
    parts = bets(tables, limit)
    rng = np.random.default_rng(seed)
    differences = np.full(tables, least * 0.999)
    differences += 0.5 * (1 - least) * rng.permutation(np.linspace(-1, 1, tables))
    assert capital(differences, parts) < needed
    (enough,) = likely_difference(1.0, tables, limit, needed, np.zeros(1))
    # With one bet on everything both are the same number, from two functions `exp`.
    assert enough >= least or isclose(enough, least, rel_tol=1e-12)
    assert enough > 1 or capital(np.full(tables, enough * 1.0001), parts) >= needed


def test_the_likely_difference_is_about_what_normal_results_need() -> None:
    """To within a tenth, with a range of 3, 6 and 30 standard deviations."""
    rng = np.random.default_rng(2)
    tables, sides = 400, all_sides(8)
    needed, limit = log(sides / 0.05), critical(0.05, sides)
    noise = rng.standard_normal((200, tables))
    for span in (4.5, 6.0, 30.0):
        (likely,) = likely_difference(span, tables, limit, needed, np.ones(1))
        told = [
            np.mean(
                capital(np.clip((noise + part * likely) / span, -1, 1), bets(tables, limit))
                >= needed
            )
            for part in (0.8, 1.25)
        ]
        assert told[0] < 0.5 < told[1]


def test_tables_of_two_are_paired_where_they_are_shared_and_in_order_where_not() -> None:
    """Worked out by hand."""
    tables = [[(0, 0, 1), (0, 0, 2), (0, 0, 4)], [(0, 0, 2), (0, 0, 3), (0, 0, 5)], [(0, 0, 3)]]
    values = [np.array([1.0, 5.0, 3.0]), np.array([4.0, 2.0, 10.0]), np.array([0.0])]
    field = Bounded(tables, values, Bounds(0, 10))
    assert field.differences(0, 1) == pytest.approx([0.1, -0.1, -0.7])
    assert field.differences(1, 2) == pytest.approx([0.2])
    assert field.own()[0][0] == pytest.approx([-0.8, 0.0, -0.4])
    assert field.to_the_one_before()[0][0] == pytest.approx([-0.1, 0.1, 0.7])
    pairs = np.zeros((3, 3), np.bool_)
    pairs[0, 1] = True
    won = field.capitals(pairs, np.array([1.0]))
    assert won[0, 1] == pytest.approx(log(1.1 * 0.9 * 0.3))
    assert np.isinf(won).sum() == 8


@pytest.mark.parametrize("odd", [-0.1, 10.1])
def test_a_result_outside_of_its_bounds_is_refused(odd: float) -> None:
    """The declaration is wrong, so nothing that follows from it is shown."""
    with pytest.raises(
        PluginError, match=r"(-0.1|10.1) of a table is outside of 0 to 10 .*; correct round_bounds"
    ):
        sample(np.array([[5.0, 3.0], [odd, 4.0]]), Bounds(0, 10))


@pytest.mark.parametrize("tables", [1, 2, 5, 14, 40, 100, 400, 12_345])
def test_the_rarest_loss_would_have_shown_with_95_percent(tables: int) -> None:
    """And one that is rarer by one table would not."""
    often = rarest_seen(tables)
    assert 1 - (1 - 1 / often) ** tables >= 0.95
    assert 1 - (1 - 1 / (often + 1)) ** tables < 0.95
