"""Strategy charts: a row for the player's hand, a column for the dealer's, moves in the cells.

A chart file is a complete competitor. It is the Easy Blackjack document's table, whose columns
are the dealer's two cards; or, in the same form, one whose columns are the dealer's upcard.
Leaves out its text, see `chart_text`, and wagers: whoever plays by a chart wagers the minimum.
Source: [EASYBJ], section Automatic Mode, in docs/sources.md.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import PurePath
from typing import ClassVar

from tourney.errors import ChartError
from tourney.game.notations import Written
from tourney.games.blackjack.action import Action
from tourney.games.blackjack.hand import BEST_TOTAL, Hand, is_pair
from tourney.games.blackjack.players.grid import (
    BOTH_CARDS,
    HARD,
    ROWS,
    UPCARDS,
    Cell,
    both_column,
    cell_text,
    pair_row,
    total_row,
    upcard_column,
)
from tourney.games.blackjack.players.player import ActPlayer


@dataclass(frozen=True, slots=True)
class Chart(Written):
    """A move for every hand against every dealer's hand.

    Args:
        cells: By row, in the order of `ROWS`, then by column.
        shows_both: Whether columns are the dealer's two cards (`BOTH_CARDS`) or its upcard
            (`UPCARDS`).
        source: Name of the file, for messages and the archive.
        text: The file as it was read; empty for a chart that was worked out.
    """

    cells: tuple[tuple[Cell, ...], ...] = field(repr=False)
    shows_both: bool
    source: str = field(default="chart", compare=False)
    text: str = field(default="", compare=False, repr=False)

    def __post_init__(self) -> None:
        """Refuse a chart with gaps."""
        width = len(self.columns)
        if [len(row) for row in self.cells] != [width] * len(ROWS):
            got = f"{len(self.cells)} rows of {', '.join(str(len(row)) for row in self.cells)}"
            raise ChartError.of(
                self.source, f"expected {len(ROWS)} rows of {width} cells, got {got}"
            )

    def written(self) -> tuple[str, str]:
        """Give the file, without its place on this machine, and its text."""
        return PurePath(self.source).name, self.text or write_chart(self)

    def misfit(self, rules: object) -> str:
        """Say why it cannot play by some rules, of any game; empty if it can."""
        shown = getattr(rules, "dealer_shows", None)
        if shown is None:
            game = getattr(rules, "game", "another game")
            return f"expected a competitor of {game}, got a chart, which plays blackjack"
        if self.shows_both and shown != "both":
            return (
                "expected a chart whose columns are the dealer's upcard, got one of both cards: "
                "play a game with dealer_shows: both, such as easybj"
            )
        return ""

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns: what the dealer shows."""
        return BOTH_CARDS if self.shows_both else UPCARDS

    def cell(self, row: str, column: str) -> Cell:
        """Give a cell by the names of its row and its column.

        >>> always(Action.DOUBLE, Action.HIT).cell("16", "10")
        (<Action.DOUBLE: 3>, <Action.HIT: 1>)
        """
        return self.cells[ROWS.index(row)][self.columns.index(column)]

    def with_cell(self, row: str, column: str, cell: Cell) -> "Chart":
        """Give a chart that differs in one cell."""
        at, across = ROWS.index(row), self.columns.index(column)
        changed = (*self.cells[at][:across], cell, *self.cells[at][across + 1 :])
        return replace(self, cells=(*self.cells[:at], changed, *self.cells[at + 1 :]), text="")

    def column_of(self, dealer: Hand) -> int:
        """Give the number of the column for what the dealer shows.

        Raises: ChartError, if the chart needs both cards and only one lies face up.
        """
        if not self.shows_both:
            return upcard_column(dealer.cards[0].value)
        if len(dealer) == 1:
            raise ChartError.of(
                self.source,
                "expected a dealer who shows both cards, as the chart's columns do; got an upcard "
                f"only: play a game with dealer_shows: both, or a chart with the columns "
                f"{' '.join(UPCARDS)}",
            )
        return both_column(dealer.total, dealer.soft)

    def choose(self, dealer: Hand, player: Hand, legal: tuple[Action, ...]) -> Action:
        """Choose a move, as `Player.act` does.

        Args:
            dealer: The dealer's cards that lie face up, one or both.
            player: The hand in play.
            legal: The moves permitted now.
        Returns: The move of the chart. A chart declines insurance.
        """
        if Action.DECLINE in legal:
            return Action.DECLINE
        column = self.column_of(dealer)
        return self.decide(column, player.total, player.soft, is_pair(player), legal)

    def decide(
        self,
        column: int,
        total: int,
        soft: bool,  # noqa: FBT001 - a hand's total and softness belong together
        is_pair: bool,  # noqa: FBT001 - and so does this
        legal: tuple[Action, ...],
    ) -> Action:
        """Choose a move by values.

        Args:
            column: From `both_column` or `upcard_column`.
            total: Of the hand in play, not bust.
            soft: Whether an ace in it counts 11.
            is_pair: Whether it is two cards of one value.
            legal: The moves permitted now.
        Returns: The first move of the cell that is permitted. If none is and the hand is a
            pair, that of its hard total; two aces then count 2, for which the lowest row
            stands. If there is none either, stand. A chart has no row for two aces that may only
            be split again: they are split if they would be among all moves.
        """
        if Action.HIT not in legal:
            wished = self.decide(column, total, soft, is_pair, (*legal, Action.HIT))
            return wished if wished in legal else Action.STAND
        if is_pair:
            for action in self.cells[pair_row(total, soft)][column]:
                if action in legal:
                    return action
            soft, total = False, HARD[0] if soft else total
        if total < BEST_TOTAL:
            for action in self.cells[total_row(total, soft)][column]:
                if action in legal:
                    return action
        return Action.STAND

    def differences(self, other: "Chart") -> Iterator[tuple[str, str, Cell, Cell]]:
        """Give row, column, own and other cell wherever two charts of one kind differ.

        Raises: ChartError, if one is read by both cards of the dealer and one by the upcard.
        """
        if self.shows_both != other.shows_both:
            raise ChartError.of(
                other.source,
                f"expected columns {' '.join(self.columns)}; got {' '.join(other.columns)}",
            )
        for row, mine, theirs in zip(ROWS, self.cells, other.cells, strict=True):
            for column, cell, another in zip(self.columns, mine, theirs, strict=True):
                if cell != another:
                    yield row, column, cell, another


class ChartPlayer(ActPlayer):
    """Wagers the minimum and plays by a chart."""

    chart: ClassVar[Chart]
    """What it plays by; it is archived with the source of the class."""

    def act(self, dealer: Hand, player: Hand, legal: tuple[Action, ...]) -> Action:
        """Look the move up."""
        return self.chart.choose(dealer, player, legal)


def always(*cell: Action, shows_both: bool = True) -> Chart:
    """Make a chart with the same moves in every cell."""
    columns = BOTH_CARDS if shows_both else UPCARDS
    return Chart(((cell,) * len(columns),) * len(ROWS), shows_both)


def write_chart(chart: Chart) -> str:
    """Write a chart as the document prints it; `read_chart` gives the same chart back."""
    width = max(2, *(len(cell) for row in chart.cells for cell in row))
    rows = [("", *chart.columns)]
    rows += [(label, *map(cell_text, row)) for label, row in zip(ROWS, chart.cells, strict=True)]
    lines = (" ".join([row[0].ljust(2), *(each.ljust(width) for each in row[1:])]) for row in rows)
    return "".join(f"{line.rstrip()}\n" for line in lines)
