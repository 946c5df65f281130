"""Strategy charts: a row for each hand, a column for the dealer's cards, moves in the cells.

A chart file is a complete competitor that always wagers the minimum. It is the table of the Easy
Blackjack document, whose columns are the dealer's two cards, or a table of the same form whose
columns are the dealer's upcard.

Reading a chart reports all faults together, each with its line and column.

Source: [EASYBJ], section Automatic Mode, in docs/sources.md.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from pathlib import Path, PurePath
from typing import ClassVar

from tourney.errors import ChartError, Fault
from tourney.game.hand_notation import Notation, Written
from tourney.games.blackjack.action import Action
from tourney.games.blackjack.declaration import (
    BOTH_CARDS,
    CELL_WORDS,
    HARD,
    ROWS,
    UPCARDS,
    Cell,
    both_column,
    cell_text,
    pair_row,
    read_cell,
    total_row,
    upcard_column,
)
from tourney.games.blackjack.hand import BEST_TOTAL, Hand, is_pair
from tourney.games.blackjack.players.player import ActPlayer


@dataclass(frozen=True, slots=True)
class Chart(Written):
    """A move for each hand against each dealer's hand.

    Args:
        cells: By row, in the order of `ROWS`, then by column.
        shows_both: Whether columns are the dealer's two cards (`BOTH_CARDS`) or its upcard
            (`UPCARDS`).
        source: Name of the file, for messages and the archive.
        text: Text of the file; empty for a computed chart.
    """

    cells: tuple[tuple[Cell, ...], ...] = field(repr=False)
    shows_both: bool
    source: str = field(default="chart", compare=False)
    text: str = field(default="", compare=False, repr=False)

    def __post_init__(self) -> None:
        """Raise ChartError for a chart with missing cells."""
        width = len(self.columns)
        if [len(row) for row in self.cells] != [width] * len(ROWS):
            sizes = f"{len(self.cells)} rows of {', '.join(str(len(row)) for row in self.cells)}"
            raise ChartError.of(
                self.source, f"a chart needs {len(ROWS)} rows of {width} cells; this has {sizes}"
            )

    def written(self) -> tuple[str, str]:
        """Return the name of the file, without its folder, and its text."""
        return PurePath(self.source).name, self.text or write_chart(self)

    def misfit(self, rules: object) -> str:
        """Return the reason why the chart cannot play by some rules, of any game; empty
        if it can.
        """
        shown = getattr(rules, "dealer_shows", None)
        if shown is None:
            game = getattr(rules, "game", "another game")
            return f"a chart plays blackjack, not {game}; enter a competitor of {game}"
        if self.shows_both and shown != "both":
            return (
                "the chart's columns are both cards of the dealer, who shows only the upcard here; "
                "play a game with dealer_shows: both, such as easybj"
            )
        return ""

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns: the dealer's visible cards."""
        return BOTH_CARDS if self.shows_both else UPCARDS

    def cell(self, row: str, column: str) -> Cell:
        """Return a cell by the names of its row and its column.

        >>> always(Action.DOUBLE, Action.HIT).cell("16", "10")
        (<Action.DOUBLE: 3>, <Action.HIT: 1>)
        """
        return self.cells[ROWS.index(row)][self.columns.index(column)]

    def with_cell(self, row: str, column: str, cell: Cell) -> "Chart":
        """Return a chart that differs in one cell."""
        at, across = ROWS.index(row), self.columns.index(column)
        changed = (*self.cells[at][:across], cell, *self.cells[at][across + 1 :])
        return replace(self, cells=(*self.cells[:at], changed, *self.cells[at + 1 :]), text="")

    def column_of(self, dealer: Hand) -> int:
        """Return the number of the column for the dealer's visible cards.

        Raises: ChartError, if the chart needs both cards and only one is visible.
        """
        if not self.shows_both:
            return upcard_column(dealer.cards[0].value)
        if len(dealer) == 1:
            raise ChartError.of(
                self.source,
                "the chart's columns are both cards of the dealer, who shows only the upcard here; "
                "play a game with dealer_shows: both, or use a chart with the columns "
                f"{' '.join(UPCARDS)}",
            )
        return both_column(dealer.total, dealer.soft)

    def choose(self, dealer: Hand, player: Hand, legal: tuple[Action, ...]) -> Action:
        """Choose a move, as `Player.act` does.

        Args:
            dealer: The dealer's visible cards, one or both.
            player: The hand in play.
            legal: The legal moves.
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
            legal: The legal moves.
        Returns: The first legal move of the cell. If the cell has no legal move and the hand is a
            pair, the cell of its hard total decides; two aces then count 2, for which the lowest
            row decides. Otherwise stand. A chart has no row for two aces that may only be split
            again: they are split if they would be split among all moves.
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
        """Iterate over row, column, own and other cell where two charts of one kind differ.

        Raises: ChartError, if the charts have different columns.
        """
        if self.shows_both != other.shows_both:
            raise ChartError.of(
                other.source,
                f"its columns are {' '.join(other.columns)}; only a chart with the columns "
                f"{' '.join(self.columns)} can be compared",
            )
        for row, mine, theirs in zip(ROWS, self.cells, other.cells, strict=True):
            for column, cell, another in zip(self.columns, mine, theirs, strict=True):
                if cell != another:
                    yield row, column, cell, another


class ChartPlayer(ActPlayer):
    """Wagers the minimum and plays by a chart."""

    chart: ClassVar[Chart]
    """The chart; it is archived with the source of the class."""

    def act(self, dealer: Hand, player: Hand, legal: tuple[Action, ...]) -> Action:
        """Look the move up."""
        return self.chart.choose(dealer, player, legal)


def always(*cell: Action, shows_both: bool = True) -> Chart:
    """Create a chart with the same moves in all cells."""
    columns = BOTH_CARDS if shows_both else UPCARDS
    return Chart(((cell,) * len(columns),) * len(ROWS), shows_both)


def write_chart(chart: Chart) -> str:
    """Write a chart as in the document; `read_chart` restores it."""
    width = max(2, *(len(cell) for row in chart.cells for cell in row))
    rows = [("", *chart.columns)]
    rows += [(label, *map(cell_text, row)) for label, row in zip(ROWS, chart.cells, strict=True)]
    lines = (" ".join([row[0].ljust(2), *(each.ljust(width) for each in row[1:])]) for row in rows)
    return "".join(f"{line.rstrip()}\n" for line in lines)


MOST_CHARACTERS = 100_000  # of a chart; the document's has 2,600
LONGEST_SHOWN = 20  # characters of a word that is quoted in a message


def chart_player(text: str, source: str) -> type[ChartPlayer]:
    """Create a competitor class from a chart.

    Args:
        text: The chart.
        source: Name of its file, for messages and the archive.
    Raises: ChartError, with all faults of the chart.
    """
    read = read_chart(text, source)

    class Charted(ChartPlayer):
        """Wagers the minimum and plays by the chart of a file."""

        chart = read

    return Charted


def load_chart(path: Path) -> Chart:
    """Read a chart from its file.

    Raises: ChartError, if the file cannot be read, or with all faults of the chart.
    """
    try:
        with path.open(encoding="utf-8") as file:
            text = file.read(MOST_CHARACTERS + 1)
    except UnicodeDecodeError as error:
        got = f"the byte {error.object[error.start]:#04x}"
        raise ChartError.of(str(path), f"the chart is not in UTF-8: it has {got}") from error
    except OSError as error:
        raise ChartError.of(str(path), f"cannot read the chart: {error.strerror}") from error
    return read_chart(text, str(path))


def read_chart(text: str, source: str) -> Chart:
    """Read a chart: a line of the dealer's cards, then a line for each hand, in any order.

    Args:
        text: The chart; words are separated by spaces, and blank lines do not count.
        source: Name of the file, for messages and the archive.
    Raises: ChartError, with all faults.
    """
    if len(text) > MOST_CHARACTERS:
        raise ChartError.of(source, f"the chart is longer than {MOST_CHARACTERS:,} characters")
    lines = [
        _Line(number, tuple((found.start() + 1, found[0]) for found in re.finditer(r"\S+", line)))
        for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), start=1)
        if line.strip()
    ]
    reader = _Reader(source)
    columns = reader.read_header(lines[0] if lines else _Line(1, ()))
    if reader.faults:  # without columns, rows cannot be checked
        raise ChartError(tuple(reader.faults))
    rows = reader.read_rows(lines[1:], columns)
    if reader.faults:
        raise ChartError(tuple(reader.faults))
    return Chart(tuple(rows[label] for label in ROWS), columns is BOTH_CARDS, source, text)


class ChartNotation(Notation):
    """Charts as competitors."""

    title = "a chart"
    handed_in = "a chart (.txt)"
    entered_as = "path of a chart, or a pattern such as charts/*.txt for several"
    suffix = ".txt"
    maker = "tourney.games.blackjack.players:chart_player"

    def text_at(self, path: Path) -> str:
        """Read the text of a chart."""
        return load_chart(path).text


@dataclass(frozen=True, slots=True)
class _Line:
    """A line that is not blank: its number, and each word with its column, all from 1."""

    number: int
    words: tuple[tuple[int, str], ...]

    @property
    def end(self) -> int:
        """The column after the last word."""
        if not self.words:
            return 1
        column, word = self.words[-1]
        return column + len(word)


class _Reader:
    """Reads line by line and collects faults."""

    def __init__(self, source: str) -> None:
        self.faults: list[Fault] = []
        self._source = source
        self._last_line = 1

    def read_header(self, line: _Line) -> tuple[str, ...]:
        """Return the columns of the chart, or the closest known ones."""
        words = [word for _, word in line.words]
        columns = UPCARDS if words[:1] == [UPCARDS[0]] else BOTH_CARDS
        for expected, got in zip_longest(columns, line.words):
            if got is None or got[1] != expected:
                column = got[0] if got else line.end
                self._fault(
                    line.number,
                    column,
                    f"expected {expected or 'the end of the line'}, "
                    f"got {_quoted(got and got[1])}; the dealer's columns are {' '.join(columns)}",
                )
                break
        self._last_line = line.number
        return columns

    def read_rows(
        self, lines: Iterable[_Line], columns: Sequence[str]
    ) -> dict[str, tuple[Cell, ...]]:
        """Return the rows by their labels."""
        rows: dict[str, tuple[Cell, ...]] = {}
        seen: dict[str, int] = {}
        for line in lines:
            self._last_line = line.number
            column, label = line.words[0]
            if label not in ROWS:
                expected = f"a hand, one of {' '.join(ROWS)}"
                self._fault(line.number, column, f"expected {expected}; got {_quoted(label)}")
            elif label in seen:
                message = f"{label} occurs twice; its first row is line {seen[label]}"
                self._fault(line.number, column, message)
            else:
                seen[label] = line.number
                rows[label] = self._read_cells(line, columns)
        missing = [label for label in ROWS if label not in seen]
        if missing:
            message = f"rows are missing for {' '.join(missing)}"
            self._fault(self._last_line + 1, 1, message)
        return rows

    def _read_cells(self, line: _Line, columns: Sequence[str]) -> tuple[Cell, ...]:
        """Return the readable cells of a row."""
        cells = []
        for place, word in line.words[1:]:
            cell = read_cell(word)
            if cell is None:
                self._fault(line.number, place, f"expected {CELL_WORDS}; got {_quoted(word)}")
            else:
                cells.append(cell)
        found = len(line.words) - 1
        if found != len(columns):
            place = line.words[len(columns) + 1][0] if found > len(columns) else line.end
            self._fault(
                line.number,
                place,
                f"row {line.words[0][1]} needs {len(columns)} cells; it has {found}",
            )
        return tuple(cells)

    def _fault(self, line: int, column: int, message: str) -> None:
        self.faults.append(Fault(self._source, line, column, "", message))


def _quoted(word: str | None) -> str:
    if word is None:
        return "the end of the line"
    return repr(word if len(word) <= LONGEST_SHOWN else f"{word[:LONGEST_SHOWN]}…")
