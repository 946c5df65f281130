"""How far a run is, with its standings on a terminal, and how far a look at it again."""

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
"""Where nobody watches a terminal; what takes less time says nothing."""


class LiveBoard:
    """Shows a run while it is played: its board on a terminal, now and then a line else."""

    def __init__(self, title: str, telling: BoardView) -> None:
        self._title, self._telling = title, telling
        self._is_watched = sys.stderr.isatty()  # colours forced on a file make it no terminal
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
        """Clear what was shown."""
        self._live.stop()

    def tell(self, text: str) -> None:
        """Say something that is not a result, above what is shown."""
        if self._is_watched:
            self._console.print(text, markup=False, highlight=False)
        else:
            note(text)

    def update(self, play: Play) -> None:
        """Show how far a run has come; standings are drawn at most twice a second."""
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
    """Shows how many tables were looked at again: a bar on a terminal, now and then a line else.

    Args:
        things: What is counted.
        doing: What is done with them, for the bar.
        done: The same of those that it was done with, for lines.
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
        """Clear what was shown."""
        if self._bar:
            self._bar.stop()

    def tell(self, text: str) -> None:
        """Say something that is not a result."""
        if self._bar:
            self._bar.console.print(text, markup=False, highlight=False)
        else:
            note(text)

    def update(self, seen: int, total: int) -> None:
        """Show how far it is.

        Args:
            seen: Things that it was done with.
            total: How many there are.
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
        # Brackets in a name are no markup.
        table.add_row(
            place, Text(row.name), f"{float(row.mean):,.{measure.decimals}f}", str(row.tables)
        )
    return table
