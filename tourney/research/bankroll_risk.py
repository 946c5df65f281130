"""The risk of a bankroll: probability of ruin, Kelly fraction, N0 and SCORE.

All but one figure follow from the mean and the SD of a round alone, in the limit of many rounds, in
which a bankroll moves like Brownian motion with drift. This is accurate while a round moves a small
part of the bankroll. The exact Kelly fraction needs the distribution of a round's results.
Sources: Thorp, "The Kelly criterion in blackjack, sports betting and the stock market", 1997;
Schlesinger, "Blackjack Attack", 3rd edition, 2005; Kelly, 1956; docs/sources.md.
"""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from math import erfc, exp, inf, isfinite, log, log1p, pi, sqrt

Results = Mapping[float, float]
"""Frequency of each result of a round, in minimums; not all 0."""

HALVINGS = 200
"""Halvings of an interval, until its ends are the same number."""
FAR_BELOW = -30
"""SDs; below them the first two terms of a series give the logarithm to six digits."""
FARTHEST = 10
"""SDs above the mean; no bankroll lies beyond."""


@dataclass(frozen=True, slots=True)
class BankrollRisk:
    """Figures of a strategy; chips are counted in minimums."""

    ruin: float | None
    """Probability of ever losing the bankroll; None without a bankroll."""

    kelly_bankroll: float
    """Bankroll for which these wagers are full Kelly; infinite without an advantage."""

    n0: float
    """Rounds until the mean is one SD above zero; infinite without an advantage."""

    score: float
    """Chips won per 100 rounds by Kelly wagers from 10,000; 0 without an advantage."""

    per_100: float
    """Minimums won in 100 rounds."""

    per_hour: float
    """Minimums won in an hour."""

    di: float
    """1000 means divided by one SD, the root of SCORE; 0 without an advantage."""

    kelly_fraction: float
    """Best ratio of minimum to bankroll; 0 without an advantage."""

    kelly_exact: float | None
    """The same from all results of a round; None if they are not known."""

    def to_data(self) -> Mapping[str, float | None]:
        """Return the figures for JSON; infinite ones become null."""
        return {
            name: value if value is not None and isfinite(value) else None
            for name, value in asdict(self).items()
        }


def bankroll_risk(
    mean: float,
    sd: float,
    bankroll: float | None = None,
    rounds_an_hour: float = 100,
    results: Results | None = None,
) -> BankrollRisk:
    """Calculate the risk of a bankroll.

    Args:
        mean: Result of a round, in minimums.
        sd: SD of a round, in minimums, above 0.
        bankroll: In minimums.
        rounds_an_hour: Rounds played in an hour.
        results: Distribution of a round, used only for its shape: it is moved to the mean and SD,
            which come from more rounds.

    Source: exp(-2 mean bankroll / variance), mean / variance: [Thorp1966]. N0 = variance / mean²,
    DI = 1000 mean / SD, SCORE = DI² = the win of Kelly wagers with a risk of ruin of 13.5 % from
    10,000 in 100 rounds: [Schlesinger2005].

    >>> found = bankroll_risk(mean=0.01, sd=1.0, bankroll=100)
    >>> round(found.ruin, 4), round(found.n0), round(found.score, 2), round(found.kelly_bankroll)
    (0.1353, 10000, 100.0, 100)
    """
    wins = mean > 0
    variance = sd * sd
    ruin = None
    if bankroll is not None:
        ruin = exp(-2 * mean * bankroll / variance) if wins else 1.0
    return BankrollRisk(
        ruin=ruin,
        kelly_bankroll=variance / mean if wins else inf,
        n0=variance / mean**2 if wins else inf,
        score=1_000_000 * mean**2 / variance if wins else 0.0,
        per_100=100 * mean,
        per_hour=rounds_an_hour * mean,
        di=1000 * mean / sd if wins else 0.0,
        kelly_fraction=mean / variance if wins else 0.0,
        kelly_exact=kelly_fraction(moved(results, mean, sd)) if results else None,
    )


