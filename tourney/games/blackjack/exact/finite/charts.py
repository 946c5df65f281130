"""The best play against one upcard, and its conversion to a chart.

Hands with equal keys are played alike. The value of a hand is a sum over the ways to reach it, and
the value of a key is the sum over its hands. The best order of moves of each key is computed while
the rest of the plan stays. This is repeated until the plan does not change. Then no change of a
single key wins more.
"""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tourney.errors import RulesError
from tourney.games.blackjack.action import Action
from tourney.games.blackjack.declaration import (
    FIRST_PAIR,
    HARD,
    LETTER_OF,
    ROWS,
    UPCARDS,
    Cell,
    total_row,
    upcard_column,
)
from tourney.games.blackjack.exact.finite.hand_set import (
    CHOICES,
    HITS,
    MOVES,
    NO_CHOICE,
    SURRENDERS,
    Floats,
    Group,
    Kind,
    Places,
    held,
)
from tourney.games.blackjack.exact.finite.information import FIRST_OPEN, ORDERS, cell_of
from tourney.games.blackjack.exact.finite.upcard_game import Game, Plan, UpcardGame
from tourney.games.blackjack.exact.policy import MEASURE, Policy
from tourney.games.blackjack.players import Chart
from tourney.games.blackjack.position import EMPTY, PAIR, RANK_OF, VALUES, acted, after, legal

MOST_STEPS = 100
RARELY = 1e-9
"""Small weight of hands that the plan never reaches, so that their moves are good, too."""

Orders = NDArray[np.int64]
"""Index in ORDERS, by key."""


@dataclass(frozen=True, slots=True)
class Keys:
    """The keys of hands; hands with equal keys are played alike.

    Args:
        first: Key of each first hand.
        split: Keys of the hands of a split, by the index of the pair's value.
        number: Number of keys.
    """

    first: Places
    split: dict[int, Places]
    number: int


@dataclass(frozen=True, slots=True)
class Best:
    """The best play against an upcard.

    Args:
        plan: The move of every hand.
        orders: The order of moves of each key, without splits.
        seconds: Indices of values whose pairs surrender, and whose second choice is a split.
        value: The value of a round against this upcard.
    """

    plan: Plan
    orders: Orders
    seconds: frozenset[int]
    value: float


class Improver:
    """Improves a plan step by step."""

    def __init__(self, column: UpcardGame, keys: Keys) -> None:
        self._column, self._keys = column, keys
        always = np.full(len(keys.first), HITS)
        starts = np.zeros((1, len(keys.first)))
        starts[0] = column.starts
        self._seldom = RARELY * column.first.reached(starts, always)
        self._seldom_split = {}
        for place, split in column.splits.items():
            chance = RARELY * column.starts[split.pair] * (split.starts > 0)
            hits = np.full(len(keys.split[place]), HITS)
            self._seldom_split[place] = split.group.reached(chance / max(1, chance.size), hits)

    def best(self) -> Best:
        """Improve until the plan does not change; after MOST_STEPS, return the best plan so far."""
        found: Best | None = None
        orders = np.full(self._keys.number, 1)
        pairs: frozenset[int] = frozenset()
        for _ in range(MOST_STEPS):
            plan = self._plan(orders, pairs)
            better, pairs_then, seconds = self._step(plan)
            value = self._column.value(plan)
            if found is None or value > found.value:
                found = Best(plan, orders, seconds, value)
            if (better == orders).all() and pairs_then == pairs:
                return Best(plan, orders, seconds, value)
            orders, pairs = better, pairs_then
        assert found is not None
        return found

    def _plan(self, orders: Orders, pairs: frozenset[int]) -> Plan:
        game = self._column.game
        split = {
            place: FIRST_OPEN[orders[keys], game.split[place].choices]
            for place, keys in self._keys.split.items()
        }
        return Plan(FIRST_OPEN[orders[self._keys.first], game.first.choices], split, pairs)

    def _step(self, plan: Plan) -> tuple[Orders, frozenset[int], frozenset[int]]:
        """Find the best orders and splits while the rest of the plan stays."""
        column, sums = self._column, _Sums(self._keys.number)
        starts = column.starts.copy()
        _, hit = column.first.worths(plan.first)
        pairs, seconds = set(), set()
        for place, split in column.splits.items():
            of_pair = column.split_value(place, plan.split[place])
            worths = column.first.of_moves(hit)[:, 0, split.pair]
            choices = column.game.first.choices[split.pair]
            values = {move: worths[move] for move in CHOICES[choices]}
            worth = of_pair + column.first.alive[0, split.pair]
            if worth > max(values.values()):
                pairs.add(place)
                apart = split.alike * starts[split.pair]
                starts[split.pair] -= apart
            else:
                apart = 0.0
                if worth > max(values[move] for move in values if move != SURRENDERS):
                    seconds.add(place)
            weights = self._seldom_split[place] + apart * split.group.reached(
                split.starts, plan.split[place]
            )
            sums.add(split.group, self._keys.split[place], weights, plan.split[place])
        weights = self._seldom + column.first.reached(starts[None], plan.first)
        sums.add(column.first, self._keys.first, weights, plan.first)
        return sums.orders(), frozenset(pairs), frozenset(seconds)


