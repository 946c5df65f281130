"""What positions are worth to the best play, with an infinite shoe.

Whatever a worth is: a fraction, or an array with a number for each of many dealers, all played at
once. Leaves out splits after a split, which depend on how many hands there are.
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

if TYPE_CHECKING:  # best charts are found without it
    import numpy as np
    from numpy.typing import NDArray

    Copies = Sequence[int] | NDArray[np.float64]

FINALS = (*range(DEALER_STANDS, BEST_TOTAL + 1), BUST)
"""Hands that the dealer ends with, where it does not matter whether they are soft."""

Worth = TypeVar("Worth", Fraction, "NDArray[np.float64]")
Number = TypeVar("Number", Fraction, float, "NDArray[np.float64]")
Mean = TypeVar("Mean", Fraction, float, "NDArray[np.float64]")


def mean(numbers: Iterable[Mean], copies: "Copies" = COPIES) -> Mean:
    """Give the mean over the values of a card; `copies` are the ranks of each in the shoe."""
    total: Mean = sum(map(mul, numbers, copies))
    return total / sum(copies)


def finals_of(
    rules: BlackjackRules, one: Number, copies: "Copies" = COPIES
) -> Callable[[int], tuple[Number, ...]]:
    """Give a function from a dealer's hand to the probability of each of FINALS.

    Args:
        rules: The game.
        one: What is certain; exact probabilities are fractions.
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
    """Give what a hand that gets no more cards wins on average, added to something.

    Args:
        hand: Its number.
        finals: Probability of each of FINALS.
        start: What it is added to.
    """
    return sum((p * sign(hand, final) for p, final in zip(finals, FINALS, strict=True)), start)


class BestPlay(ABC, Generic[Worth]):
    """Plays every position at its best."""

    def __init__(self, rules: BlackjackRules) -> None:
        """Keep the rules."""
        self.rules = rules
        self._worths: dict[Position, Worth] = {}

    @abstractmethod
    def settled(self, position: Position) -> Worth:
        """Give what a hand is worth that gets no more cards."""

    @abstractmethod
    def best(self, moves: Mapping[Action, Worth]) -> Worth:
        """Give what the best move is worth."""

    def worth(self, position: Position) -> Worth:
        """Give what a position is worth."""
        if position not in self._worths:
            self._worths[position] = self._work_out(position)
        return self._worths[position]

    def moves(self, position: Position) -> dict[Action, Worth]:
        """Give what each move is worth that is open to a hand."""
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
        """Give what a hand is worth that gets a card now."""
        return mean([self.worth(after(position, rank)) for rank in RANK_OF])
