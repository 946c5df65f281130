"""A progress bar with the standings so far, on a terminal only."""

import sys
from time import monotonic
from typing import Self

from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from tourney.cli.telling import Telling
from tourney.event.tournament import Play
from tourney.play import is_being_made
from tourney.standings import Measure, Standing

ROWS = 10
SECONDS_BETWEEN_BOARDS = 0.5


class LiveBoard:
    """Shows a run while it is played."""

    def __init__(self, title: str, telling: Telling) -> None:
        self._title, self._telling = title, telling
        self._console = Console(stderr=True)
        self._bar = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("batches"),
            TimeRemainingColumn(),
            console=self._console,
        )
        self._task = self._bar.add_task(title, total=None)
        self._live = Live(self._bar, console=self._console, transient=True)
        self._drawn = 0.0

    @property
    def is_wanted(self) -> bool:
        """Whether somebody watches a terminal; colours forced on a file do not make it one."""
        return sys.stderr.isatty()

    def __enter__(self) -> Self:
        """Begin to show."""
        self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Clear what was shown."""
        self._live.stop()

    def tell(self, text: str) -> None:
        """Say something that is not a result, above what is shown."""
        self._console.print(text, markup=False, highlight=False)

    def update(self, play: Play) -> None:
        """Show how far a run has come; standings are drawn at most twice a second."""
        self._bar.update(self._task, completed=play.batches_done, total=play.batches)
        if monotonic() - self._drawn >= SECONDS_BETWEEN_BOARDS:
            doing = ", compiling" if is_being_made() else ""
            self._bar.update(self._task, description=f"{self._title}{doing}")
            rows = self._telling.rows(play.standings)
            self._live.update(Group(_board(rows, play.tournament.measure), self._bar))
            self._drawn = monotonic()


def _board(standings: tuple[Standing, ...], measure: Measure) -> Table:
    table = Table("Place", "Entrant", f"{measure.title} so far", "Tables", box=None)
    for row in standings[:ROWS]:
        place = "out" if row.place is None else str(row.place)
        # Brackets in a name are no markup.
        table.add_row(
            place, Text(row.name), f"{float(row.mean):,.{measure.decimals}f}", str(row.tables)
        )
    return table
