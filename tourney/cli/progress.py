"""The progress of a run, with its standings on a terminal, and of its replay."""

import sys
from time import monotonic
from typing import Self

from rich.console import Console, Group
from rich.live import Live
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


class LiveBoard:
    """Shows the progress of a run: its board on a terminal, and lines elsewhere."""

    def __init__(self, title: str, telling: BoardView) -> None:
        self._title, self._telling = title, telling
        self._is_watched = sys.stderr.isatty()  # forced colours do not make a file a terminal
        self._console = Console(stderr=True)
        self._bar = bar_of("batches", self._console)
        self._task = self._bar.add_task(title, total=None)
        self._live = Live(self._bar, console=self._console, transient=True)
        self._drawn = 0.0 if self._is_watched else monotonic()

    def __enter__(self) -> Self:
        """Begin to show."""
        if self._is_watched:
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Clear the display."""
        self._live.stop()

    def tell(self, text: str) -> None:
        """Print a note above the display."""
        if self._is_watched:
            self._console.print(text, markup=False, highlight=False)
        else:
            note(text)

    def update(self, play: Play) -> None:
        """Show the progress of a run; standings are drawn at most twice a second."""
        if not self._is_watched:
            if monotonic() - self._drawn >= SECONDS_BETWEEN_LINES:
                self._drawn = monotonic()
                of = f" of {play.batches:,}" if play.batches else ""
                note(f"{play.batches_done:,}{of} batches played")
            return
        self._bar.update(self._task, completed=play.batches_done, total=play.batches)
        if monotonic() - self._drawn >= SECONDS_BETWEEN_BOARDS:
            doing = ", compiling" if is_being_made() else ""
            self._bar.update(self._task, description=f"{self._title}{doing}")
            rows = self._telling.rows(play.standings)
            self._live.update(Group(_board(rows, play.tournament.measure), self._bar))
            self._drawn = monotonic()


class Looking:
    """Shows the progress of a replay: a bar on a terminal, and lines elsewhere.

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
        is_watched = sys.stderr.isatty()
        self._bar = bar_of(things, Console(stderr=True)) if is_watched else None
        self._task = self._bar.add_task(doing, total=None) if self._bar else None
        self._told, self._line = monotonic(), f"{things} {done}"

    def __enter__(self) -> Self:
        """Begin to show."""
        if self._bar:
            self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Clear the display."""
        if self._bar:
            self._bar.stop()

    def tell(self, text: str) -> None:
        """Print a note."""
        if self._bar:
            self._bar.console.print(text, markup=False, highlight=False)
        else:
            note(text)

    def update(self, seen: int, total: int) -> None:
        """Show the progress.

        Args:
            seen: Finished things.
            total: All things.
        """
        if self._bar and self._task is not None:
            self._bar.update(self._task, completed=seen, total=total)
        elif monotonic() - self._told >= SECONDS_BETWEEN_LINES:
            self._told = monotonic()
            note(f"{seen:,} of {total:,} {self._line}")


def _board(standings: tuple[Standing, ...], measure: Measure) -> Table:
    table = Table("Place", "Entrant", f"{measure.title} so far", "Tables", box=None)
    for row in standings[:ROWS]:
        place = "out" if row.place is None else str(row.place)
        # Brackets in a name are not markup.
        table.add_row(
            place, Text(row.name), f"{float(row.mean):,.{measure.decimals}f}", str(row.tables)
        )
    return table
