"""Rank sets: what they promise, and where they promise nothing."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.special import stdtrit

from tourney.standings.maxima import Maxima
from tourney.standings.rank_sets import RankSets, rank_sets, relation
from tourney.standings.sample import Played, Sample, sample_of

TABLES = 400


def sample(results: NDArray[np.float64], *, is_shared: bool = True) -> Sample:
    """Give a sample of results, a column for each entrant, best first."""
    ordered = results[:, np.argsort(-results.mean(axis=0), kind="stable")]
    return sample_of(
        [
            Played(
                [(0, 0 if is_shared else who, table) for table in range(len(column))], *2 * [column]
            )
            for who, column in enumerate(ordered.T)
        ]
    )


def drawn(skills: Sequence[float], seed: int = 1, tables: int = TABLES) -> NDArray[np.float64]:
    """Draw results: cards that all meet, and what each does by itself."""
    rng = np.random.default_rng(seed)
    shape = tables, len(skills)
    return np.array(skills) + 3 * rng.standard_normal((tables, 1)) + rng.standard_normal(shape)


def said(sets: RankSets) -> list[str]:
    """Write sets as the board does."""
    pairs = zip(sets.best, sets.worst, strict=True)
    return [str(best) if best == worst else f"{best}-{worst}" for best, worst in pairs]


def test_clear_differences_give_one_rank_each() -> None:
    """However large the luck is that all share."""
    assert said(rank_sets(sample(drawn((3.0, 2.0, 1.0, 0.0))))) == ["1", "2", "3", "4"]


def test_groups_share_their_ranks() -> None:
    """Two that are alike before two that are alike."""
    assert said(rank_sets(sample(drawn((1.0, 1.0, 0.0, 0.0), seed=4)))) == [
        "1-2",
        "1-2",
        "3-4",
        "3-4",
    ]


def test_tables_of_their_own_share_no_luck() -> None:
    """The same differences as on common tables mean less."""
    results = drawn((0.5, 0.25, 0.0))
    assert said(rank_sets(sample(results))) == ["1", "2", "3"]
    assert said(rank_sets(sample(results, is_shared=False))) == ["1-2", "1-3", "2-3"]


def test_two_entrants_are_compared_as_student_did() -> None:
    """One difference has one interval: that of the paired t test."""
    results = drawn((0.1, 0.0), tables=12)
    pair = sample(results)
    sets = rank_sets(pair)
    differences = results[:, 0] - results[:, 1]
    exact = float(stdtrit(11, 0.975)) * differences.std(ddof=1) / np.sqrt(12)
    assert sets.half_widths[0, 1] == pytest.approx(exact, rel=0.02)


def test_identical_results_are_an_exact_tie() -> None:
    """They are equal, whatever the others do, and nobody comes first by name."""
    results = drawn((1.0, 0.0, 0.0))
    results[:, 2] = results[:, 1]
    tied = sample(results)
    sets = rank_sets(tied)
    assert said(sets) == ["1", "2-3", "2-3"]
    assert [relation(tied, sets, at, None) for at in (1, 2)] == ["separated", "equal"]


def test_a_field_of_twins_is_one_tie() -> None:
    """No difference can stray."""
    results = np.repeat(drawn((0.0,)), 5, axis=1)
    assert said(rank_sets(sample(results))) == ["1-5"] * 5


def test_small_differences_are_practically_equal_or_open() -> None:
    """It depends on the margin that the organiser states."""
    near = sample(drawn((0.0, 0.0)))
    sets = rank_sets(near)
    assert relation(near, sets, 1, margin=1.0) == "practically equal"
    assert relation(near, sets, 1, margin=0.01) == "not separated yet"
    assert relation(near, sets, 1, margin=None) == "not separated yet"


def test_later_steps_decide_what_the_first_leaves_open() -> None:
    """Fewer open questions have to stand up to fewer coincidences."""
    maxima = Maxima(sample(drawn(tuple(np.linspace(3, 0, 12)))))
    decided = np.triu(np.ones((12, 12), bool), 2)
    assert maxima.of_differences(0.05, decided) < maxima.of_differences(0.05)


def test_rare_levels_are_bounded_not_counted() -> None:
    """Where too few draws lie beyond, Bonferroni's inequality holds."""
    maxima = Maxima(sample(drawn((0.0,) * 5)))
    bound = -float(stdtrit(TABLES - 1, 1e-5 / 20))
    assert maxima.of_differences(1e-5) == pytest.approx(bound)


def test_the_same_results_give_the_same_sets() -> None:
    """Draws are fixed."""
    one, other = (rank_sets(sample(drawn((0.2, 0.1, 0.0)))) for _ in range(2))
    assert (one.half_widths == other.half_widths).all()


def test_covariance_of_partly_shared_tables_counts_what_is_shared() -> None:
    """Worked out by hand: the first meets the second at one table of two."""
    field = [
        Played([(0, 0, 1), (0, 0, 2)], (Fraction(1), Fraction(3)), np.array([1.0, 3.0])),
        Played([(0, 0, 2), (0, 0, 3)], (Fraction(2), Fraction(8)), np.array([2.0, 8.0])),
    ]
    # Deviations -1, 1 and -3, 3; each mean has the variance of one result, halved.
    assert sample_of(field).covariance == pytest.approx(np.array([[1.0, -1.5], [-1.5, 9.0]]))


@pytest.mark.parametrize("entrants", [2, 8])
def test_tied_fields_are_covered(entrants: int) -> None:
    """As in benchmarks/rank_coverage.py: 95 % are promised, 4 standard errors allowed."""
    fields = 300
    covered = sum(
        not rank_sets(sample(drawn((0.0,) * entrants, seed))).decided.any()
        for seed in range(fields)
    )
    assert covered / fields > 0.95 - 4 * np.sqrt(0.95 * 0.05 / fields)
