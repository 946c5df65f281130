"""What places are worth: a list, or a point for everybody beaten; who ties shares."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tourney.errors import TourneyError
from tourney.standings.places import points
from tourney.standings.standing import Standing


def _row(place: int | None, ranks: tuple[int, int] | None = None) -> Standing:
    return Standing(
        place=place,
        name="",
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
        rank_set=ranks,
    )


def test_a_list_says_what_places_are_worth() -> None:
    """Who comes after its end has nothing, and who has no place neither."""
    assert points([_row(1), _row(2), _row(3), _row(None)], (10, 6.5)) == [10, Fraction(13, 2), 0, 0]


def test_who_ties_shares_the_points_of_their_places() -> None:
    """Two on the second place have those of the second and the third together."""
    board = [_row(1), _row(2), _row(2), _row(4)]
    assert points(board, (10, 6, 3, 1)) == [10, Fraction(9, 2), Fraction(9, 2), 1]


@given(st.lists(st.integers(0, 5), min_size=1, max_size=12))
def test_without_a_list_everybody_beaten_is_a_point(results: list[int]) -> None:
    """And everybody on the same place half a point: counted pair by pair."""
    ordered = sorted(results, reverse=True)
    board = [_row(1 + sum(other > mine for other in ordered)) for mine in ordered]
    naive = [
        Fraction(2 * sum(other < mine for other in ordered) + ordered.count(mine) - 1, 2)
        for mine in ordered
    ]
    assert points(board, None) == naive


@given(
    st.lists(st.integers(0, 5), min_size=1, max_size=12),
    st.lists(st.integers(0, 50), min_size=12, max_size=12),
)
def test_ties_give_away_as_many_points_as_places(results: list[int], worth: list[int]) -> None:
    """Whoever ties, no point is lost or made."""
    ordered = sorted(results, reverse=True)
    board = [_row(1 + sum(other > mine for other in ordered)) for mine in ordered]
    assert sum(points(board, worth)) == sum(worth[: len(board)])


def test_ranks_that_luck_leaves_open_share_their_points() -> None:
    """Whom a run does not tell apart, its points do not either."""
    board = [_row(1, (1, 2)), _row(2, (1, 3)), _row(3, (2, 3))]
    assert points(board, (10, 6, 2), by_ranks=True) == [8, 6, 4]


def test_a_board_without_ranks_is_refused() -> None:
    """As it is where the format gives the places."""
    with pytest.raises(
        TourneyError, match="by: the ranks of a run with a single table are unknown"
    ):
        points([_row(1)], None, by_ranks=True)
