"""Standings as text: tables in any of tabulate's formats, CSV and JSON. Prints nothing."""

from collections.abc import Mapping, Sequence

from tabulate import tabulate, tabulate_formats

from tourney.errors import TourneyError
from tourney.show.parquet import PARQUET
from tourney.standings import (
    BANKROLL,
    DEFAULT_COLUMNS,
    Column,
    Measure,
    Standing,
    as_csv,
    as_json,
)

DATA_FORMATS = ("csv", "json", PARQUET)
FORMATS = (*sorted(tabulate_formats), "csv", "json")
DEFAULT_FORMAT = "simple"

MARKDOWN = ("github", "pipe")


def choose_columns(
    names: Sequence[str] | None,
    known: Mapping[str, Column],
    codec: str,
    measure: Measure = BANKROLL,
    *,
    follows_luck: bool = False,
    has_chips: bool = True,
) -> tuple[Column, ...]:
    """Give the columns of a board.

    Args:
        names: As the organiser listed them. If None, people are shown the default ones, and
            CSV, JSON and Parquet carry all that make sense.
        known: Columns by name.
        codec: As for `render`.
        measure: What counts in the tournament.
        follows_luck: Whether the luck of the cards is taken out of results.
        has_chips: Whether the game has chips.
    """
    if names is None:
        wanted = known if codec in DATA_FORMATS else DEFAULT_COLUMNS
        names = tuple(
            name
            for name in wanted
            if known[name].fits(measure, follows_luck=follows_luck, has_chips=has_chips)
        )
    return tuple(known[name] for name in names)


def render(standings: Sequence[Standing], columns: Sequence[Column], codec: str) -> str:
    """Show standings.

    Args:
        standings: Best first.
        columns: What to show; CSV and JSON always carry every column they are given.
        codec: A format of tabulate, "csv" or "json".
    Raises: TourneyError, if there is no such format.
    """
    if codec == "csv":
        return as_csv(standings, columns).removesuffix("\n")
    if codec == "json":
        return as_json(standings, columns)
    if codec not in tabulate_formats:
        raise TourneyError(f"format: expected one of {', '.join(FORMATS)}; got {codec!r}")
    cells = [[_cell(column.show(row), codec) for column in columns] for row in standings]
    sides = ["left" if _is_text(column, standings) else "right" for column in columns]
    # Cells are text by now; tabulate must not read numbers out of them again.
    return tabulate(
        cells,
        headers=[column.title for column in columns],
        tablefmt=codec,
        colalign=sides if cells else None,
        disable_numparse=True,
    )


def _cell(text: str, codec: str) -> str:
    """Keep a bar in somebody's name from ending the cell, where Markdown would take it so."""
    return text.replace("|", r"\|") if codec in MARKDOWN else text


def _is_text(column: Column, standings: Sequence[Standing]) -> bool:
    return any(isinstance(column.cell(row), str) for row in standings)
