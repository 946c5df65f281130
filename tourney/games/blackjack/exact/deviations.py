"""Deviations: moves that change with a count, with the true count and the value of each change.

For each true count, the unseen cards are modelled as an infinite shoe with their average mix at
that count. The cards of the hand are not removed, which moves an index by less than one. Pairs are
split once. The frequency of each count assumes rounds spread evenly over a shoe, up to its cut
card.

Source: for the indices that players know, Schlesinger, "Blackjack Attack"; docs/sources.md.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import mul
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tourney.errors import RulesError
from tourney.game.cards.card import DECK_SIZE, RANKS
from tourney.games.blackjack.action import Action
from tourney.games.blackjack.declaration import TOTALS
from tourney.games.blackjack.exact.dynamic_programme import FINALS, BestPlay, against, finals_of
from tourney.games.blackjack.hand import ACE_VALUE
from tourney.games.blackjack.position import (
    COPIES,
    EMPTY,
    NATURAL,
    RANK_OF,
    SOFT_21,
    SURRENDERED,
    VALUES,
    Position,
    acted,
    after,
    hand_after,
)
from tourney.games.blackjack.rules import BlackjackRules

HIGH_LOW = (1, 1, 1, 1, 1, 0, 0, 0, -1, -1)
"""Points of each of VALUES, from 2 to ace, in the most common count."""
MOST = 10
COUNTS = np.arange(-MOST, MOST + 1)
"""True counts: points per 52 unseen cards, rounded to the nearest."""
NEUTRAL = MOST  # the index of 0
DECIDED = (Action.SURRENDER, Action.SPLIT, Action.DOUBLE, Action.STAND, Action.HIT)
"""Moves in the order in which players decide for or against them."""

Figures: TypeAlias = NDArray[np.float64]
"""A number for each of COUNTS."""


class Deviation(NamedTuple):
    """A move that is best from a count on, or up to a count."""

    hand: str  # such as "hard 16", "soft 18" or "pair of 10"
    upcard: int  # its value; an ace is 11
    move: Action
    instead_of: Action  # beyond that count
    true_count: int
    is_from: bool  # from this count on; otherwise up to it
    worth: float  # minimums gained in 100 rounds of one minimum, against the play at count 0

    def row(self) -> Sequence[str]:
        """Return the words of a table row: `hard 16`, `10`, `stand`, `from +1`, `hit`."""
        upcard = "ace" if self.upcard == ACE_VALUE else str(self.upcard)
        count = f"{self.true_count:+d}" if self.true_count else "0"
        when = f"{'from' if self.is_from else 'up to'} {count}"
        return self.hand, upcard, str(self.move), when, str(self.instead_of)


def deviations(rules: BlackjackRules, tags: Sequence[int] = HIGH_LOW) -> list[Deviation]:
    """Find the moves that change with a count, the most valuable first.

    Args:
        rules: A game with several rounds per shoe; otherwise counting is useless.
        tags: Points of each value, from 2 to ace, in a balanced count.
    Raises: RulesError, if counting is useless in this game, or the tags are not a balanced count.
    """
    points = _checked(tags)
    often, mixes = _how_often(rules, points), _mixes(points)
    choices = [
        choice
        for upcard, mix in zip(VALUES, mixes, strict=True)
        for choice in _Against(rules, upcard, mixes).choices(often * mix)
    ]
    if rules.insurance == "offered":
        *_, tens, aces = mixes
        gain = (3 * tens - 1) / 2  # half a wager, paid twice if the hole card counts ten
        declined = [Action.DECLINE] * len(COUNTS)
        choices.append(_Choice("any hand", ACE_VALUE, Action.INSURE, gain, declined, often * aces))
    found = [each for choice in choices for each in choice.deviations()]
    return sorted(found, key=lambda each: -each.worth)


def _checked(tags: Sequence[int]) -> Figures:
    """Return the points of each value as an array.

    Raises: RulesError, if they are not a balanced count.
    """
    if len(tags) != len(VALUES) or sum(map(mul, tags, COPIES)) or not any(tags):
        raise RulesError(
            f"tags: expected {len(VALUES)} points, from 2 to ace, that sum to 0 over all ranks, "
            f"such as {' '.join(map(str, HIGH_LOW))}, got {' '.join(map(str, tags))}"
        )
    return np.array(tags, dtype=float)


def _spread(tags: Figures) -> float:
    """Return the variance of a card's points."""
    return float((tags**2 * COPIES).sum() / RANKS)


