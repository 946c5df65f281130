"""Standings and other rows as CSV and JSON."""

import csv
import io
import json
from collections.abc import Iterable, Sequence

from tourney.standings.columns import COLUMNS, ON_REQUEST, Cell, Column
from tourney.standings.standing import BANKROLL, Standing

# Spreadsheets treat a cell that begins with one of these as a formula.
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def as_csv(standings: Sequence[Standing], columns: Sequence[Column] | None = None) -> str:
    """Return standings as CSV with a header; texts that look like formulas are escaped."""
    columns = columns_for(standings) if columns is None else columns
    rows = ([column.cell(row) for column in columns] for row in standings)
    return csv_of([[column.name for column in columns], *rows])


def as_json(standings: Sequence[Standing], columns: Sequence[Column] | None = None) -> str:
    """Return standings as a JSON list of objects with one key for each column."""
    columns = columns_for(standings) if columns is None else columns
    return json.dumps(rows_of(standings, columns), indent=2, ensure_ascii=False)


def rows_of(standings: Sequence[Standing], columns: Sequence[Column]) -> list[dict[str, Cell]]:
    """Return the cells of each row, by column name."""
    return [{column.name: column.cell(row) for column in columns} for row in standings]


def csv_of(rows: Iterable[Iterable[object]]) -> str:
    """Return rows as CSV with line ends; texts that look like formulas are escaped."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerows([harmless(cell) for cell in row] for row in rows)
    return text.getvalue()


def columns_for(standings: Sequence[Standing]) -> tuple[Column, ...]:
    """Return the built-in columns that are useful for these standings."""
    measure = standings[0].measure if standings else BANKROLL
    follows_luck = any(row.adjusted is not None for row in standings)
    # A tournament with places and without final bankrolls is a game without chips.
    has_chips = any(row.final is not None for row in standings)
    return tuple(
        column
        for column in COLUMNS
        if column.name not in ON_REQUEST
        and column.fits(measure, follows_luck=follows_luck, has_chips=has_chips)
    )


def harmless(value: object) -> object:
    """Escape a text that a spreadsheet would treat as a formula."""
    if isinstance(value, str) and value.startswith(FORMULA_STARTS):
        return f"'{value}"
    return value
