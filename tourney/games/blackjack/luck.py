"""The luck of a round for each seat.

The luck of a card is the value of the seat's hands after it, minus the mean value over all possible
cards, times the chips at stake. Its expectation is zero for any player, if every order of the shoe
is equally likely. Results without luck therefore have the same mean and much less noise. Decisions
also change the value of a hand; they are skill and do not count.

`tourney.games.blackjack.exact.baseline` computes the values of positions.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from operator import mul

from tourney.game.cards.card import Card
from tourney.games.blackjack.action import Action
from tourney.games.blackjack.exact.baseline import baseline_values
from tourney.games.blackjack.opening import opening_of
from tourney.games.blackjack.position import (
    AFTER_VALUE,
    COPIES,
    EMPTY,
    NOTHING_SHOWN,
    NUMBER_OF,
    NUMBER_OF_SHOWN,
    POSITIONS,
    SHOWN_AFTER,
    VALUES,
    acted,
)
from tourney.games.blackjack.records import DEALER, Acted, Dealt, Record
from tourney.games.blackjack.rules import BlackjackRules

LEAST_VALUE = VALUES[0]


class Luck:
    """Follows a table, and sums the luck of a round by seat."""

    def __init__(self, rules: BlackjackRules) -> None:
        """Start without a shoe.

        Args:
            rules: With a shoe in which every order is equally likely.
        """
        self._worths = _worths(rules)
        self._rules, self._decks = rules, rules.decks
        self._left = list(COPIES)  # cards of each value that are left
        self._hands: list[dict[int, tuple[int, int]]] = []  # by seat and hand: position, wager
        self._dealer = NUMBER_OF_SHOWN[NOTHING_SHOWN]
        self._read = 0  # records of the round that have been processed
        self._opening: Sequence[int] = ()  # receivers of the opening cards of the round
        self._sums: list[int] = []

    def begin_shoe(self, on_table: Iterable[Card] = ()) -> None:
        """Start another shoe.

        Args:
            on_table: Cards that are not in it.
        """
        if self._decks == "infinite":
            return
        cards = list(on_table)
        # Opening cards are recorded when all are dealt, perhaps from two shoes.
        for seat, card in zip(self._opening[self._read :], cards[self._read :], strict=False):
            self._deal(seat, 0, card.value - LEAST_VALUE)
            self._read += 1
        self._left = [copies * 4 * self._decks for copies in COPIES]
        for card in cards:
            self._left[card.value - LEAST_VALUE] -= 1

    def open(self, wagers: Sequence[int]) -> None:
        """Start a round for seats that have wagered."""
        self._hands = [{0: (NUMBER_OF[EMPTY], wager)} for wager in wagers]
        self._sums = [0] * len(wagers)
        self._opening = opening_of(
            self._rules.dealing, len(wagers), has_hole=self._rules.hole_card != "none"
        ).order
        self._dealer = NUMBER_OF_SHOWN[NOTHING_SHOWN]
        self._read = 0

    def follow(self, records: Sequence[Record]) -> None:
        """Process the records of the round since the last call."""
        for record in records[self._read :]:
            if isinstance(record, Dealt):
                self._deal(record.seat, record.hand, record.card.value - LEAST_VALUE)
            elif isinstance(record, Acted):
                self._act(record.seat, record.hand, record.action)
        self._read = max(self._read, len(records))

    def close(self) -> list[int]:
        """Return the luck of each seat in the round, in parts of 2**-32 of the rules' unit."""
        return self._sums

    def _deal(self, seat: int, hand: int, value: int) -> None:
        left, dealer = self._left, self._dealer
        cards = sum(left)
        if seat == DEALER:
            for who, hands in enumerate(self._hands):
                for position, wager in hands.values():
                    worths = self._worths[DEALER, dealer, position]
                    self._sums[who] += wager * _above_mean(worths, value, left, cards)
            self._dealer = SHOWN_AFTER[dealer][value]
        else:
            hands = self._hands[seat]
            position, wager = hands[hand]
            worths = self._worths[0, dealer, position]
            self._sums[seat] += wager * _above_mean(worths, value, left, cards)
            hands[hand] = AFTER_VALUE[position][value], wager
        if self._decks != "infinite":
            left[value] -= 1

    def _act(self, seat: int, hand: int, action: Action) -> None:
        """Record a move: it changes the effect of cards, and is not luck."""
        hands = self._hands[seat]
        position, wager = hands[hand]
        number = NUMBER_OF[acted(POSITIONS[position], action)]
        hands[hand] = number, 2 * wager if action is Action.DOUBLE else wager
        if action is Action.SPLIT:
            hands[len(hands)] = number, wager


class _Worths(dict[tuple[int, int, int], tuple[int, ...]]):
    """Values of positions after each value of a card, by receiver, dealer and hand.

    Each is converted to Python integers at first use, because a table reaches few of all positions.
    """

    def __init__(self, rules: BlackjackRules) -> None:
        super().__init__()
        self._values = baseline_values(rules)

    def __missing__(self, key: tuple[int, int, int]) -> tuple[int, ...]:
        who, dealer, position = key
        if who == DEALER:
            after = self._values[list(SHOWN_AFTER[dealer]), position]
        else:
            after = self._values[dealer, list(AFTER_VALUE[position])]
        self[key] = worths = tuple(after.tolist())
        return worths


_worths = lru_cache(maxsize=4)(_Worths)


def _above_mean(worths: Sequence[int], value: int, left: Sequence[int], cards: int) -> int:
    """Return the value of a card minus the mean of all cards, rounded up."""
    total: int = sum(map(mul, left, worths))
    return worths[value] - total // cards
