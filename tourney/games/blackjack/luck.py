"""How lucky the cards of a round were for each seat.

For every card, the difference is taken between what the seat's hands are worth after it and what
they were worth on average over all cards that could have come, weighted with what was at stake.
On average it is nothing, whoever plays and however, as long as every order of the shoe is
equally likely; so a result without it has the same mean and far less noise. Decisions change
what a hand is worth, too, and are not counted: they are skill.

Leaves out what positions are worth; see `tourney.games.blackjack.exact.baseline`.
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
    """Follows a table, and sums up the luck of a round by seat."""

    def __init__(self, rules: BlackjackRules) -> None:
        """Begin without a shoe.

        Args:
            rules: With a shoe in which every order is equally likely.
        """
        self._worths = _worths(rules)
        self._rules, self._decks = rules, rules.decks
        self._left = list(COPIES)  # cards of each value that may come
        self._hands: list[dict[int, tuple[int, int]]] = []  # by seat and hand: position, wager
        self._dealer = NUMBER_OF_SHOWN[NOTHING_SHOWN]
        self._read = 0  # records of the round that have been followed
        self._opening: Sequence[int] = ()  # who gets the opening cards of the round
        self._sums: list[int] = []

    def begin_shoe(self, on_table: Iterable[Card] = ()) -> None:
        """Take another shoe.

        Args:
            on_table: Cards that are not in it.
        """
        if self._decks == "infinite":
            return
        cards = list(on_table)
        # Opening cards are recorded when all of them lie there, perhaps from two shoes.
        for seat, card in zip(self._opening[self._read :], cards[self._read :], strict=False):
            self._deal(seat, 0, card.value - LEAST_VALUE)
            self._read += 1
        self._left = [copies * 4 * self._decks for copies in COPIES]
        for card in cards:
            self._left[card.value - LEAST_VALUE] -= 1

    def open(self, wagers: Sequence[int]) -> None:
        """Begin a round for seats that have wagered."""
        self._hands = [{0: (NUMBER_OF[EMPTY], wager)} for wager in wagers]
        self._sums = [0] * len(wagers)
        self._opening = opening_of(
            self._rules.dealing, len(wagers), has_hole=self._rules.hole_card != "none"
        ).order
        self._dealer = NUMBER_OF_SHOWN[NOTHING_SHOWN]
        self._read = 0

    def follow(self, records: Sequence[Record]) -> None:
        """Go on with what has happened in the round since the last time."""
        for record in records[self._read :]:
            if isinstance(record, Dealt):
                self._deal(record.seat, record.hand, record.card.value - LEAST_VALUE)
            elif isinstance(record, Acted):
                self._act(record.seat, record.hand, record.action)
        self._read = max(self._read, len(records))

    def close(self) -> list[int]:
        """Give the luck of every seat in the round, in parts of 2**-32 of the rules' unit."""
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
        """Note a move: it changes what a card can do, and is no luck."""
        hands = self._hands[seat]
        position, wager = hands[hand]
        number = NUMBER_OF[acted(POSITIONS[position], action)]
        hands[hand] = number, 2 * wager if action is Action.DOUBLE else wager
        if action is Action.SPLIT:
            hands[len(hands)] = number, wager


class _Worths(dict[tuple[int, int, int], tuple[int, ...]]):
    """What positions are worth after each value of a card, by who gets it, dealer and hand.

    Kept as numbers of Python when it is first asked for: a table comes to few of all positions.
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
    """Give how much better a card was than cards were on average, rounded up."""
    total: int = sum(map(mul, left, worths))
    return worths[value] - total // cards
