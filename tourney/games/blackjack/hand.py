"""The documents' Hand: cards and what they total.

Source: VE280 project 4, section III.2; EECS 280 (winter 2008) project 4, section III.b.
"""

from collections.abc import Iterable
from typing import NamedTuple, NoReturn

from tourney.cards.card import Card
from tourney.errors import CardsError

BEST_TOTAL = 21
ACE_BONUS = 10
ACE_VALUE = 11


class HandValue(NamedTuple):
    """What a hand is worth, as the documents give it."""

    count: int  # type: ignore[assignment]  # the documents' name, which a tuple has too
    """Highest total that does not go over 21, else the lowest total."""

    soft: bool  # an ace counts 11


class Hand:
    """A blackjack hand of zero or more cards.

    >>> from tourney import Card, Rank, Suit
    >>> hand = Hand([Card(Rank.ACE, Suit.CLUBS), Card(Rank.SIX, Suit.CLUBS)])
    >>> hand.total, hand.soft
    (17, True)
    >>> hand.add_card(Card(Rank.KING, Suit.HEARTS))
    >>> hand.value
    HandValue(count=17, soft=False)
    """

    __slots__ = ("_cards", "_soft", "_total")

    def __init__(self, cards: Iterable[Card] = ()) -> None:
        """Establish a hand, empty or of the given cards."""
        self._cards: tuple[Card, ...] = ()
        self._total = 0
        self._soft = False
        for card in cards:
            Hand.add_card(self, card)

    def add_card(self, card: Card) -> None:
        """Add a card to those held."""
        self._cards += (card,)
        value = card.value
        total = self._total + value
        if total > BEST_TOTAL:
            # At most one ace counts 11: the new one, or else the one held.
            if value == ACE_VALUE:
                total -= ACE_BONUS
            if total > BEST_TOTAL and self._soft:
                total -= ACE_BONUS
                self._soft = False
        elif value == ACE_VALUE:
            self._soft = True
        self._total = total

    def discard_all(self) -> None:
        """Discard the cards held."""
        self._cards = ()
        self._total = 0
        self._soft = False

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards held, in the order they came."""
        return self._cards

    @property
    def total(self) -> int:
        """Highest total that does not go over 21, else the lowest total."""
        return self._total

    @property
    def soft(self) -> bool:
        """Whether an ace counts 11."""
        return self._soft

    @property
    def value(self) -> HandValue:
        """Total and softness together."""
        return HandValue(self._total, self._soft)

    @property
    def is_bust(self) -> bool:
        """Whether every total is over 21."""
        return self._total > BEST_TOTAL

    @property
    def is_natural(self) -> bool:
        """Whether it is an ace and a ten-value, and nothing more."""
        return len(self._cards) == 2 and self._total == BEST_TOTAL  # noqa: PLR2004 - two cards

    def __len__(self) -> int:
        """Give the number of cards held."""
        return len(self._cards)

    def __eq__(self, other: object) -> bool:
        """Hands are equal if they hold the same cards in the same order."""
        return isinstance(other, Hand) and self._cards == other._cards

    __hash__ = None  # type: ignore[assignment]  # a hand changes, so it is no key

    def __repr__(self) -> str:
        """Read as cards and total."""
        cards = ", ".join(map(str, self._cards))
        return f"<{'soft ' if self.soft else ''}{self.total}: {cards}>"


class SeenHand(Hand):
    """A hand that lies on the table: it never changes; a dealt card makes another one."""

    __slots__ = ()

    @classmethod
    def opening(cls, first: Card, second: Card) -> "SeenHand":
        """Give the hand of the first two cards."""
        hand = cls.__new__(cls)
        hand._cards = (first, second)
        total = first.value + second.value
        hand._soft = ACE_VALUE in {first.value, second.value}
        hand._total = total if total <= BEST_TOTAL else total - ACE_BONUS
        return hand

    def with_card(self, card: Card) -> "SeenHand":
        """Give this hand and one more card."""
        hand = SeenHand.__new__(SeenHand)
        hand._cards = self._cards
        hand._total = self._total
        hand._soft = self._soft
        Hand.add_card(hand, card)
        return hand

    def add_card(self, card: Card) -> NoReturn:
        """Refuse: the dealer deals."""
        raise CardsError(
            f"expected to look at this hand, got add_card({card}): only the dealer adds cards; "
            "work on a copy, Hand(hand.cards)"
        )

    def discard_all(self) -> NoReturn:
        """Refuse: the dealer clears the table."""
        raise CardsError(
            "expected to look at this hand, got discard_all(): only the dealer clears the table; "
            "work on a copy, Hand(hand.cards)"
        )
