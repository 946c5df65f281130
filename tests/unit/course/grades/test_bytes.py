"""Marks change their own cells and not a byte else, whoever exported the gradebook and however."""

from itertools import cycle
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.proving import tried
from tests.unit.course.exports import GRADEBOOKS
from tourney.course.files import write_whole
from tourney.course.grades.book import read_gradebook
from tourney.errors import GradebookError

TITLES = {"Moodle, worksheet": "Grade"}


def filled(path: Path, title: str, marks: list[str]) -> bytes:
    """Fill a column as `grades --write` does, and give the bytes of the new file."""
    book = read_gradebook(path)
    lines = [student.line for student in book.students]
    target = path.with_name("filled.csv")
    text = book.filled(book.column(title), dict(zip(lines, marks, strict=False)))
    write_whole(target, text, book.encoding)
    return target.read_bytes()


@pytest.mark.parametrize("name", GRADEBOOKS)
@pytest.mark.parametrize("end", [None, b"\n", b"\r\n", b"\r", b"mixed"])
@pytest.mark.parametrize("encoding", ["utf-8", "cp1252"])
def test_marks_change_nothing_but_their_column(
    tmp_path: Path, name: str, end: bytes | None, encoding: str
) -> None:
    """Taken out again, the marks leave the very bytes of the export."""
    text = GRADEBOOKS[name]
    text = text.removeprefix("\ufeff") if encoding == "cp1252" else text
    data = text.encode(encoding)
    if end:
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n").replace(b"\n", end)
    if end == b"mixed":
        first, *lines = data.split(end)
        data = first + b"".join(
            mixed + line for mixed, line in zip(cycle([b"\r\n", b"\r", b"\n"]), lines, strict=False)
        )
    path = tmp_path / "export.csv"
    path.write_bytes(data)
    title = TITLES.get(name, "blackjack")
    book = read_gradebook(path)
    at = book.column(title)
    before = [student.cells[at] for student in book.students]
    marks = [f"{number}.25" for number, _ in enumerate(before)]
    wanted, done = b"", 0
    for cell, mark in zip(before, marks, strict=True):
        wanted += book.text[done : cell.start].encode(encoding) + mark.encode()
        done = cell.end
    assert filled(path, title, marks) == wanted + book.text[done:].encode(encoding)
    assert filled(path, title, []) == data
    again = tmp_path / "again.csv"
    again.write_bytes(filled(path, title, marks))
    assert [each.cells[at].text for each in read_gradebook(again).students] == marks


@pytest.mark.parametrize(
    ("name", "points"),
    [("Canvas", 20), ("Canvas, halves", 20), ("Moodle, worksheet", 20), ("Gradescope", 20)],
)
def test_the_most_marks_are_those_that_the_platform_says(
    tmp_path: Path, name: str, points: int
) -> None:
    """In a line of Canvas, in columns of the others."""
    path = tmp_path / "export.csv"
    path.write_bytes(GRADEBOOKS[name].encode())
    book = read_gradebook(path)
    assert book.possible(book.column(TITLES.get(name, "blackjack"))) == points


@tried(1_000)
@given(st.binary(max_size=200))
def test_whatever_is_in_other_columns_comes_back(tail: bytes) -> None:
    """Bytes that mean nothing in any encoding too."""
    with TemporaryDirectory() as name:
        path = Path(name) / "export.csv"
        strange = tail.replace(b"\0", b"").replace(b'"', b'""')
        data = b'Student,ID,Note,Quiz (1)\n"Ada",1,"' + strange + b'",\r\n'
        path.write_bytes(data)
        try:
            book = read_gradebook(path)
        except GradebookError:  # of two encodings
            return
        marked = book.filled(3, {book.students[0].line: "7"}).encode(book.encoding)
        assert marked == data[:-2] + b"7\r\n"
