"""Standings and other rows as data for other programs: CSV and JSON."""

import csv
import io
import json
from collections.abc import Iterable, Sequence

from tourney.standings.columns import COLUMNS, ON_REQUEST, Cell, Column
from tourney.standings.standing import BANKROLL, Standing

# Spreadsheets take a cell that begins with one of these for a formula.
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def as_csv(standings: Sequence[Standing], columns: Sequence[Column] | None = None) -> str:
    """Give standings as CSV, lines ended, the first a header; no text passes for a formula."""
    columns = columns_for(standings) if columns is None else columns
    rows = ([column.cell(row) for column in columns] for row in standings)
    return csv_of([[column.name for column in columns], *rows])


def as_json(standings: Sequence[Standing], columns: Sequence[Column] | None = None) -> str:
    """Give standings as a JSON list of objects, one key for each column."""
    columns = columns_for(standings) if columns is None else columns
    return json.dumps(rows_of(standings, columns), indent=2, ensure_ascii=False)


def rows_of(standings: Sequence[Standing], columns: Sequence[Column]) -> list[dict[str, Cell]]:
    """Give what columns hold, by their names."""
    return [{column.name: column.cell(row) for column in columns} for row in standings]


def csv_of(rows: Iterable[Iterable[object]]) -> str:
    """Give rows as CSV, lines ended; no text passes for a formula."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerows([harmless(cell) for cell in row] for row in rows)
    return text.getvalue()


def columns_for(standings: Sequence[Standing]) -> tuple[Column, ...]:
    """Give the platform's columns that make sense for these standings."""
    measure = standings[0].measure if standings else BANKROLL
    follows_luck = any(row.adjusted is not None for row in standings)
    # Only a game without chips ends with places and leaves nobody a bankroll.
    has_chips = any(row.final is not None for row in standings)
    return tuple(
        column
        for column in COLUMNS
        if column.name not in ON_REQUEST
        and column.fits(measure, follows_luck=follows_luck, has_chips=has_chips)
    )


def harmless(value: object) -> object:
    """Keep a spreadsheet from taking text for a formula."""
    if isinstance(value, str) and value.startswith(FORMULA_STARTS):
        return f"'{value}"
    return value
