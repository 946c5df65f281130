"""Pathfinder: plays the card for which most of its points wait.

Why it might win: the eight of a suit is worth little, but a player that also holds the jack and
the king must play it, or pay 24 points. A card counts by the points in its hand that wait for it,
a little less for every opponent's card in between.
Limits: it ignores that it also opens the way for opponents; see `surveyor`. It discards like
Thrifty.
Source: own measurements; the discount for an opponent's card was tuned in steps of 0.1, and hardly
matters.
"""

from tourney import Card, StraightsPlayer, WeighsPlays, hookimpl
from tourney.strategies.thrifty import Thrifty

STRANGER = 0.9
"""Factor for a waiting card's worth for each opponent's card before it."""


class Pathfinder(Thrifty, WeighsPlays):
    """Plays the card for which most of its points wait."""

    def play_worth(self, card: Card) -> float:
        """Ignore the points of the card itself."""
        return 0

    def own_worth(self, card: Card) -> float:
        """Count the points of its waiting cards."""
        return self.points_of(card)

    def reach(self, card: Card) -> float:
        """Count a little less for cards that wait for an opponent's card."""
        return STRANGER


@hookimpl
def tourney_strategies() -> dict[str, type[StraightsPlayer]]:
    """Offer Pathfinder."""
    return {"pathfinder": Pathfinder}
