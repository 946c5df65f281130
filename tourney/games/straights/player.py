"""The contract of every competitor in Straights.

Source: Straights, section 5.5.
"""

from abc import abstractmethod

from tourney.game.cards.card import Card
from tourney.game.players import BasePlayer
from tourney.games.straights.view import StraightsView


class StraightsPlayer(BasePlayer, game="straights"):
    """Who decides for one seat of Straights.

    Subclass it and answer `play`. A player is made anew for every block of rounds, so it
    remembers one block; `view.history` is empty or short at its first turn of a round.
    """

    @abstractmethod
    def play(self, view: StraightsView) -> Card:
        """Choose a card to play or, if none can be played, to discard.

        Args:
            view: What a person in your seat sees now.
        Returns: One of `view.legal_plays`; if there is none, one of `view.hand`.
        """
