"""The columns a leaderboard can show; plugins add more through the same hook."""

from collections.abc import Callable
from dataclasses import dataclass

from tourney.standings.fold import Standing
from tourney.standings.measures import BANKROLL, PLACE, POINTS, Measure

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

    def fits(self, measure: Measure) -> bool:
        """Say whether it makes sense where this is what counts."""
        return self.measures is None or measure.name in self.measures

    def show(self, row: Standing) -> str:
        """Say the cell as people read it."""
        if self.text:
            return self.text(row)
        value = self.value(row)
        return "" if value is None else str(value)


def _number(value: float | None, decimals: int) -> str:
    return "" if value is None else f"{value:,.{decimals}f}"


def _interval(row: Standing) -> str:
    decimals = row.measure.decimals
    spread = "" if row.half_width is None else f" ± {_number(row.half_width, decimals)}"
    return f"{_number(float(row.mean), decimals)}{spread}"


def _mean(name: str, measure: Measure) -> Column:
    return Column(
        name,
        f"{measure.title} (95 %)",
        lambda row: round(float(row.mean), 6),
        _interval,
        (measure.name,),
    )


def _quantile(name: str, title: str, place: int) -> Column:
    return Column(
        name,
        title,
        lambda row: round(row.quantiles[place], 6),
        lambda row: _number(row.quantiles[place], row.measure.decimals - 1),
    )


CHIPS, WITHOUT_CHIPS = (BANKROLL.name,), (POINTS.name, PLACE.name)

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
    _mean("mean_final_bankroll", BANKROLL),
    _mean("mean_points", POINTS),
    _mean("mean_place", PLACE),
    Column(
        "half_width",
        "± 95 %",
        lambda row: None if row.half_width is None else round(row.half_width, 6),
        lambda row: _number(row.half_width, row.measure.decimals),
    ),
    _quantile("q05", "5 %", 0),
    _quantile("median", "50 %", 1),
    _quantile("q95", "95 %", 2),
    Column(
        "wins",
        "Games won",
        lambda row: round(row.wins, 9),
        lambda row: f"{row.wins:.1%}",
        (PLACE.name,),
    ),
    Column(
        "points_per_round",
        "Points a round",
        lambda row: round(row.points_per_round, 9),
        lambda row: f"{row.points_per_round:,.2f}",
        WITHOUT_CHIPS,
    ),
    Column("ruin", "Ruin", lambda row: round(row.ruin, 9), lambda row: f"{row.ruin:.1%}", CHIPS),
    Column(
        "profit_per_round",
        "Profit a round",
        lambda row: round(row.profit_per_round, 9),
        lambda row: f"{row.profit_per_round:+,.4f}",
        CHIPS,
    ),
    Column("tables", "Tables", lambda row: row.tables, lambda row: f"{row.tables:,}"),
    Column("games", "Games", lambda row: row.games, lambda row: f"{row.games:,}", (PLACE.name,)),
    Column("rounds", "Rounds", lambda row: row.rounds, lambda row: f"{row.rounds:,}"),
    Column("handle", "Handle", lambda row: row.handle, lambda row: f"{row.handle:,}", CHIPS),
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
    "mean_points",
    "mean_place",
    "q05",
    "median",
    "q95",
    "wins",
    "ruin",
    "games",
    "rounds",
    "faults",
)
"""What people are shown where the organiser does not say, of what the measure can fill."""
