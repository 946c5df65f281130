"""The game against one upcard from a finite shoe, with its splits, and the value of a plan.

The value of a split is a sum over its hands, if every hand is played by its own cards. A hand
depends on the other hands only through their second cards, which may make pairs and be split
again. A second card that makes a pair is out of the shoe. A second card that does not is handled
by inclusion and exclusion: the case of any card minus the case of a pair. So the exact value is a
weighted sum of single hands, with more cards of the pair's rank out of the shoe.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import comb, perm

import numpy as np

from tourney.games.blackjack.action import Action
from tourney.games.blackjack.exact.finite.hand_set import (
    Counts,
    DealerTree,
    Floats,
    Group,
    Kind,
    Places,
    all_hands,
    kind_of,
)
from tourney.games.blackjack.position import (
    EMPTY,
    NATURAL,
    PAIR,
    RANK_OF,
    SPLIT_ACES,
    VALUES,
    acted,
    after,
    legal,
)
from tourney.games.blackjack.rules import BlackjackRules

TENS = VALUES.index(10)
_Parts = Mapping[int, float]
"""Weight of a hand, by the number of equal cards out of the shoe in addition to the pair."""


@dataclass(frozen=True, slots=True)
class Game:
    """Rules, a shoe, and the possible hands.

    Args:
        rules: The game.
        shoe: Cards of each of VALUES; shape (10,).
        ten_ranks: Number of ranks among the tens of the shoe, all equally frequent.
        natural: The win of a natural, in minimums.
        first: First hands.
        split: Hands of a split, by the index of the pair's value.
    """

    rules: BlackjackRules
    shoe: Counts
    ten_ranks: int
    natural: Fraction
    first: Kind
    split: dict[int, Kind]


def game_of(rules: BlackjackRules, minimum: int, shoe: Counts, ten_ranks: int) -> Game:
    """List the hands of a game."""
    hands = all_hands()
    single = tuple(after(EMPTY, rank) for rank in RANK_OF)
    first = kind_of(rules, hands, single, None)
    split = {}
    for place, rank in enumerate(RANK_OF):
        pair = after(single[place], rank)
        if Action.SPLIT not in legal(rules, pair):
            continue
        origin = acted(pair, Action.SPLIT)
        wanted = hands.counts[:, place] > 0
        if origin.origin == SPLIT_ACES and rules.split_aces != "played":
            wanted &= hands.cards == PAIR
        split[place] = kind_of(rules, hands.only(wanted), (origin,), place)
    wager = minimum * rules.unit
    natural = Fraction(rules.natural_net(wager), wager)
    return Game(rules, shoe, ten_ranks, natural, first, split)


@dataclass(frozen=True, slots=True)
class Split:
    """The hands of a split pair.

    Args:
        group: The hands.
        starts: Weight of each hand of two cards; shape (shoes, hands).
        alike: Probability that the pair may be split, if ranks matter.
        pair: Index of the pair among first hands.
    """

    group: Group
    starts: Floats
    alike: float
    pair: int


@dataclass(slots=True)
class Plan:
    """The moves of all hands.

    Args:
        first: Index in MOVES for each first hand; shape (hands,).
        split: The same for hands of a split, by the index of the pair's value.
        pairs: Indices of the values that are split.
    """

    first: Places
    split: dict[int, Places]
    pairs: frozenset[int]


class UpcardGame:
    """A game against one upcard."""

    def __init__(self, game: Game, upcard: int) -> None:
        """Compute the dealer's final hands against every hand.

        Args:
            game: The game.
            upcard: Index of the upcard's value in VALUES.
        """
        self.game, self.upcard = game, upcard
        self.chance = float(game.shoe[upcard] / game.shoe.sum())
        self.left = game.shoe.copy()
        self.left[upcard] -= 1
        self._peeks = game.rules.dealer_natural == "wins-at-once"
        self._tree = DealerTree(game.rules, VALUES[upcard])
        self.first = self._group(game.first, np.array([0]))
        self.starts, self._of_natural = self._first_starts()
        self.splits = {place: split for place, split in self._make_splits() if split.starts.size}

    def value(self, plan: Plan) -> float:
        """Compute the value of a round against this upcard, in minimums."""
        worth, _ = self.first.worths(plan.first)
        values = (worth - self.first.alive)[0]
        for place in plan.pairs & set(self.splits):
            split = self.splits[place]
            apart = (1 - split.alike) * values[split.pair]
            values[split.pair] = apart + split.alike * self.split_value(place, plan.split[place])
        if self._peeks:
            values -= self.first.naturals[0]
        return float(self.starts @ values) + self._of_natural

    def split_value(self, place: int, moves: Places) -> float:
        """Compute the value of all hands of a split together."""
        split = self.splits[place]
        worth, _ = split.group.worths(moves)
        return float((split.starts * (worth - split.group.alive)).sum())

    def _group(self, kind: Kind, out: Places) -> Group:
        return Group(kind, self.left, out, self._tree, peeks=self._peeks)

    def _first_starts(self) -> tuple[Floats, float]:
        """Return the probabilities of first hands except naturals, and the value of naturals."""
        kind, cards = self.game.first, int(self.left.sum())
        starts = np.zeros(len(kind.positions))
        of_natural = 0.0
        for place in range(*self.first.twos.indices(len(starts))):
            counts = kind.hands.counts[place]
            one, other = np.flatnonzero(counts)[[0, -1]]
            ways = self.left[one] * (self.left[other] - (one == other)) * (1 + (one != other))
            chance = max(0, ways) / (cards * (cards - 1))
            if kind.positions[place].status == NATURAL:
                of_natural = chance * (1 - self.first.naturals[0, place]) * float(self.game.natural)
            else:
                starts[place] = chance
        return starts, of_natural

    def _make_splits(self) -> Iterator[tuple[int, Split]]:
        rules = self.game.rules
        for place, kind in self.game.split.items():
            if self.left[place] < PAIR:
                continue
            is_aces = kind.positions[0].origin == SPLIT_ACES
            most = 2 if is_aces and rules.split_aces == "one-card" else rules.hands
            cases, alike = self._cases(place)
            seconds = _second_cards(self.left.astype(np.float64), place, cases, most)
            out = np.array(sorted(number for number in seconds if number < self.left[place]))
            group = self._group(kind, out)
            starts = np.zeros((len(out), len(kind.positions)))
            for hand in range(*group.twos.indices(len(kind.positions))):
                counts = kind.hands.counts[hand].copy()
                counts[place] -= 1
                second = int(np.flatnonzero(counts)[0])
                starts[:, hand] = [seconds[number][second] for number in out]
            pair = int(np.flatnonzero(self.game.first.hands.counts[:, place] == PAIR)[0])
            yield place, Split(group, starts, alike, pair)

    def _cases(self, place: int) -> tuple[list[tuple[float, int]], float]:
        """List (probability, cards that make a pair again); return also the chance to split."""
        left, ranks = int(self.left[place]), self.game.ten_ranks
        if place != TENS or self.game.rules.split != "by-rank":
            return [(1.0, left - 2)], 1.0
        tens = int(self.game.shoe[TENS])
        copies = tens // ranks
        if self.upcard != TENS:
            return [(1.0, copies - 2)], (copies - 1) / (tens - 1)
        # Given two tens of the player and a ten of the dealer: three or two have the same rank.
        both = (tens - 1) * (tens - 2)
        all_three = (copies - 1) * (copies - 2) / both
        two = (tens - copies) * (copies - 1) / both
        alike = all_three + two
        return [(all_three / alike, copies - 3), (two / alike, copies - 2)], alike


def _shares_of(alike: int, cards: int, most_hands: int) -> tuple[_Parts, _Parts]:
    """Compute the weight of each hand of a split.

    Args:
        alike: Cards left that make a pair again.
        cards: Total cards left.
        most_hands: Limit on a seat's hands.
    Returns: Those of hands that are not pairs, and of pairs that are not split again.
    """
    unlike: dict[int, float] = defaultdict(float)
    pairs: dict[int, float] = defaultdict(float)
    for (closed, opened, drawn), ways in _ends(most_hands).items():
        if drawn > alike:
            continue
        chance = ways * perm(alike, drawn) / perm(cards, drawn)
        kinds = ((unlike, closed, closed - 1), (pairs, opened, closed))
        for parts, hands, others in kinds:
            for more, part in (
                _parts_with_others(others, alike - drawn, cards - drawn).items() if hands else ()
            ):
                parts[drawn + more] += chance * hands * part
    return unlike, pairs


def _ends(most_hands: int) -> dict[tuple[int, int, int], int]:
    """Count the ways to each (hands that are not pairs, pairs, equal cards drawn)."""
    ends: dict[tuple[int, int, int], int] = defaultdict(int)
    states = {(0, 1, 0): 1}
    while states:
        again: dict[tuple[int, int, int], int] = defaultdict(int)
        for (closed, opened, drawn), ways in states.items():
            if not opened or closed + opened == most_hands:
                ends[closed, opened, drawn] += ways
                continue
            for new in range(3):  # pairs among the two hands of this split
                state = closed + 2 - new, opened - 1 + new, drawn + new
                again[state] += ways * comb(2, new)
        states = again
    return ends


def _parts_with_others(others: int, alike: int, cards: int) -> _Parts:
    """Compute the weights of a hand, given that other hands are not pairs.

    Args:
        others: Number of other hands.
        alike: Cards left that make a pair.
        cards: Total cards left.
    Returns: Weights by the number of equal cards out of the shoe.
    """
    if not others:
        return {0: 1.0}
    parts = dict(_parts_with_others(others - 1, alike, cards))
    if alike:
        for out, part in _parts_with_others(others - 1, alike - 1, cards - 1).items():
            parts[out + 1] = parts.get(out + 1, 0.0) - part * alike / cards
    return parts


def _second_cards(
    left: Floats, place: int, cases: list[tuple[float, int]], most_hands: int
) -> dict[int, Floats]:
    """Compute the weight of each second card of a split hand.

    Args:
        left: Cards of each value without the upcard, but with the pair; shape (10,).
        place: Index of the pair's value.
        cases: (probability, cards left that make a pair again) for each case of ranks.
        most_hands: Limit on a seat's hands.
    Returns: Weights by value of the second card, of shape (10,), by the number of cards of the
        pair's value out of the shoe in addition to those of the hand.
    """
    found: dict[int, Floats] = defaultdict(lambda: np.zeros(len(left)))
    pair = np.zeros(len(left))
    pair[place] = 1
    for chance, alike in cases:
        cards = int(left.sum()) - 2
        unlike, pairs = _shares_of(alike, cards, most_hands)
        for drawn, share in unlike.items():
            seconds = left - (2 + drawn) * pair
            seconds[place] -= alike - drawn
            found[drawn + 1] += chance * share * seconds / (cards - drawn)
        for drawn, share in pairs.items():
            found[drawn] += chance * share * pair
    return dict(found)
