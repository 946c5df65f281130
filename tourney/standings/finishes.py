"""How a tournament ended for somebody, where its format gives the places itself."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple


class Finish(NamedTuple):
    """How a tournament ended for an entrant, or stands so far."""

    entrant: int  # its number
    place: int  # from 1; who tie share it
    bankroll: int  # with which it goes on, in the unit of the rules
    note: str  # how, as people say it, such as "out in level 3"
    table: int | None = None  # at which it was last, where one table's places count by themselves
    counts: tuple[tuple[str, int], ...] = ()  # what else the format counts, such as re-buys


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


def check_finishes(finishes: Sequence[Finish], entrants: int) -> None:
    """Make sure that everybody has one place, and that places are those that ties leave.

    Raises: AssertionError, where a format is wrong.
    """
    assert sorted(finish.entrant for finish in finishes) == list(range(entrants)), "one place each"
    places = sorted(finish.place for finish in finishes)
    for position, place in enumerate(places):
        assert place == position + 1 or place == places[position - 1], "ties share a place"
