"""The best play with shoes that end, for three kinds of attention, and what a chart is worth.

Every round is from a full shoe, with one seat at the table. Pairs are split always or never, and
hands of a split are played as first hands of the same key are.

Insurance is never worth its price here: of 52 n cards 16 n are tens, and whoever has seen three
others still has a chance of at most 16/49 that the dealer has a natural, where a third is needed.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from tourney.errors import RulesError
from tourney.games.blackjack.action import Action
from tourney.games.blackjack.declaration import TOTALS
from tourney.games.blackjack.exact.finite.attention import (
    FIRST_OPEN,
    Attention,
    cell_of,
    keys_in_all,
    keys_of,
)
from tourney.games.blackjack.exact.finite.column import Column, Game, Plan, game_of
from tourney.games.blackjack.exact.finite.group import CHOICES, MOVES, NO_CHOICE, Kind, Places
from tourney.games.blackjack.exact.finite.hands import held
from tourney.games.blackjack.exact.finite.improving import Best, Improver, Keys
from tourney.games.blackjack.players import Chart, write_chart
from tourney.games.blackjack.players.grid import HARD, ROWS, Cell, pair_row, total_row
from tourney.games.blackjack.position import (
    COPIES,
    EMPTY,
    PAIR,
    RANK_OF,
    VALUES,
    Position,
    after,
    legal,
)
from tourney.games.blackjack.rules import BlackjackRules

SUITS = 4
TEN_RANKS = max(COPIES)


@dataclass(frozen=True, slots=True)
class FiniteValue:
    """What a round is worth, in floating point; correct to twelve digits behind the point."""

    mean: float
    sd: None = None


class Otherwise(NamedTuple):
    """A hand that is not played as the chart has it."""

    cards: tuple[int, ...]
    upcard: int
    cell: Cell


@dataclass(frozen=True, slots=True)
class FiniteSolution:
    """The best play.

    Args:
        chart: By totals.
        value: Of the best play.
        otherwise: Hands that whoever looks closer plays otherwise than the chart.
    """

    chart: Chart
    value: FiniteValue
    otherwise: tuple[Otherwise, ...] = ()

    @property
    def text(self) -> str:
        """The chart as the document prints it."""
        return write_chart(self.chart)


def solve_finite(
    rules: BlackjackRules,
    *,
    attention: Attention = Attention.TOTALS,
    minimum: int = 1,
    shoe: Sequence[int] | None = None,
    ten_ranks: int = TEN_RANKS,
) -> FiniteSolution:
    """Find the best play with a full shoe in every round.

    Args:
        rules: The game, with a number of decks.
        attention: What of a hand decides how it is played.
        minimum: The wager in chips; where payouts are rounded, it matters.
        shoe: Cards of each of VALUES; those of the decks, if none are given.
        ten_ranks: Ranks of the tens in it.
    Raises: RulesError, with every setting that is in the way.
    """
    check_finite(rules)
    game = game_of(rules, minimum, _shoe(rules, shoe), ten_ranks)
    columns = [Column(game, place) for place in range(len(VALUES)) if game.shoe[place]]
    charted = _best(columns, Attention.TOTALS)
    chart = _chart(game, {c.upcard: best for c, best in zip(columns, charted, strict=True)})
    bests, otherwise = charted, ()
    if attention is not Attention.TOTALS:
        bests = _best(columns, attention)
        pairs = zip(columns, charted, bests, strict=True)
        otherwise = tuple(each for three in pairs for each in _otherwise(*three))
    mean = sum(c.chance * best.value for c, best in zip(columns, bests, strict=True))
    return FiniteSolution(chart, FiniteValue(mean), otherwise)


def chart_value(
    rules: BlackjackRules,
    chart: Chart,
    *,
    minimum: int = 1,
    shoe: Sequence[int] | None = None,
    ten_ranks: int = TEN_RANKS,
) -> float:
    """Give what a chart wins a round with a full shoe in every round, in minimums.

    Args: As for `solve_finite`.
    Raises: RulesError, as there, or if the chart needs both cards of the dealer.
    """
    check_finite(rules)
    if problem := chart.misfit(rules):
        raise RulesError(f"{chart.source}: {problem}")
    game = game_of(rules, minimum, _shoe(rules, shoe), ten_ranks)
    columns = (Column(game, place) for place in range(len(VALUES)) if game.shoe[place])
    return sum(each.chance * each.value(_plan_of(chart, each)) for each in columns)


def hand_values(rules: BlackjackRules, upcard: int, cards: tuple[int, int]) -> dict[Action, float]:
    """Give what each move but a split is worth for two cards, if they are then played at best.

    Args:
        rules: The game, with a number of decks.
        upcard: The value that the dealer shows, 11 for an ace.
        cards: Values of the hand's cards.
    Returns: In minimums, once the dealer is known to have no natural, where that is looked at.
    """
    check_finite(rules)
    game = game_of(rules, 1, _shoe(rules, None), TEN_RANKS)
    column = Column(game, VALUES.index(upcard))
    (best,) = _best([column], Attention.CARDS)
    counts = [cards.count(value) for value in VALUES]
    place = int(np.flatnonzero((game.first.hands.counts == counts).all(axis=1))[0])
    _, hit = column.first.worths(best.plan.first)
    worths, alive = column.first.of_moves(hit)[:, 0, place], column.first.alive[0, place]
    return {
        MOVES[move]: float(worths[move] / alive - 1) for move in CHOICES[game.first.choices[place]]
    }


def check_finite(rules: BlackjackRules) -> None:
    """Refuse a game that is not worked out here.

    Raises: RulesError, with every setting that is in the way.
    """
    faults = []
    if rules.shuffle != "uniform":
        faults.append(
            f"shuffle: expected uniform for a best chart, got {rules.shuffle}: add shuffle=uniform"
        )
    if rules.dealer_shows != "upcard":
        faults.append(
            f"dealer_shows: expected upcard for a best chart with decks: {rules.decks}, got "
            f"{rules.dealer_shows}: add dealer_shows=upcard or decks=infinite"
        )
    if faults:
        raise RulesError("\n".join(faults))


def _shoe(rules: BlackjackRules, shoe: Sequence[int] | None) -> Places:
    if shoe is not None:
        return np.array(shoe)
    assert isinstance(rules.decks, int)
    return SUITS * rules.decks * np.array(COPIES)


def _best(columns: Sequence[Column], attention: Attention) -> list[Best]:
    game = columns[0].game
    split = {place: keys_of(kind, attention) for place, kind in game.split.items()}
    keys = Keys(keys_of(game.first, attention), split, keys_in_all(attention))
    return [Improver(column, keys).best() for column in columns]


def _chart(game: Game, bests: dict[int, Best]) -> Chart:
    """Write the best play by totals as a chart."""
    columns = []
    for upcard in range(len(VALUES)):
        best = bests.get(upcard)
        cells = [cell_of(order) for order in best.orders] if best else [(Action.HIT,)] * len(ROWS)
        for place in game.split if best else ():
            row = _pair_row(place)
            cells[row] = _pair_cell(game, best, place, row) if best else cells[row]
        columns.append(cells)
    return Chart(tuple(zip(*columns, strict=True)), shows_both=False, source="solved")


def _pair_cell(game: Game, best: Best, place: int, row: int) -> Cell:
    """Give a pair's cell: whether it is split, and what it does where it may not be."""
    order = best.orders[row]
    if place in best.seconds and cell_of(order)[0] is Action.SURRENDER:
        return (Action.SURRENDER, Action.SPLIT)
    if place not in best.plan.pairs:
        return cell_of(order)
    kind = game.split[place]
    pairs = np.flatnonzero(kind.hands.counts[:, place] == PAIR)[:1]
    choices = kind.choices[pairs]
    # The row of the total is read where a split is all that the cell has.
    value = VALUES[place]
    total = HARD[0] if value == VALUES[-1] else 2 * value
    rest = best.orders[total_row(total, soft=False)] if total in HARD else order
    if (FIRST_OPEN[rest, choices] == FIRST_OPEN[order, choices]).all():
        return (Action.SPLIT,)
    return (Action.SPLIT, *cell_of(order))


