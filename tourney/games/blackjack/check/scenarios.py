"""Situations that are rare in play, as questions to a player.

Each situation is possible under the rules it is made for, and a new player answers it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product

import numpy as np

from tourney.game.blocks import HOUSE_LIMIT
from tourney.game.cards.card import CARDS, Card, Rank, Suit
from tourney.games.blackjack.action import HIT_OR_STAND, Action
from tourney.games.blackjack.hand import BEST_TOTAL, SeenHand
from tourney.games.blackjack.players.questions import (
    BANKROLLS,
    LEVEL,
    NO_CARD,
    SHUFFLED,
    WAGERS,
    WIDTH,
    Call,
    Questions,
)
from tourney.games.blackjack.rules import BlackjackRules
from tourney.games.blackjack.seat_hand import INSURANCE, SeatHand, choices

LARGE = 1_000
"""The usual bankroll, in minimum wagers."""
COSTS = {Action.DOUBLE: 2, Action.SPLIT: 2, Action.INSURE: 1.5}
"""Total stake after a move that costs more chips, in wagers."""
ROUNDS_LEFT = 10

HANDS: dict[str, tuple[int, ...]] = {
    "a hard 5": (2, 3),
    "a hard 9": (4, 5),
    "a hard 10": (4, 6),
    "a hard 11": (5, 6),
    "a hard 12": (10, 2),
    "a hard 15": (9, 6),
    "a hard 16": (10, 6),
    "a hard 16 of five cards": (2, 2, 3, 4, 5),
    "a hard 17": (10, 7),
    "a hard 20": (10, 11),
    "a 21 of three cards": (7, 6, 8),
    "a soft 12 of two aces": (14, 14),
    "a soft 13": (14, 2),
    "a soft 17": (14, 6),
    "a soft 18": (14, 7),
    "a soft 18 of three cards": (14, 3, 4),
    "a soft 18 of five cards": (14, 14, 2, 2, 2),
    "a hard 18 of nine cards": (14, 14, 14, 2, 2, 2, 3, 3, 3),
    "a pair of eights": (8, 8),
    "a pair of fives": (5, 5),
    "a king and a queen": (13, 12),
}
"""Hands by their ranks, 11 to 13 for court cards and 14 for an ace."""

NATURAL = (14, 13)
UPCARDS = {"a 2": 2, "a 6": 6, "a 9": 9, "a king": 13, "an ace": 14}
SECOND = 7
"""Rank of the dealer's second card, where both cards are face up."""
LOW, HIGH = (2, 3, 4, 5, 6), (10, 11, 12, 13, 14)
NO_CARDS: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Scenario:
    """A question for a wager, and optionally a question about a hand after it."""

    words: str
    bankroll: int  # in chips, before the wager
    minimum: int
    maximum: int
    exposed: tuple[int, ...] = NO_CARDS  # codes, before the wager
    hand: tuple[int, ...] = NO_CARDS  # codes; empty if only a wager is asked for
    dealer: tuple[int, ...] = NO_CARDS  # codes that lie face up
    legal: tuple[Action, ...] = ()

    def may_follow(self, wager: int) -> bool:
        """Return whether a wager leaves enough chips for every legal move, such as a double."""
        return self.bankroll >= wager * max((COSTS.get(each, 1) for each in self.legal), default=1)


@cache  # the same for every competitor
def scenarios(
    rules: BlackjackRules, minimum: int, maximum: int = HOUSE_LIMIT
) -> tuple[Scenario, ...]:
    """List the situations that the rules allow.

    Args:
        rules: The rules of the game.
        minimum: The least wager, in chips.
        maximum: The greatest wager; below the house limit, also tables with `minimum` as maximum.
    """
    return (*_wagers(rules, minimum, maximum), *_hands(rules, minimum, maximum))


def _wagers(rules: BlackjackRules, minimum: int, maximum: int) -> Iterator[Scenario]:
    """List questions for wagers, with few and many chips, after different cards."""
    least = rules.least_bankroll(minimum)
    bankrolls = {
        f"the least bankroll, {least}": least,
        "one chip more than the minimum": minimum + 1,
        "one chip short of a double bet": max(2 * minimum - 1, least),
        "exactly a double bet": max(2 * minimum, least),
        "a large bankroll": LARGE * minimum,
    }
    limits = {"": maximum}
    if maximum < HOUSE_LIMIT:
        limits[" at a table whose limit is the minimum"] = minimum
    decks = rules.decks if isinstance(rules.decks, int) else 1
    shoes = {
        "": NO_CARDS,
        ", after 16 low cards": _codes(LOW, 16),
        ", after 16 high cards": _codes(HIGH, 16),
        f", after {50 * decks} cards of one shoe": tuple(
            card.code for card in (CARDS * decks)[: 50 * decks]
        ),
        ", after a shuffle": (*_codes(LOW, 16), SHUFFLED),
    }
    for (purse, bankroll), (limit, most), (shown, exposed) in product(
        bankrolls.items(), limits.items(), shoes.items()
    ):
        yield Scenario(f"{purse}{limit}{shown}", bankroll, minimum, most, exposed)