def kelly_fraction(results: Results) -> float:
    """Return the fraction of a bankroll that grows fastest as the minimum of every round.

    It is the maximum of the mean of log(1 + f result) over f, which is unique because the mean is
    concave.

    Args:
        results: Distribution of a round.
    Returns: 0 if the mean is not above 0; infinite if no result is a loss.

    Source: [Kelly1956]; at even wagers it is the difference of the chances:

    >>> round(kelly_fraction({1: 0.53, -1: 0.47}), 12)
    0.06
    """
    if sum(net * often for net, often in results.items()) <= 0:
        return 0.0
    worst = min(net for net, often in results.items() if often)
    if worst >= 0:
        return inf

    def grows(part: float) -> bool:
        return sum(often * net / (1 + part * net) for net, often in results.items()) > 0

    return _last(grows, 0.0, -1 / worst)


def _last(holds: Callable[[float], bool], low: float, high: float) -> float:
    """Halve an interval until its ends are neighbours; return the last number that holds."""
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        if middle in {low, high}:
            break
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low


def moved(results: Results, mean: float, sd: float) -> Results:
    """Return results of the same shape with another mean and SD.

    >>> moved({-1: 50, 1: 50}, mean=0.5, sd=2)
    {-1.5: 50, 2.5: 50}
    """
    rounds = sum(results.values())
    middle = sum(net * often for net, often in results.items()) / rounds
    squares = sum((net - middle) ** 2 * often for net, often in results.items()) / rounds
    if not squares:
        return results
    times = sd / sqrt(squares)
    return {mean + (net - middle) * times: often for net, often in results.items()}


def bankroll_below(mean: float, sd: float, bankroll: float, rounds: float, level: float) -> float:
    """Return the probability that a bankroll is lost or at most at a level after some rounds.

    A lost bankroll stays lost. The bankroll moves like Brownian motion with drift; reflection gives
    the part of the paths that have reached 0.

    Args:
        mean: Result of a round, in minimums.
        sd: SD of a round, in minimums, above 0.
        bankroll: At the start, in minimums, above 0.
        rounds: Rounds played, above 0.
        level: In minimums, at least 0.

    Source: [CoxMiller1965], 5.7, of which this is the integral.

    >>> round(bankroll_below(mean=-0.01, sd=1.1, bankroll=50, rounds=1e6, level=0), 6)
    1.0
    """
    spread = sd * sqrt(rounds)
    drift = mean * rounds
    above = exp(_log_normal((bankroll + drift - level) / spread))
    # The reflected part; computed as a logarithm, because its factors may overflow.
    image = exp(_log_normal((drift - bankroll - level) / spread) - 2 * mean * bankroll / sd**2)
    return 1 - above + image


def bankroll_after(mean: float, sd: float, bankroll: float, rounds: float, share: float) -> float:
    """Return a quantile of the bankroll after some rounds; see `bankroll_below`.

    Args:
        mean: As for `bankroll_below`.
        sd: As for `bankroll_below`.
        bankroll: As for `bankroll_below`.
        rounds: Rounds played.
        share: Probability of a lower bankroll, above 0 and below 1.
    Returns: In minimums; 0 if at least this share is lost.
    """
    if not rounds:
        return bankroll

    def is_below(level: float) -> bool:
        return bankroll_below(mean, sd, bankroll, rounds, level) < share

    most = bankroll + max(0.0, mean * rounds) + FARTHEST * sd * sqrt(rounds)
    return _last(is_below, 0.0, most) if is_below(0.0) else 0.0


def _log_normal(value: float) -> float:
    """Return the logarithm of the standard normal distribution function."""
    if value > FAR_BELOW:
        return log(erfc(-value / sqrt(2)) / 2)
    return -value * value / 2 - log(-value * sqrt(2 * pi)) + log1p(-1 / value**2)
