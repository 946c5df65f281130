"""Blocker: plays the card that opens least for its opponents.

Why it might win: the fewest points win, so it also helps if the opponents pay more. Kings, aces
and the ends of suits whose other cards it holds open nothing. It keeps a card that opponents wait
for until it has nothing else to play.
Limits: it ignores its own waiting cards, which costs it more than its opponents. On its own, the
idea loses a point per round against Thrifty; see `surveyor`. It discards like Thrifty.
Source: common advice to players of Fan Tan, a game related to Straights.
"""

from tourney import Card, StraightsPlayer, WeighsPlays, hookimpl
from tourney.strategies.thrifty import Thrifty

OPENED = -100
"""Worth of opening the way for an opponent's card: more than the points of any card."""


class Blocker(Thrifty, WeighsPlays):
    """Plays the card that the fewest opponents' cards wait for; among equals, the dearest."""

    def strangers_worth(self, card: Card) -> float:
        """Open as few cards as possible."""
        return OPENED


@hookimpl
def tourney_strategies() -> dict[str, type[StraightsPlayer]]:
    """Offer Blocker."""
    return {"blocker": Blocker}
