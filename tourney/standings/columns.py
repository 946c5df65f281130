"""The columns of a board: built-in ones, and those that plugins provide through the same hook."""

from collections.abc import Callable
from dataclasses import dataclass
from math import isfinite
from operator import attrgetter
from pathlib import Path

from tourney.config.words import without_addresses
from tourney.errors import PluginError
from tourney.standings.places import two_decimals
from tourney.standings.standing import BANKROLL, FINISH, PLACE, POINTS, Measure, Standing

Cell = str | int | float | None


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a board: its name in YAML and exports, its title, and its cells."""

    name: str  # such as `mean_final_bankroll`
    title: str  # such as `Mean final bankroll`
    value: Callable[[Standing], Cell]
    """The exported value: a number, a text, or None for an empty cell."""
    text: Callable[[Standing], str] | None = None
    """The displayed text, if it differs from the value."""
    measures: tuple[str, ...] | None = None
    """Names of the measures it is useful for, such as "bankroll" or "points"; None for all."""
    needs_luck: bool = False
    """Whether it is useful only if the luck of the cards is followed."""
    needs_chips: bool = False
    """Whether it is useful only in games of chips, for any measure."""
    meaning: str = ""
    """One sentence for the legend below a board and for hints on pages."""

    def fits(self, measure: Measure, *, follows_luck: bool = True, has_chips: bool = True) -> bool:
        """Return whether the column is useful for a measure.

        Args:
            measure: The measure that counts.
            follows_luck: Whether the luck of the cards is followed.
            has_chips: Whether the game has chips.
        """
        if (self.needs_luck and not follows_luck) or (self.needs_chips and not has_chips):
            return False
        return self.measures is None or measure.name in self.measures

    def cell(self, row: Standing) -> Cell:
        """Return the exported value.

        Raises: PluginError, if the column's code is at fault.
        """
        found = self._answer(self.value, row)
        if not isinstance(found, Cell) or (isinstance(found, float) and not isfinite(found)):
            got = f"{type(found).__name__} {found}"
            raise self._wrong(f"expected a text, int, finite float or None, got {got}", row)
        return (found or 0.0) if isinstance(found, float) else found  # no -0.0

    def show(self, row: Standing) -> str:
        """Return the displayed text.

        Raises: PluginError, if the column's code is at fault.
        """
        if self.text is None:
            value = self.cell(row)
            return "" if value is None else str(value)
        found = self._answer(self.text, row)
        if not isinstance(found, str):
            raise self._wrong(f"expected a text, got {type(found).__name__} {found}", row)
        return found

    def _answer(self, told: Callable[[Standing], object], row: Standing) -> object:
        try:
            found = told(row)
            if isinstance(found, str):
                found.encode()  # half of a surrogate pair can be neither printed nor saved
        except Exception as error:
            line = error.__traceback__ and error.__traceback__.tb_next
            problem = f"{type(error).__name__}: {error}"
            if line:
                problem += f" at {Path(line.tb_frame.f_code.co_filename).name}:{line.tb_lineno}"
            raise self._wrong(problem, row) from error
        return found

    def _wrong(self, problem: str, row: Standing) -> PluginError:
        remedy = "fix or uninstall the plugin, or show other columns"
        return PluginError(f"column {self.name!r}, row {row.name}: {problem}; {remedy}")


NORMAL_95 = 1.959964
"""Standard errors on either side of a mean that contain 95 % of a normal distribution."""


def _number(value: float | None, decimals: int) -> str:
    return "" if value is None else f"{value:z,.{decimals}f}"


def _spread(half_width: float | None, decimals: int = 4) -> str:
    return "" if half_width is None else f" ± {_number(half_width, decimals)}"


def _interval(row: Standing) -> str:
    decimals = row.measure.decimals
    return f"{_number(float(row.mean), decimals)}{_spread(row.half_width, decimals)}"


def _ranks(row: Standing) -> str:
    if row.rank_set is None:
        return ""
    best, worst = row.rank_set
    return str(best) if best == worst else f"{best}-{worst}"


def _profit(row: Standing) -> str:
    mark = " !" if row.hidden_variance else ""
    return f"{row.profit_per_round:+z,.4f}{mark}"


def _adjusted(row: Standing) -> str:
    if row.adjusted_profit is None:
        return ""
    mark = " !" if row.is_odd else ""
    return f"{row.adjusted_profit:+z,.4f}{_spread(row.joint_half_width)}{mark}"


def _rating(row: Standing) -> str:
    if row.plackett_luce is None:
        return ""
    return f"{row.plackett_luce:+z.3f} ± {NORMAL_95 * (row.plackett_luce_error or 0):.3f}"


def _above(row: Standing) -> str:
    if row.above is None or row.relation == "equal":
        return row.relation
    mark = {"separated": "", "practically equal": " ≈"}.get(row.relation, " ?")
    return f"{row.above:+z,.4f}{_spread(row.above_half_width)}{mark}"


def _rounded(value: float | None, digits: int = 9) -> float | None:
    return None if value is None else round(value, digits)


def _figure(
    name: str,
    title: str,
    measures: tuple[str, ...],
    shown: Callable[[float], str] = "{:,.4f}".format,
    *,
    meaning: str,
    digits: int = 9,
    needs_luck: bool = False,
) -> Column:
    """Make a column for a figure that some rows lack; exports round it."""
    value: Callable[[Standing], float | None] = attrgetter(name)

    def exported(row: Standing) -> float | None:
        return _rounded(value(row), digits)

    def text(row: Standing) -> str:
        return "" if (found := value(row)) is None else shown(found)

    return Column(name, title, exported, text, measures, needs_luck=needs_luck, meaning=meaning)


def _count(name: str, title: str, meaning: str, measures: tuple[str, ...] | None = None) -> Column:
    """Make a column for a whole number that every row has."""
    value: Callable[[Standing], int] = attrgetter(name)
    return Column(name, title, value, lambda row: f"{value(row):,}", measures, meaning=meaning)


def _optional(name: str, title: str, meaning: str) -> Column:
    """Make a column over tables; a value of 0 or an empty text gives an empty cell."""
    return Column(
        name, title, lambda row: getattr(row, name) or None, measures=OVER_TABLES, meaning=meaning
    )


def _mean(name: str, measure: Measure, meaning: str) -> Column:
    return Column(
        name,
        f"{measure.title} (95 %)",
        lambda row: round(float(row.mean), 6),
        _interval,
        (measure.name,),
        meaning=f"{meaning}, with half the width of its 95 % confidence interval.",
    )


def _quantile(name: str, title: str, place: int, meaning: str) -> Column:
    return Column(
        name,
        title,
        lambda row: round(row.quantiles[place], 6),
        lambda row: _number(row.quantiles[place], row.measure.decimals - 1),
        OVER_TABLES,
        meaning=meaning,
    )


CHIPS, WITHOUT_CHIPS = (BANKROLL.name,), (POINTS.name, PLACE.name)
OVER_TABLES = (BANKROLL.name, POINTS.name, PLACE.name)
GIVEN = (FINISH.name,)
"""For formats that award places directly, without averages over tables."""

COLUMNS = (
    Column(
        "rank",
        "Place",
        lambda row: row.place,
        lambda row: "out" if row.place is None else str(row.place),
        meaning="Position on the board; equal results share a place.",
    ),
    Column(
        "rank_set",
        "Possible ranks",
        # A spreadsheet reads 2-4 as a date.
        lambda row: _ranks(row).replace("-", " to ") or None,
        _ranks,
        meaning=(
            "95 % confidence set for the true rank: 1 means the best, and 2-3 second or "
            "third. The sets of all rows hold simultaneously."
        ),
    ),
    Column(
        "entrant",
        "Entrant",
        lambda row: row.name,
        lambda row: f"{row.name} [{row.group}]" if row.group else row.name,
        meaning="Name of the entrant, with its group in brackets.",
    ),
    Column(
        "strategy",
        "Strategy",
        lambda row: without_addresses(row.strategy),
        meaning="Strategy, file or program that plays.",
    ),
    Column("group", "Group", lambda row: row.group, meaning="Group from the configuration."),
    Column("author", "Author", lambda row: row.author, meaning="Author of the strategy."),
    Column(
        "adjusted_profit",
        "Profit per round (luck removed)",
        lambda row: _rounded(row.adjusted_profit),
        _adjusted,
        CHIPS,
        needs_luck=True,
        meaning=(
            "Chips won per round without the luck of the cards, with half the width of its 95 % "
            'confidence interval. It decides the place. "!" marks a result with more luck than '
            "chance explains."
        ),
    ),
    Column(
        "profit_per_round",
        "Profit per round",
        lambda row: round(row.profit_per_round, 9),
        _profit,
        CHIPS,
        meaning=(
            'Chips won per round, luck included. "!" warns that a large loss may not have '
            "happened yet."
        ),
    ),
    _figure(
        "joint_half_width",
        "± 95 % (all rows)",
        OVER_TABLES,
        meaning="Half-width of the 95 % confidence intervals of all rows together.",
    ),
    _figure(
        "best_play",
        "Best play per round",
        CHIPS,
        "{:+z,.4f}".format,
        meaning="Exact profit per round of optimal play at the minimum bet.",
    ),
    _figure(
        "sd",
        "SD over tables",
        OVER_TABLES,
        meaning="Standard deviation of the result over tables.",
    ),
    _figure(
        "moved_sd",
        "SD of chips moved",
        CHIPS,
        meaning="SD that the bets alone would give; if much larger, a large loss may still come.",
    ),
    Column(
        "above",
        "Gap to row above",
        lambda row: _rounded(row.above),
        _above,
        OVER_TABLES,
        meaning=(
            "Difference to the row above on the same tables, with half the width of its 95 % "
            'confidence interval; all gaps hold simultaneously. "?" means that more tables are '
            'needed, "≈" that the two are practically equal.'
        ),
    ),
    _figure(
        "above_half_width",
        "± 95 % (all gaps)",
        OVER_TABLES,
        meaning="Half-width of the 95 % confidence intervals of all gaps together.",
    ),
    _optional(
        "relation",
        "Relation to row above",
        "Whether the difference to the row above is significant.",
    ),
    _figure(
        "luck_errors",
        "Luck (standard errors)",
        CHIPS,
        "{:+z.1f}".format,
        needs_luck=True,
        meaning="Luck of the cards in standard errors of its mean.",
    ),
    _mean("mean_final_bankroll", BANKROLL, "Mean bankroll at the end of a table"),
    _mean("mean_points", POINTS, "Mean points per round; fewer are better"),
    _mean("mean_place", PLACE, "Mean place over games; lower is better"),
    Column(
        "half_width",
        "± 95 %",
        lambda row: None if row.half_width is None else round(row.half_width, 6),
        lambda row: _number(row.half_width, row.measure.decimals),
        OVER_TABLES,
        meaning="Half-width of the 95 % confidence interval of the mean.",
    ),
    _quantile("q05", "5th percentile", 0, "A bad table: 1 table in 20 ended lower."),
    _quantile("median", "Median", 1, "Half of the tables ended lower."),
    _quantile("q95", "95th percentile", 2, "A good table: 1 table in 20 ended higher."),
    _figure("wins", "Games won", (PLACE.name,), "{:.1%}".format, meaning="Share of games won."),
    _figure(
        "points_per_round",
        "Points per round",
        WITHOUT_CHIPS,
        "{:,.2f}".format,
        meaning="Mean points per round.",
    ),
    Column(
        "plackett_luce",
        "Plackett-Luce (95 %)",
        lambda row: None if row.plackett_luce is None else round(row.plackett_luce, 6),
        _rating,
        WITHOUT_CHIPS,
        meaning=(
            "Rating by the Plackett-Luce model of finishing orders, with half the width of its "
            "95 % confidence interval."
        ),
    ),
    _figure(
        "plackett_luce_error",
        "Standard error of Plackett-Luce",
        WITHOUT_CHIPS,
        "{:,.3f}".format,
        digits=6,
        meaning="Standard error of the Plackett-Luce rating.",
    ),
    _figure(
        "ruin",
        "Ruin",
        CHIPS,
        "{:.1%}".format,
        meaning="Share of tables at which the bankroll fell below the minimum bet.",
    ),
    Column(
        "final_bankroll",
        "Final bankroll",
        lambda row: row.final,
        lambda row: "" if row.final is None else two_decimals(row.final),
        GIVEN,
        needs_chips=True,
        meaning=(
            "Chips at the end of the last heat or block; the mean over matches where matches are "
            "played. It does not decide the place by itself."
        ),
    ),
    Column(
        "finish",
        "Finish",
        lambda row: row.finish,
        measures=GIVEN,
        meaning="How the tournament ended for the entrant. It decides the place.",
    ),
    Column(
        "counts",
        "Counts",
        lambda row: ", ".join(f"{name} {count}" for name, count in row.counts) or None,
        measures=GIVEN,
        meaning="Events that the format counts, such as re-buys or byes.",
    ),
    _count("tables", "Tables", "Tables played.", OVER_TABLES),
    _optional(
        "least_tables",
        "Tables needed",
        "Fewest tables at which a difference can be significant.",
    ),
    _optional(
        "rarest_loss",
        "Rarest visible loss",
        "N: a loss that occurs at 1 table in N or more often would have been seen with 95 % "
        "probability.",
    ),
    _figure(
        "least_difference",
        "Smallest detectable difference",
        OVER_TABLES,
        meaning="Smallest difference that these tables can show to be significant.",
    ),
    _optional(
        "looks",
        "Interim analyses",
        "Interim analyses so far; the ranks allow for all of them.",
    ),
    _count("games", "Games", "Games played.", (PLACE.name,)),
    _count("rounds", "Rounds", "Rounds played."),
    _count("handle", "Total bet", "Sum of all bets, in chips.", CHIPS),
    Column(
        "faults",
        "Faults",
        lambda row: row.faults,
        lambda row: str(row.faults) if row.faults else "",
        meaning="Tables that ended early because the competitor failed.",
    ),
)
"""The built-in columns."""


def deciding_column(measure: Measure, *, follows_luck: bool) -> str:
    """Return the name of the column by which a board is ordered.

    Args:
        measure: What counts in the tournament.
        follows_luck: Whether the luck of the cards is taken out of results.

    >>> deciding_column(BANKROLL, follows_luck=True), deciding_column(POINTS, follows_luck=False)
    ('adjusted_profit', 'mean_points')
    """
    if measure is BANKROLL:
        return "adjusted_profit" if follows_luck else "mean_final_bankroll"
    return {POINTS.name: "mean_points", PLACE.name: "mean_place"}.get(measure.name, "finish")


ON_REQUEST = frozenset({"author"})
"""Columns that are shown only on request: an author may be an e-mail address."""

DEFAULT_COLUMNS = (
    "rank",
    "rank_set",
    "entrant",
    "adjusted_profit",
    "profit_per_round",
    "above",
    "mean_final_bankroll",
    "mean_points",
    "mean_place",
    "q05",
    "q95",
    "wins",
    "ruin",
    "final_bankroll",
    "finish",
    "counts",
    "games",
    "rounds",
    "faults",
)
"""The default columns, without those that do not fit the measure."""
