"""Salvager: discards the card that it would probably never play.

Why it might win: a card that cannot be played any more costs its points anyway, so discarding it
is free. The ace that Thrifty discards might have been played next turn. The cost of a discard is
its points times the probability that it would have been played, plus the same for its own cards
that wait for it.
Limits: it uses the same probability for every opponent's card that a card waits for; see
`bookkeeper`. It plays like Thrifty.
Source: own measurements; the probability was tuned in steps of 0.1.
"""

from tourney import Card, StraightsPlayer, WeighsDiscards, hookimpl
from tourney.strategies.thrifty import Thrifty

PLAYED = 0.8
"""Probability that an opponent's card is played in time for the cards that wait for it."""

WAITING = 0.5
"""Part of a waiting card's points that counts against discarding the card it waits for."""


class Salvager(Thrifty, WeighsDiscards):
    """Plays like Thrifty, and discards the card with the least to lose."""

    def waiting_worth(self, card: Card) -> float:
        """Count part of the points of its waiting cards."""
        return -WAITING * self.points_of(card)

    def chance(self, card: Card) -> float:
        """Return the probability that an opponent's card is played in time."""
        return PLAYED


@hookimpl
def tourney_strategies() -> dict[str, type[StraightsPlayer]]:
    """Offer Salvager."""
    return {"salvager": Salvager}
