"""Standings and other rows as tables, CSV, JSON and Parquet.

Parquet keeps types for pandas, R and databases; it needs pyarrow, an optional extra.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from io import BytesIO
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from tabulate import tabulate, tabulate_formats

from tourney.config.words import closest, joined, said
from tourney.errors import TourneyError
from tourney.report.schema import kind_of
from tourney.standings.columns import (
    COLUMNS,
    DEFAULT_COLUMNS,
    ON_REQUEST,
    Cell,
    Column,
    deciding_column,
)
from tourney.standings.data import as_csv, as_json, csv_of, rows_of
from tourney.standings.standing import BANKROLL, Measure, Standing

if TYPE_CHECKING:
    from tourney.tournament.loading import Tournament

PARQUET = "parquet"

Row = Mapping[str, Cell]


def as_parquet(rows: Sequence[Row], kinds: Mapping[str, str]) -> bytes:
    """Return rows as a Parquet file.

    Args:
        rows: Values by column; missing ones are allowed.
        kinds: Types of the columns, in order: "string", "integer" or "number"; any other text
            means to infer the type.
    Raises: TourneyError, if pyarrow is not installed.
    """
    try:
        import pyarrow as pa  # noqa: PLC0415 - an extra
        from pyarrow import parquet  # noqa: PLC0415 - an extra
    except ImportError:
        raise TourneyError(
            "--format parquet needs pyarrow; install it with: pip install 'tourney-cards[parquet]'"
        ) from None
    types = {"string": pa.string(), "integer": pa.int64(), "number": pa.float64()}
    columns = {
        name: _column(pa, [row.get(name) for row in rows], types.get(kind))
        for name, kind in kinds.items()
    }
    file = BytesIO()
    parquet.write_table(pa.table(columns), file)
    return file.getvalue()


def _column(pa: Any, values: Sequence[Cell], kind: Any) -> Any:
    """Make a column of one type.

    Whole numbers beyond 64 bits become floating-point numbers, and numbers among texts become
    texts.
    """
    try:
        return pa.array(values, type=kind)
    except (OverflowError, pa.ArrowInvalid, pa.ArrowTypeError):
        common = str if any(isinstance(each, str) for each in values) else float
        return pa.array([None if each is None else common(each) for each in values])


DATA_FORMATS = ("csv", "json", PARQUET)
FORMATS = (*sorted(tabulate_formats), "csv", "json")
DEFAULT_FORMAT = "simple"

MARKDOWN = ("github", "pipe")
HEADING_WIDTH = 12
"""Characters of a line of a heading in the default format; longer titles take several lines."""


def choose_columns(
    names: Sequence[str] | None,
    known: Mapping[str, Column],
    codec: str,
    measure: Measure = BANKROLL,
    *,
    follows_luck: bool = False,
    has_chips: bool = True,
    more: Sequence[str] = (),
) -> tuple[Column, ...]:
    """Return the columns of a board.

    Args:
        names: Columns that the organiser listed. Boards for people add the column that decides
            the place. `None`: people get the default columns; CSV, JSON and Parquet get all
            columns that make sense, except those of ON_REQUEST.
        known: Columns by name.
        codec: As for `render`.
        measure: The measure of the tournament.
        follows_luck: Whether luck is taken out of results.
        has_chips: Whether the game has chips.
        more: Names of further columns.
    Raises: TourneyError, if one of `more` does not exist or apply.
    """
    for name in more:
        if name not in known:
            choices = joined(list(known), shown_by="`tourney schema leaderboard`")
            meant = closest(name, known)
            raise TourneyError(f"column: {said(f'one of {choices}', repr(name), meant=meant)}")
        if not known[name].fits(measure, follows_luck=follows_luck, has_chips=has_chips):
            why = "this run has nothing for it"
            if known[name].needs_luck and not follows_luck:
                why = "the luck of the cards was not followed in this run, so nothing of it is kept"
            raise TourneyError(f"column {name}: expected one that makes sense here: {why}")
    if names is None:
        wanted = known if codec in DATA_FORMATS else DEFAULT_COLUMNS
        names = tuple(
            name
            for name in wanted
            if name not in ON_REQUEST
            and known[name].fits(measure, follows_luck=follows_luck, has_chips=has_chips)
        )
    chosen = list(dict.fromkeys((*names, *more)))
    decides = deciding_column(measure, follows_luck=follows_luck)
    if codec not in DATA_FORMATS and decides in known and decides not in chosen:
        chosen.insert(chosen.index("entrant") + 1 if "entrant" in chosen else 0, decides)
    return tuple(known[name] for name in chosen)


def columns_of(
    tournament: "Tournament",
    known: Mapping[str, Column],
    codec: str = DEFAULT_FORMAT,
    more: Sequence[str] = (),
) -> tuple[Column, ...]:
    """Return the columns of a tournament's board, by its configuration or by default.

    Args:
        tournament: The tournament.
        known: Columns by name.
        codec: As for `render`.
        more: Names of further columns.
    Raises: TourneyError, if one of `more` is not available.
    """
    chosen = choose_columns(
        tournament.config.leaderboard.columns,
        known,
        codec,
        tournament.measure,
        follows_luck=tournament.follows_luck,
        has_chips=tournament.rules.most_points is None,
        more=more,
    )
    rewrite = tournament.rules.game.words.rewrite
    return tuple(
        replace(each, title=rewrite(each.title), meaning=rewrite(each.meaning)) for each in chosen
    )


def board_of(standings: Sequence[Standing], columns: Sequence[Column], codec: str) -> str | bytes:
    """Return standings in a format of `render`, or as Parquet."""
    if codec != PARQUET:
        return render(standings, columns, codec)
    own = {each.name for each in COLUMNS}
    kinds = {each.name: kind_of(each) if each.name in own else "" for each in columns}
    return as_parquet(rows_of(standings, columns), kinds)


def render(standings: Sequence[Standing], columns: Sequence[Column], codec: str) -> str:
    """Format standings.

    Args:
        standings: Best first.
        columns: The columns; CSV and JSON contain all of them.
        codec: A format of tabulate, "csv" or "json".
    Raises: TourneyError, if the format is unknown.
    """
    if codec == "csv":
        return as_csv(standings, columns).removesuffix("\n")
    if codec == "json":
        return as_json(standings, columns)
    if codec not in tabulate_formats:
        raise TourneyError(f"format: expected one of {', '.join(FORMATS)}; got {codec!r}")
    cells = [[_cell(column.show(row), codec) for column in columns] for row in standings]
    sides = ["left" if _is_text(column, standings) else "right" for column in columns]
    # Cells are text; tabulate must not convert them back to numbers.
    return tabulate(
        cells,
        headers=[heading_of(column, codec) for column in columns],
        tablefmt=codec,
        colalign=sides if cells else None,
        disable_numparse=True,
    )


def heading_of(column: Column, codec: str = DEFAULT_FORMAT) -> str:
    """Return a column's title, on several lines where the format has room for them."""
    if codec != DEFAULT_FORMAT:
        return column.title
    title = column.title.replace(" %", "\u00a0%")  # a percentage stays on one line
    lines = wrap(title, HEADING_WIDTH, break_long_words=False)
    return "\n".join(lines).replace("\u00a0", " ")


def data_of(rows: Sequence[Row], kinds: Mapping[str, str], codec: str) -> str | bytes:
    """Return rows as CSV, JSON or Parquet.

    Args:
        rows: Values by column.
        kinds: As for `as_parquet`.
        codec: One of DATA_FORMATS.
    """
    if codec == PARQUET:
        return as_parquet(rows, kinds)
    if codec == "json":
        return json.dumps(rows, indent=2, ensure_ascii=False)
    return csv_of([kinds, *([row[name] for name in kinds] for row in rows)]).removesuffix("\n")


def _cell(text: str, codec: str) -> str:
    """Escape a bar in a name, which would end a cell of Markdown."""
    return text.replace("|", r"\|") if codec in MARKDOWN else text


def _is_text(column: Column, standings: Sequence[Standing]) -> bool:
    return any(isinstance(column.cell(row), str) for row in standings)
