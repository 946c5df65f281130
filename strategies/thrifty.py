"""Thrifty: plays its dearest card and discards its cheapest.

Why it might win: a round has thirteen cards for each player, and a played card costs no points. A
played king saves thirteen points, an ace one. Against three computer players of the course
document, it pays 14 points per round and they pay 20.
Limits: it ignores which cards a play opens. The queen that it plays for its twelve points may open
the way for an opponent's king, or leave its own cards waiting; see `pathfinder`.
Source: [STRAIGHTS], section 4, in docs/sources.md.
"""

from tourney import Card, PreferencePlayer, StraightsPlayer, hookimpl


class Thrifty(PreferencePlayer):
    """Plays its highest legal card, and discards its lowest card."""

    def play_worth(self, card: Card) -> float:
        """Play the card that would cost most."""
        return self.points_of(card)

    def discard_worth(self, card: Card) -> float:
        """Discard the card that costs least."""
        return -self.points_of(card)


@hookimpl
def tourney_strategies() -> dict[str, type[StraightsPlayer]]:
    """Offer Thrifty."""
    return {"thrifty": Thrifty}
