"""All hands, dealer's cards and choices that a player is asked about before play.

Court cards and suits take turns, so that a rule for kings does not pass for one for tens.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING

from tourney.game.cards.card import CARDS, Card, Suit
from tourney.games.blackjack.action import HIT_OR_STAND, Action
from tourney.games.blackjack.declaration import PAIRS_FROM, TOTALS
from tourney.games.blackjack.hand import ACE_VALUE, BEST_TOTAL, PAIR, Hand, is_pair

if TYPE_CHECKING:  # a sandbox loads no rules, whose types come from elsewhere
    from tourney.games.blackjack.rules import BlackjackRules

MOST_HANDS = 6
"""Hands that one value is asked with, besides all of two cards."""
TURNS = 16


def row_of(hand: Hand) -> int:
    """Give the row of a hand in `Declaration.moves`."""
    if is_pair(hand):
        return PAIRS_FROM + hand.cards[0].value
    return hand.soft * TOTALS + hand.total


def all_choices(rules: "BlackjackRules", hand: Hand) -> Iterator[tuple[int, tuple[Action, ...]]]:
    """Give all that can be legal for a hand; what is legal besides to hit and to stand, first."""
    yield 0, HIT_OR_STAND
    if len(hand) != PAIR:
        return
    may = (
        rules.double != "never",
        rules.split != "never" and is_pair(hand),
        rules.surrender != "never",
    )
    others = (Action.DOUBLE, Action.SPLIT, Action.SURRENDER)
    for mask in range(1, 1 << len(others)):
        legal = tuple(each for bit, each in enumerate(others) if mask >> bit & 1)
        if all(may[bit] for bit in range(len(others)) if mask >> bit & 1):
            yield mask, HIT_OR_STAND + legal


def dealers(rules: "BlackjackRules", turn: int) -> Sequence[Hand]:
    """Give what the dealer may show; which cards it is made of depends on the turn."""
    return _both_cards()[turn % TURNS] if rules.dealer_shows == "both" else _upcards()[turn % TURNS]


@cache
def _by_value() -> list[list[Card]]:
    aces_last = sorted(CARDS, key=lambda card: (card.value, card.suit))
    return [[card for card in aces_last if card.value == value] for value in range(ACE_VALUE + 1)]


@cache
def _upcard_turns() -> tuple[tuple[Card, ...], ...]:
    return tuple(
        tuple(cards[turn % len(cards)] for cards in _by_value() if cards) for turn in range(TURNS)
    )


def upcards(turn: int) -> tuple[Card, ...]:
    """Give an upcard of every value."""
    return _upcard_turns()[turn % TURNS]


@cache
def _upcards() -> tuple[tuple[Hand, ...], ...]:
    return tuple(tuple(Hand((card,)) for card in cards) for cards in _upcard_turns())


@cache
def _both_cards() -> tuple[tuple[Hand, ...], ...]:
    """Give the dealer's two cards, each pair of values in one of its two orders."""
    return tuple(
        tuple(
            Hand((first, second) if (place + turn) % 2 else (second, first))
            for place, (first, second) in enumerate(combinations_with_replacement(cards, PAIR))
        )
        for turn, cards in enumerate(_upcard_turns())
    )


@cache
def hands() -> tuple[Hand, ...]:
    """Give the hands that players are asked about."""
    return (*_pairs(_by_value()), *_longer(_by_value()))


@cache
def naturals() -> tuple[Hand, ...]:
    """Give an ace with each card of ten; from a split they are hands like any."""
    aces, tens = _by_value()[ACE_VALUE], _by_value()[10]
    return tuple(Hand((aces[turn % len(aces)], ten)) for turn, ten in enumerate(tens))


def one_of_each(asked: Sequence[Hand]) -> Iterator[Hand]:
    """Give each kind of hand once to every order of the dealer's cards."""
    found = {(row_of(hand), len(hand) == PAIR): hand for hand in asked}
    for hand in found.values():
        yield hand
        yield hand


def _pairs(by_value: Sequence[Sequence[Card]]) -> Iterator[Hand]:
    for first, second in combinations_with_replacement(range(2, 12), 2):
        turn = 3 * first + second
        cards = (by_value[first][turn % 4], by_value[second][-1 - turn % 3])
        for hand in (Hand(cards), Hand(reversed(cards))):
            if not hand.is_natural:
                yield hand


def _longer(by_value: Sequence[Sequence[Card]]) -> Iterator[Hand]:
    """Give several hands of three and more cards for every value."""
    found: dict[tuple[int, bool], int] = {}
    for length in (3, 4, 5, 7):
        for values in combinations_with_replacement((11, 2, 3, 4, 5, 7, 9, 10), length):
            cards = [by_value[value][place % 4] for place, value in enumerate(values)]
            hand = Hand(reversed(cards))
            key = (hand.total, hand.soft)
            asked = found.get(key, 0)
            # A few of every length, so that long hands come in too.
            if hand.total <= BEST_TOTAL and asked < MOST_HANDS * length // 7 + 2:
                found[key] = asked + 1
                yield hand


assert len(Suit) == 4  # noqa: PLR2004 - a card of every value can be had in four suits
