"""The board of a run in Python: its standings as a table, a picture, and CSV."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tourney import lazy
from tourney.errors import TourneyError
from tourney.notebook.tables import Tabular, table_html, write_text
from tourney.standings.columns import DEFAULT_COLUMNS
from tourney.standings.data import as_csv, columns_for, rows_of
from tourney.standings.standing import Standing

if TYPE_CHECKING:
    from tourney.notebook import plots
else:  # few runs draw a plot
    plots = lazy.Module("tourney.notebook.plots")

TOLD = 3
"""Number of entrants in the one-line form of a board."""


class Board(Tabular):
    """A result that has standings."""

    __slots__ = ()

    if TYPE_CHECKING:  # a dataclass would take these properties for the defaults of its fields

        @property
        def name(self) -> str:
            """The name of the run."""

        @property
        def standings(self) -> tuple[Standing, ...]:
            """Rows of the board, best first."""

    @property
    def ranking(self) -> tuple[str, ...]:
        """Names of the entrants, best first."""
        return tuple(row.name for row in self.standings)

    def rows(self) -> Sequence[Mapping[str, object]]:
        """Return every built-in column that applies, whatever the configuration shows."""
        return rows_of(self.standings, columns_for(self.standings))

    def plot(self) -> Any:
        """Draw the mean of every entrant with its interval, by place and rank set.

        Raises: TourneyError, without matplotlib, or before a batch was played.
        """
        if not self.standings:
            raise TourneyError(f"{self.name}: no batch has been played yet; resume the run first")
        rows = [
            plots.Interval(f"{row.name}  {_ranks(row)}", float(row.mean), row.half_width)
            for row in self.standings
        ]
        title = f"{self.name}: places, and simultaneous 95 % confidence sets of ranks"
        unit = self.standings[0].measure.title.removesuffix(" (95 %)")
        return plots.intervals_plot(rows, title, unit)

    def write_csv(self, path: Path | str) -> None:
        """Write the standings with every built-in column as CSV.

        Raises: TourneyError, if the file cannot be written.
        """
        write_text(path, as_csv(self.standings))

    def __repr__(self) -> str:
        """Format as `Quickstart: 1 edge, 2 basic, 3 simple, …`."""
        first = [f"{_place(row)} {row.name}" for row in self.standings[:TOLD]]
        more = ["…"] if len(self.standings) > TOLD else []
        return f"{self.name}: {', '.join([*first, *more]) or 'no batch played yet'}"

    def _repr_html_(self) -> str:
        shown = [each for each in columns_for(self.standings) if each.name in DEFAULT_COLUMNS]
        rows = ([column.show(row) for column in shown] for row in self.standings)
        return table_html(self.name, [column.title for column in shown], rows)


def _place(row: Standing) -> str:
    return "" if row.place is None else str(row.place)


def _ranks(row: Standing) -> str:
    if row.rank_set is None:
        return _place(row)
    first, last = row.rank_set
    return f"{row.place} ({first})" if first == last else f"{row.place} ({first}-{last})"
