"""The text of strategy charts, and competitors made from charts.

Reading a chart reports all faults together, each with its line and column.

Source: [EASYBJ], section Automatic Mode, in docs/sources.md.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from tourney.errors import ChartError, Fault
from tourney.game.notations import Notation
from tourney.games.blackjack.players.chart import Chart, ChartPlayer
from tourney.games.blackjack.players.grid import (
    BOTH_CARDS,
    CELL_WORDS,
    ROWS,
    UPCARDS,
    Cell,
    read_cell,
)

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
