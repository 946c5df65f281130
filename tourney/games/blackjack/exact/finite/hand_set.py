"""Hands that are played from equal shoes: the first hands of rounds, or the hands of one split.

A shoe is the cards left without the upcard and without the cards that other hands took. A worth is
a value plus the probability that the round is not over, so that a busted hand has worth 0. Both
are joint with the event that no dealer's natural has ended the round, so that cards can be drawn
as if the dealer had not peeked.
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
"""The sets of legal MOVES of a hand, without splits."""

Places = NDArray[np.int64]


@dataclass(slots=True)
class Kind:
    """Hands and their legal moves.

    Args:
        hands: Hands of two or more cards, sorted by number of cards.
        positions: The position of each hand.
        choices: Index in CHOICES of each hand; shape (hands,).
        place: Index in VALUES of the value that was split; `None` for first hands.
    """

    hands: Hands
    positions: list[Position]
    choices: Places
    place: int | None


def kind_of(
    rules: BlackjackRules, hands: Hands, single: tuple[Position, ...], place: int | None
) -> Kind:
    """Find the legal moves of hands that start with any first card, or with a split card."""
    positions = hands.positions(single)
    choices = []
    for position in positions:
        moves = legal(rules, position, can_hold=False)
        if Action.HIT not in moves or total_of(position.hand) == BEST_TOTAL:
            moves = (Action.STAND,)
        choices.append(CHOICES.index(frozenset(map(MOVES.index, moves))))
    return Kind(hands, positions, np.array(choices), place)


class Group:
    """A kind of hands against one upcard, from several shoes together."""

    def __init__(
        self, kind: Kind, left: Counts, out: Places, tree: DealerTree, *, peeks: bool
    ) -> None:
        """Compute the dealer's final hands against all hands.

        Args:
            kind: The hands.
            left: Cards of each value without the upcard; shape (10,).
            out: Cards of the split value that other hands took; shape (shoes,).
            tree: The draws of the dealer.
            peeks: Whether a natural of the dealer ends the round before the seats play.
        """
        self.kind, self.out = kind, out
        shoes = np.repeat(left[None], len(out), axis=0)
        if kind.place is not None:
            shoes[:, kind.place] -= out
        rest = shoes[:, None] - kind.hands.counts
        fits = (rest >= 0).all(axis=2) & (rest.sum(axis=2) > 0)
        finals = np.zeros((*fits.shape, NATURAL_FINAL + 1))
        finals[fits] = tree.finals(rest[fits])
        # Hands that do not fit the shoe never occur, so their draws do not matter.
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
        """Slices of the hands of two cards, of three and so on."""
        edges = np.flatnonzero(np.diff(self.kind.hands.cards, prepend=0, append=0))
        return [slice(*pair) for pair in pairwise(edges)]

    def worths(self, moves: Places) -> tuple[Floats, Floats]:
        """Compute the worths of hands by a plan, and their worths if they hit.

        Args:
            moves: Index in MOVES of each hand's move; shape (hands,).
        Returns: Two arrays of shape (shoes, hands).
        """
        fixed = np.choose(moves, (self.stand, self.stand, self.double, self.surrender))
        worth, hit = fixed.copy(), np.zeros_like(fixed)
        for level in reversed(self.levels):
            hit[:, level] = self._drawn(level, worth)
            worth[:, level] = np.where(moves[level] == HITS, hit[:, level], fixed[:, level])
        return worth, hit

    def of_moves(self, hit: Floats) -> Floats:
        """Return the worth of each of MOVES; shape (moves, shoes, hands)."""
        return np.array([self.stand, hit, self.double, self.surrender])

    def reached(self, starts: Floats, moves: Places) -> Floats:
        """Compute the frequencies of hands.

        Args:
            starts: The frequencies of hands of two cards; shape (shoes, hands).
            moves: Index in MOVES of each hand's move; shape (hands,).
        """
        found = starts.copy()
        for level in self.levels:
            hitting = np.flatnonzero(moves[level] == HITS) + level.start
            for place, nexts in enumerate(self.kind.hands.nexts[hitting].T):
                stays = nexts >= 0
                # A value leads different hands to different hands, so += adds each once.
                share = found[:, hitting[stays]] * self.draws[:, hitting[stays], place]
                found[:, nexts[stays]] += share
        return found

    def _drawn(self, level: slice, worth: Floats) -> Floats:
        """Return the mean worths of hands after a card."""
        found = np.zeros(worth[:, level].shape)
        for place, nexts in enumerate(self.kind.hands.nexts[level].T):
            # A busted hand has worth 0.
            found += self.draws[:, level, place] * np.where(nexts < 0, 0.0, worth[:, nexts])
        return found

    @property
    def twos(self) -> slice:
        """Slice of the hands of two cards."""
        return self.levels[0] if self.kind.hands.cards[0] == PAIR else slice(0)
