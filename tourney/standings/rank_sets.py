"""Which ranks an entrant may have in truth: sets that hold for everybody at once.

Of every two entrants it is asked whether one is better, and all these questions are answered
together, so that with 95 % probability no answer is wrong. Whoever is known to be better than
others cannot rank behind them; what is left is the set of ranks. The largest differences are
decided first; what is left then has to stand up to fewer coincidences, so it is looked at again
(step-down). Each of two may be the better one, so every two entrants are two questions; one that
is answered leaves one, in case the answer is wrong.

How far a difference may stray by chance, however few tables there are: if the results of tables
lean to neither side, each could as well have fallen as far to the other side of the truth as it
fell to this one. So take how far they fell for given, and only their signs for chance. Whatever
the distances are, the standardised sum of so many random signs exceeds a number at most 3.1787
times as often as a normal variable does. That holds for any number of tables, for results of any
spread, and for those that take few values only; no other result has to be independent of these.
Where results do lean, a mean strays further to one side: there the number grows by Johnson's
correction, made larger for many entrants; that was measured, not proven.

Where bounds for results are declared, a pair also has to pass a test that is valid for all results
within the bounds (`bounded`). Both tests have to agree, so the answers are as sure as those of the
second one, and bounds never decide a pair that is open without them.

Source: Mogstad, Romano, Shaikh and Wilhelm, 2024; Holm, 1979; Bentkus and Dzindzalieta, 2015;
Efron, 1969; Johnson, 1978; docs/sources.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, log, sqrt
from statistics import NormalDist

from tourney.game.arrays import NDArray, np
from tourney.standings.bounded_differences import bets, half_widths
from tourney.standings.sample import Sample
from tourney.standings.standing import Relation

NORMAL = NormalDist()

OF_SIGNS = 1 / (4 * NORMAL.cdf(-sqrt(2)))
"""Times that a standardised sum of signs may be beyond a number for once of a normal variable."""


def critical(alpha: float, sides: float) -> float:
    """Give what no standardised sum of signs exceeds, with probability 1 - alpha at least.

    Args:
        alpha: How often any may.
        sides: How many there are; one for each direction in which a difference can stray.

    >>> round(critical(0.05, 2), 3), round(critical(0.05, 8 * 7), 3)
    (2.415, 3.449)
    """
    return -NORMAL.inv_cdf(alpha / (OF_SIGNS * sides))


def least_tables(alpha: float, sides: float) -> int:
    """Give the fewest tables that can tell anything: of fewer no sum of signs is as large.

    >>> [least_tables(0.05, entrants * (entrants - 1)) for entrants in (2, 8, 20, 60, 300)]
    [6, 12, 16, 20, 26]
    """
    return int(critical(alpha, sides) ** 2) + 1


def student(limit: float, tables: int) -> float:
    """Turn a limit of standardised sums into one of Student's t; infinite with too few tables.

    One follows from the other: a sum is divided by the squares about zero, t by those about the
    mean.

    >>> round(student(3.449, 48), 2), student(3.449, 11)
    (3.94, inf)
    """
    rest = tables - limit * limit
    return limit * sqrt((tables - 1) / rest) if rest > 0 else inf


def against_lean(limit: float, lean: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give the t that a mean needs which luck may have left without its rare losses.

    Johnson's t, corrected for skewness, asks for lean times (limit² / 3 + 1 / 6) more where the
    lean is small. Of many means that lean, those lead that have shown the least of it. So this
    asks for about as much where two are compared, and for more the more questions there are.

    Args:
        limit: The t that is enough where results lean to neither side.
        lean: Skewness of the mean, more than 0 where its rare results are losses.

    >>> [round(float(each), 3) for each in against_lean(3.0, np.array([-1.0, 0.0, 0.1, 1.0]))]
    [3.0, 3.0, 3.386, 6.857]
    """
    if limit == inf:
        return np.full_like(lean, inf)
    return limit + np.maximum(lean, 0) * limit**3 / 7


ALPHA = 0.05
"""How often anything of what is said may be wrong."""

LEAST_TABLES = 2
"""Without a second table nobody knows how much the first means."""


@dataclass(frozen=True, slots=True)
class RankSets:
    """What is known of an order, best first. Ranks are from 1."""

    best: NDArray[np.int64]  # by entrant: the best rank it may have
    worst: NDArray[np.int64]
    decided: NDArray[np.bool_]  # by two entrants: whether the first is known to be better
    half_widths: NDArray[np.float64]  # by entrant: of its difference to the one before it
    own_half_widths: NDArray[np.float64]  # of means, for all entrants at once


