"""FirstLegal: takes the first card that may be taken, as the document's computer does.

Why it might win: it cannot, but it shows what the others are worth. A table of four averages
20.0 points a round, whatever the seat.
Leaves out everything: which card opens what for whom, and what a discard costs.
Source: [STRAIGHTS], section 5.5.3, in docs/sources.md.
"""

from tourney import PreferencePlayer, StraightsPlayer, hookimpl


class FirstLegal(PreferencePlayer):
    """Plays the first legal card of its hand, or else discards its first card.

    It says nothing of what cards are worth, so all are alike to it.
    """


@hookimpl
def tourney_strategies() -> dict[str, type[StraightsPlayer]]:
    """Offer FirstLegal."""
    return {"first-legal": FirstLegal}
