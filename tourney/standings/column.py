"""A column of the board: what it shows of a row, and of which tournaments it makes sense.

Plugins make columns of their own; docs/how-to/add-a-column.md.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import isfinite
from pathlib import Path

from tourney.errors import PluginError
from tourney.standings.standing import Measure, Standing

Cell = str | int | float | None


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its name in YAML and exports, its title, and what it shows of a row."""

    name: str  # such as `mean_final_bankroll`
    title: str  # such as `Mean final bankroll`
    value: Callable[[Standing], Cell]
    """What exports carry: a number, a text, or None where there is nothing."""
    text: Callable[[Standing], str] | None = None
    """What people read, where it is not the value itself."""
    measures: tuple[str, ...] | None = None
    """Names of the measures it makes sense for: "bankroll", "points", "place"; None for all."""
    needs_luck: bool = False
    """Whether it makes sense only where the luck of the cards is followed."""
    needs_chips: bool = False
    """Whether it makes sense only in games of chips, whatever counts."""

    def fits(self, measure: Measure, *, follows_luck: bool = True, has_chips: bool = True) -> bool:
        """Say whether it makes sense where this is what counts.

        Args:
            measure: What counts.
            follows_luck: Whether the luck of the cards is followed.
            has_chips: Whether the game has chips.
        """
        if (self.needs_luck and not follows_luck) or (self.needs_chips and not has_chips):
            return False
        return self.measures is None or measure.name in self.measures

    def cell(self, row: Standing) -> Cell:
        """Give what exports carry.

        Raises: PluginError, if the author of the column made a mistake.
        """
        found = self._answer(self.value, row)
        if not isinstance(found, Cell) or (isinstance(found, float) and not isfinite(found)):
            got = f"{type(found).__name__} {found}"
            raise self._wrong("a text, int, finite float or None", row, got)
        return found

    def show(self, row: Standing) -> str:
        """Say the cell as people read it.

        Raises: PluginError, if the author of the column made a mistake.
        """
        if self.text is None:
            value = self.cell(row)
            return "" if value is None else str(value)
        found = self._answer(self.text, row)
        if not isinstance(found, str):
            raise self._wrong("a text to show", row, f"{type(found).__name__} {found}")
        return found

    def _answer(self, told: Callable[[Standing], object], row: Standing) -> object:
        try:
            return told(row)
        except Exception as error:
            line = error.__traceback__ and error.__traceback__.tb_next
            got = f"{type(error).__name__}: {error}"
            if line:
                got += f" at {Path(line.tb_frame.f_code.co_filename).name}:{line.tb_lineno}"
            raise self._wrong("a cell", row, got) from error

    def _wrong(self, expected: str, row: Standing, got: str) -> PluginError:
        return PluginError(
            f"column {self.name!r}: expected {expected} for {row.name}, got {got}; mend the "
            "plugin, or show other columns"
        )
