"""What a result a round means for a bankroll: how risky it is, and how long until it shows.

All follows from the mean and the SD of a round alone, in the limit of many rounds, in which a
bankroll moves like Brownian motion with drift. It is good as long as a round moves a small part of
the bankroll. Sources: Thorp, "The Kelly criterion in blackjack, sports betting and the stock
market", 1997; Schlesinger, "Blackjack Attack", 3rd edition, 2005; docs/sources.md.
"""

from dataclasses import dataclass
from math import exp, inf


@dataclass(frozen=True, slots=True)
class BankrollRisk:
    """Figures of a strategy; chips are counted in minimums."""

    ruin: float | None  # probability to lose the bankroll, ever; None without a bankroll
    kelly_bankroll: float  # for which these wagers are full Kelly; infinite for who does not win
    n0: float  # rounds after which the mean is one SD above zero; infinite likewise
    score: float  # chips won per 100 rounds by Kelly wagers from 10,000; 0 for who does not win
    per_100: float  # minimums won in 100 rounds
    per_hour: float  # minimums won in an hour


def bankroll_risk(
    mean: float, sd: float, bankroll: float | None = None, rounds_an_hour: float = 100
) -> BankrollRisk:
    """Work out what a bankroll has to expect.

    Args:
        mean: Result of a round, in minimums.
        sd: Of one round, in minimums, above 0.
        bankroll: In minimums.
        rounds_an_hour: That are played.

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
    )
