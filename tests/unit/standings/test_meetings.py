"""Who is known to be better, from meetings: seldom of equals, and in the end of who is better."""

import tracemalloc
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray

from tourney.standings.places import (
    Better,
    Meetings,
    by_all,
    by_places,
    face_to_face,
    with_ranks,
)
from tourney.standings.standing import FINISH, Standing

BOARDS = 400
MOST_FALSE = 0.05 * BOARDS


def met(
    random: np.random.Generator,
    chances: NDArray[np.float64],
    times: int,
    drawn: float = 0.0,
) -> Meetings:
    """Let any two meet so many times."""
    entrants = len(chances)
    wins, draws = (np.zeros((entrants, entrants), np.int64) for _ in range(2))
    for one in range(entrants):
        for other in range(one + 1, entrants):
            draws[one, other] = draws[other, one] = random.binomial(times, drawn)
            left = times - draws[one, other]
            wins[one, other] = random.binomial(left, chances[one, other])
            wins[other, one] = left - wins[one, other]
    return Meetings(wins, draws)


def row(name: str, place: int | None) -> Standing:
    """Give the row of somebody whose place the format gave."""
    return Standing(
        place=place,
        name=name,
        strategy="",
        group=None,
        tables=1,
        rounds=1,
        mean=Fraction(0),
        half_width=None,
        quantiles=(0, 0, 0),
        ruin=0,
        profit_per_round=0,
        handle=0,
        faults=0,
        verdict=None,
        measure=FINISH,
    )


def better_by(skills: list[float]) -> NDArray[np.float64]:
    """Give how often each beats each, by strengths."""
    strengths = np.exp(skills)
    chances: NDArray[np.float64] = strengths[:, None] / (strengths[:, None] + strengths)
    return chances


@pytest.mark.parametrize("compare", [by_all, face_to_face])
@pytest.mark.parametrize(("entrants", "times"), [(2, 12), (2, 200), (4, 10), (8, 7), (8, 100)])
def test_of_equals_an_order_is_told_in_a_twentieth_at_most(
    compare: Callable[[Meetings], Better], entrants: int, times: int
) -> None:
    """With draws and without."""
    random, equal = np.random.default_rng(1), np.full((entrants, entrants), 0.5)
    for drawn in (0.0, 0.4):
        told = sum(compare(met(random, equal, times, drawn)).any() for _ in range(BOARDS))
        assert told <= MOST_FALSE


@pytest.mark.parametrize("apart", [0.5, 6.0])
def test_equals_among_others_are_not_told_apart(apart: float) -> None:
    """Of two groups of equals those of one are known to be worse, and nothing else."""
    random, chances = np.random.default_rng(2), better_by([apart] * 4 + [0.0] * 4)
    told = 0
    for _ in range(BOARDS):
        known = by_all(met(random, chances, 30))
        told += bool(known[:4, :4].any() or known[4:, :].any())
    assert told <= MOST_FALSE


def test_who_is_better_than_all_is_known_in_the_end() -> None:
    """By all results sooner than by what was between two."""
    random, chances = np.random.default_rng(3), better_by([1.4] + [0.0] * 7)
    known = [by_all(met(random, chances, 30))[0, 1:].all() for _ in range(50)]
    assert sum(known) >= 40
    known = [face_to_face(met(random, chances, 100))[0, 1:].all() for _ in range(50)]
    assert sum(known) >= 40


def test_whenever_one_stops_to_look_a_coin_is_not_known_to_be_better() -> None:
    """Whoever plays on until it looks good has no more than the promised chance."""
    random, ever = np.random.default_rng(4), 0
    for _ in range(BOARDS):
        ahead = np.cumsum(random.integers(0, 2, 600))
        looks = range(5, 600, 5)
        ever += any(
            face_to_face(
                Meetings(np.array([[0, ahead[at]], [at + 1 - ahead[at], 0]]), np.zeros((2, 2), int))
            ).any()
            for at in looks
        )
    assert ever <= MOST_FALSE


def test_what_is_won_at_one_table_hangs_together() -> None:
    """At tables of four it takes three times as much: at worst, one result counts for all."""
    wins = np.array([[0, 9, 9, 9], [1, 0, 5, 5], [1, 5, 0, 5], [1, 5, 5, 0]])
    known = Meetings(wins, np.zeros((4, 4), int))
    assert by_all(known)[0, 1:].all()
    assert not by_all(known, seats=4).any()


def test_nothing_is_told_without_decisions() -> None:
    """Of those who never met, and of those who always drew."""
    nothing = np.zeros((3, 3), int)
    always = np.full((3, 3), 1_000) - 1_000 * np.eye(3, dtype=int)
    for known in (Meetings(nothing, nothing), Meetings(nothing, always)):
        assert not by_all(known).any()
        assert not face_to_face(known).any()


def test_places_of_many_brackets_are_compared() -> None:
    """One tells nothing, and equals are seldom told apart."""
    random = np.random.default_rng(5)
    assert not by_places(np.array([[1, 2, 3, 4]])).any()
    assert by_places(np.array([[1, 2, 3, 4], [1, 3, 4, 2], [1, 4, 2, 3]] * 20))[0, 1:].all()
    told = 0
    for _ in range(BOARDS):
        places = np.array([random.permutation(8) + 1 for _ in range(40)])
        told += bool(by_places(places).any())
    assert told <= MOST_FALSE


def test_ranks_leave_room_for_all_that_is_not_known() -> None:
    """Who has no place has no ranks, and takes none from the others."""
    better = np.zeros((4, 4), np.bool_)
    better[2, 0] = better[2, 1] = better[2, 3] = True
    rows = [row("C", 1), row("A", 2), row("B", 3), row("D", None)]
    ranked = with_ranks(rows, [2, 0, 1, 3], better)
    assert [each.rank_set for each in ranked] == [(1, 1), (2, 3), (2, 3), None]
    assert {each.rank_set for each in with_ranks(rows, [2, 0, 1, 3], None)} == {(1, 3), None}


def test_ranks_of_a_large_field_need_no_matrix() -> None:
    """A large field needs memory for its rows, not for all pairs."""
    entrants = 5_000
    rows = [row(f"{number}", number + 1) for number in range(entrants)]
    tracemalloc.start()
    ranked = with_ranks(rows, range(entrants), None)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert {each.rank_set for each in ranked} == {(1, entrants)}
    assert most < entrants * 1_000
