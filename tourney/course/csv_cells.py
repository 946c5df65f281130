"""The cells of a CSV file with their positions, so that one can be changed and the rest is kept.

Python's `csv` module gives no positions, and its writer changes the quotes.
Source: RFC 4180.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from tourney.config.documents import Faults, Place
from tourney.errors import GradebookError

BYTE_ORDER_MARK = "\ufeff"
LINE_END = re.compile("\r\n|\r|\n")
UTF_8, WINDOWS, LATIN = "utf-8", "cp1252", "latin-1"
"""Encodings of exports; Windows has its own Latin-1, with few undefined bytes."""

SIGNATURES = {
    b"PK\x03\x04": "a spreadsheet (.xlsx or .ods)",
    b"\xd0\xcf\x11\xe0": "a spreadsheet (.xls)",
    b"\xff\xfe": "text in UTF-16 (as spreadsheets save `Unicode text`, also as .xls)",
    b"\xfe\xff": "text in UTF-16 (as spreadsheets save `Unicode text`, also as .xls)",
    b"%PDF": "a PDF document",
    b"<html": "a web page (as some platforms export .xls)",
    b"<!DOCTYPE": "a web page (as some platforms export .xls)",
    b"<?xml": "an XML document (as some platforms export .xls)",
}
"""Kinds of files by their first bytes."""

OF_UTF_8 = re.compile(rb"[\xc3-\xf4][\x80-\xbf]{1,3}")


class Cell(NamedTuple):
    """One cell."""

    text: str  # without quotes
    start: int  # where it begins in the text of the file, quotes included
    end: int  # behind it
    line: int = 1  # where it begins, from 1
    column: int = 1  # in characters of that line, from 1

    @property
    def place(self) -> Place:
        """Its line and column."""
        return self.line, self.column


Cells = tuple[Cell, ...]
"""One line of a table."""


def decoded(name: str, data: bytes) -> tuple[str, str]:
    r"""Decode the bytes of a file.

    Args:
        name: Name of the file, for messages.
        data: All bytes of the file.
    Returns: The text, and the encoding that gives exactly these bytes.
    Raises: GradebookError, if they are not text, or mix two encodings.

    >>> decoded("a.csv", b"Jos\xc3\xa9"), decoded("a.csv", b"Jos\xe9")
    (('José', 'utf-8'), ('José', 'cp1252'))
    """
    if b"\0" in data or data.startswith(tuple(SIGNATURES)):
        found = (words for start, words in SIGNATURES.items() if data.startswith(start))
        words = next(found, "a binary file")
        raise GradebookError(
            f"{name} is {words}, not a CSV file. Export it as CSV, or open it in a "
            "spreadsheet program and save it as `CSV UTF-8`."
        )
    try:
        return data.decode(UTF_8), UTF_8
    except UnicodeDecodeError as error:
        before = data[: error.start].decode(UTF_8)
        ends = list(LINE_END.finditer(before))
        line, column = len(ends) + 1, len(before) - (ends[-1].end() if ends else 0) + 1
        byte = data[error.start]
    if OF_UTF_8.search(data):
        raise GradebookError(
            f"{name}:{line}:{column}: the byte {byte:#04x} is not valid in UTF-8, unlike the "
            "rest of the file. Export it again."
        )
    for encoding in (WINDOWS, LATIN):
        try:
            return data.decode(encoding), encoding
        except UnicodeDecodeError:  # Latin-1 knows every byte
            continue
    raise AssertionError(encoding)


def rows_of(faults: Faults, text: str, separator: str) -> Iterator[Cells]:
    r"""Yield the rows of a table, without empty ones.

    Args:
        faults: Collects quotes that are not closed, or closed too early; their lines are skipped.
        text: The whole text of the file.
        separator: The character between two cells.

    >>> rows = rows_of(Faults("a.csv"), "Student;ID\r'Ada';7", ";")
    >>> [[cell.text for cell in row] for row in rows]
    [['Student', 'ID'], ["'Ada'", '7']]
    """
    sign = re.escape(separator)
    pattern = re.compile(
        rf'("[^"]*(?:""[^"]*)*"|[^"{sign}\r\n][^{sign}\r\n]*|)({sign}|\r\n|\n|\r|\Z)'
    )
    row: list[Cell] = []
    at = begins = len(BYTE_ORDER_MARK) if text.startswith(BYTE_ORDER_MARK) else 0
    line = 1
    while at < len(text) or row:
        found = pattern.match(text, at)
        if found is None:
            place = line, at - begins + 1
            faults.note_at(place, "the quote of this cell is not closed before the next cell")
            found = re.compile(r"[^\r\n]*(\r\n|\r|\n|\Z)").match(text, at)
            assert found
            row = []
        else:
            row.append(Cell(_plain(found[1]), *found.span(1), line, at - begins + 1))
        at = found.end()
        for end in LINE_END.finditer(text, found.start(), at):
            line, begins = line + 1, end.end()
        if found[found.re.groups] != separator:
            if any(cell.text.strip() for cell in row):
                yield tuple(row)
            row = []


def _plain(written: str) -> str:
    """Return the text of a cell without its quotes."""
    return written[1:-1].replace('""', '"') if written.startswith('"') else written
