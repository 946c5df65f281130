"""Rank sets: the possible true ranks of each entrant, with simultaneous confidence.

For every two entrants, a test decides whether one is better, and the number of tests is corrected
for: with 95 % probability no answer is wrong. An entrant that is better than others cannot rank
behind them; the remaining ranks form its set. The largest differences are decided first. The others
then have fewer competing tests, so they are tested again (step-down). Either of two entrants may be
the better one, so every two entrants are two tests; an answer to one keeps the other open, in case
the answer is wrong.

The test holds for any number of tables. If the results of tables are symmetric, each deviation from
the truth could have had the opposite sign. So the test takes the absolute deviations as given and
only their signs as random. For any deviations, the standardised sum of random signs exceeds a
number at most 3.1787 times as often as a normal variable does. This holds for results of any
distribution, also with few distinct values; no other results have to be independent of these. If
results are skewed, a mean deviates further to one side: then the limit grows by Johnson's
correction, increased for large fields; this is based on simulations, not on a proof.

If results have declared bounds, a pair also has to pass a test that is valid for all results within
the bounds (`bounded_differences`). Both tests have to agree, so the answers are as reliable as
those of the second test, and bounds never separate a pair that is open without them.

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
"""Greatest ratio of the tail of a standardised sum of signs to the normal tail."""


def critical(alpha: float, sides: float) -> float:
    """Return the limit of standardised sums of signs, exceeded with probability alpha at most.

    Args:
        alpha: Probability that any of them exceeds the limit.
        sides: Number of sums, one for each direction of a difference.

    >>> round(critical(0.05, 2), 3), round(critical(0.05, 8 * 7), 3)
    (2.415, 3.449)
    """
    return -NORMAL.inv_cdf(alpha / (OF_SIGNS * sides))


def least_tables(alpha: float, sides: float) -> int:
    """Return the fewest tables that can separate entrants: with fewer, no sum reaches the limit.

    >>> [least_tables(0.05, entrants * (entrants - 1)) for entrants in (2, 8, 20, 60, 300)]
    [6, 12, 16, 20, 26]
    """
    return int(critical(alpha, sides) ** 2) + 1


def student(limit: float, tables: int) -> float:
    """Convert a limit of standardised sums to one of Student's t; infinite with too few tables.

    One determines the other: a sum is divided by the squares about zero, t by those about the mean.

    >>> round(student(3.449, 48), 2), student(3.449, 11)
    (3.94, inf)
    """
    rest = tables - limit * limit
    return limit * sqrt((tables - 1) / rest) if rest > 0 else inf


def against_lean(limit: float, lean: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the t that a mean needs if luck may have spared it its rare losses.

    Johnson's t, corrected for skewness, needs lean times (limit² / 3 + 1 / 6) more if the lean is
    small. Of many skewed means, those with the least observed skewness tend to lead. So this needs
    about the same for two entrants, and more in a larger field.

    Args:
        limit: The t that suffices for symmetric results.
        lean: Skewness of the mean, positive if its rare results are losses.

    >>> [round(float(each), 3) for each in against_lean(3.0, np.array([-1.0, 0.0, 0.1, 1.0]))]
    [3.0, 3.0, 3.386, 6.857]
    """
    if limit == inf:
        return np.full_like(lean, inf)
    return limit + np.maximum(lean, 0) * limit**3 / 7


ALPHA = 0.05
"""Probability that any answer is wrong."""

LEAST_TABLES = 2
"""One table alone shows no variance."""


@dataclass(frozen=True, slots=True)
class RankSets:
    """The known order of entrants, best first. Ranks start at 1."""

    best: NDArray[np.int64]  # by entrant: its best possible rank
    worst: NDArray[np.int64]
    decided: NDArray[np.bool_]  # by two entrants: whether the first is known to be better
    half_widths: NDArray[np.float64]  # by entrant: of its difference to the previous one
    own_half_widths: NDArray[np.float64]  # by entrant: of its mean, simultaneous


def rank_sets(sample: Sample, alpha: float = ALPHA) -> RankSets:
    """Compute the rank sets of entrants.

    Args:
        sample: Results of all entrants.
        alpha: Probability that any answer is wrong.
    """
    means, errors, leans = sample.means, sample.pair_errors, sample.pair_leans
    distances = means[:, None] - means[None, :]
    open_pairs = (sample.firsts[:, None] != sample.firsts[None, :]) & (distances > 0)
    sides = all_sides(sample.entrants)

    def stand_out(left: float) -> NDArray[np.bool_]:
        """Return the differences that are significant."""
        # An entrant with rare losses may lead because they have not happened yet.
        needed = _times(against_lean(_limit(sample, alpha, left), -leans), errors)
        found: NDArray[np.bool_] = open_pairs & (distances > needed)
        return found

    # At most one of the two tests of a pair succeeds, so every pair needs at least this.
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
    """Return the log-capitals that gamblers have won on pairs; infinite without bounds."""
    if sample.bounded is None:
        return inf
    return sample.bounded.capitals(candidates, _bets(sample, alpha))


def _to_the_one_before(sample: Sample, alpha: float) -> NDArray[np.float64]:
    """Return half the widths of the intervals of differences to the previous entrant."""
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
    """Return half the widths of the intervals of means."""
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
    """Return the number of directions of differences, at least one."""
    return max(entrants * (entrants - 1), 1)


def tables_that_tell(entrants: int, alpha: float = ALPHA) -> int:
    """Return the fewest tables that can separate any two entrants.

    >>> tables_that_tell(8)
    12
    """
    return max(least_tables(alpha, all_sides(entrants)), LEAST_TABLES)


def rarest_seen(tables: int, level: float = 0.95) -> int:
    """Return N such that a loss at 1 table in N has occurred with this probability.

    >>> [rarest_seen(tables) for tables in (6, 20, 40, 400)]
    [2, 7, 13, 134]
    """
    return int(1 / (1 - (1 - level) ** (1 / tables)))


def _limit(sample: Sample, alpha: float, sides: float) -> float:
    return student(critical(alpha, sides), sample.tables)


def _times(limits: NDArray[np.float64], errors: NDArray[np.float64]) -> NDArray[np.float64]:
    """Multiply; an infinite limit gives an infinite product, whatever the error."""
    return np.multiply(limits, errors, out=np.full_like(errors, inf), where=np.isfinite(limits))


def relation(sample: Sample, sets: RankSets, at: int, margin: float | None) -> Relation:
    """Return the relation of an entrant to the one above it.

    Args:
        sample: Results, best entrant first.
        sets: Its rank sets.
        at: Index of the entrant, at least 1.
        margin: Greatest difference that counts as practically equal; `None` to disable this.
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
