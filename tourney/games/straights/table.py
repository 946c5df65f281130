"""A table of Straights: four seats, a new deal in each round, points that add up.

After a verdict, a stand-in plays the first legal card each time, and its points count for the seat.
"""

from collections.abc import Iterator

from tourney.game.cards.card import Card
from tourney.game.rounds import RoundTable
from tourney.games.straights.records import SEATS
from tourney.games.straights.round import HAND_SIZE, Round
from tourney.games.straights.view import StraightsView


class StraightsTable(RoundTable[StraightsView, Card]):
    """Four seats and a deck, for a number of rounds or one game."""

    call = "play"

    def open(self, bankrolls: tuple[int, ...], cards: Iterator[Card]) -> Round:
        """Deal the whole deck."""
        deck = list(cards)
        hands = [deck[seat * HAND_SIZE :][:HAND_SIZE] for seat in range(SEATS)]
        if self.watcher:
            self.watcher.dealt(hands)
        return Round(hands, bankrolls)

    def code(self, action: Card, legal: tuple[Card, ...]) -> int:
        """Return the code of a card."""
        del legal
        return action.code
