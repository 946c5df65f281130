"""Rank sets: what they promise, and where they promise nothing."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray

from tourney.standings.rank_sets import (
    RankSets,
    critical,
    rank_sets,
    relation,
    student,
    tables_that_tell,
)
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
    results = drawn((0.8, 0.4, 0.0))
    assert said(rank_sets(sample(results))) == ["1", "2", "3"]
    assert said(rank_sets(sample(results, is_shared=False))) == ["1-2", "1-3", "2-3"]


def test_two_entrants_are_compared_by_a_students_t_that_allows_for_any_spread() -> None:
    """The paired interval, by the limit that any symmetric results keep."""
    results = drawn((0.1, 0.0), tables=12)
    results = np.concatenate([results, 2 * results.mean(axis=0) - results])  # leans to no side
    sets = rank_sets(sample(results))
    differences = results[:, 0] - results[:, 1]
    limit = student(critical(0.05, 2), 24)
    exact = limit * differences.std(ddof=1) / np.sqrt(24)
    assert sets.half_widths[1] == pytest.approx(exact)


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
    noise = drawn((0.0,) * 9)
    noise = np.concatenate([noise, -noise])  # leans to no side
    first, later = (student(critical(0.05, sides), 2 * TABLES) for sides in (72, 72 - 35))
    error = (noise[:, 7] - noise[:, 8]).std(ddof=1) / np.sqrt(2 * TABLES)
    near = (first + later) / 2 * error
    skills = np.array((*np.linspace(9, 3, 7), near, 0.0))
    sets = rank_sets(sample(noise + skills))
    assert sets.decided[7, 8]
    assert near < sets.half_widths[8]


@pytest.mark.parametrize(("entrants", "least"), [(2, 6), (8, 12), (20, 16), (60, 20), (300, 26)])
def test_too_few_tables_tell_nothing_whatever_happens(entrants: int, least: int) -> None:
    """And one more does, if all of them say the same."""
    assert tables_that_tell(entrants) == least
    for tables, decides in ((least - 1, False), (least, True)):
        sets = rank_sets(sample(np.arange(entrants, 0, -1.0) + np.zeros((tables, 1))))
        assert sets.decided.any() == decides
        assert np.isinf(sets.half_widths[1]) != decides


def test_a_lead_without_its_rare_losses_is_not_believed() -> None:
    """Results that lean to the losses need a larger difference than those that lean to wins."""
    rng = np.random.default_rng(8)
    rare = rng.exponential(size=(40, 1)) - 1
    steady = 0.01 * rng.standard_normal((40, 1))
    rare -= rare.mean()
    steady -= steady.mean()
    loses, wins = (rank_sets(sample(np.hstack([0.4 + sign * rare, steady]))) for sign in (-1, 1))
    assert not loses.decided.any()
    assert wins.decided[0, 1]


def test_the_same_results_give_the_same_sets() -> None:
    """Nothing is drawn."""
    one, other = (rank_sets(sample(drawn((0.2, 0.1, 0.0)))) for _ in range(2))
    assert (one.half_widths == other.half_widths).all()


def test_partly_shared_tables_count_what_is_shared() -> None:
    """Worked out by hand: the first meets the second at one table of two."""
    field = [
        Played([(0, 0, 1), (0, 0, 2)], (Fraction(1), Fraction(3)), np.array([1.0, 3.0])),
        Played([(0, 0, 2), (0, 0, 3)], (Fraction(2), Fraction(8)), np.array([2.0, 8.0])),
    ]
    # Deviations -1, 1 and -3, 3, each over the square root of 2: at three tables the first less
    # the second has -1, 1 + 3 and -3 of these.
    found = sample_of(field)
    assert found.errors == pytest.approx([1.0, 3.0])
    assert found.pair_errors[0, 1] == pytest.approx(np.sqrt((1 + 16 + 9) / 2))
    assert found.pair_leans[0, 1] == pytest.approx((-1 + 64 - 27) / (1 + 16 + 9) ** 1.5)
    assert found.pair_leans[1, 0] == -found.pair_leans[0, 1]


@pytest.mark.parametrize(
    ("entrants", "tables"), [(2, 400), (8, 400), (8, 2), (20, 3), (60, 5), (60, 10), (8, 16)]
)
def test_equal_entrants_are_hardly_ever_put_into_an_order(entrants: int, tables: int) -> None:
    """As in benchmarks/rank_coverage.py: 5 % are promised, 4 standard errors allowed."""
    fields = 200
    wrong = sum(
        rank_sets(sample(drawn((0.0,) * entrants, seed, tables))).decided.any()
        for seed in range(fields)
    )
    assert wrong / fields < 0.05 + 4 * np.sqrt(0.95 * 0.05 / fields)
