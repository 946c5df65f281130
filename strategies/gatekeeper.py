"""Gatekeeper: keeps its sevens until it has nothing else to play.

Why it might win: a suit cannot begin without its seven, so up to twelve cards of opponents wait
for it. The seven itself cannot be lost, as it is always playable.
Limits: its own cards of the suit wait, too. That costs more than it gains: it has nothing to play
sooner, and pays about a point per round more than Thrifty.
Source: common advice to players of Fan Tan, a game related to Straights.
"""

from tourney import Card, Rank, StraightsPlayer, hookimpl
from tourney.strategies.thrifty import Thrifty


class Gatekeeper(Thrifty):
    """Plays like Thrifty, but sevens last."""

    def play_worth(self, card: Card) -> float:
        """Play the dearest card except sevens, if possible; even an ace is worth 1."""
        return 0 if card.rank is Rank.SEVEN else self.points_of(card)


@hookimpl
def tourney_strategies() -> dict[str, type[StraightsPlayer]]:
    """Offer Gatekeeper."""
    return {"gatekeeper": Gatekeeper}
