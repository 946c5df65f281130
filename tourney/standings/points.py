"""What places are worth in a season: points, which those who tie share.

Knows nothing of seasons and runs.
"""

from collections.abc import Sequence
from fractions import Fraction

from tourney.errors import TourneyError
from tourney.standings.standing import Standing


def points(
    standings: Sequence[Standing], worth: Sequence[float] | None, *, by_ranks: bool = False
) -> list[Fraction]:
    """Give what everybody's place is worth, in the order of the standings.

    Whoever ties has the mean of the points of the places that they take up together. Whoever has
    no place has none.

    Args:
        standings: All of them, best first.
        worth: Points of the first, the second and so on, 0 after the last. If None, the first of
            n is worth n - 1 and the last 0: a point for everybody beaten, half a point for a tie.
        by_ranks: Whether everybody has the mean of the points of all ranks that luck leaves open.
    Raises: TourneyError, if ranks are to count and are not known.
    """
    placed = [row for row in standings if row.place is not None]
    scale = [
        Fraction(len(placed) - place) if worth is None else _worth(worth, place)
        for place in range(1, len(placed) + 1)
    ]
    return [_points(row, scale, placed, by_ranks=by_ranks) for row in standings]


def _worth(worth: Sequence[float], place: int) -> Fraction:
    # As it is written: 0.1 is a tenth.
    return Fraction(str(worth[place - 1])) if place <= len(worth) else Fraction(0)


def _points(
    row: Standing, scale: Sequence[Fraction], placed: Sequence[Standing], *, by_ranks: bool
) -> Fraction:
    if row.place is None:
        return Fraction(0)
    if by_ranks:
        if row.rank_set is None:
            raise TourneyError(
                "by: expected a run whose ranks are known, got one with a single table: "
                "write 'by: place'"
            )
        first, last = row.rank_set
    else:
        first = row.place
        last = first + sum(each.place == first for each in placed) - 1
    taken = scale[first - 1 : last]
    return sum(taken, Fraction(0)) / len(taken) if taken else Fraction(0)
