"""Pathfinder: plays where most of its own points wait.

Why it might win: the eight of a suit is worth little, but whoever holds it together with the
jack and the king must get it onto the table, or pay 24 points. A card counts by the points
that its owner holds behind it, a little less for every card of a stranger in between.
Leaves out the strangers, for whom it opens the way, too; see `surveyor`. Discards like Thrifty.
Source: own measurements; the discount for a stranger's card was tried in steps of 0.1, and hardly
matters.
"""

from tourney import Card, StraightsPlayer, WeighsPlays, hookimpl
from tourney.strategies.thrifty import Thrifty

STRANGER = 0.9
"""What is left of a waiting card's worth for each card of somebody else before it."""


class Pathfinder(Thrifty, WeighsPlays):
    """Plays the card behind which most of its own points wait."""

    def play_worth(self, card: Card) -> float:
        """Look at what waits only."""
        return 0

    def own_worth(self, card: Card) -> float:
        """Open the way for its own cards."""
        return self.points_of(card)

    def reach(self, card: Card) -> float:
        """Count a little less of what waits for somebody else."""
        return STRANGER


@hookimpl
def tourney_strategies() -> dict[str, type[StraightsPlayer]]:
    """Offer Pathfinder."""
    return {"pathfinder": Pathfinder}
