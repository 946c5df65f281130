"""Which moves change with a count, from which count on, and what each change is worth.

At a true count the unseen cards are taken for an endless shoe of the mix that they have on
average at that count: the ranks that a count says are gone are rarer by so much. What the hand
itself takes out of the shoe is left out, which moves an index by less than one. Pairs are split
once. How often each count comes up is that of rounds spread evenly over a shoe, up to its cut
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
from tourney.game.cards.card import RANKS
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
"""Points of each of VALUES, from 2 to ace, in the count that most players use."""
MOST = 10
COUNTS = np.arange(-MOST, MOST + 1)
"""True counts that are looked at: points per 52 unseen cards, to the nearest."""
NEUTRAL = MOST  # the place of 0
DECK = 52
DECIDED = (Action.SURRENDER, Action.SPLIT, Action.DOUBLE, Action.STAND, Action.HIT)
"""Moves in the order in which players decide for or against them."""

Figures: TypeAlias = NDArray[np.float64]
"""A number for each of COUNTS."""


class Deviation(NamedTuple):
    """A move that is best from some count on, or up to some count."""

    hand: str  # such as "hard 16", "soft 18" or "pair of 10"
    upcard: int  # what it counts; an ace 11
    move: Action
    instead_of: Action  # beyond that count
    true_count: int
    is_from: bool  # from this count on; else up to it
    worth: float  # minimums gained in 100 rounds of one minimum each, against the play at count 0

    def row(self) -> Sequence[str]:
        """Read as a player learns it: `hard 16`, `10`, `stand`, `from +1`, `hit`."""
        upcard = "ace" if self.upcard == ACE_VALUE else str(self.upcard)
        count = f"{self.true_count:+d}" if self.true_count else "0"
        when = f"{'from' if self.is_from else 'up to'} {count}"
        return self.hand, upcard, str(self.move), when, str(self.instead_of)


def deviations(rules: BlackjackRules, tags: Sequence[int] = HIGH_LOW) -> list[Deviation]:
    """Find the moves that change with a count, those that are worth most first.

    Args:
        rules: A game with a shoe that is dealt on, so that a count says something.
        tags: Points of each value, from 2 to ace, in a balanced count.
    Raises: RulesError, if a count says nothing of this game, or tags are not ten that sum to
        nothing over a deck.
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
    """Give the points of each value, as numbers.

    Raises: RulesError, if they are no balanced count.
    """
    if len(tags) != len(VALUES) or sum(map(mul, tags, COPIES)) or not any(tags):
        raise RulesError(
            f"tags: expected {len(VALUES)} points, from 2 to ace, that sum to 0 over all ranks, "
            f"such as {' '.join(map(str, HIGH_LOW))}, got {' '.join(map(str, tags))}"
        )
    return np.array(tags, dtype=float)


def _spread(tags: Figures) -> float:
    """Give the variance of a card's points."""
    return float((tags**2 * COPIES).sum() / RANKS)


def _mixes(tags: Figures) -> Figures:
    """Give how much of the unseen cards each value is at each count; shape (10, counts)."""
    rarer = tags[:, None] * COUNTS / (DECK * _spread(tags))
    # A value cannot be rarer than not at all, which only tags say that are about few ranks.
    left = np.array(COPIES)[:, None] * np.maximum(1 - rarer, 0)
    mixes: Figures = left / left.sum(axis=0)
    return mixes


def _how_often(rules: BlackjackRules, tags: Figures) -> Figures:
    """Give how probable each true count is before a round.

    Raises: RulesError, if there is none, as every round begins a new shoe.
    """
    if rules.dealer_shows != "upcard":
        raise RulesError(
            f"dealer_shows: expected upcard for deviations, got {rules.dealer_shows}: add "
            "dealer_shows=upcard"
        )
    if rules.deals_fresh:
        raise RulesError(
            "reshuffle: expected a shoe that is dealt on for deviations, as a count says nothing "
            f"of a new one, got decks: {rules.decks}, reshuffle: {rules.reshuffle}"
        )
    from scipy.special import ndtr  # noqa: PLC0415 - slow to import, and seldom needed

    assert isinstance(rules.decks, int)
    assert isinstance(rules.reshuffle, int)
    cards = DECK * rules.decks
    cut = max(rules.reshuffle, -(-cards * rules.reshuffle_percent // 100))
    seen = np.arange(1, cards - cut + 1)
    left = cards - seen
    # Points of the seen cards, drawn without putting them back, and about normal.
    sd = np.sqrt(_spread(tags) * seen * left / (cards - 1)) * DECK / left
    edges = np.concatenate(([-np.inf], COUNTS[1:] - 0.5, [np.inf]))
    below = ndtr(edges / sd[:, None])
    often: Figures = np.diff(below).mean(axis=0)
    return often


@dataclass(slots=True)
class _Choice:
    """A move that may be chosen or left, in all situations that are told alike."""

    hand: str
    upcard: int
    move: Action
    gain: Figures  # what it is worth more than the best of the others
    others: Sequence[Action]  # the best of them, at each count
    weight: Figures  # how often it is decided, a round

    def deviations(self) -> Iterator[Deviation]:
        """Give how it changes with the count: above 0, below it, or on both sides.

        Where it changes once more, further out, the first change counts, and what is lost there
        is taken from its worth.
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
    """The best play against one upcard, at all counts at once. Worths are in wagers."""

    def __init__(self, rules: BlackjackRules, upcard: int, mixes: Figures) -> None:
        super().__init__(rules)
        self._upcard, self._mixes = upcard, mixes
        ends = finals_of(rules, np.ones(len(COUNTS)), mixes)
        first = hand_after(0, upcard)
        seconds = [hand_after(first, value) for value in VALUES]
        is_natural = np.array([[hand == SOFT_21] for hand in seconds])
        beats, looks = rules.dealer_natural != "is-21", rules.dealer_natural == "wins-at-once"
        likely = mixes * ~(is_natural & beats)
        self._natural = (mixes * (is_natural & beats & ~looks)).sum(axis=0)
        whole = likely.sum(axis=0) + self._natural
        self._goes_on = whole  # how probable it is that no natural of the dealer ends the round
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
        """Give all moves that may be chosen or left.

        Args:
            often: How probable each count is, together with this upcard.
        """
        found: dict[tuple[str, Action], _Choice] = {}
        for position, reach in self._reached().items():
            worths = self.moves(position)
            order = [move for move in DECIDED if move in worths]
            hand, weight = _name(position, Action.SPLIT in worths), reach * often * self._goes_on
            for number, move in enumerate(order[:-1], 1):
                rest = np.array([worths[other] for other in order[number:]])
                gain = worths[move] - rest.max(axis=0)
                others = [order[number + place] for place in rest.argmax(axis=0)]
                choice = _Choice(hand, self._upcard, move, gain, others, np.zeros(len(COUNTS)))
                found.setdefault((hand, move), choice).weight += weight
                weight = weight * (gain <= 0)
        yield from found.values()

    def _reached(self) -> dict[Position, Figures]:
        """Give the positions in which somebody chooses, and how often a round comes to them."""
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
    """Say what a player calls a hand; a pair is one only to whoever may split it."""
    total, is_soft = position.hand % TOTALS, position.hand >= TOTALS
    if is_pair:
        return f"pair of {'aces' if is_soft else total // 2}"
    return f"{'soft' if is_soft else 'hard'} {total}"
