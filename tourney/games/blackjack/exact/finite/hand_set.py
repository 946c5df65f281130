"""Hands of players and dealers in finite shoes, without the order of cards.

The hands of a set are played from equal shoes: the first hands of rounds, or the hands of one
split. A shoe is the cards left without the upcard and without the cards that other hands took. A
worth is a value plus the probability that the round is not over, so that a busted hand has worth 0.
Both are joint with the event that no dealer's natural has ended the round, so that cards can be
drawn as if the dealer had not peeked.

The draws that a dealer can add to an upcard form a tree of compositions. Its branches add cards in
the order of their values, and a leaf holds the number of orders in which its cards can come. One
walk through the tree computes thousands of shoes together.
"""

from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from tourney.games.blackjack.action import Action
from tourney.games.blackjack.exact.dynamic_programme import FINALS
from tourney.games.blackjack.exact.fresh import AT_ONCE, dealer_hands
from tourney.games.blackjack.hand import BEST_TOTAL
from tourney.games.blackjack.position import (
    BUST,
    MORE,
    PAIR,
    RANK_OF,
    VALUES,
    Position,
    after,
    hand_after,
    legal,
    total_of,
)
from tourney.games.blackjack.rules import BlackjackRules

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Hands:
    """Hands of two or more cards that are not bust, sorted by number of cards.

    Args:
        counts: Cards of each of VALUES; shape (hands, 10).
        cards: Number of cards of each hand; shape (hands,).
        numbers: The number of each hand, as in `position`.
        nexts: Index of the hand after a card of each value, or -1 if it busts; shape (hands, 10).
    """

    counts: Ints
    cards: Ints
    numbers: tuple[int, ...]
    nexts: Ints

    def only(self, wanted: NDArray[np.bool_]) -> "Hands":
        """Select some of the hands; a card that leads to another hand gets -1."""
        places = np.flatnonzero(wanted)
        moved = np.full(len(self.cards) + 1, -1)  # the last is for busts
        moved[places] = range(len(places))
        numbers = tuple(self.numbers[place] for place in places)
        return Hands(self.counts[places], self.cards[places], numbers, moved[self.nexts[places]])

    def positions(self, single: tuple[Position, ...]) -> list[Position]:
        """Return the position of each hand.

        Args:
            single: Positions of hands of one card, by the index of its value, or only that of a
                split card. Hands of two cards start with their lowest value, or the split card.
        """
        found = []
        for counts, cards, number in zip(self.counts, self.cards, self.numbers, strict=True):
            if cards > PAIR:
                found.append(Position(number, MORE))
                continue
            held = [place for place, copies in enumerate(counts) for _ in range(copies)]
            if len(single) == 1:  # after a split
                held.remove(VALUES.index(single[0].hand % (BEST_TOTAL + 1)))
                found.append(after(single[0], RANK_OF[held[0]]))
            else:
                found.append(after(single[held[0]], RANK_OF[held[1]]))
        return found


@cache
def all_hands() -> Hands:
    """Return all hands of two or more cards from an infinite shoe."""
    nothing = (0,) * len(VALUES)
    found: dict[tuple[int, ...], int] = {}
    numbers = {nothing: 0}
    waiting = [nothing]
    for counts in waiting:  # the loop appends to it
        if sum(counts) >= PAIR:
            found[counts] = len(found)
        for place, value in enumerate(VALUES):
            more = _with_card(counts, place)
            number = hand_after(numbers[counts], value)
            if more not in numbers and number != BUST:
                numbers[more] = number
                waiting.append(more)
    nexts = [
        [found.get(_with_card(each, place), -1) for place in range(len(VALUES))] for each in found
    ]
    counts_of = np.array(list(found))
    return Hands(
        counts_of, counts_of.sum(axis=1), tuple(numbers[each] for each in found), np.array(nexts)
    )


