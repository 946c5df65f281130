"""The progress of a run, with its standings on a terminal, and of its replay."""

import sys
from time import monotonic
from typing import Self

from rich.console import Console, Group
from rich.live import Live
from rich.progress import Progress
from rich.table import Table
from rich.text import Text

from tourney.cli.options import note
from tourney.cli.visibility import BoardView
from tourney.execution.background_compile import is_being_made
from tourney.notebook.progress_bar import bar_of
from tourney.standings.standing import Measure, Standing
from tourney.tournament.tournament import Play

ROWS = 10
SECONDS_BETWEEN_BOARDS = 0.5
SECONDS_BETWEEN_LINES = 10.0
"""Seconds between lines outside a terminal; shorter work prints no line."""


class Looking:
    """Shows the progress of work, such as a replay: a bar on a terminal, and lines elsewhere.

    Args:
        things: The counted things.
        doing: The activity, for the bar.
        done: Its past participle, for lines.
    """

    def __init__(
        self,
        things: str = "tables",
        doing: str = "looking again",
        done: str = "looked at again",
    ) -> None:
        self._is_watched = sys.stderr.isatty()  # forced colours do not make a file a terminal
        self._console = Console(stderr=True)
        self._bar = bar_of(things, self._console)
        self._task = self._bar.add_task(doing, total=None)
        self._display: Progress | Live = self._bar
        self._told, self._line = monotonic(), f"{things} {done}"

    def __enter__(self) -> Self:
        """Begin to show."""
        if self._is_watched:
            self._display.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Clear the display."""
        if self._is_watched:
            self._display.stop()

    def tell(self, text: str) -> None:
        """Print a note above the display."""
        if self._is_watched:
            self._console.print(text, markup=False, highlight=False)
        else:
            note(text)

    def update(self, seen: int, total: int | None) -> None:
        """Show the progress.

        Args:
            seen: Finished things.
            total: All things; `None` if their number is unknown.
        """
        if self._is_watched:
            self._bar.update(self._task, completed=seen, total=total)
        elif monotonic() - self._told >= SECONDS_BETWEEN_LINES:
            self._told = monotonic()
            of = f" of {total:,}" if total else ""
            note(f"{seen:,}{of} {self._line}")


class LiveBoard(Looking):
    """Shows the progress of a run, on a terminal below its board."""

    def __init__(self, title: str, telling: BoardView) -> None:
        super().__init__("batches", title, "played")
        self._title, self._telling = title, telling
        self._display = self._live = Live(self._bar, console=self._console, transient=True)
        self._drawn = 0.0

    def draw(self, play: Play) -> None:
        """Show the progress of a run; standings are drawn at most twice a second."""
        self.update(play.batches_done, play.batches)
        if self._is_watched and monotonic() - self._drawn >= SECONDS_BETWEEN_BOARDS:
            doing = ", compiling" if is_being_made() else ""
            self._bar.update(self._task, description=f"{self._title}{doing}")
            rows = self._telling.rows(play.standings)
            self._live.update(Group(_board(rows, play.tournament.measure), self._bar))
            self._drawn = monotonic()


def _board(standings: tuple[Standing, ...], measure: Measure) -> Table:
    table = Table("Place", "Entrant", f"{measure.title} so far", "Tables", box=None)
    for row in standings[:ROWS]:
        place = "out" if row.place is None else str(row.place)
        # Brackets in a name are not markup.
        table.add_row(
            place, Text(row.name), f"{float(row.mean):,.{measure.decimals}f}", str(row.tables)
        )
    return table
