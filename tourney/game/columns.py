"""Questions in bytes, column by column: short, and read without a pickle and without NumPy."""

from collections.abc import Sequence
from struct import Struct
from typing import Any, Literal, NamedTuple, TypeAlias

Form: TypeAlias = Literal["q", "i", "B"]
"""A kind of number, as `memoryview` names it: 64 bits, 32 bits or a byte."""


class Column(NamedTuple):
    """Numbers of one kind in a batch of questions, question by question."""

    name: str
    form: Form
    width: int  # numbers of each question; 0 where they differ, which only the last column may


HEAD = Struct("<II8x")
"""How many questions, and numbers in the last column; what follows lies aligned."""
SIZE_OF: dict[Form, int] = {"q": 8, "i": 4, "B": 1}
"""Bytes of a number."""
FORMS: dict[str, Form] = {form: form for form in SIZE_OF}


def spell_columns(layout: Sequence[Column]) -> str:
    r"""Say which columns there are, a line for each, to programs that know them by their names.

    >>> spell_columns([Column("seats", "i", 1)])
    'column seats i 1\n'
    """
    return "".join(f"column {each.name} {each.form} {each.width}\n" for each in layout)


def read_layout(lines: str) -> tuple[Column, ...]:
    r"""Read which columns there are; other lines say something else.

    >>> read_layout("game blackjack\ncolumn seats i 1\n")
    (Column(name='seats', form='i', width=1),)
    """
    found = [line.split() for line in lines.splitlines() if line.startswith("column ")]
    return tuple([Column(name, FORMS[form], int(width)) for _, name, form, width in found])


def count_of(body: bytes) -> int:
    """Say how many questions there are in columns that a referee wrote."""
    return int(HEAD.unpack_from(body)[0])


def write_columns(layout: Sequence[Column], count: int, columns: Sequence[Any]) -> bytes:
    """Write a batch in columns, of which the last holds bytes.

    Args:
        layout: Says how wide they are.
        count: Of questions.
        columns: Buffers of their numbers, which lie one after another.
    """
    sizes = [memoryview(each).nbytes for each in columns]
    for column, size in zip(layout, sizes, strict=True):
        wanted = count * column.width * SIZE_OF[column.form]
        assert not column.width or size == wanted, column.name
    return b"".join((HEAD.pack(count, sizes[-1]), *columns))


def read_columns(layout: Sequence[Column], body: bytes) -> list[Any]:
    """Read columns that a referee wrote, as memory views."""
    count, last = HEAD.unpack_from(body)
    view, at, columns = memoryview(body), HEAD.size, []
    for column in layout:
        size = SIZE_OF[column.form] * (count * column.width or last)
        columns.append(view[at : at + size].cast(column.form))
        at += size
    return columns
