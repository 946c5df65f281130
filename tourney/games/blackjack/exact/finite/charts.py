"""Conversions: the best play to a chart, and a policy to a plan."""

from collections.abc import Hashable, Iterator
from typing import NamedTuple

import numpy as np

from tourney.errors import RulesError
from tourney.games.blackjack.action import Action
from tourney.games.blackjack.exact.finite.compositions import held
from tourney.games.blackjack.exact.finite.hand_set import CHOICES, MOVES, NO_CHOICE, Kind, Places
from tourney.games.blackjack.exact.finite.improvement import Best
from tourney.games.blackjack.exact.finite.information import FIRST_OPEN, cell_of
from tourney.games.blackjack.exact.finite.upcard_game import Game, Plan, UpcardGame
from tourney.games.blackjack.exact.policy import MEASURE, Policy
from tourney.games.blackjack.players import Chart
from tourney.games.blackjack.players.grid import HARD, ROWS, Cell, pair_row, total_row
from tourney.games.blackjack.position import (
    DEALT,
    EMPTY,
    PAIR,
    RANK_OF,
    VALUES,
    Position,
    acted,
    after,
    legal,
)
from tourney.games.blackjack.rules import BlackjackRules


class Otherwise(NamedTuple):
    """A hand whose best move differs from the chart."""

    cards: tuple[int, ...]
    upcard: int
    cell: Cell


def chart_of(game: Game, bests: dict[int, Best]) -> Chart:
    """Write the best play by totals as a chart."""
    columns = []
    for upcard in range(len(VALUES)):
        best = bests.get(upcard)
        cells: list[Cell] = (
            [cell_of(order) for order in best.orders] if best else [(Action.HIT,)] * len(ROWS)
        )
        for place in game.split if best else ():
            row = _pair_row(place)
            cells[row] = _pair_cell(game, best, place, row) if best else cells[row]
        columns.append(cells)
    return Chart(tuple(zip(*columns, strict=True)), shows_both=False, source="solved")


def _pair_cell(game: Game, best: Best, place: int, row: int) -> Cell:
    """Return the cell of a pair: whether it is split, and its moves if it cannot be split."""
    order = best.orders[row]
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
    rest = best.orders[total_row(total, soft=False)] if total in HARD else order
    if (FIRST_OPEN[rest, choices] == FIRST_OPEN[order, choices]).all():
        return (Action.SPLIT,)
    return (Action.SPLIT, *after_split)


def _pair_row(place: int) -> int:
    value = VALUES[place]
    return pair_row(2 * value, soft=False) if value < VALUES[-1] else pair_row(12, soft=True)


def played_otherwise(column: UpcardGame, charted: Best, best: Best) -> Iterator[Otherwise]:
    """List the first hands that occur and whose best move differs from the chart."""
    game, upcard = column.game, VALUES[column.upcard]
    starts = column.starts[None].copy()
    for place, split in column.splits.items():
        if place in best.plan.pairs:
            starts[0, split.pair] = 0
        if (place in best.plan.pairs) != (place in charted.plan.pairs):
            cell: Cell = _cell(best, split.pair)
            if place in best.plan.pairs:
                cell = (Action.SPLIT,)
            yield Otherwise((VALUES[place],) * PAIR, upcard, cell)
    reached = column.first.reached(starts, best.plan.first)[0] > 0
    differs = best.plan.first != charted.plan.first
    for hand in np.flatnonzero(reached & differs):
        yield Otherwise(held(game.first.hands.counts[hand]), upcard, _cell(best, int(hand)))


def _cell(best: Best, hand: int) -> Cell:
    return (MOVES[best.plan.first[hand]],)


def plan_of(policy: Policy, column: UpcardGame) -> Plan:
    """Return the moves of a policy against an upcard.

    Raises: RulesError, if it splits a pair sometimes, but not always.
    """
    game, key = column.game, policy.key((VALUES[column.upcard],))
    pairs = set()
    for place, rank in enumerate(RANK_OF):
        position = after(after(EMPTY, rank), rank)
        if _splits(policy, key, position, place, game.rules):
            pairs.add(place)
            position = after(acted(position, Action.SPLIT), rank)
        _check_answers_alike(policy, key, position, place, column)
    split = {place: _moves_of(policy, key, kind) for place, kind in game.split.items()}
    return Plan(_moves_of(policy, key, game.first), split, frozenset(pairs))


def _splits(
    policy: Policy, key: Hashable, position: Position, place: int, rules: BlackjackRules
) -> bool:
    moves = legal(rules, position)
    cards = (VALUES[place],) * PAIR
    return Action.SPLIT in moves and policy.choose(key, position, cards, moves) is Action.SPLIT


def _check_answers_alike(
    policy: Policy, key: Hashable, position: Position, place: int, column: UpcardGame
) -> None:
    """Check that the policy always plays a pair in the same way, as a plan requires.

    Args:
        policy: The policy.
        key: The policy's key for the upcard.
        position: The pair; one from a split, if the policy splits such pairs.
        place: The index of its value.
        column: The game against this upcard.
    """
    moves, cards = legal(column.game.rules, position), (VALUES[place],) * PAIR
    if Action.SPLIT not in moves:
        return
    others = tuple(move for move in moves if move is not Action.SPLIT)
    is_split = position.origin != DEALT
    answer = policy.choose(key, position, cards, moves)
    expected = Action.SPLIT if is_split else policy.choose(key, position, cards, others)
    if answer is not expected:
        need = (
            "again after a split" if is_split else "or play it alike whether or not it may be split"
        )
        raise RulesError(
            f"the strategy answers {answer} with {cards} against {VALUES[column.upcard]}; for an "
            f"exact value with decks: {column.game.rules.decks}, it must split a pair {need}; "
            + MEASURE
        )


def _moves_of(policy: Policy, key: Hashable, kind: Kind) -> Places:
    moves = np.zeros(len(kind.positions), dtype=np.int64)
    for hand in np.flatnonzero(kind.choices != NO_CHOICE):
        legal_moves = tuple(MOVES[move] for move in sorted(CHOICES[kind.choices[hand]]))
        cards = held(kind.hands.counts[hand])
        action = policy.choose(key, kind.positions[hand], cards, legal_moves)
        moves[hand] = MOVES.index(action)
    return moves
