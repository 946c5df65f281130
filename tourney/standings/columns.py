"""The columns of the board: the platform's own, and what plugins provide through the same hook."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import isfinite
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

from tourney.config.words import without_addresses
from tourney.errors import PluginError
from tourney.standings.standing import BANKROLL, FINISH, PLACE, POINTS, Measure, Standing
from tourney.standings.tallies import Scoring

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


class Note(NamedTuple):
    """A line below a board."""

    row: int  # it is about, from 1; 0 for the whole board
    text: str


def notes_of(rows: Sequence[Standing], scoring: Scoring) -> tuple[Note, ...]:
    """Give what has to be said of a board; nothing of one without rows.

    Args:
        rows: Best first.
        scoring: How results count.
    """
    if not rows:
        return ()
    about_rows = (
        Note(number, text) for number, row in enumerate(rows, start=1) for text in _of_row(row)
    )
    return *(Note(0, text) for text in _of_board(rows, scoring)), *about_rows


def too_few(tables: int, least: int) -> str:
    """Say that so many tables tell nothing; nothing if they may tell something.

    Args:
        tables: That everybody plays, or has played.
        least: The fewest that tell anything.

    >>> too_few(2, 12)
    '2 tables tell nobody apart: among so many entrants it takes 12 at least'
    """
    if tables >= least:
        return ""
    tell = "1 table tells" if tables == 1 else f"{tables:,} tables tell"
    return f"{tell} nobody apart: among so many entrants it takes {least:,} at least"


def _of_board(rows: Sequence[Standing], scoring: Scoring) -> Iterator[str]:
    if scoring.why_luck_stays:
        yield f"luck is not taken out: {scoring.why_luck_stays}"
        if scoring.shares_shoes:
            yield (
                "all play the same shoes: whoever learns the cards from another entrant gains by "
                "it, and no result shows that; format kind: independent gives everybody shoes of "
                "its own"
            )
        elif scoring.shares_shoes is not None:
            yield "nobody plays the shoes of another entrant"
    fewest = min((row.tables for row in rows if row.place is not None), default=0)
    if fewest and (text := too_few(fewest, rows[0].least_tables)):
        yield text
    elif rows[0].rarest_loss:
        yield (
            f"with {fewest:,} tables, a loss that happens at 1 table in {rows[0].rarest_loss:,} or "
            "more often would have shown with 95 % probability; ranks cannot allow for rarer losses"
        )
    elif rows[0].least_difference is not None and scoring.bounds is not None:
        yield (
            f"ranks hold for all results from {scoring.bounds.low:,g} to {scoring.bounds.high:,g}, "
            f"also if large losses are rare; with {fewest:,} tables, only differences of at least "
            f"{rows[0].least_difference:,.4g} can be told apart"
        )


def _of_row(row: Standing) -> Iterator[str]:
    if row.is_odd:
        yield (
            f"raw and adjusted results differ by {abs(row.luck_errors or 0):.1f} standard errors "
            f"of the mean luck, more than the {row.most_luck_errors:.1f} that chance explains at "
            f"{row.tables:,} tables"
        )
    if row.hidden_variance:
        yield (
            f"a table varies by {row.sd:,.4f} a round, but by {row.moved_sd:,.4f} going by the "
            "chips that moved: a great loss may not have come yet, and its ranks allow for one"
        )


NORMAL_95 = 1.959964
"""Standard errors on either side of a mean between which 95 % of a normal distribution lie."""


def _number(value: float | None, decimals: int) -> str:
    return "" if value is None else f"{value:,.{decimals}f}"


def _interval(row: Standing) -> str:
    decimals = row.measure.decimals
    spread = "" if row.half_width is None else f" ± {_number(row.half_width, decimals)}"
    return f"{_number(float(row.mean), decimals)}{spread}"


def _ranks(row: Standing) -> str:
    if row.rank_set is None:
        return ""
    best, worst = row.rank_set
    return str(best) if best == worst else f"{best}-{worst}"


def _profit(row: Standing) -> str:
    mark = " !" if row.hidden_variance else ""
    return f"{row.profit_per_round:+,.4f}{mark}"


def _adjusted(row: Standing) -> str:
    if row.adjusted_profit is None:
        return ""
    mark = " !" if row.is_odd else ""
    return f"{row.adjusted_profit:+,.4f}{_joint(row)}{mark}"


def _rating(row: Standing) -> str:
    if row.plackett_luce is None:
        return ""
    return f"{row.plackett_luce:+.3f} ± {NORMAL_95 * (row.plackett_luce_error or 0):.3f}"


def _joint(row: Standing) -> str:
    return "" if row.joint_half_width is None else f" ± {row.joint_half_width:,.4f}"


def _above(row: Standing) -> str:
    if row.above is None or row.relation == "equal":
        return row.relation
    mark = {"separated": "", "practically equal": " ≈"}.get(row.relation, " ?")
    spread = "" if row.above_half_width is None else f" ± {row.above_half_width:,.4f}"
    return f"{row.above:+,.4f}{spread}{mark}"


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 9)


def _figure(
    name: str,
    title: str,
    measures: tuple[str, ...],
    shown: Callable[[float], str],
    *,
    digits: int = 9,
    needs_luck: bool = False,
) -> Column:
    """Make a column of a figure that not every row has: exports carry it rounded."""
    value: Callable[[Standing], float | None] = attrgetter(name)

    def rounded(row: Standing) -> float | None:
        found = value(row)
        return None if found is None else round(found, digits)

    def text(row: Standing) -> str:
        found = value(row)
        return "" if found is None else shown(found)

    return Column(name, title, rounded, text, measures, needs_luck=needs_luck)


def _count(name: str, title: str, measures: tuple[str, ...] | None = None) -> Column:
    """Make a column of a whole number that every row has."""
    value: Callable[[Standing], int] = attrgetter(name)
    return Column(name, title, value, lambda row: f"{value(row):,}", measures)


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
        OVER_TABLES,
    )


CHIPS, WITHOUT_CHIPS = (BANKROLL.name,), (POINTS.name, PLACE.name)
OVER_TABLES = (BANKROLL.name, POINTS.name, PLACE.name)
GIVEN = (FINISH.name,)
"""Where the format gives the places, and nothing is averaged over tables."""

COLUMNS = (
    Column(
        "rank",
        "Place",
        lambda row: row.place,
        lambda row: "out" if row.place is None else str(row.place),
    ),
    Column(
        "rank_set",
        "Ranks",
        # A spreadsheet takes 2-4 for a day in April.
        lambda row: _ranks(row).replace("-", " to ") or None,
        _ranks,
    ),
    Column(
        "entrant",
        "Entrant",
        lambda row: row.name,
        lambda row: f"{row.name} [{row.group}]" if row.group else row.name,
    ),
    Column("strategy", "Strategy", lambda row: without_addresses(row.strategy)),
    Column("group", "Group", lambda row: row.group),
    Column("author", "Author", lambda row: row.author),
    Column(
        "adjusted_profit",
        "Adjusted a round",
        lambda row: _rounded(row.adjusted_profit),
        _adjusted,
        CHIPS,
        needs_luck=True,
    ),
    Column(
        "profit_per_round",
        "Profit a round",
        lambda row: round(row.profit_per_round, 9),
        _profit,
        CHIPS,
    ),
    _figure("joint_half_width", "± 95 %, all rows", OVER_TABLES, "{:,.4f}".format),
    _figure("best_play", "Best play a round", CHIPS, "{:+,.4f}".format),
    _figure("sd", "SD over tables", OVER_TABLES, "{:,.4f}".format),
    _figure("moved_sd", "SD by chips that moved", CHIPS, "{:,.4f}".format),
    Column("above", "To row above", lambda row: _rounded(row.above), _above, OVER_TABLES),
    _figure("above_half_width", "± 95 %, all pairs", OVER_TABLES, "{:,.4f}".format),
    Column("relation", "Told apart", lambda row: row.relation or None, measures=OVER_TABLES),
    _figure("luck_errors", "Luck in standard errors", CHIPS, "{:+.1f}".format, needs_luck=True),
    _mean("mean_final_bankroll", BANKROLL),
    _mean("mean_points", POINTS),
    _mean("mean_place", PLACE),
    Column(
        "half_width",
        "± 95 %",
        lambda row: None if row.half_width is None else round(row.half_width, 6),
        lambda row: _number(row.half_width, row.measure.decimals),
        OVER_TABLES,
    ),
    _quantile("q05", "5 %", 0),
    _quantile("median", "50 %", 1),
    _quantile("q95", "95 %", 2),
    _figure("wins", "Games won", (PLACE.name,), "{:.1%}".format),
    _figure("points_per_round", "Points a round", WITHOUT_CHIPS, "{:,.2f}".format),
    Column(
        "plackett_luce",
        "Plackett-Luce (95 %)",
        lambda row: None if row.plackett_luce is None else round(row.plackett_luce, 6),
        _rating,
        WITHOUT_CHIPS,
    ),
    _figure("plackett_luce_error", "Standard error", WITHOUT_CHIPS, "{:,.3f}".format, digits=6),
    _figure("ruin", "Ruin", CHIPS, "{:.1%}".format),
    Column(
        "final_bankroll",
        "Bankroll",
        lambda row: row.final,
        lambda row: "" if row.final is None else f"{row.final:,.10g}",
        GIVEN,
        needs_chips=True,
    ),
    Column("finish", "How it ended", lambda row: row.finish, measures=GIVEN),
    Column(
        "counts",
        "Also",
        lambda row: ", ".join(f"{name} {count}" for name, count in row.counts) or None,
        measures=GIVEN,
    ),
    _count("tables", "Tables", OVER_TABLES),
    Column(
        "least_tables",
        "Tables that tell",
        lambda row: row.least_tables or None,
        measures=OVER_TABLES,
    ),
    Column(
        "rarest_loss",
        "Loss seen from 1 table in",
        lambda row: row.rarest_loss or None,
        measures=OVER_TABLES,
    ),
    _figure("least_difference", "Least difference", OVER_TABLES, "{:,.4f}".format),
    Column("looks", "Looks", lambda row: row.looks or None, measures=OVER_TABLES),
    _count("games", "Games", (PLACE.name,)),
    _count("rounds", "Rounds"),
    _count("handle", "Handle", CHIPS),
    Column(
        "faults",
        "Faults",
        lambda row: row.faults,
        lambda row: str(row.faults) if row.faults else "",
    ),
)
"""The platform's own columns."""

ON_REQUEST = frozenset({"author"})
"""Columns that no format has unless they are asked for: an author may be an e-mail address."""

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
"""What people are shown where the organiser does not say, of what the measure can fill."""