def _mixes(tags: Figures) -> Figures:
    """Return the share of each value among the unseen cards at each count; shape (10, counts)."""
    rarer = tags[:, None] * COUNTS / (DECK_SIZE * _spread(tags))
    # A share cannot be negative; the formula gives this only for tags on few ranks.
    left = np.array(COPIES)[:, None] * np.maximum(1 - rarer, 0)
    mixes: Figures = left / left.sum(axis=0)
    return mixes


def _how_often(rules: BlackjackRules, tags: Figures) -> Figures:
    """Return the probability of each true count before a round.

    Raises: RulesError, if every round has a new shoe, or the dealer shows both cards.
    """
    if rules.dealer_shows != "upcard":
        raise RulesError(
            f"dealer_shows: deviations cannot be computed for {rules.dealer_shows!r}; add "
            "dealer_shows=upcard"
        )
    if rules.deals_fresh:
        raise RulesError(
            "reshuffle: deviations need a shoe that lasts several rounds, for a count; these rules "
            f"have decks: {rules.decks}, reshuffle: {rules.reshuffle}"
        )
    from scipy.special import ndtr  # noqa: PLC0415 - slow to import, and rarely needed

    assert isinstance(rules.decks, int)
    assert isinstance(rules.reshuffle, int)
    cards = DECK_SIZE * rules.decks
    cut = max(rules.reshuffle, -(-cards * rules.reshuffle_percent // 100))
    seen = np.arange(1, cards - cut + 1)
    left = cards - seen
    # Points of the seen cards: drawn without replacement, approximately normal.
    sd = np.sqrt(_spread(tags) * seen * left / (cards - 1)) * DECK_SIZE / left
    edges = np.concatenate(([-np.inf], COUNTS[1:] - 0.5, [np.inf]))
    below = ndtr(edges / sd[:, None])
    often: Figures = np.diff(below).mean(axis=0)
    return often


@dataclass(slots=True)
class _Choice:
    """A move that may be chosen or not, in all situations with one description."""

    hand: str
    upcard: int
    move: Action
    gain: Figures  # its value minus that of the best other move
    others: Sequence[Action]  # the best other move at each count
    weight: Figures  # decisions per round

    def deviations(self) -> Iterator[Deviation]:
        """List its changes with the count: above 0, below 0, or on both sides.

        If it changes again further out, the first change counts, and the loss further out is
        subtracted from its value.
        """
        is_best = self.gain > 0
        is_usual = bool(is_best[NEUTRAL])
        for step in (1, -1):
            side = range(NEUTRAL + step, len(COUNTS) if step > 0 else -1, step)
            differing = [place for place in side if is_best[place] != is_usual]
            if not differing:
                continue
            edge = differing[0]
            further = list(range(edge, side.stop, step))
            gained = float((self.weight * self.gain)[further].sum())
            worth = -100 * gained if is_usual else 100 * gained
            if worth > 0:
                last, other = (edge - step, edge) if is_usual else (edge, edge - step)
                is_from = (step > 0) != is_usual
                count, beyond = int(COUNTS[last]), self.others[other]
                yield Deviation(self.hand, self.upcard, self.move, beyond, count, is_from, worth)


class _Against(BestPlay[Figures]):
    """The best play against one upcard, at all counts together. Values are in wagers."""

    def __init__(self, rules: BlackjackRules, upcard: int, mixes: Figures) -> None:
        super().__init__(rules)
        self._upcard, self._mixes = upcard, mixes
        ends = finals_of(rules, np.ones(len(COUNTS)), mixes)
        first = hand_after(0, upcard)
        seconds = [hand_after(first, value) for value in VALUES]
        is_natural = np.array([[hand == SOFT_21] for hand in seconds])
        beats, is_late = rules.dealer_natural != "is-21", rules.dealer_natural != "wins-at-once"
        likely = mixes * ~(is_natural & beats)
        self._natural = (mixes * (is_natural & beats & is_late)).sum(axis=0)
        whole = likely.sum(axis=0) + self._natural
        self._continues = whole  # probability that no dealer's natural ends the round
        self._natural = self._natural / whole
        self._finals = [
            sum(likely[number] * ends(hand)[place] for number, hand in enumerate(seconds)) / whole
            for place in range(len(FINALS))
        ]

    def settled(self, position: Position) -> Figures:
        if position.status == SURRENDERED:
            return np.full(len(COUNTS), -0.5)
        return against(position.hand, self._finals, -self._natural)

    def best(self, moves: Mapping[Action, Figures]) -> Figures:
        best: Figures = np.maximum.reduce(list(moves.values()))
        return best

    def _dealt(self, position: Position) -> Figures:
        worths = [self.worth(after(position, rank)) for rank in RANK_OF]
        worth: Figures = sum(map(mul, worths, self._mixes), np.zeros(len(COUNTS)))
        return worth

    def choices(self, often: Figures) -> Iterator[_Choice]:
        """List all moves that may be chosen or not.

        Args:
            often: The joint probability of each count and this upcard.
        """
        found: dict[tuple[str, Action], _Choice] = {}
        for position, reach in self._reached().items():
            worths = self.moves(position)
            order = [move for move in DECIDED if move in worths]
            hand, weight = _name(position, Action.SPLIT in worths), reach * often * self._continues
            for number, move in enumerate(order[:-1], 1):
                rest = np.array([worths[other] for other in order[number:]])
                gain = worths[move] - rest.max(axis=0)
                others = [order[number + place] for place in rest.argmax(axis=0)]
                choice = _Choice(hand, self._upcard, move, gain, others, np.zeros(len(COUNTS)))
                found.setdefault((hand, move), choice).weight += weight
                weight = weight * (gain <= 0)
        yield from found.values()

    def _reached(self) -> dict[Position, Figures]:
        """Return the positions with a choice, and how often a round reaches each."""
        found: dict[Position, Figures] = defaultdict(lambda: np.zeros(len(COUNTS)))
        waiting = {after(EMPTY, rank): mix for rank, mix in zip(RANK_OF, self._mixes, strict=True)}
        waiting = self._after_a_card(waiting)
        while waiting:
            drawing: dict[Position, Figures] = defaultdict(lambda: np.zeros(len(COUNTS)))
            for position, reach in waiting.items():
                moves = {} if position.status == NATURAL else self.moves(position)
                if not moves:
                    continue
                found[position] += reach
                best = np.array(list(moves.values())).argmax(axis=0)
                for number, move in enumerate(moves):
                    if move in (Action.HIT, Action.SPLIT):
                        times = 2 if move is Action.SPLIT else 1
                        drawing[acted(position, move)] += times * reach * (best == number)
            waiting = self._after_a_card(drawing)
        return found

    def _after_a_card(self, reaches: Mapping[Position, Figures]) -> dict[Position, Figures]:
        found: dict[Position, Figures] = defaultdict(lambda: np.zeros(len(COUNTS)))
        for position, reach in reaches.items():
            for rank, mix in zip(RANK_OF, self._mixes, strict=True):
                found[after(position, rank)] += reach * mix
        return found


def _name(position: Position, is_pair: bool) -> str:  # noqa: FBT001 - one of two
    """Name a hand; it is a pair only if it may be split."""
    total, is_soft = position.hand % TOTALS, position.hand >= TOTALS
    if is_pair:
        return f"pair of {'aces' if is_soft else total // 2}"
    return f"{'soft' if is_soft else 'hard'} {total}"
