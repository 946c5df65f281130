"""How far the largest of many differences strays by chance alone.

Somebody who looks at all pairs of twenty entrants looks at 190 differences, and the largest
strays far even where nobody is better. How far is found by simulation: means are drawn as they
would fall if all were equally good, correlated as the sample says, and the largest standardised
difference is noted. What it exceeds in a twentieth of the draws is the critical value.

The draws are always the same ones, so that equal results give equal boards.
Source: Student, 1908, and Dunnett, 1955, for one family of t statistics; docs/sources.md.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from tourney.standings.sample import Sample

DRAWS = 10_000
DRAWS_OF_MANY = 4_000
MANY = 100
"""Beyond so many entrants fewer draws have to do: a thousand have half a million pairs."""

LEAST_BEYOND = 40
"""Draws that must lie beyond a critical value; rarer ones are bounded (Bonferroni)."""

KEY = 0x746F75726E6579  # "tourney": any constant would do
LEAST_PART = (
    1e-9  # of the variances of two means: what the variance of their difference is at least
)
RIDGE = 1e-12  # lets entrants depend on each other entirely


class Maxima:
    """The largest differences that chance makes, in a sample."""

    def __init__(self, sample: Sample) -> None:
        """Draw the means.

        Args:
            sample: Best first.
        """
        self._entrants = sample.entrants
        self._degrees = sample.tables - 1
        covariance = sample.covariance
        variances = np.diag(covariance)
        both = variances[:, None] + variances[None, :]
        spread = np.maximum(both - 2 * covariance, LEAST_PART * both)
        self.errors = np.sqrt(spread)
        """Standard errors of differences, by two entrants."""
        self.own_errors = np.sqrt(variances)
        """Standard errors of means."""
        firsts = np.array(sample.firsts)
        differs = (firsts[:, None] != firsts[None, :]) & (self.errors > 0)
        # A difference that is nothing by definition cannot stray.
        self._weights = np.divide(1.0, self.errors, out=np.zeros_like(spread), where=differs)
        self._draws = _drawn(covariance).astype(np.float32)

    def of_differences(self, alpha: float, decided: NDArray[np.bool_] | None = None) -> float:
        """Give what the largest standardised difference exceeds with probability `alpha`.

        Args:
            alpha: The probability.
            decided: By two entrants, the first the better one: whether it is known to be better,
                so that the difference can stray in the other direction only. None for none.
        """
        largest = np.zeros(self._draws.shape[1], np.float32)
        pairs = 0
        for better in range(self._entrants - 1):
            worse = slice(better + 1, None)
            weights = self._weights[better, worse].astype(np.float32)
            strays = (self._draws[worse] - self._draws[better]) * weights[:, None]
            known = np.zeros(len(weights), bool) if decided is None else decided[better, worse]
            np.abs(strays, out=strays, where=~known[:, None])
            np.maximum(largest, strays.max(axis=0), out=largest)
            pairs += 2 * int(np.count_nonzero(weights)) - int(known.sum())
        return self._calibrated(largest, alpha, pairs)

    def of_means(self, alpha: float) -> float:
        """Give what the largest standardised error of a mean exceeds with probability `alpha`."""
        errors = np.where(self.own_errors > 0, self.own_errors, np.inf)
        strays = np.abs(self._draws / errors[:, None])
        return self._calibrated(strays.max(axis=0), alpha, 2 * self._entrants)

    def _calibrated(self, largest: NDArray[np.float32], alpha: float, sides: int) -> float:
        """Find the critical value among draws, and turn it into one of Student's distribution.

        Args:
            largest: The maximum of each draw.
            alpha: How often it may be exceeded.
            sides: Directions in which something can stray.
        """
        # A quarter of a second to import, which whoever only plays does not need.
        from scipy.special import ndtr, ndtri, stdtrit  # noqa: PLC0415 - see above

        one_side = alpha / max(sides, 1)
        beyond = int(alpha * (len(largest) + 1))
        if beyond >= LEAST_BEYOND:
            at = len(largest) - beyond
            value = float(np.partition(largest, at)[at])
            one_side = max(one_side, float(ndtr(-value)))
        return -float(stdtrit(self._degrees, one_side)) if self._degrees else -float(ndtri(0.0))


@lru_cache(maxsize=1)
def _normals(draws: int, entrants: int) -> NDArray[np.float64]:
    generator = np.random.Generator(np.random.Philox(key=KEY))
    return generator.standard_normal((entrants, draws))


def _drawn(covariance: NDArray[np.float64]) -> NDArray[np.float64]:
    """Draw errors of means with this covariance: a row for each entrant."""
    entrants = len(covariance)
    ridge = np.diag(np.diag(covariance) + np.finfo(np.float64).tiny)
    part = RIDGE
    while True:
        try:
            factor = np.linalg.cholesky(covariance + part * ridge)
            break
        except np.linalg.LinAlgError:  # rounding, where entrants depend on each other entirely
            part *= 100
    return factor @ _normals(DRAWS if entrants <= MANY else DRAWS_OF_MANY, entrants)
