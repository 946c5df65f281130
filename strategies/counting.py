"""Counting: the second player of the course documents, Simple with a count of the cards.

Why it might win: when small cards are gone, naturals are more frequent, and the dealer busts
more often. Then it doubles its wager.
Limits: it ignores the number of cards left (a count of 2 means more near the end of a shoe), and
plays its hands alike at any count; see `ramp` for both.
Source: [VE280] and [EECS280] in docs/sources.md; counting by plus and minus one: [Thorp1966].
"""

from typing import Literal

from tourney import BetRamp, CountingPlayer, CountSystem, Player, Rank, hookimpl
from tourney.strategies.simple import Simple

LOW = (Rank.TWO, Rank.THREE, Rank.FOUR, Rank.FIVE, Rank.SIX)
HIGH = (Rank.TEN, Rank.JACK, Rank.QUEEN, Rank.KING, Rank.ACE)
TAGS = {**dict.fromkeys(LOW, 1), **dict.fromkeys(HIGH, -1)}
"""Points of a seen card in the count, by rank; other ranks count 0."""


class Counting(CountingPlayer, Simple):
    """Plays like Simple, and bets double the minimum at a count of +2 or more.

    Without chips for the double it bets the minimum, by the VE280 document. The EECS 280 document
    has no rule for it; in the preset `eecs280` it bets the rest of its chips.

    Args:
        short: Its bet if the double is not allowed: `minimum`, or `rest` for all that is allowed.
    """

    system = CountSystem(TAGS)
    ramp = BetRamp({2: 2}, short="minimum")

    def __init__(self, short: Literal["minimum", "rest"] = "minimum") -> None:
        if short not in {"minimum", "rest"}:
            raise ValueError(f"short: expected 'minimum' or 'rest', got {short!r}")
        if short == "rest":
            self.ramp = BetRamp({2: 2}, short="rest")


@hookimpl
def tourney_strategies() -> dict[str, type[Player]]:
    """Offer Counting."""
    return {"counting": Counting}
