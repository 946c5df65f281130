"""The base class of competitors in Straights, and the view of the seat that a player decides for.

Source: Straights, section 5.5.
"""

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from tourney.game.cards.card import Card, cards_seen
from tourney.game.players import BasePlayer
from tourney.games.straights.records import PublicEvent
from tourney.games.straights.suits import BEHIND, LOST_WITH, Line, Pile, lost_codes, points_of


@dataclass(frozen=True, slots=True)
class StraightsView:
    """A round as one seat sees it at one moment; it never changes.

    Seats are numbered from 0 in order of play, and tuples "by seat" have four entries.
    """

    seat: int  # the player's seat
    hand: tuple[Card, ...]  # the cards left, in the order they were dealt
    legal_plays: tuple[Card, ...]  # cards of the hand that may be played now, in its order
    table: tuple[Pile, ...]  # by suit: view.table[Suit.SPADES].low
    hand_sizes: tuple[int, ...]  # by seat, cards
    discard_counts: tuple[int, ...]  # by seat, hidden cards
    discards: tuple[Card, ...]  # of this seat, in order
    scores: tuple[int, ...]  # by seat, points of the game before this round
    history: tuple[PublicEvent, ...]  # seat and card of each move; card None if hidden

    @property
    def must_discard(self) -> bool:
        """Whether no card of the hand can be played now, so that one must be discarded."""
        return not self.legal_plays

    @staticmethod
    def points_of(card: Card) -> int:
        """Return the points of a card as a discard: ace 1, jack 11, queen 12, king 13."""
        return points_of(card)

    @staticmethod
    def behind(card: Card) -> tuple[Line, ...]:
        """Return the lines of cards that wait for a card, nearest first: a seven has two."""
        return BEHIND[card.code]

    @staticmethod
    def lost_with(code: int) -> frozenset[int]:
        """Return the codes of all cards that cannot be played once this card is discarded."""
        return LOST_WITH[code]

    def lost_codes(self) -> set[int]:
        """Return the codes of the cards that the seat's discards have blocked."""
        return lost_codes(self.discards)


def play_seen(view: StraightsView) -> str:
    """Describe the view of a seat that chose a card."""
    piles = " ".join(
        cards_seen(pile.cards[:: max(1, len(pile.cards) - 1)]).replace(" ", "-")
        for pile in view.table
        if not pile.is_empty
    )
    choice = "discard any" if view.must_discard else f"legal {cards_seen(view.legal_plays)}"
    return f"hand {cards_seen(view.hand)}, table {piles or 'empty'}, {choice}"


class StraightsPlayer(BasePlayer, game="straights"):
    """A player that decides for one seat of Straights.

    Subclass it and implement `play`. The platform creates a new player for each block of rounds, so
    attributes last for one block. At the first turn of a round, `view.history` is empty or short.
    """

    advice: ClassVar = {
        r"expected to play one of": "return a Card from view.legal_plays",
        r"expected to discard one of": "no card may be played here: return a Card from view.hand",
        r"IndexError: (?:tuple|list) index out of range|from an empty sequence"
        r"|(?:min|max)\(\) .*\bempty": "no card may be played if view.must_discard: then return "
        "a card of view.hand",
        r"TypeError: .*between instances of 'Card' and 'Card'": "cards have no order: sort or "
        "choose with a key, as in key=view.points_of",
        r"TypeError: .*(?:operand|between instances|argument must).*'Card'": "a card is not a "
        "number: use view.points_of(card) or card.rank",
    }

    @abstractmethod
    def play(self, view: StraightsView) -> Card:
        """Choose a card to play or, if no card can be played, to discard.

        Args:
            view: The information visible from your seat.
        Returns: One of `view.legal_plays`; if that is empty, one of `view.hand`.
        """
