"""Pathfinder: plays where most of its own points wait.

Why it might win: the eight of a suit is worth little, but whoever holds it together with the
jack and the king must get it onto the table, or pay 24 points. A card counts by the points
that its owner holds behind it, a little less for every card of a stranger in between.
Leaves out the strangers, for whom it opens the way, too; see `surveyor`. Discards like Thrifty.
Source: own measurements; the discount for a stranger's card was tried in steps of 0.1, and hardly
matters.
"""

from strategies.thrifty import Thrifty
from strategies.waiting import chances_behind, lost_codes
from tourney import Card, StraightsPlayer, StraightsView, hookimpl

STRANGER = 0.9
"""What is left of a waiting card's worth for each card of somebody else before it."""


class Pathfinder(Thrifty):
    """Plays the card behind which most of its own points wait."""

    def choose_play(self, view: StraightsView) -> Card:
        """Open the way for its own cards."""
        own = {card.code for card in view.hand}
        lost = lost_codes(view)

        def worth(card: Card) -> float:
            points = 0.0
            for waiting, reached in chances_behind(card, own, lost, lambda _: STRANGER):
                if waiting.code in own:
                    points += reached * view.points_of(waiting)
            return points

        return max(view.legal_plays, key=worth)


@hookimpl
def tourney_strategies() -> dict[str, type[StraightsPlayer]]:
    """Offer Pathfinder."""
    return {"pathfinder": Pathfinder}
