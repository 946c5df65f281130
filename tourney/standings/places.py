"""Places that a format awards, their points, and the entrants known to be better.

A place is a result, not a strength: of eight equal players one comes first, too. So this module
tests for every two entrants whether their results could be those of equals, and corrects for the
number of tests: with 95 % probability no answer is wrong. The places themselves are not used.

- `by_all` compares the results of two entrants against the same opponents and each other. It is
  for formats that fix all meetings from the start.
- `face_to_face` uses only the meetings of the two. It is for formats in which results decide who
  meets next. Whatever happened before, the next decision between equals is a fair coin. A bet
  against the coin has no expected gain, so a hundredfold gain has a probability of at most 1 %,
  whenever the format ends.
- `by_places` compares places in several brackets.

Source: Bentkus and Dzindzalieta, 2015; Ville, 1939; Holm, 1979; docs/sources.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from math import log
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from tourney.errors import TourneyError
from tourney.game.arrays import NDArray, np
from tourney.standings.rank_sets import ALPHA, critical
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
    sharing = Counter(row.place for row in placed)
    return [_points(row, scale, sharing, by_ranks=by_ranks) for row in standings]


def _worth(worth: Sequence[float], place: int) -> Fraction:
    # Exactly as written: 0.1 is a tenth.
    return Fraction(str(worth[place - 1])) if place <= len(worth) else Fraction(0)


def _points(
    row: Standing,
    scale: Sequence[Fraction],
    sharing: Mapping[int | None, int],
    *,
    by_ranks: bool,
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
        last = first + sharing[first] - 1
    taken = scale[first - 1 : last]
    return sum(taken, Fraction(0)) / len(taken) if taken else Fraction(0)


def two_decimals(value: float | Fraction) -> str:
    """Write a number with at most two decimals.

    >>> two_decimals(Fraction(20, 3)), two_decimals(1234.5), two_decimals(10)
    ('6.67', '1,234.5', '10')
    """
    return f"{float(value):,.2f}".rstrip("0").rstrip(".")


if TYPE_CHECKING:
    Better: TypeAlias = NDArray[np.bool_]
else:
    Better = object  # formats use it in signatures
"""For every two entrants, whether the first is known to be better."""

MOST_ENTRANTS = 1_000
"""Most entrants to compare, because all pairs are tested; a larger field is not compared."""


class Meetings(NamedTuple):
    """Counted results between every two entrants, shape (entrants, entrants)."""

    wins: NDArray[np.int64]  # of the first against the second
    draws: NDArray[np.int64]

    @property
    def net(self) -> NDArray[np.float64]:
        """Wins of the first minus wins of the second."""
        return (self.wins - self.wins.T).astype(np.float64)

    @property
    def decisions(self) -> NDArray[np.float64]:
        """Number of meetings without a draw."""
        return (self.wins + self.wins.T).astype(np.float64)

    @property
    def times(self) -> NDArray[np.int64]:
        """Number of meetings."""
        return self.wins + self.wins.T + self.draws


def by_all(met: Meetings, seats: int = 2, alpha: float = ALPHA) -> Better:
    """Compare all entrants by their results against the same opponents.

    If two are equal, each could have had the other's results against an opponent. So the sign of
    each difference is random, and their sum is one of random signs.

    Args:
        met: Meetings by a plan that does not depend on results.
        seats: Seats at a table. Results against several opponents at one table depend on each
            other; in the worst case they are one result that counts several times.
        alpha: Probability that any answer is wrong.
    """
    net, decisions, times = met.net, met.decisions, met.times
    sums, squares = 2 * net, 4 * decisions  # in a direct meeting, a win is the other's loss
    for often in np.unique(times[times > 0]):
        # Opponents that both have met equally often; after a fault, entrants have fewer meetings.
        are = (times == often).astype(np.float64)
        mine, lost = net * are, decisions * are
        sums += mine @ are.T - are @ mine.T
        squares += lost @ are.T + are @ lost.T - 2 * mine @ mine.T / often
    return _beyond(sums, squares * (seats - 1), alpha)


def by_places(places: Sequence[Sequence[int]] | NDArray[np.int64]) -> Better:
    """Compare all entrants by their places in independent tournaments.

    Args:
        places: Shape (tournaments, entrants); lower is better.
    """
    worths = -np.array(places, np.float64)
    total, products = worths.sum(axis=0), worths.T @ worths
    own = np.diag(products)
    return _beyond(total[:, None] - total, own[:, None] + own - 2 * products)


def face_to_face(met: Meetings) -> Better:
    """Compare every two entrants by their meetings only, however these came about.

    The bet is on a coin that favours the better one, averaged over all such coins. Beating an
    entrant that beats a third one proves nothing about the third, so two entrants with few meetings
    stay undecided.
    """
    # Takes 0.25 s, and play does not need it.
    from scipy.special import betainc, betaln  # noqa: PLC0415 - see above

    wins, losses = met.wins + 1.0, met.wins.T + 1.0
    with np.errstate(divide="ignore"):  # a lost bet leaves nothing
        gains = (wins + losses - 1) * log(2) + betaln(wins, losses)
        gains += np.log(betainc(losses, wins, 0.5))
    return _step_down(lambda sides: gains >= log(sides / ALPHA), len(gains))


def are_separated(places: Sequence[tuple[int, int]], better: Better) -> bool:
    """Return whether of every two neighbours the first is known to be better.

    Args:
        places: Place and number of each entrant; the order has no effect.
        better: Which entrants are known to be better, by number.
    """
    order = [entrant for _, entrant in sorted(places)]
    return all(better[one, other] for one, other in pairwise(order))


def with_ranks(
    rows: Sequence[Standing], numbers: Sequence[int], better: Better | None
) -> tuple[Standing, ...]:
    """Add rank sets to rows; all ranks if no comparison is known.

    Args:
        rows: Best first; rows without a place get no ranks.
        numbers: Numbers of their entrants.
        better: Which entrants are known to be better, by these numbers; `None` if unknown.
    """
    placed = [number for row, number in zip(rows, numbers, strict=True) if row.place is not None]
    if better is None:  # without a matrix, which would hold 10 GB for 100,000 entrants
        best, worst = dict.fromkeys(placed, 1), dict.fromkeys(placed, len(placed))
    else:
        known = better[np.ix_(placed, placed)]
        best = dict(zip(placed, (1 + known.sum(axis=0)).tolist(), strict=True))
        worst = dict(zip(placed, (len(placed) - known.sum(axis=1)).tolist(), strict=True))
    return tuple(
        replace(row, rank_set=(best[number], worst[number])) if number in best else row
        for row, number in zip(rows, numbers, strict=True)
    )


def _beyond(
    sums: NDArray[np.float64], squares: NDArray[np.float64], alpha: float = ALPHA
) -> Better:
    """Return which sums of random signs are significant, by two entrants in this order."""

    def are(sides: int) -> Better:
        limit = critical(alpha, sides)
        found: Better = (sums > 0) & (sums * sums > limit * limit * squares)
        return found

    return _step_down(are, len(sums))


def _step_down(found: Callable[[int], Better], entrants: int) -> Better:
    """Answer all questions together; every answer reduces the number of open questions (Holm).

    Either of two entrants may be the better one, so an answer leaves the opposite question open.
    """
    known = np.zeros((entrants, entrants), np.bool_)
    while entrants > 1:
        more = found(entrants * (entrants - 1) - int(known.sum()))
        if (more == known).all():
            break
        known = more
    return known
