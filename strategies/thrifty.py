"""Thrifty: plays its dearest card and throws away its cheapest.

Why it might win: a round has thirteen cards for everybody, so what is played need not be paid.
A king on the table saves thirteen points, an ace one. Against three of the document's computers
it pays 14 points a round where they pay 20.
Leaves out what a card opens: the queen that it plays for her twelve points may let somebody
else's king out, or keep its own cards locked in; see `pathfinder`.
Source: [STRAIGHTS], section 4, in docs/sources.md.
"""

from tourney import Card, StraightsPlayer, StraightsView, hookimpl


class Thrifty(StraightsPlayer):
    """Plays its highest legal card, and discards its lowest card."""

    def play(self, view: StraightsView) -> Card:
        """Choose among legal plays if there are several, else what to lose."""
        if len(view.legal_plays) == 1:
            return view.legal_plays[0]
        return self.choose_play(view) if view.legal_plays else self.choose_discard(view)

    def choose_play(self, view: StraightsView) -> Card:
        """Play the card that would cost most."""
        return max(view.legal_plays, key=view.points_of)

    def choose_discard(self, view: StraightsView) -> Card:
        """Lose the card that costs least."""
        return min(view.hand, key=view.points_of)


@hookimpl
def tourney_strategies() -> dict[str, type[StraightsPlayer]]:
    """Offer Thrifty."""
    return {"thrifty": Thrifty}
