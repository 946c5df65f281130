"""Questions as bytes in columns: compact, and readable without pickle and NumPy."""

from collections.abc import Sequence
from struct import Struct
from typing import Any, Literal, NamedTuple, TypeAlias

Form: TypeAlias = Literal["q", "i", "B"]
"""A kind of number, as `memoryview` names it: 64 bits, 32 bits or a byte."""


class Column(NamedTuple):
    """Numbers of one kind in a batch of questions, question by question."""

    name: str
    form: Form
    width: int  # numbers for each question; 0 if it varies, which only the last column may


HEAD = Struct("<II8x")
"""Number of questions, and of numbers in the last column; the data after it is aligned."""
SIZE_OF: dict[Form, int] = {"q": 8, "i": 4, "B": 1}
"""Bytes of a number."""
FORMS: dict[str, Form] = {form: form for form in SIZE_OF}


def spell_columns(layout: Sequence[Column]) -> str:
    r"""Describe the columns, one line each, for programs that find them by name.

    >>> spell_columns([Column("seats", "i", 1)])
    'column seats i 1\n'
    """
    return "".join(f"column {each.name} {each.form} {each.width}\n" for each in layout)


def read_layout(lines: str) -> tuple[Column, ...]:
    r"""Parse the description of columns; ignores other lines.

    >>> read_layout("game blackjack\ncolumn seats i 1\n")
    (Column(name='seats', form='i', width=1),)
    """
    found = [line.split() for line in lines.splitlines() if line.startswith("column ")]
    return tuple([Column(name, FORMS[form], int(width)) for _, name, form, width in found])


def count_of(body: bytes) -> int:
    """Return the number of questions in columns written by the trusted process."""
    return int(HEAD.unpack_from(body)[0])


def write_columns(layout: Sequence[Column], count: int, columns: Sequence[Any]) -> bytes:
    """Write a batch in columns; the last column holds bytes.

    Args:
        layout: Names and widths of the columns.
        count: Number of questions.
        columns: Buffers of numbers, one for each column.
    """
    sizes = [memoryview(each).nbytes for each in columns]
    for column, size in zip(layout, sizes, strict=True):
        wanted = count * column.width * SIZE_OF[column.form]
        assert not column.width or size == wanted, column.name
    return b"".join((HEAD.pack(count, sizes[-1]), *columns))


def read_columns(layout: Sequence[Column], body: bytes) -> list[Any]:
    """Return memory views of columns written by the trusted process."""
    count, last = HEAD.unpack_from(body)
    view, at, columns = memoryview(body), HEAD.size, []
    for column in layout:
        size = SIZE_OF[column.form] * (count * column.width or last)
        columns.append(view[at : at + size].cast(column.form))
        at += size
    return columns
