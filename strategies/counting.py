"""Counting: the documents' second player, Simple with an eye on the cards.

Why it might win: when small cards have gone, naturals come more often and the dealer, who
must draw, busts more often; that is when it doubles its wager.
Leaves out how many cards are left (a count of 2 means more near the end of a shoe) and plays
its hands the same whatever the count; see `ramp` for both.
Source: [VE280] in docs/sources.md; counting by plus and minus one: [Thorp1966].
"""

from tourney import BetRamp, CountingPlayer, CountSystem, Player, Rank, hookimpl
from tourney.strategies.simple import Simple

LOW = (Rank.TWO, Rank.THREE, Rank.FOUR, Rank.FIVE, Rank.SIX)
HIGH = (Rank.TEN, Rank.JACK, Rank.QUEEN, Rank.KING, Rank.ACE)
TAGS = {**dict.fromkeys(LOW, 1), **dict.fromkeys(HIGH, -1)}
"""What a seen card adds to the count, by its rank; the others add nothing."""


class Counting(CountingPlayer, Simple):
    """Plays like Simple, and bets double the minimum at a count of +2 or more.

    The documents ask for a bankroll that holds the double; a table whose limit lies below it
    would find a doubled wager at fault, so there the minimum stands, too.
    """

    system = CountSystem(TAGS)
    ramp = BetRamp({2: 2}, short="minimum")


@hookimpl
def tourney_strategies() -> dict[str, type[Player]]:
    """Offer Counting."""
    return {"counting": Counting}
