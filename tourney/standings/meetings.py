"""Who is known to be better, where a format gives the places: from who met whom, and how it ended.

A place that was won is a result, not a strength: of eight equal players one comes first, too. So
of every two entrants it is asked whether their results could be those of two who are alike, and all
these questions are answered together, so that with 95 % probability no answer is wrong. Nothing is
taken from the places themselves.

- `by_all` compares what two made of the same opponents, and of each other: for formats whose plan
  says from the start who meets whom.
- `face_to_face` looks at what was between two only: for formats in which results decide who meets
  whom. Whatever came before, between two who are alike the next decision is the toss of a coin;
  so whoever bets against that coin as its results come has no more than its stake to expect, and a
  hundredfold gain has at most one chance in a hundred, whenever one stops to look.
- `by_places` compares places of several brackets.

Source: Bentkus and Dzindzalieta, 2015; Ville, 1939; Holm, 1979; docs/sources.md.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import log
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from tourney.game.arrays import NDArray, np
from tourney.standings.rank_sets import ALPHA, critical
from tourney.standings.standing import Standing

if TYPE_CHECKING:
    Better: TypeAlias = NDArray[np.bool_]
else:
    Better = object  # formats name it in signatures
"""By two entrants: whether the first is known to be better."""

MOST_ENTRANTS = 1_000
"""Who are compared; among more nobody is known to be better. All pairs are looked at."""


class Meetings(NamedTuple):
    """How it ended between any two, counted; (entrants, entrants)."""

    wins: NDArray[np.int64]  # of the first over the second
    draws: NDArray[np.int64]

    @property
    def net(self) -> NDArray[np.float64]:
        """How many more times the first has won than lost."""
        return (self.wins - self.wins.T).astype(np.float64)

    @property
    def decisions(self) -> NDArray[np.float64]:
        """How often it was no draw."""
        return (self.wins + self.wins.T).astype(np.float64)

    @property
    def times(self) -> NDArray[np.int64]:
        """How often they have met."""
        return self.wins + self.wins.T + self.draws


def by_all(met: Meetings, seats: int = 2) -> Better:
    """Compare everybody by what it made of the same opponents.

    If two are alike, what one makes of an opponent the other could have made as well. So each
    difference could have fallen to the other side, and their sum is one of random signs.

    Args:
        met: Who met whom, by a plan that results do not change.
        seats: At a table. What somebody makes of several there hangs together; at worst it is one
            result that counts for all of them.
    """
    net, decisions, times = met.net, met.decisions, met.times
    sums, squares = 2 * net, 4 * decisions  # face to face one wins what the other loses
    for often in np.unique(times[times > 0]):
        # Opponents that both have met as often as each other; who failed some have met less often.
        are = (times == often).astype(np.float64)
        mine, lost = net * are, decisions * are
        sums += mine @ are.T - are @ mine.T
        squares += lost @ are.T + are @ lost.T - 2 * mine @ mine.T / often
    return _beyond(sums, squares * (seats - 1))


def by_places(places: Sequence[Sequence[int]] | NDArray[np.int64]) -> Better:
    """Compare everybody by its places in tournaments that do not depend on each other.

    Args:
        places: The lower the better; (tournaments, entrants).
    """
    worths = -np.array(places, np.float64)
    total, products = worths.sum(axis=0), worths.T @ worths
    own = np.diag(products)
    return _beyond(total[:, None] - total, own[:, None] + own - 2 * products)


def face_to_face(met: Meetings) -> Better:
    """Compare everybody by what was between them, however it came that they met.

    The bet is on a coin that falls for the better one more often than not, and spread evenly over
    all such coins. Who beats somebody that beats a third need not beat that one, so nothing is
    said of two who have hardly met.
    """
    # A quarter of a second to import, which whoever only plays does not need.
    from scipy.special import betainc, betaln  # noqa: PLC0415 - see above

    wins, losses = met.wins + 1.0, met.wins.T + 1.0
    with np.errstate(divide="ignore"):  # of hopeless bets nothing is left
        gains = (wins + losses - 1) * log(2) + betaln(wins, losses)
        gains += np.log(betainc(losses, wins, 0.5))
    return _step_down(lambda sides: gains >= log(sides / ALPHA), len(gains))


def with_ranks(
    rows: Sequence[Standing], numbers: Sequence[int], better: Better | None
) -> tuple[Standing, ...]:
    """Add the ranks that rows may have in truth; all of them, where nothing is known.

    Args:
        rows: Best first; who has no place gets no ranks.
        numbers: Of their entrants.
        better: Who is known to be better, by these numbers; None if that is not known of anybody.
    """
    placed = [number for row, number in zip(rows, numbers, strict=True) if row.place is not None]
    if better is None:
        better = np.zeros((len(rows), len(rows)), np.bool_)
    known = better[np.ix_(placed, placed)]
    best = dict(zip(placed, 1 + known.sum(axis=0), strict=True))
    worst = dict(zip(placed, len(placed) - known.sum(axis=1), strict=True))
    return tuple(
        replace(row, rank_set=(int(best[number]), int(worst[number]))) if number in best else row
        for row, number in zip(rows, numbers, strict=True)
    )


def _beyond(sums: NDArray[np.float64], squares: NDArray[np.float64]) -> Better:
    """Say which sums of random signs are beyond chance, by two entrants in this order."""

    def are(sides: int) -> Better:
        limit = critical(ALPHA, sides)
        found: Better = (sums > 0) & (sums * sums > limit * limit * squares)
        return found

    return _step_down(are, len(sums))


def _step_down(found: Callable[[int], Better], entrants: int) -> Better:
    """Answer all questions together; every answer leaves one question less (Holm).

    Of two entrants each may be the better one, so an answer leaves the other question open.
    """
    known = np.zeros((entrants, entrants), np.bool_)
    while entrants > 1:
        more = found(entrants * (entrants - 1) - int(known.sum()))
        if (more == known).all():
            break
        known = more
    return known
