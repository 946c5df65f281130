"""The cells of a CSV file with their places, so that one can be changed and the rest is kept.

Python's own reader tells no places, and its writer would put quotes where it likes them.
Source: RFC 4180.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tourney.errors import GradebookError

BYTE_ORDER_MARK = "\ufeff"


class Cell(NamedTuple):
    """One cell."""

    text: str  # what it says, without quotes
    start: int  # where it begins in the text of the file, quotes included
    end: int  # behind it


Cells = tuple[Cell, ...]
"""One line of a table."""


def rows_of(path: Path, text: str, separator: str) -> Iterator[Cells]:
    r"""Give the lines of a table, without empty ones.

    Args:
        path: Of the file, for messages.
        text: All of it.
        separator: What stands between two cells.
    Raises: GradebookError, if a quote is not closed, or closed too early.

    >>> [[cell.text for cell in row] for row in rows_of(Path("a.csv"), "Student;ID\n'Ada';7", ";")]
    [['Student', 'ID'], ["'Ada'", '7']]
    """
    sign = re.escape(separator)
    pattern = re.compile(
        rf'("[^"]*(?:""[^"]*)*"|[^"{sign}\r\n][^{sign}\r\n]*|)({sign}|\r\n|\n|\r|\Z)'
    )
    row: list[Cell] = []
    at = len(BYTE_ORDER_MARK) if text.startswith(BYTE_ORDER_MARK) else 0
    while at < len(text) or row:
        found = pattern.match(text, at)
        if found is None:
            line = text.count("\n", 0, at) + 1
            raise GradebookError(f"{path}:{line}: expected a quote closed before the next cell")
        row.append(Cell(_plain(found[1]), *found.span(1)))
        at = found.end()
        if found[2] != separator:
            if any(cell.text.strip() for cell in row):
                yield tuple(row)
            row = []


def _plain(written: str) -> str:
    """Give what a cell says."""
    return written[1:-1].replace('""', '"') if written.startswith('"') else written
