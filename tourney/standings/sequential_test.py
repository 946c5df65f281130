"""A sequential test of two entrants: the interval of their difference is valid at any stop.

The unit is the table, at which both have the same luck in every seating. Two sides of gamblers bet
on the differences of tables, one that the first entrant is better and one that the second is. If
a claim is false, its capital reaches 40 times the stake with a probability of at most 1/40, at any
time (Ville). So the interval of all means that neither side has refuted contains the true mean with
95 % probability, however often it is looked at and for whatever reason play stops.

- Results with declared bounds: a table multiplies the capital by 1 + part * difference / range.
  This holds for any distribution.
- Other results: let x be the part times the difference, in twice the typical difference. A loss
  multiplies the capital by 1 + x, and a win by exp(x - x²/2), which is less than 1 + x. This holds
  for any two equal entrants, because their difference is symmetric. It also holds for skewed
  differences, as far as 1 + x is positive: a gambler with a larger loss has nothing left, and those
  with smaller parts decide.

Gamblers bet different parts, from that which suits the least difference that the greatest number of
tables can show to the whole, so the test needs no guess of the difference.

Source: Ville, 1939; Waudby-Smith and Ramdas, 2024; de la Peña, 1999; docs/sources.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, inf, log, sqrt
from statistics import NormalDist

from tourney.errors import PluginError
from tourney.game.arrays import NDArray, np
from tourney.standings.bounded_differences import ROUNDING, bets, log_product
from tourney.standings.rank_sets import ALPHA, critical
from tourney.standings.standing import Relation

SIDES = 2
NEEDED = log(SIDES / ALPHA)
"""Logarithm of the capital that refutes a claim."""

STEPS = 12
"""Bisections of an end of an interval; the outer side of the last one counts."""

NEAR = 1e-6
"""Distance from the least possible mean, in ranges, at which a mean is tested."""

TYPICAL = 2
"""Typical differences in the scale of results without bounds."""

GROWTH = 1.1
"""Ratio of the numbers of tables at two looks."""

POWER = 0.95
"""Probability that a detectable difference is found."""


@dataclass(frozen=True, slots=True)
class Interval:
    """The difference of two entrants after a number of tables: the second minus the first."""

    tables: int
    difference: float  # mean over tables
    low: float  # -inf if the tables do not suffice for a bound
    high: float

    def relation(self, margin: float | None = None) -> Relation:
        """Return what the interval decides.

        Args:
            margin: Greatest difference that counts as practically equal; `None` to disable this.
        """
        if self.low > 0 or self.high < 0:
            return "separated"
        if margin is not None and -margin <= self.low and self.high <= margin:
            return "practically equal"
        return "not separated yet"


def looks_up_to(most: int, first: int) -> tuple[int, ...]:
    """Return the numbers of tables at looks, each about 10 % more than the one before.

    >>> looks_up_to(50, 20), looks_up_to(10, 20)
    ((20, 23, 26, 29, 32, 36, 40, 45, 50), (10,))
    """
    looks, tables = [], min(first, most)
    while tables < most:
        looks.append(tables)
        tables = int(tables * GROWTH) + 1
    return *looks, most


class SequentialTest:
    """Receives the differences of tables, and returns an interval whenever asked."""

    def __init__(self, most: int, span: float | None = None) -> None:
        """Set up the gamblers.

        Args:
            most: Greatest number of tables.
            span: Greatest absolute difference of a table; `None` if it has no known bound.
        """
        self._parts = parts_of(most, is_bounded=span is not None)
        self._span = span
        self._scale = span or 0.0
        self._differences: NDArray[np.float64] = np.zeros(0)

    def take(self, differences: NDArray[np.float64]) -> None:
        """Receive tables: the second entrant's result minus the first's.

        Raises: PluginError, if a difference exceeds its bounds.
        """
        if self._span is not None and len(differences):
            most = float(np.abs(differences).max())
            if most > self._span * (1 + ROUNDING):
                raise PluginError(
                    f"bounds of results: a difference of {most:g} at a table exceeds the greatest "
                    f"possible one, {self._span:g}; correct round_bounds of the game"
                )
        self._differences = np.concatenate([self._differences, differences])
        if not self._scale:
            # The magnitudes of the first tables; under symmetry these do not tell the signs.
            self._scale = scale_of(self._differences)

    @property
    def tables(self) -> int:
        """Number of tables so far."""
        return len(self._differences)

    @property
    def are_equal(self) -> bool:
        """Whether the two have had the same result at every table."""
        return not self._differences.any()

    def interval(self) -> Interval:
        """Return the interval of the difference at this time."""
        if self.are_equal and self._span is None:
            return Interval(self.tables, 0.0, -inf, inf)
        rows = self._differences / self._scale
        low, high = self._lower_end(rows), -self._lower_end(-rows)
        mean = float(self._differences.mean())
        return Interval(self.tables, mean, low * self._scale, high * self._scale)

    def detectable(self, tables: int) -> float:
        """Return the true difference that is found within some tables with 95 % probability.

        It is an estimate from the spread of the tables so far.
        """
        sd = float(self._differences.std(ddof=1))
        errors = sqrt(2 * (NEEDED + log(len(self._parts)))) + NormalDist().inv_cdf(POWER)
        found = errors * sd / sqrt(tables)
        if self._span is None:
            return found
        # Within bounds a capital grows by the factor 1 + difference / range at most.
        least = self._span * (exp((NEEDED + log(len(self._parts))) / tables) - 1)
        return max(found, least)

    def _lower_end(self, rows: NDArray[np.float64]) -> float:
        """Return the greatest mean that is refuted as too small; -inf if all are possible."""
        high = float(rows.mean())
        least = -1.0 if self._span is not None else -inf
        floor = least + NEAR
        step = 1 / sqrt(len(rows))
        low = max(high - step, floor)
        while not self._is_refuted(rows, low):
            if low <= floor or step > len(rows):
                return least
            high, step = low, 2 * step
            low = max(low - step, floor)
        for _ in range(STEPS):
            middle = (low + high) / 2
            if self._is_refuted(rows, middle):
                low = middle
            else:
                high = middle
        return low

    def _is_refuted(self, rows: NDArray[np.float64], mean: float) -> bool:
        """Return whether the gamblers that claim more than a mean have won enough."""
        # Within bounds, the worst result of a bet on more than the mean is a difference of -1.
        room = 1.0 if self._span is None else 1 + mean
        won = gains((rows - mean) / room, self._parts, is_bounded=self._span is not None)
        return float(capital_of(won)) >= NEEDED


def parts_of(most: int, *, is_bounded: bool) -> NDArray[np.float64]:
    """Return the parts of the capital that gamblers bet.

    Args:
        most: Greatest number of tables.
        is_bounded: Whether a part is of a range, or of the scale of results without bounds.
    """
    return bets(most, critical(ALPHA, SIDES) * (1 if is_bounded else TYPICAL))


def scale_of(differences: NDArray[np.float64]) -> float:
    """Return the scale of results without bounds; no gambler gains by betting more."""
    return TYPICAL * float(np.sqrt(np.mean(differences**2)))


def gains(
    differences: NDArray[np.float64], parts: NDArray[np.float64], *, is_bounded: bool
) -> NDArray[np.float64]:
    """Return the logarithm of the gain of each gambler that bets on positive differences.

    Args:
        differences: In ranges, or in the scale of results; shape (..., tables).
        parts: Parts of the capital that are bet.
        is_bounded: Whether no difference is less than -1.
    Returns: Shape (parts, ...). Those of more tables are added.
    """
    with np.errstate(divide="ignore"):  # a gambler may lose everything
        if is_bounded:
            found = [log_product(1 + part * differences) for part in parts]
        else:
            found = [_cautious_gain(part * differences) for part in parts]
    return np.array(found)


def _cautious_gain(bets_won: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the logarithm of a capital for which a win counts as less than it is."""
    losses = np.minimum(bets_won, 0.0)
    wins = bets_won - losses
    found: NDArray[np.float64] = log_product(np.maximum(1 + losses, 0.0))
    found += (wins - wins * wins / 2).sum(axis=-1)
    return found


def capital_of(won: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the logarithm of the capital of all gamblers, after equal stakes that add up to 1.

    Args:
        won: From `gains`.
    """
    found: NDArray[np.float64] = np.logaddexp.reduce(won, axis=0) - log(len(won))
    return found
