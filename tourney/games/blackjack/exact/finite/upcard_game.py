"""All that can happen against one upcard, and what a way to play it is worth."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from tourney.games.blackjack.action import Action
from tourney.games.blackjack.exact.finite.compositions import all_hands, dealt_positions
from tourney.games.blackjack.exact.finite.dealer import Counts, DealerTree, Floats
from tourney.games.blackjack.exact.finite.hand_set import Group, Kind, Places, kind_of
from tourney.games.blackjack.exact.finite.splits import second_cards
from tourney.games.blackjack.position import (
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


@dataclass(frozen=True, slots=True)
class Game:
    """Rules, a shoe, and what hands there are.

    Args:
        rules: The game.
        shoe: Cards of each of VALUES; shape (10,).
        ten_ranks: Ranks that the tens of the shoe are of, all of them as often.
        natural: What a natural wins, in minimums.
        first: First hands.
        split: Hands of a split, by the place of the pair's value.
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
    single = dealt_positions()
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
    """What a pair can be split into.

    Args:
        group: The hands.
        starts: How often each hand of two cards counts; shape (shoes, hands).
        alike: Probability that the pair may be split, where ranks matter.
        pair: Place of the pair among first hands.
    """

    group: Group
    starts: Floats
    alike: float
    pair: int


@dataclass(slots=True)
class Plan:
    """How hands are played.

    Args:
        first: Place in MOVES for each first hand; shape (hands,).
        split: The same for hands of a split, by the place of the pair's value.
        pairs: Places of the values that are split.
    """

    first: Places
    split: dict[int, Places]
    pairs: frozenset[int]


class UpcardGame:
    """A game against one upcard."""

    def __init__(self, game: Game, upcard: int) -> None:
        """Work out what the dealer comes to against every hand.

        Args:
            game: What is played.
            upcard: Place of its value in VALUES.
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
        """Give what a round is worth against this upcard, in minimums."""
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
        """Give what all hands of a split are worth together, as a value of the pair."""
        split = self.splits[place]
        worth, _ = split.group.worths(moves)
        return float((split.starts * (worth - split.group.alive)).sum())

    def _group(self, kind: Kind, out: Places) -> Group:
        return Group(kind, self.left, out, self._tree, peeks=self._peeks)

    def _first_starts(self) -> tuple[Floats, float]:
        """Give the probabilities of first hands but naturals, and what those are worth."""
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
            seconds = second_cards(self.left.astype(np.float64), place, cases, most)
            out = np.array(sorted(number for number in seconds if self._fits(place, number)))
            group = self._group(kind, out)
            starts = np.zeros((len(out), len(kind.positions)))
            for hand in range(*group.twos.indices(len(kind.positions))):
                counts = kind.hands.counts[hand].copy()
                counts[place] -= 1
                second = int(np.flatnonzero(counts)[0])
                starts[:, hand] = [seconds[number][second] for number in out]
            pair = int(np.flatnonzero(self.game.first.hands.counts[:, place] == PAIR)[0])
            yield place, Split(group, starts, alike, pair)

    def _fits(self, place: int, out: int) -> bool:
        return bool(self.left[place] > out)

    def _cases(self, place: int) -> tuple[list[tuple[float, int]], float]:
        """Give (probability, cards that make a pair again), and how probably a pair is one."""
        left, ranks = int(self.left[place]), self.game.ten_ranks
        if place != TENS or self.game.rules.split != "by-rank":
            return [(1.0, left - 2)], 1.0
        tens = int(self.game.shoe[TENS])
        copies = tens // ranks
        if self.upcard != TENS:
            return [(1.0, copies - 2)], (copies - 1) / (tens - 1)
        # Given two tens and a ten of the dealer: all of one rank, or only the two.
        both = (tens - 1) * (tens - 2)
        all_three = (copies - 1) * (copies - 2) / both
        two = (tens - copies) * (copies - 1) / both
        alike = all_three + two
        return [(all_three / alike, copies - 3), (two / alike, copies - 2)], alike
