"""The base class of competitors in Straights.

Source: Straights, section 5.5.
"""

from abc import abstractmethod

from tourney.game.cards.card import Card
from tourney.game.players import BasePlayer
from tourney.games.straights.view import StraightsView


class StraightsPlayer(BasePlayer, game="straights"):
    """A player that decides for one seat of Straights.

    Subclass it and implement `play`. The platform creates a new player for each block of rounds, so
    attributes last for one block. At the first turn of a round, `view.history` is empty or short.
    """

    @abstractmethod
    def play(self, view: StraightsView) -> Card:
        """Choose a card to play or, if no card can be played, to discard.

        Args:
            view: The information visible from your seat.
        Returns: One of `view.legal_plays`; if that is empty, one of `view.hand`.
        """