def held(counts: Ints) -> tuple[int, ...]:
    """Return the values of a hand's cards, ascending."""
    return tuple(value for value, copies in zip(VALUES, counts, strict=True) for _ in range(copies))


def _with_card(counts: tuple[int, ...], place: int) -> tuple[int, ...]:
    return (*counts[:place], counts[place] + 1, *counts[place + 1 :])


Floats = NDArray[np.float64]
Counts = NDArray[np.int64]
"""Cards of each of VALUES, from 2 to ace, in the last axis."""

NATURAL_FINAL = len(FINALS)
"""Index of a natural that beats all, after those of FINALS."""
PLACE_OF_TOTAL = {total_of(final): place for place, final in enumerate(FINALS)}
AT_A_TIME = 4096
"""Shoes in one walk; their data fit in the processor's cache."""


@dataclass(slots=True)
class Branch:
    """One more card of a value, and the possible continuations.

    Args:
        place: Index of the value in VALUES.
        drawn: Cards of the value before this one.
        leaves: (index of the final hand, cards drawn, orders), if the dealer may be finished.
        branches: Branches with cards of this value or higher values.
    """

    place: int
    drawn: int
    leaves: list[tuple[int, int, int]] = field(default_factory=list)
    branches: "dict[int, Branch]" = field(default_factory=dict)


class DealerTree:
    """All draws of a dealer to an upcard."""

    def __init__(self, rules: BlackjackRules, upcard: int) -> None:
        self._root = Branch(0, 0)
        self._most = 0
        for drawn in dealer_hands(upcard, rules):
            branch = self._root
            for place, copies in drawn.counts:
                for number in range(copies):
                    branch = branch.branches.setdefault(place, Branch(place, number))
            final = drawn.final
            place = NATURAL_FINAL if final == AT_ONCE else PLACE_OF_TOTAL[total_of(final)]
            branch.leaves.append((place, drawn.cards, drawn.orders))
            self._most = max(self._most, drawn.cards)

    def finals(self, left: Counts) -> Floats:
        """Compute the probability of each final hand.

        Args:
            left: Cards of each value that the dealer draws from; shape (shoes, 10).
        Returns: Shape (shoes, finals and a natural).
        """
        found = np.empty((len(left), NATURAL_FINAL + 1))
        for start in range(0, len(left), AT_A_TIME):
            part = slice(start, start + AT_A_TIME)
            found[part] = self._finals(left[part])
        return found

    def _finals(self, left: Counts) -> Floats:
        cards_left = left.sum(axis=1)
        ways = np.zeros((self._most + 1, NATURAL_FINAL + 1, len(left)))
        columns = np.ascontiguousarray(left.T, dtype=np.float64)
        for branch in self._root.branches.values():
            _walk(branch, columns[branch.place], columns, ways)
        found = np.zeros((NATURAL_FINAL + 1, len(left)))
        deals = np.ones(len(left))
        for cards in range(1, self._most + 1):
            deals = deals * np.maximum(cards_left - cards + 1, 1)
            found += ways[cards] / deals
        return found.T


def _walk(branch: Branch, times: Floats, columns: Floats, ways: Floats) -> None:
    """Add the leaves of a branch and of its branches to `ways`.

    Args:
        branch: The current branch.
        times: Number of ways to pick its cards in order; shape (shoes,).
        columns: Cards of each value; shape (10, shoes).
        ways: The sums; shape (cards, finals, shoes).
    """
    for final, cards, orders in branch.leaves:
        ways[cards, final] += times if orders == 1 else orders * times
    for each in branch.branches.values():
        column = columns[each.place]
        _walk(each, times * (column - each.drawn if each.drawn else column), columns, ways)


MOVES = (Action.STAND, Action.HIT, Action.DOUBLE, Action.SURRENDER)
STANDS, HITS, DOUBLES, SURRENDERS = range(len(MOVES))
NO_CHOICE = 0
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
        self.kind = kind
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
