"""The columns a leaderboard can show; plugins add more through the same hook."""

from collections.abc import Callable
from dataclasses import dataclass

from tourney.standings.fold import Standing

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

    def show(self, row: Standing) -> str:
        """Say the cell as people read it."""
        if self.text:
            return self.text(row)
        value = self.value(row)
        return "" if value is None else str(value)


def _interval(row: Standing) -> str:
    spread = "" if row.half_width is None else f" ± {row.half_width:,.1f}"
    return f"{float(row.mean):,.1f}{spread}"


def _quantile(name: str, title: str, place: int) -> Column:
    return Column(
        name,
        title,
        lambda row: round(row.quantiles[place], 6),
        lambda row: f"{row.quantiles[place]:,.0f}",
    )


COLUMNS = (
    Column(
        "rank",
        "Place",
        lambda row: row.place,
        lambda row: "out" if row.place is None else str(row.place),
    ),
    Column(
        "entrant",
        "Entrant",
        lambda row: row.name,
        lambda row: f"{row.name} [{row.group}]" if row.group else row.name,
    ),
    Column("strategy", "Strategy", lambda row: row.strategy),
    Column("group", "Group", lambda row: row.group),
    Column(
        "mean_final_bankroll",
        "Mean final bankroll (95 %)",
        lambda row: round(float(row.mean), 6),
        _interval,
    ),
    Column(
        "half_width",
        "± 95 %",
        lambda row: None if row.half_width is None else round(row.half_width, 6),
        lambda row: "" if row.half_width is None else f"{row.half_width:,.1f}",
    ),
    _quantile("q05", "5 %", 0),
    _quantile("median", "50 %", 1),
    _quantile("q95", "95 %", 2),
    Column("ruin", "Ruin", lambda row: round(row.ruin, 9), lambda row: f"{row.ruin:.1%}"),
    Column(
        "profit_per_round",
        "Profit a round",
        lambda row: round(row.profit_per_round, 9),
        lambda row: f"{row.profit_per_round:+,.4f}",
    ),
    Column("tables", "Tables", lambda row: row.tables, lambda row: f"{row.tables:,}"),
    Column("rounds", "Rounds", lambda row: row.rounds, lambda row: f"{row.rounds:,}"),
    Column("handle", "Handle", lambda row: row.handle, lambda row: f"{row.handle:,}"),
    Column(
        "faults",
        "Faults",
        lambda row: row.faults,
        lambda row: str(row.faults) if row.faults else "",
    ),
)
"""The platform's own columns."""

DEFAULT_COLUMNS = (
    "rank",
    "entrant",
    "mean_final_bankroll",
    "q05",
    "median",
    "q95",
    "ruin",
    "rounds",
    "faults",
)
