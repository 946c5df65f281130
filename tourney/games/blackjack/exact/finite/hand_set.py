"""Hands that are played from like shoes: the first hands of rounds, or those of one split.

A shoe is what is left without the upcard and without some cards that other hands took. A worth
here is a value plus the probability that the round is not over, so that a hand that busts is
worth 0; both are joint with the dealer having no natural that would have ended the round, so that
cards can be drawn as if nobody had looked.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from tourney.games.blackjack.action import Action
from tourney.games.blackjack.exact.finite.compositions import Hands
from tourney.games.blackjack.exact.finite.dealer import (
    NATURAL_FINAL,
    PLACE_OF_TOTAL,
    Counts,
    DealerTree,
    Floats,
)
from tourney.games.blackjack.hand import BEST_TOTAL
from tourney.games.blackjack.position import PAIR, Position, legal, total_of
from tourney.games.blackjack.rules import BlackjackRules

MOVES = (Action.STAND, Action.HIT, Action.DOUBLE, Action.SURRENDER)
STANDS, HITS, DOUBLES, SURRENDERS = range(len(MOVES))
NO_CHOICE, *_ = range(5)
CHOICES: tuple[frozenset[int], ...] = (
    frozenset({STANDS}),
    frozenset({STANDS, HITS}),
    frozenset({STANDS, HITS, DOUBLES}),
    frozenset({STANDS, HITS, SURRENDERS}),
    frozenset({STANDS, HITS, DOUBLES, SURRENDERS}),
)
"""Which of MOVES a hand may choose from, splits left out."""

Places = NDArray[np.int64]


@dataclass(slots=True)
class Kind:
    """Hands, and what is open to them, whatever the dealer shows.

    Args:
        hands: Of two cards and more, the short ones first.
        positions: Of each hand.
        choices: Place in CHOICES of each hand; shape (hands,).
        place: Of the value that was split, in VALUES; None for first hands.
    """

    hands: Hands
    positions: list[Position]
    choices: Places
    place: int | None


def kind_of(
    rules: BlackjackRules, hands: Hands, single: tuple[Position, ...], place: int | None
) -> Kind:
    """Say what is open to hands that come from first cards, or from one that was split."""
    positions = hands.positions(single)
    choices = []
    for position in positions:
        moves = legal(rules, position, can_hold=False)
        if Action.HIT not in moves or total_of(position.hand) == BEST_TOTAL:
            moves = (Action.STAND,)
        choices.append(CHOICES.index(frozenset(map(MOVES.index, moves))))
    return Kind(hands, positions, np.array(choices), place)


class Group:
    """A kind of hands against one upcard, from some shoes at once."""

    def __init__(
        self, kind: Kind, left: Counts, out: Places, tree: DealerTree, *, peeks: bool
    ) -> None:
        """Let the dealer play against all hands.

        Args:
            kind: The hands.
            left: Cards of each value without the upcard; shape (10,).
            out: Cards of the value that was split which other hands took; shape (shoes,).
            tree: What the dealer can draw.
            peeks: Whether a natural of the dealer ends the round before anybody plays.
        """
        self.kind, self.out = kind, out
        shoes = np.repeat(left[None], len(out), axis=0)
        if kind.place is not None:
            shoes[:, kind.place] -= out
        rest = shoes[:, None] - kind.hands.counts
        fits = (rest >= 0).all(axis=2) & (rest.sum(axis=2) > 0)
        finals = np.zeros((*fits.shape, NATURAL_FINAL + 1))
        finals[fits] = tree.finals(rest[fits])
        # What a hand of no shoe would draw does not matter: nobody comes to it.
        rest = np.where(fits[..., None], rest, 0)
        self.draws = rest / np.maximum(rest.sum(axis=2), 1)[..., None]
        self.naturals = finals[..., NATURAL_FINAL]
        self.alive = 1.0 - self.naturals if peeks else np.ones(fits.shape)
        self._set_worths(finals, peeks=peeks)

    def _set_worths(self, finals: Floats, *, peeks: bool) -> None:
        wins, loses = np.zeros(finals.shape[:2]), np.zeros(finals.shape[:2])
        totals = np.array([total_of(number) for number in self.kind.hands.numbers])
        for total, place in PLACE_OF_TOTAL.items():
            busts = total > BEST_TOTAL
            wins += finals[..., place] * (busts | (totals > total))
            loses += finals[..., place] * (not busts and (totals < total))
        if not peeks:
            loses += self.naturals
        self.stand = wins - loses + self.alive
        self.double = 2 * self._drawn(slice(None), self.stand) - self.alive
        self.surrender = self.alive / 2

    @cached_property
    def levels(self) -> list[slice]:
        """Places of the hands of two cards, of three and so on."""
        edges = np.flatnonzero(np.diff(self.kind.hands.cards, prepend=0, append=0))
        return [slice(*pair) for pair in pairwise(edges)]

    def worths(self, moves: Places) -> tuple[Floats, Floats]:
        """Give what hands are worth, and what they are if they hit.

        Args:
            moves: Place in MOVES of what each hand does; shape (hands,).
        Returns: Two of shape (shoes, hands).
        """
        fixed = np.choose(moves, (self.stand, self.stand, self.double, self.surrender))
        worth, hit = fixed.copy(), np.zeros_like(fixed)
        for level in reversed(self.levels):
            hit[:, level] = self._drawn(level, worth)
            worth[:, level] = np.where(moves[level] == HITS, hit[:, level], fixed[:, level])
        return worth, hit

    def of_moves(self, hit: Floats) -> Floats:
        """Give what each of MOVES is worth; shape (moves, shoes, hands)."""
        return np.array([self.stand, hit, self.double, self.surrender])

    def reached(self, starts: Floats, moves: Places) -> Floats:
        """Give how often hands are come to.

        Args:
            starts: How often with two cards; shape (shoes, hands).
            moves: As above.
        """
        found = starts.copy()
        for level in self.levels:
            hitting = np.flatnonzero(moves[level] == HITS) + level.start
            for place, nexts in enumerate(self.kind.hands.nexts[hitting].T):
                goes_on = nexts >= 0
                # One value leads different hands to different hands.
                came = found[:, hitting[goes_on]] * self.draws[:, hitting[goes_on], place]
                found[:, nexts[goes_on]] += came
        return found

    def _drawn(self, level: slice, worth: Floats) -> Floats:
        """Give what hands are worth after a card."""
        found = np.zeros(worth[:, level].shape)
        for place, nexts in enumerate(self.kind.hands.nexts[level].T):
            # A hand that busts is worth 0.
            found += self.draws[:, level, place] * np.where(nexts < 0, 0.0, worth[:, nexts])
        return found

    @property
    def twos(self) -> slice:
        """Places of the hands of two cards."""
        return self.levels[0] if self.kind.hands.cards[0] == PAIR else slice(0)
