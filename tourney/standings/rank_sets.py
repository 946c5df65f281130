"""Which ranks an entrant may have in truth: sets that hold for everybody at once.

Of every two entrants it is asked whether one is better, and all these questions are answered
together, so that with 95 % probability no answer is wrong. Whoever is known to be better than
others cannot rank behind them; what is left is the set of ranks. The largest differences are
decided first; what is left then has to stand up to fewer coincidences, so it is looked at again
(step-down).

Source: Mogstad, Romano, Shaikh and Wilhelm, 2024; docs/sources.md.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tourney.standings.maxima import Maxima
from tourney.standings.sample import Sample
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
        sample: Best first.
        alpha: How often anything of it may be wrong.
    """
    maxima = Maxima(sample)
    distances = sample.means[:, None] - sample.means[None, :]
    strays = distances / np.where(maxima.errors > 0, maxima.errors, 1.0)
    firsts = np.array(sample.firsts)
    open_pairs = np.triu(firsts[:, None] != firsts[None, :], 1) & (distances > 0)
    decided = np.zeros_like(open_pairs)
    at_first = critical = maxima.of_differences(alpha)
    while (found := open_pairs & (strays > critical)).any():
        decided |= found
        open_pairs &= ~found
        if not open_pairs.any():
            break
        # Never above the one before, from which it differs by the draws only.
        critical = min(critical, maxima.of_differences(alpha, decided))
    return RankSets(
        best=1 + decided.sum(axis=0),
        worst=sample.entrants - decided.sum(axis=1),
        decided=decided,
        half_widths=at_first * maxima.errors,
        own_half_widths=maxima.of_means(alpha) * maxima.own_errors,
    )


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
