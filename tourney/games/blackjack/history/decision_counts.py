"""The decisions of entrants, compared with the best chart.

The decisions are the cells of an entrant's chart, or a sample of its play. The best chart is for a
full shoe and counts no cards, so a counter may have good reasons to deviate from it. For a riffle
shuffle, it is the chart for an infinite shoe. A move that may have been illegal, such as a double
after a split, is no disagreement: for a hand after a split or with more than two cards, only
hitting and standing are compared.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from tourney.errors import TourneyError
from tourney.game.hand_history import Decision, Decisions
from tourney.game.turns import Watcher
from tourney.games.blackjack.action import HIT_OR_STAND, Action
from tourney.games.blackjack.declaration import (
    FIRST_PAIR,
    FIRST_SOFT,
    LETTER_OF,
    ROWS,
    SOFT_TWELVE,
    cell_text,
    pair_row,
    total_row,
)
from tourney.games.blackjack.exact.finite.solution import solve_finite
from tourney.games.blackjack.exact.infinite import solve
from tourney.games.blackjack.hand import BEST_TOTAL, PAIR, is_pair
from tourney.games.blackjack.players.chart import Chart, always
from tourney.games.blackjack.records import Acted, TableCards
from tourney.games.blackjack.rules import BlackjackRules

INFINITE, FULL = "the best chart for an infinite shoe", "the best chart for a full shoe"

Seen = Counter[tuple[int, int, Action]]
"""Number of times each (row, column, move) was seen."""


def best_chart(rules: BlackjackRules) -> Chart | None:
    """Compute the best chart by totals and pairs, for a full shoe in every round.

    Returns: `None`, if the rules have a setting that the solver does not support.
    """
    try:
        if is_full(rules):
            return solve_finite(replace(rules, reshuffle="every-round"), minimum=10).chart
        changes: dict[str, Any] = {"decks": "infinite", "shuffle": "uniform", "insurance": "never"}
        return solve(replace(rules, **changes), minimum=10).chart
    except TourneyError:  # unsupported settings
        return None


def is_full(rules: BlackjackRules) -> bool:
    """Return whether the best chart is for the full shoe of the rules, not for an infinite one."""
    return rules.decks != "infinite" and rules.shuffle == "uniform"


class DecisionCounter(Watcher):
    """Counts the moves of the seats of a block of blackjack.

    Args:
        rules: The rules of the game.
        seats: Number of seats of the block.
        best: The chart to compare the moves with.
    """

    def __init__(self, rules: BlackjackRules, seats: int, best: Chart | None) -> None:
        self.seen: list[Seen] = [Counter() for _ in range(seats)]
        self.agreed: list[Counter[tuple[int, int]]] = [Counter() for _ in range(seats)]
        self._splits = rules.split != "never"
        shows_both = rules.dealer_shows == "both"
        self._columns = best or always(Action.STAND, shows_both=shows_both)
        self._best = best
        self._order: Sequence[int] = range(seats)

    def seated(self, seats: tuple[int, ...]) -> None:
        """Record the order of the seats."""
        self._order = seats

    def opened(self, number: int, bankrolls: tuple[int, ...]) -> None:
        """Clear the table."""
        del number
        self._cards = TableCards(len(bankrolls))

    def happened(self, record: Any) -> None:
        """Track the cards, and count each move with its hand."""
        if type(record) is Acted and record.action < Action.INSURE:
            self._count(record.seat, record.hand, record.action)
        self._cards.follow(record)

    def _count(self, turn: int, number: int, action: Action) -> None:
        hands = self._cards.hands[turn]
        hand = hands[number]
        if hand.total >= BEST_TOTAL:
            return
        is_first, alike = len(hand) == PAIR, is_pair(hand)
        is_twelve = hand.soft and hand.total == SOFT_TWELVE
        has_pair_row = is_twelve or (alike and self._splits)
        row = (pair_row if has_pair_row else total_row)(hand.total, hand.soft)
        column = self._columns.column_of(self._cards.dealer)
        seat = self._order[turn]
        self.seen[seat][row, column, action] += 1
        if self._best:
            is_whole = is_first and len(hands) == 1
            legal = tuple(LETTER_OF) if is_whole else HIT_OR_STAND
            best = self._best.decide(column, hand.total, hand.soft, alike, legal)
            self.agreed[seat][row, column] += action is best


def sampled(
    seen: Seen, agreed: Counter[tuple[int, int]], rules: BlackjackRules, best: Chart | None
) -> Decisions | None:
    """Summarise a sample of an entrant's play; `None` if the sample is empty."""
    by_cell: dict[tuple[int, int], Counter[Action]] = {}
    for (row, column, action), count in seen.items():
        by_cell.setdefault((row, column), Counter())[action] += count
    if not by_cell:
        return None

    def decision(row: int, column: int) -> Decision | None:
        moves = by_cell.get((row, column))
        if not moves:
            return None
        action, total = min(moves, key=lambda each: (-moves[each], each)), moves.total()
        same = agreed[row, column] if best else total
        return Decision(LETTER_OF[action], _best(best, row, column), same, total)

    chart = best or always(Action.STAND, shows_both=rules.dealer_shows == "both")
    rows = sorted({row for row, _ in by_cell})
    return _decisions("sample", rows, chart, _words(rules, best), decision)


def charted(chart: Chart, rules: BlackjackRules, best: Chart | None) -> Decisions:
    """Summarise the cells of an entrant's chart."""
    if best and best.shows_both != chart.shows_both:
        best = None

    def decision(row: int, column: int) -> Decision:
        move, other = cell_text(chart.cells[row][column]), _best(best, row, column)
        return Decision(move, other, agreed=int(move == other or not best), seen=1)

    rows = [*range(FIRST_PAIR), *range(FIRST_SOFT, len(ROWS)), *range(FIRST_PAIR, FIRST_SOFT)]
    return _decisions("chart", rows, chart, _words(rules, best), decision)


def _best(best: Chart | None, row: int, column: int) -> str:
    return cell_text(best.cells[row][column]) if best else ""


def _words(rules: BlackjackRules, best: Chart | None) -> str:
    """Name the best chart; empty if there is no best chart."""
    if not best:
        return ""
    return FULL if is_full(rules) else INFINITE


def _decisions(
    source: str,
    rows: Sequence[int],
    chart: Chart,
    compared_with: str,
    decision: Callable[[int, int], Decision | None],
) -> Decisions:
    cells = [[decision(row, column) for column in range(len(chart.columns))] for row in rows]
    filled = [cell for across in cells for cell in across if cell]
    return Decisions(
        source=source,
        compared_with=compared_with,
        columns=list(chart.columns),
        rows=[ROWS[row] for row in rows],
        cells=cells,
        agreed=sum(cell.agreed for cell in filled),
        seen=sum(cell.seen for cell in filled),
    )
