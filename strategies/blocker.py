"""Blocker: plays the card that opens least for the others.

Why it might win: the fewest points win, so it also helps to let the others pay more. Kings,
aces and the ends of suits whose rest it holds itself cost it nothing; a card for which the
others' cards wait is kept until it has nothing else to play.
Leaves out its own cards that wait, which costs it more than it costs the others: alone the
idea loses a point a round against Thrifty's; see `surveyor`. Discards like Thrifty.
Source: common advice among players of Fan Tan, of whose family Straights is.
"""

from tourney import Card, StraightsPlayer, WeighsPlays, hookimpl
from tourney.strategies.thrifty import Thrifty

OPENED = -100
"""Worth of opening the way for a card of somebody else: more than any card's own points."""


class Blocker(Thrifty, WeighsPlays):
    """Plays the card for which the fewest cards of others wait, the dearest of equals."""

    def strangers_worth(self, card: Card) -> float:
        """Open as little as it can."""
        return OPENED


@hookimpl
def tourney_strategies() -> dict[str, type[StraightsPlayer]]:
    """Offer Blocker."""
    return {"blocker": Blocker}
