"""Salvager: throws away what it would hardly get rid of anyway.

Why it might win: a card that can never be played any more will be paid in the end, so paying
it now costs nothing; the ace that Thrifty throws away might have been played next turn. What
a discard costs is its points times the chance that it would have been played, and the same
for the cards of its own that wait for it.
Leaves out who holds what: every card of somebody else that a card waits for is played with
the same chance; see `bookkeeper`. Plays like Thrifty.
Source: own measurements; the chance was tried in steps of 0.1.
"""

from tourney import Card, StraightsPlayer, WeighsDiscards, hookimpl
from tourney.strategies.thrifty import Thrifty

PLAYED = 0.8
"""The chance that a card of somebody else is played in time for those that wait for it."""

WAITING = 0.5
"""How much of a waiting card's points counts against the discard of the one it waits for."""


class Salvager(Thrifty, WeighsDiscards):
    """Plays like Thrifty, and discards the card with the least to lose."""

    def waiting_worth(self, card: Card) -> float:
        """Count some of what its own waiting cards would cost."""
        return -WAITING * self.points_of(card)

    def chance(self, card: Card) -> float:
        """Give the chance that a card of somebody else will be played in time."""
        return PLAYED


@hookimpl
def tourney_strategies() -> dict[str, type[StraightsPlayer]]:
    """Offer Salvager."""
    return {"salvager": Salvager}