def _hands(rules: BlackjackRules, minimum: int, maximum: int) -> Iterator[Scenario]:
    """List questions about hands, with and without chips for a second wager."""
    purses = {"": LARGE * minimum, " and no chips for a second wager": 2 * minimum - 1}
    named = HANDS | {"a natural": NATURAL}
    for (name, ranks), (upcard, rank), (purse, bankroll) in product(
        named.items(), UPCARDS.items(), purses.items()
    ):
        if bankroll < rules.least_bankroll(minimum):
            continue
        shown = (rank, SECOND) if rules.dealer_shows == "both" else (rank,)
        cards = _cards((*ranks, *shown))
        hand, dealer = cards[: len(ranks)], cards[len(ranks) :]
        for legal in _legal_sets(rules, hand, dealer, can_afford=not purse):
            yield Scenario(
                f"{name} against {upcard}{purse}",
                bankroll,
                minimum,
                maximum,
                hand=tuple(card.code for card in hand),
                dealer=tuple(card.code for card in dealer),
                legal=legal,
            )


def _legal_sets(
    rules: BlackjackRules, hand: tuple[Card, ...], dealer: tuple[Card, ...], *, can_afford: bool
) -> Iterator[tuple[Action, ...]]:
    """List the sets of legal moves of a hand: for insurance, at first, and after a split."""
    if rules.insurance == "offered" and len(hand) == len(NATURAL) and dealer[0].rank is Rank.ACE:
        yield INSURANCE
    seen = SeenHand(hand)
    if seen.total == BEST_TOTAL and (len(hand) == len(NATURAL) or rules.stands_on_21):
        return
    played = SeatHand(0, 0, seen, 1)
    at_first = choices(rules, played, 1, can_afford=can_afford)
    yield at_first
    if rules.split == "never" or len(hand) != len(NATURAL):
        return
    played.is_split = True
    if hand[0].rank is hand[1].rank is Rank.ACE:
        if rules.split_aces == "one-card":
            return
        played.is_split_only = rules.split_aces == "resplit"
    after_split = choices(rules, played, 2, can_afford=can_afford)
    if len(after_split) > 1 and after_split != at_first:
        yield after_split


def questions_about(
    asked: Sequence[Scenario], seats: Sequence[int], call: Call, wagers: Sequence[int]
) -> Questions:
    """Build one question for each scenario.

    Args:
        asked: Scenarios; with hands, unless the question is for a wager.
        seats: The seat of each scenario.
        call: Kind of the questions.
        wagers: The wager of each scenario, in chips; 0 if it is asked for.
    """
    count, is_hand = len(asked), call in {Call.ACT, Call.DRAW}
    table = np.zeros((count, WIDTH), np.int64)
    for row, (each, wager) in enumerate(zip(asked, wagers, strict=True)):
        table[row, :BANKROLLS] = (0, 1, each.minimum, each.maximum, ROUNDS_LEFT)
        table[row, BANKROLLS], table[row, WAGERS] = each.bankroll - wager, wager
        table[row, LEVEL] = 1
    dealers = [
        (*each.dealer, NO_CARD, NO_CARD)[:2] if is_hand else (NO_CARD,) * 2 for each in asked
    ]
    hands = [each.hand if is_hand else NO_CARDS for each in asked]
    shown = [(*each.dealer, *each.hand) if is_hand else each.exposed for each in asked]
    moves = [each.legal if call == Call.ACT else HIT_OR_STAND for each in asked]
    return Questions(
        seats=np.array(seats, np.int32),
        calls=np.full(count, call, np.uint8),
        rounds=np.ones(count, np.int64),
        legal=np.array([_bits(each) if is_hand else 0 for each in moves], np.uint8),
        dealer=np.array(dealers, np.uint8).reshape(count, 2),
        cards=np.array([code for each in hands for code in each], np.uint8),
        card_stops=np.cumsum([len(each) for each in hands], dtype=np.int64),
        exposed=np.array([code for each in shown for code in each], np.uint8),
        exposed_stops=np.cumsum([len(each) for each in shown], dtype=np.int64),
        table=table,
    )


def without_cards_shown(questions: Questions) -> Questions:
    """Remove the cards shown, for a player that does not watch them."""
    return questions._replace(
        exposed=np.empty(0, np.uint8), exposed_stops=np.zeros(len(questions.calls), np.int64)
    )


def _bits(actions: Sequence[Action]) -> int:
    return sum(1 << action for action in actions)


def _cards(ranks: Sequence[int]) -> tuple[Card, ...]:
    """Return a card of each rank, all from one deck."""
    places = (ranks[:place].count(rank) for place, rank in enumerate(ranks))
    return tuple(Card(Rank(rank), Suit(suit)) for rank, suit in zip(ranks, places, strict=True))


def _codes(ranks: Sequence[int], count: int) -> tuple[int, ...]:
    """Return the codes of `count` different cards of the given ranks."""
    cards = [Card(rank, suit) for suit in Suit for rank in map(Rank, ranks)]
    return tuple(card.code for card in cards[:count])
