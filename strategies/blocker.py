"""Blocker: plays the card that opens least for the others.

Why it might win: the fewest points win, so it also helps to let the others pay more. Kings,
aces and the ends of suits whose rest it holds itself cost it nothing; a card for which the
others' cards wait is kept until it has nothing else to play.
Leaves out its own cards that wait, which costs it more than it costs the others: alone the
idea loses a point a round against Thrifty's; see `surveyor`. Discards like Thrifty.
Source: common advice among players of Fan Tan, of whose family Straights is.
"""

from strategies.thrifty import Thrifty
from strategies.waiting import BEHIND, lost_codes
from tourney import Card, StraightsPlayer, StraightsView, hookimpl


class Blocker(Thrifty):
    """Plays the card for which the fewest cards of others wait, the dearest of equals."""

    def choose_play(self, view: StraightsView) -> Card:
        """Open as little as it can."""
        own = {card.code for card in view.hand}
        lost = lost_codes(view)

        def opened(card: Card) -> int:
            behind = {other.code for line in BEHIND[card.code] for other in line}
            return len(behind - own - lost)

        return min(view.legal_plays, key=lambda card: (opened(card), -view.points_of(card)))


@hookimpl
def tourney_strategies() -> dict[str, type[StraightsPlayer]]:
    """Offer Blocker."""
    return {"blocker": Blocker}
