"""Thrifty: plays its dearest card and throws away its cheapest.

Why it might win: a round has thirteen cards for everybody, so what is played need not be paid.
A king on the table saves thirteen points, an ace one. Against three of the document's computers
it pays 14 points a round where they pay 20.
Leaves out what a card opens: the queen that it plays for her twelve points may let somebody
else's king out, or keep its own cards locked in; see `pathfinder`.
Source: [STRAIGHTS], section 4, in docs/sources.md.
"""

from tourney import Card, PreferencePlayer, StraightsPlayer, hookimpl


class Thrifty(PreferencePlayer):
    """Plays its highest legal card, and discards its lowest card."""

    def play_worth(self, card: Card) -> float:
        """Play the card that would cost most."""
        return self.points_of(card)

    def discard_worth(self, card: Card) -> float:
        """Lose the card that costs least."""
        return -self.points_of(card)


@hookimpl
def tourney_strategies() -> dict[str, type[StraightsPlayer]]:
    """Offer Thrifty."""
    return {"thrifty": Thrifty}
