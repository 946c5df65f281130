"""Places that a format awards, and their points in a season."""

from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from tourney.errors import TourneyError
from tourney.standings.standing import Standing


class Finish(NamedTuple):
    """The final or current place of an entrant."""

    entrant: int  # its number
    place: int  # from 1; ties share it
    bankroll: int  # its current bankroll, a whole number in the unit of the rules
    note: str  # a description for people, such as "out in level 3"
    table: int | None = None  # its last table, if places are awarded table by table
    counts: tuple[tuple[str, int], ...] = ()  # further counts, such as (("re-buys", 2),)


def finishes_without(finishes: Sequence[Finish], excluded: Collection[int]) -> list[Finish]:
    """Leave out some entrants; everybody behind them moves up.

    >>> first, second, third = (Finish(each, each + 1, 0, "") for each in range(3))
    >>> [each.place for each in finishes_without([first, second, third], {1})]
    [1, 2]
    """
    gone = [each.place for each in finishes if each.entrant in excluded]
    return [
        each._replace(place=each.place - sum(place < each.place for place in gone))
        for each in finishes
        if each.entrant not in excluded
    ]


def by_score(
    scores: Iterable[tuple[int, Any]], *, first_place: int = 1
) -> list[tuple[int, int, Any]]:
    """Award places by score, the greatest first; equal scores share the better place.

    Args:
        scores: Entrants and scores.
        first_place: Place of the greatest score.
    Returns: Entrant, place and score, best first; ties are sorted by number.

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
    """Return the points of all rows, in the order of the standings.

    Rows that tie get the mean points of the places that they take up together. Rows without a
    place get no points.

    Args:
        standings: All rows, best first.
        worth: Points of the first, second, … place, 0 after the last. If `None`, the first of n has
            n - 1 and the last 0: a point for every entrant beaten, half a point for a tie.
        by_ranks: Whether a row gets the mean points of all ranks in its rank set.
    Raises: TourneyError, if `by_ranks` is set and the rank sets are unknown.
    """
    placed = [row for row in standings if row.place is not None]
    scale = [
        Fraction(len(placed) - place) if worth is None else _worth(worth, place)
        for place in range(1, len(placed) + 1)
    ]
    return [_points(row, scale, placed, by_ranks=by_ranks) for row in standings]


def _worth(worth: Sequence[float], place: int) -> Fraction:
    # Exactly as written: 0.1 is a tenth.
    return Fraction(str(worth[place - 1])) if place <= len(worth) else Fraction(0)


def _points(
    row: Standing, scale: Sequence[Fraction], placed: Sequence[Standing], *, by_ranks: bool
) -> Fraction:
    if row.place is None:
        return Fraction(0)
    if by_ranks:
        if row.rank_set is None:
            raise TourneyError(
                "by: the ranks of a run with a single table are unknown; write 'by: place'"
            )
        first, last = row.rank_set
    else:
        first = row.place
        last = first + sum(each.place == first for each in placed) - 1
    taken = scale[first - 1 : last]
    return sum(taken, Fraction(0)) / len(taken) if taken else Fraction(0)


def two_decimals(value: float | Fraction) -> str:
    """Write a number with at most two decimals.

    >>> two_decimals(Fraction(20, 3)), two_decimals(1234.5), two_decimals(10)
    ('6.67', '1,234.5', '10')
    """
    return f"{float(value):,.2f}".rstrip("0").rstrip(".")
