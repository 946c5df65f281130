"""The values of positions under best play, with an infinite shoe.

A value is a fraction, or an array with a number for each of many dealers. A hand after a split is
not split again, because that would depend on the number of hands.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from operator import mul
from typing import TYPE_CHECKING, Generic, TypeVar

from tourney.games.blackjack.action import Action
from tourney.games.blackjack.hand import BEST_TOTAL
from tourney.games.blackjack.position import (
    BUST,
    COPIES,
    DEALER_STANDS,
    DEALT,
    DOUBLED,
    OPEN,
    PAIR,
    RANK_OF,
    VALUES,
    Position,
    acted,
    after,
    dealer_draws,
    hand_after,
    legal,
    sign,
    total_of,
)
from tourney.games.blackjack.rules import BlackjackRules

if TYPE_CHECKING:  # best charts need no numpy
    import numpy as np
    from numpy.typing import NDArray

    Copies = Sequence[int] | NDArray[np.float64]

FINALS = (*range(DEALER_STANDS, BEST_TOTAL + 1), BUST)
"""Final hands of the dealer; whether they are soft does not matter."""

Worth = TypeVar("Worth", Fraction, "NDArray[np.float64]")
Number = TypeVar("Number", Fraction, float, "NDArray[np.float64]")
Mean = TypeVar("Mean", Fraction, float, "NDArray[np.float64]")


def mean(numbers: Iterable[Mean], copies: "Copies" = COPIES) -> Mean:
    """Return the mean over the values of a card; `copies` are the ranks of each in the shoe."""
    total: Mean = sum(map(mul, numbers, copies))
    return total / sum(copies)


def finals_of(
    rules: BlackjackRules, one: Number, copies: "Copies" = COPIES
) -> Callable[[int], tuple[Number, ...]]:
    """Return a function from a dealer's hand to the probability of each of FINALS.

    Args:
        rules: The game.
        one: The number 1 in the type of the probabilities; a Fraction makes them exact.
        copies: Ranks of each value in the shoe; or an array of the shares of many shoes.
    """
    found: dict[int, tuple[Number, ...]] = {}

    def finals_from(hand: int) -> tuple[Number, ...]:
        if hand not in found and dealer_draws(rules, hand):
            nexts = [finals_from(hand_after(hand, value)) for value in VALUES]
            found[hand] = tuple(mean(column, copies) for column in zip(*nexts, strict=True))
        elif hand not in found:
            found[hand] = tuple(one * (total_of(hand) == total_of(final)) for final in FINALS)
        return found[hand]

    return finals_from


def against(hand: int, finals: Sequence[Number], start: Number) -> Number:
    """Return the mean result of a hand that gets no more cards, plus a start value.

    Args:
        hand: The number of the hand.
        finals: Probability of each of FINALS.
        start: The start value.
    """
    return sum((p * sign(hand, final) for p, final in zip(finals, FINALS, strict=True)), start)


class BestPlay(ABC, Generic[Worth]):
    """Plays every position with the best move."""

    def __init__(self, rules: BlackjackRules) -> None:
        self.rules = rules
        self._worths: dict[Position, Worth] = {}

    @abstractmethod
    def settled(self, position: Position) -> Worth:
        """Return the value of a hand that gets no more cards."""

    @abstractmethod
    def best(self, moves: Mapping[Action, Worth]) -> Worth:
        """Return the value of the best move."""

    def worth(self, position: Position) -> Worth:
        """Return the value of a position."""
        if position not in self._worths:
            self._worths[position] = self._work_out(position)
        return self._worths[position]

    def moves(self, position: Position) -> dict[Action, Worth]:
        """Return the value of each legal move of a hand."""
        can_hold = position.origin == DEALT
        return {
            move: self._moved(position, move)
            for move in legal(self.rules, position, can_hold=can_hold)
        }

    def _work_out(self, position: Position) -> Worth:
        if position.status == DOUBLED or (position.status == OPEN and position.cards < PAIR):
            return self._dealt(position)
        if position.status != OPEN:
            return self.settled(position)
        moves = self.moves(position)
        return self.best(moves) if moves else self.worth(acted(position, Action.STAND))

    def _moved(self, position: Position, move: Action) -> Worth:
        if move is Action.HIT:
            return self._dealt(position)
        worth = self.worth(acted(position, move))
        return 2 * worth if move in (Action.DOUBLE, Action.SPLIT) else worth

    def _dealt(self, position: Position) -> Worth:
        """Return the value of a hand that gets a card now."""
        return mean([self.worth(after(position, rank)) for rank in RANK_OF])