def rank_sets(sample: Sample, alpha: float = ALPHA) -> RankSets:
    """Find out which ranks entrants may have.

    Args:
        sample: Everybody's results.
        alpha: How often anything of it may be wrong.
    """
    means, errors, leans = sample.means, sample.pair_errors, sample.pair_leans
    distances = means[:, None] - means[None, :]
    open_pairs = (sample.firsts[:, None] != sample.firsts[None, :]) & (distances > 0)
    sides = all_sides(sample.entrants)

    def stand_out(left: float) -> NDArray[np.bool_]:
        """Find the differences that results which lean to neither side hardly ever reach."""
        # Whose rare results are losses may lead because none has come yet.
        needed = _times(against_lean(_limit(sample, alpha, left), -leans), errors)
        found: NDArray[np.bool_] = open_pairs & (distances > needed)
        return found

    # At most one question of every two is answered with yes, so no pair needs less than these.
    capitals = _capitals(sample, alpha, stand_out(sides / 2))
    decided = np.zeros_like(open_pairs)
    while True:
        left = sides - int(decided.sum())
        found = stand_out(left) & (capitals >= log(left / alpha))
        if not (found & ~decided).any():
            break
        decided |= found
    return RankSets(
        best=1 + decided.sum(axis=0),
        worst=sample.entrants - decided.sum(axis=1),
        decided=decided,
        half_widths=_to_the_one_before(sample, alpha),
        own_half_widths=_own(sample, alpha),
    )


def _capitals(
    sample: Sample, alpha: float, candidates: NDArray[np.bool_]
) -> NDArray[np.float64] | float:
    """Give the logarithms of what gamblers have won on pairs; no limit without bounds."""
    if sample.bounded is None:
        return inf
    return sample.bounded.capitals(candidates, _bets(sample, alpha))


def _to_the_one_before(sample: Sample, alpha: float) -> NDArray[np.float64]:
    """Give half the widths of the intervals of differences; of the first there is none."""
    sides, entrants = all_sides(sample.entrants), np.arange(1, sample.entrants)
    leans = np.abs(sample.pair_leans[entrants, entrants - 1])
    limits = against_lean(_limit(sample, alpha, sides), leans)
    found = _times(limits, sample.pair_errors[entrants, entrants - 1])
    bounded = sample.bounded
    if bounded is not None and np.isfinite(found).any():
        widths = _of_bets(sample, bounded.to_the_one_before(), alpha, sides)
        found = np.maximum(found, bounded.span * widths)
    return np.concatenate([[inf], found])


def _own(sample: Sample, alpha: float) -> NDArray[np.float64]:
    """Give half the widths of the intervals of means."""
    sides = 2 * sample.entrants
    limits = against_lean(_limit(sample, alpha, sides), np.abs(sample.leans))
    found = _times(limits, sample.errors)
    bounded = sample.bounded
    if bounded is not None and np.isfinite(found).any():
        widths = _of_bets(sample, bounded.own(), alpha, sides)
        found = np.maximum(found, bounded.span / 2 * widths)
    return found


def _of_bets(
    sample: Sample, rows: Sequence[NDArray[np.float64]], alpha: float, sides: int
) -> NDArray[np.float64]:
    parts, needed = _bets(sample, alpha), log(sides / alpha)
    return np.concatenate([half_widths(each, parts, needed) for each in rows])


def _bets(sample: Sample, alpha: float) -> NDArray[np.float64]:
    return bets(sample.tables, critical(alpha, all_sides(sample.entrants)))


def all_sides(entrants: int) -> int:
    """Count the directions in which differences can stray; at least one."""
    return max(entrants * (entrants - 1), 1)


def tables_that_tell(entrants: int, alpha: float = ALPHA) -> int:
    """Give the fewest tables after which anybody can be told apart.

    >>> tables_that_tell(8)
    12
    """
    return max(least_tables(alpha, all_sides(entrants)), LEAST_TABLES)


def rarest_seen(tables: int, level: float = 0.95) -> int:
    """Give a number N such that a loss at 1 table in N has shown with this probability.

    >>> [rarest_seen(tables) for tables in (6, 20, 40, 400)]
    [2, 7, 13, 134]
    """
    return int(1 / (1 - (1 - level) ** (1 / tables)))


def _limit(sample: Sample, alpha: float, sides: float) -> float:
    return student(critical(alpha, sides), sample.tables)


def _times(limits: NDArray[np.float64], errors: NDArray[np.float64]) -> NDArray[np.float64]:
    """Multiply; no limit is no limit, whatever the error."""
    return np.multiply(limits, errors, out=np.full_like(errors, inf), where=np.isfinite(limits))


def relation(sample: Sample, sets: RankSets, at: int, margin: float | None) -> Relation:
    """Say how an entrant stands to the one above it.

    Args:
        sample: Best first.
        sets: What is known of it.
        at: The entrant, from 1.
        margin: What counts as practically equal; None for nothing.
    """
    above = at - 1
    if sample.firsts[above] == sample.firsts[at]:
        return "equal"
    if sets.decided[above, at]:
        return "separated"
    difference = abs(float(sample.means[above] - sample.means[at]))
    if margin is not None and difference + float(sets.half_widths[at]) <= margin:
        return "practically equal"
    return "not separated yet"