def _pair_row(place: int) -> int:
    value = VALUES[place]
    return pair_row(2 * value, soft=False) if value < VALUES[-1] else pair_row(12, soft=True)


def _otherwise(column: Column, charted: Best, best: Best) -> Iterator[Otherwise]:
    """Tell which first hands that are come to are not played as the chart has it."""
    game, upcard = column.game, VALUES[column.upcard]
    starts = column.starts[None].copy()
    for place, split in column.splits.items():
        if place in best.plan.pairs:
            starts[0, split.pair] = 0
        if (place in best.plan.pairs) != (place in charted.plan.pairs):
            moves = (Action.SPLIT,) if place in best.plan.pairs else _cell(best, split.pair)
            yield Otherwise((VALUES[place],) * PAIR, upcard, moves)
    reached = column.first.reached(starts, best.plan.first)[0] > 0
    differs = best.plan.first != charted.plan.first
    for hand in np.flatnonzero(reached & differs):
        yield Otherwise(held(game.first.hands.counts[hand]), upcard, _cell(best, hand))


def _cell(best: Best, hand: int) -> Cell:
    return (MOVES[best.plan.first[hand]],)


def _plan_of(chart: Chart, column: Column) -> Plan:
    """Give what a chart does against an upcard."""
    game = column.game
    pairs = set()
    for place, rank in enumerate(RANK_OF):
        position = after(after(EMPTY, rank), rank)
        moves = legal(game.rules, position)
        if Action.SPLIT in moves and _decided(chart, column, position, moves) is Action.SPLIT:
            pairs.add(place)
    split = {place: _moves_of(chart, column, kind) for place, kind in game.split.items()}
    return Plan(_moves_of(chart, column, game.first), split, frozenset(pairs))


def _moves_of(chart: Chart, column: Column, kind: Kind) -> Places:
    moves = np.zeros(len(kind.positions), dtype=np.int64)
    for hand in np.flatnonzero(kind.choices != NO_CHOICE):
        legal_moves = tuple(MOVES[move] for move in sorted(CHOICES[kind.choices[hand]]))
        action = _decided(chart, column, kind.positions[hand], legal_moves)
        moves[hand] = MOVES.index(action)
    return moves


def _decided(
    chart: Chart, column: Column, position: Position, legal_moves: tuple[Action, ...]
) -> Action:
    soft, total = divmod(position.hand, TOTALS)
    return chart.decide(column.upcard, total, soft > 0, position.is_pair, legal_moves)
