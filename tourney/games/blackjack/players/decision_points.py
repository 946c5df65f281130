"""All hands, dealer's cards and legal moves with which a player is asked before play.

Court cards and suits rotate, so that a rule for kings is not mistaken for a rule for tens.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING

from tourney.game.cards.card import CARDS, Card, Suit
from tourney.games.blackjack.action import HIT_OR_STAND, Action
from tourney.games.blackjack.declaration import PAIRS_FROM, TOTALS
from tourney.games.blackjack.hand import ACE_VALUE, BEST_TOTAL, PAIR, Hand, is_pair

if TYPE_CHECKING:  # in a sandbox, rules are not loaded
    from tourney.games.blackjack.rules import BlackjackRules

MOST_HANDS = 6
"""Most hands of more than two cards per value; hands of two cards are all used."""
TURNS = 16


def row_of(hand: Hand) -> int:
    """Return the row of a hand in `Declaration.moves`."""
    if is_pair(hand):
        return PAIRS_FROM + hand.cards[0].value
    return hand.soft * TOTALS + hand.total


def all_choices(rules: "BlackjackRules", hand: Hand) -> Iterator[tuple[int, tuple[Action, ...]]]:
    """Iterate over all sets of legal moves for a hand, each with the mask of the moves other than
    hit and stand.
    """
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
    """Return the dealer's possible visible cards; ranks and suits depend on the turn."""
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
    """Return an upcard of each value."""
    return _upcard_turns()[turn % TURNS]


@cache
def _upcards() -> tuple[tuple[Hand, ...], ...]:
    return tuple(tuple(Hand((card,)) for card in cards) for cards in _upcard_turns())


@cache
def _both_cards() -> tuple[tuple[Hand, ...], ...]:
    """Return the dealer's two cards, each pair of values in one of its two orders."""
    return tuple(
        tuple(
            Hand((first, second) if (place + turn) % 2 else (second, first))
            for place, (first, second) in enumerate(combinations_with_replacement(cards, PAIR))
        )
        for turn, cards in enumerate(_upcard_turns())
    )


@cache
def hands() -> tuple[Hand, ...]:
    """Return the hands with which players are asked."""
    return (*_pairs(_by_value()), *_longer(_by_value()))


@cache
def naturals() -> tuple[Hand, ...]:
    """Return an ace with each card of ten; after a split these are ordinary hands."""
    aces, tens = _by_value()[ACE_VALUE], _by_value()[10]
    return tuple(Hand((aces[turn % len(aces)], ten)) for turn, ten in enumerate(tens))


def one_of_each(asked: Sequence[Hand]) -> Iterator[Hand]:
    """Iterate over each kind of hand once, to ask it against each order of the dealer's cards."""
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
    """Iterate over several hands of three and more cards for each value."""
    found: dict[tuple[int, bool], int] = {}
    for length in (3, 4, 5, 7):
        for values in combinations_with_replacement((11, 2, 3, 4, 5, 7, 9, 10), length):
            cards = [by_value[value][place % 4] for place, value in enumerate(values)]
            hand = Hand(reversed(cards))
            key = (hand.total, hand.soft)
            asked = found.get(key, 0)
            # A few of each length, so that long hands are included.
            if hand.total <= BEST_TOTAL and asked < MOST_HANDS * length // 7 + 2:
                found[key] = asked + 1
                yield hand


assert len(Suit) == 4  # noqa: PLR2004 - a card of each value exists in four suits
