"""How a game writes questions to players in other processes, and checks their answers.

The platform knows only the `seats` and the `rounds` of a batch of questions; a codec provides
everything else. Data from a player's process is never unpickled: an answer is a number, and the
codec checks it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cache
from struct import Struct
from typing import Any, ClassVar, Literal, NamedTuple, TypeAlias

from tourney.game.arrays import NDArray, np
from tourney.game.ledger import Verdict

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
    for column, width, size in zip(layout, _widths(layout), sizes, strict=True):
        assert not width or size == count * width, column.name
    return b"".join((HEAD.pack(count, sizes[-1]), *columns))


@cache
def _widths(layout: Sequence[Column]) -> tuple[int, ...]:
    """Return the bytes of a question in each column; 0 if they vary."""
    return tuple(column.width * SIZE_OF[column.form] for column in layout)


def read_columns(layout: Sequence[Column], body: bytes) -> list[Any]:
    """Return memory views of columns written by the trusted process."""
    count, last = HEAD.unpack_from(body)
    view, at, columns = memoryview(body), HEAD.size, []
    for column in layout:
        size = SIZE_OF[column.form] * (count * column.width or last)
        columns.append(view[at : at + size].cast(column.form))
        at += size
    return columns


FAULT = -1
"""The answer of a seat whose player broke its contract."""


class Codec(ABC):
    """Handles batches of questions to the players of one entrant, each to a different seat."""

    layout: ClassVar[tuple[Column, ...]] = ()
    """The columns of a batch in bytes, in order, for programs in other languages; empty for a
    pickle.
    """

    @abstractmethod
    def write(self, questions: Any) -> bytes:
        """Return a batch as bytes, for another process."""

    @abstractmethod
    def calls(self, questions: Any) -> Sequence[str]:
        """Return the name of the player's method that each question calls, for verdicts."""

    @abstractmethod
    def illegal(
        self, questions: Any, answers: NDArray[np.int64], faulted: Sequence[int]
    ) -> Sequence[int]:
        """Return the places of answers that no correct process would give.

        Args:
            questions: A batch of n.
            answers: Shape (n,).
            faulted: Places of reported faults; the answer there must be FAULT.
        """

    @abstractmethod
    def told(self, questions: Any, place: int, answer: int) -> str:
        """Name a legal answer, for people."""

    def are_decisions(self, questions: Any) -> NDArray[np.bool_]:
        """Return which questions need an answer, shape (n,)."""
        return np.ones(len(questions.seats), np.bool_)

    def is_met(self, questions: Any, place: int, verdict: Verdict) -> bool:
        """Return whether a verdict of the same round and decision is about this question."""
        del questions, place, verdict  # every question is a separate decision
        return True
