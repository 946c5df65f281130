"""Places that a format gives itself, and what places are worth in a season."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from tourney.errors import TourneyError
from tourney.standings.standing import Standing


class Finish(NamedTuple):
    """How a tournament ended for an entrant, or stands so far."""

    entrant: int  # its number
    place: int  # from 1; who tie share it
    bankroll: int  # with which it goes on, a whole number in the unit of the rules
    note: str  # how, as people say it, such as "out in level 3"
    table: int | None = None  # at which it was last, where one table's places count by themselves
    counts: tuple[tuple[str, int], ...] = ()  # what else it counts: (("re-buys", 2),)


def by_score(
    scores: Iterable[tuple[int, Any]], *, first_place: int = 1
) -> list[tuple[int, int, Any]]:
    """Give places to scores, the greatest first; equal scores share the better place.

    Args:
        scores: Entrants and what they are ordered by.
        first_place: The place of the greatest.
    Returns: Entrant, place and score, best first, and equals by number.

    >>> by_score([(0, 5), (1, 9), (2, 5)])
    [(1, 1, 9), (0, 2, 5), (2, 2, 5)]
    """
    ordered = sorted(scores)
    ordered.sort(key=lambda pair: pair[1], reverse=True)  # stable: equals stay by number
    placed: list[tuple[int, int, Any]] = []
    for position, (entrant, score) in enumerate(ordered):
        is_tie = placed and placed[-1][2] == score
        place = placed[-1][1] if is_tie else first_place + position
        placed.append((entrant, place, score))
    return placed


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
