"""A player of Straights in a seat: asking it and checking its answer."""

from collections.abc import Sequence

from tourney.asking.seated import Seated
from tourney.cards.card import Card
from tourney.games.straights.view import StraightsView
from tourney.players.straights import StraightsPlayer


class StraightsChair(Seated[StraightsPlayer]):
    """One seat's player and account, and the only place where a player of Straights is called."""

    __slots__ = ()

    def ask_card(self, view: StraightsView, legal: Sequence[Card]) -> Card:
        """Ask for a card to play, or to discard if none can be played.

        Raises: CompetitorFault, if there is no legal answer.
        """
        try:
            self.call = "play"
            answer = self.player.play(view)
            # The table's own card, which nobody has tampered with.
            found = [card for card in legal if type(answer) is Card and card == answer]
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            raise self.raised(error) from error
        if not found:
            what = "discard one of" if view.must_discard else "play one of"
            raise self.refused(f"to {what} {', '.join(map(str, legal))}", answer)
        self.decisions += 1
        return found[0]