class _Sums:
    """The worth of each move, summed over all hands of a key."""

    def __init__(self, keys: int) -> None:
        self._keys = keys
        self._sums = np.zeros((keys, len(CHOICES), len(MOVES)))

    def add(self, group: Group, keys: Places, weights: Floats, moves: Places) -> None:
        """Add hands, weighted by their frequencies."""
        _, hit = group.worths(moves)
        worths = (weights * group.of_moves(hit)).sum(axis=1)
        for move, row in enumerate(worths):
            np.add.at(self._sums[..., move], (keys, group.kind.choices), row)

    def orders(self) -> Orders:
        """Return the best order for each key; keys without hands hit."""
        values = np.zeros((len(ORDERS), self._keys))
        for order, firsts in enumerate(FIRST_OPEN):
            for choice in range(NO_CHOICE + 1, len(CHOICES)):
                values[order] += self._sums[:, choice, firsts[choice]]
                # Among equal orders, prefer the better last move.
                values[order] += RARELY * self._sums[:, choice, ORDERS[order][-1]]
        best: Orders = values.argmax(axis=0)
        best[(values == 0).all(axis=0)] = ORDERS.index((HITS,))
        return best


def chart_of(game: Game, bests: dict[int, Best]) -> Chart:
    """Write the best play by totals as a chart."""
    columns = []
    for upcard in range(len(VALUES)):
        cells: list[Cell] = [(Action.HIT,)] * len(ROWS)
        if best := bests.get(upcard):
            cells = [cell_of(order) for order in best.orders]
            for place in game.split:
                cells[FIRST_PAIR + place] = _pair_cell(game, best, place)
        columns.append(cells)
    return Chart(tuple(zip(*columns, strict=True)), shows_both=False, source="solved")


def _pair_cell(game: Game, best: Best, place: int) -> Cell:
    """Return the cell of a pair: whether it is split, and its moves if it cannot be split."""
    order = best.orders[FIRST_PAIR + place]
    if place in best.seconds and cell_of(order)[0] is Action.SURRENDER:
        return (Action.SURRENDER, Action.SPLIT)
    if place not in best.plan.pairs:
        return cell_of(order)
    kind = game.split[place]
    # Surrender is legal only for a dealt hand, and a dealt pair is split.
    after_split = tuple(move for move in cell_of(order) if move is not Action.SURRENDER)
    pairs = np.flatnonzero(kind.hands.counts[:, place] == PAIR)[:1]
    choices = kind.choices[pairs]
    # If the cell has only a split, the row of the total applies.
    value = VALUES[place]
    total = HARD[0] if value == VALUES[-1] else 2 * value
    rest = best.orders[total_row(total, soft=False)]
    if (FIRST_OPEN[rest, choices] == FIRST_OPEN[order, choices]).all():
        return (Action.SPLIT,)
    return (Action.SPLIT, *after_split)


def notes_of(column: UpcardGame, charted: Best, best: Best) -> Iterator[str]:
    """List the first hands that occur and whose best move differs from the chart.

    Returns: Notes such as "10 2 against 4: H".
    """
    starts = column.starts[None].copy()
    for place, split in column.splits.items():
        is_split = place in best.plan.pairs
        if is_split:
            starts[0, split.pair] = 0
        if is_split != (place in charted.plan.pairs):
            move = Action.SPLIT if is_split else MOVES[best.plan.first[split.pair]]
            yield _note(column, split.pair, move)
    reached = column.first.reached(starts, best.plan.first)[0] > 0
    differs = best.plan.first != charted.plan.first
    for hand in np.flatnonzero(reached & differs).tolist():
        yield _note(column, hand, MOVES[best.plan.first[hand]])


def _note(column: UpcardGame, hand: int, move: Action) -> str:
    values = held(column.game.first.hands.counts[hand])
    cards = " ".join(UPCARDS[upcard_column(value)] for value in values)
    return f"{cards} against {UPCARDS[column.upcard]}: {LETTER_OF[move]}"


def plan_of(policy: Policy, column: UpcardGame) -> Plan:
    """Return the moves of a policy against an upcard.

    Raises: RulesError, if it splits a pair sometimes, but not always.
    """
    game, key = column.game, policy.key((VALUES[column.upcard],))
    pairs = frozenset(place for place in range(len(VALUES)) if _splits(policy, key, place, column))
    split = {place: _moves_of(policy, key, kind) for place, kind in game.split.items()}
    return Plan(_moves_of(policy, key, game.first), split, pairs)


def _splits(policy: Policy, key: Hashable, place: int, column: UpcardGame) -> bool:
    """Return whether a policy splits a pair; it must always play it alike, as a plan requires.

    Args:
        policy: The policy.
        key: The policy's key for the upcard.
        place: The index of the pair's value.
        column: The game against this upcard.
    """
    rules, rank, cards = column.game.rules, RANK_OF[place], (VALUES[place],) * PAIR
    position = after(after(EMPTY, rank), rank)
    moves = legal(rules, position)
    if Action.SPLIT not in moves:
        return False
    answer = expected = policy.choose(key, position, cards, moves)
    is_split = answer is Action.SPLIT
    if is_split:
        position = after(acted(position, Action.SPLIT), rank)
        moves = legal(rules, position)
        if Action.SPLIT in moves:
            answer = policy.choose(key, position, cards, moves)
    else:
        others = tuple(move for move in moves if move is not Action.SPLIT)
        expected = policy.choose(key, position, cards, others)
    if answer is not expected:
        need = (
            "again after a split" if is_split else "or play it alike whether or not it may be split"
        )
        raise RulesError(
            f"the strategy answers {answer} with {cards} against {VALUES[column.upcard]}; for an "
            f"exact value with decks: {rules.decks}, it must split a pair {need}; " + MEASURE
        )
    return is_split


def _moves_of(policy: Policy, key: Hashable, kind: Kind) -> Places:
    moves = np.zeros(len(kind.positions), dtype=np.int64)
    for hand in np.flatnonzero(kind.choices != NO_CHOICE):
        legal_moves = tuple(MOVES[move] for move in sorted(CHOICES[kind.choices[hand]]))
        cards = held(kind.hands.counts[hand])
        action = policy.choose(key, kind.positions[hand], cards, legal_moves)
        moves[hand] = MOVES.index(action)
    return moves
