"""FirstLegal: plays the first legal card, like the computer player of the course document.

Why it might win: it cannot, but it is a baseline for the others. A table of four of them averages
20.0 points per round in every seat.
Limits: it ignores which cards a play opens, and the cost of a discard.
Source: [STRAIGHTS], section 5.5.3, in docs/sources.md.
"""

from tourney import PreferencePlayer, StraightsPlayer, hookimpl


class FirstLegal(PreferencePlayer):
    """Plays the first legal card of its hand, or discards its first card.

    It defines no worths of cards, so all are equal.
    """


@hookimpl
def tourney_strategies() -> dict[str, type[StraightsPlayer]]:
    """Offer FirstLegal."""
    return {"first-legal": FirstLegal}
