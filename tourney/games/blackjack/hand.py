"""The Hand of the documents: cards and their total.

Source: VE280 project 4, section III.2; EECS 280 (winter 2008) project 4, section III.b.
"""

from collections.abc import Iterable
from typing import NamedTuple, NoReturn

from tourney.errors import CardsError
from tourney.game.cards.card import Card

BEST_TOTAL = 21
ACE_BONUS = 10
ACE_VALUE = 11
PAIR = 2
"""Number of cards of a pair."""


def _after(total: int, soft: bool, value: int) -> tuple[int, bool]:  # noqa: FBT001 - a state
    """Add a card's value to a total that is not bust: at most one ace counts 11."""
    total += value
    soft_aces = soft + (value == ACE_VALUE)
    while soft_aces and total > BEST_TOTAL:
        total -= ACE_BONUS
        soft_aces -= 1
    return total, soft_aces > 0


AFTER = tuple(
    tuple(
        tuple(_after(total, soft, value) for value in range(ACE_VALUE + 1))
        for total in range(BEST_TOTAL + 1)
    )
    for soft in (False, True)
)
"""Total and softness after a card, by softness and total before it and the card's value."""


class HandValue(NamedTuple):
    """The value of a hand, as in the documents."""

    count: int  # type: ignore[assignment]  # the documents' name, which a tuple has too
    """Highest total up to 21, otherwise the lowest total."""

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
        """Create a hand, empty or of the given cards."""
        self._cards: tuple[Card, ...] = ()
        self._total = 0
        self._soft = False
        for card in cards:
            Hand.add_card(self, card)

    def add_card(self, card: Card) -> None:
        """Add a card."""
        self._cards += (card,)
        if self._total <= BEST_TOTAL:
            self._total, self._soft = AFTER[self._soft][self._total][card.value]
        else:
            self._total += 1 if card.value == ACE_VALUE else card.value

    def discard_all(self) -> None:
        """Remove all cards."""
        self._cards = ()
        self._total = 0
        self._soft = False

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards, in the order in which they were added."""
        return self._cards

    @property
    def total(self) -> int:
        """Highest total up to 21, otherwise the lowest total."""
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
        """Whether it is an ace and a ten-value, without other cards."""
        return len(self._cards) == 2 and self._total == BEST_TOTAL  # noqa: PLR2004 - two cards

    def __len__(self) -> int:
        """Return the number of cards."""
        return len(self._cards)

    def __eq__(self, other: object) -> bool:
        """Hands are equal if they hold the same cards in the same order."""
        return isinstance(other, Hand) and self._cards == other._cards

    __hash__ = None  # type: ignore[assignment]  # a hand is mutable

    def __getattr__(self, name: str) -> NoReturn:
        """Raise AttributeError; the verdict of a player with a typing error contains its
        message.
        """
        raise AttributeError(
            f"a hand has no {name!r}; it has cards, total, soft, value, is_bust and is_natural"
        )

    def __repr__(self) -> str:
        """Return cards and total."""
        cards = ", ".join(map(str, self._cards))
        return f"<{'soft ' if self.soft else ''}{self.total}: {cards}>"


def is_pair(hand: Hand) -> bool:
    """Return whether a hand is two cards of one value."""
    cards = hand.cards
    return len(cards) == PAIR and cards[0].value == cards[1].value


class SeenHand(Hand):
    """A hand on the table: it is immutable; a dealt card creates another one."""

    __slots__ = ()

    @classmethod
    def opening(cls, first: Card, second: Card) -> "SeenHand":
        """Return the hand of the first two cards."""
        hand = cls.__new__(cls)
        hand._cards = (first, second)
        value = first.value
        hand._total, hand._soft = AFTER[value == ACE_VALUE][value][second.value]
        return hand

    def with_card(self, card: Card) -> "SeenHand":
        """Return this hand, which is not bust, with one more card."""
        hand = SeenHand.__new__(SeenHand)
        hand._cards = (*self._cards, card)
        hand._total, hand._soft = AFTER[self._soft][self._total][card.value]
        return hand

    def add_card(self, card: Card) -> NoReturn:
        """Raise CardsError: only the dealer adds cards."""
        raise CardsError(
            f"add_card({card}): only the dealer adds cards to this hand; work on a copy, "
            "Hand(hand.cards)"
        )

    def discard_all(self) -> NoReturn:
        """Raise CardsError: only the dealer clears the table."""
        raise CardsError(
            "discard_all(): only the dealer clears the table; work on a copy, Hand(hand.cards)"
        )
