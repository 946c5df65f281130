"""Which ranks an entrant may have in truth: sets that hold for everybody at once.

Of every two entrants it is asked whether one is better, and all these questions are answered
together, so that with 95 % probability no answer is wrong. Whoever is known to be better than
others cannot rank behind them; what is left is the set of ranks. The largest differences are
decided first; what is left then has to stand up to fewer coincidences, so it is looked at again
(step-down).

How far a difference may stray by chance, `signs` says. Each of two may be the better one, so every
two entrants are two questions; one that is answered leaves one, in case the answer is wrong.

Source: Mogstad, Romano, Shaikh and Wilhelm, 2024; Holm, 1979; docs/sources.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from tourney.game.arrays import NDArray, np
from tourney.standings.sample import Sample
from tourney.standings.signs import against_lean, critical, least_tables, student
from tourney.standings.standing import Relation

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
    half_widths: NDArray[np.float64]  # of differences between two, for all pairs at once
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
    decided = np.zeros_like(open_pairs)
    while True:
        limit = _limit(sample, alpha, sides - int(decided.sum()))
        # Whose rare results are losses may lead because none has come yet.
        found = open_pairs & (distances > _times(against_lean(limit, -leans), errors))
        if not (found & ~decided).any():
            break
        decided |= found
    at_first = against_lean(_limit(sample, alpha, sides), np.abs(leans))
    own = against_lean(_limit(sample, alpha, 2 * sample.entrants), np.abs(sample.leans))
    return RankSets(
        best=1 + decided.sum(axis=0),
        worst=sample.entrants - decided.sum(axis=1),
        decided=decided,
        half_widths=_times(at_first, errors),
        own_half_widths=_times(own, sample.errors),
    )


def all_sides(entrants: int) -> int:
    """Count the directions in which differences can stray; at least one."""
    return max(entrants * (entrants - 1), 1)


def tables_that_tell(entrants: int, alpha: float = ALPHA) -> int:
    """Give the fewest tables after which anybody can be told apart.

    >>> tables_that_tell(8)
    12
    """
    return max(least_tables(alpha, all_sides(entrants)), LEAST_TABLES)


def _limit(sample: Sample, alpha: float, sides: int) -> float:
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
    if margin is not None and difference + float(sets.half_widths[above, at]) <= margin:
        return "practically equal"
    return "not separated yet"
