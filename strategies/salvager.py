"""Salvager: throws away what it would hardly get rid of anyway.

Why it might win: a card that can never be played any more will be paid in the end, so paying
it now costs nothing; the ace that Thrifty throws away might have been played next turn. What
a discard costs is its points times the chance that it would have been played, and the same
for the cards of its own that wait for it.
Leaves out who holds what: every card of somebody else that a card waits for is played with
the same chance; see `bookkeeper`. Plays like Thrifty.
Source: own measurements; the chance was tried in steps of 0.1.
"""

from strategies.thrifty import Thrifty
from strategies.waiting import BEFORE, chances_behind, lost_codes
from tourney import Card, StraightsPlayer, StraightsView, hookimpl

PLAYED = 0.8
"""The chance that a card of somebody else is played in time for those that wait for it."""

WAITING = 0.5
"""How much of a waiting card's points counts against the discard of the one it waits for."""


class Salvager(Thrifty):
    """Plays like Thrifty, and discards the card with the least to lose."""

    def choose_discard(self, view: StraightsView) -> Card:
        """Lose what is lost already, or else what is least likely to be played."""
        lost = self.lost_codes(view)
        own = {card.code for card in view.hand}
        return min(view.hand, key=lambda card: self._loss(view, card, own, lost))

    def lost_codes(self, view: StraightsView) -> set[int]:
        """Give the codes of the cards that cannot be played any more, as far as it knows."""
        return lost_codes(view)

    def chance(self, card: Card) -> float:
        """Give the chance that a card of somebody else will be played in time."""
        del card
        return PLAYED

    def _loss(self, view: StraightsView, card: Card, own: set[int], lost: set[int]) -> float:
        """Give the points that a discard is expected to cost."""
        if card.code in lost:
            return 0.0
        points = float(view.points_of(card))
        for waiting, _ in chances_behind(card, own, lost, self.chance):
            if waiting.code in own:
                points += WAITING * view.points_of(waiting)
        pile = view.table[card.suit]
        for other in BEFORE[card.code]:
            if pile.low <= view.points_of(other) <= pile.high:
                break
            if other.code not in own:
                points *= self.chance(other)
        return points


@hookimpl
def tourney_strategies() -> dict[str, type[StraightsPlayer]]:
    """Offer Salvager."""
    return {"salvager": Salvager}
