"""A batch of questions in bytes, and out of bytes again in a process that has no NumPy.

Leaves out the frame around them; see `tourney.jail.frames`.
"""

from struct import Struct
from typing import Any, Literal, NamedTuple, TypeAlias

SIZES = Struct("<IIII")
"""How many questions, cards and exposed cards, and the width of the table."""


class Rows:
    """The rows of a matrix that came as bytes, for a process without NumPy."""

    __slots__ = ("numbers", "width")

    def __init__(self, numbers: memoryview, width: int) -> None:
        """Keep the numbers.

        Args:
            numbers: Row after row.
            width: Of a row.
        """
        self.numbers, self.width = numbers, width

    def __len__(self) -> int:
        """Count the rows."""
        return len(self.numbers) // self.width

    def __getitem__(self, row: int) -> memoryview:
        """Give a row."""
        return self.numbers[row * self.width : (row + 1) * self.width]

    def tolist(self) -> list[list[int]]:
        """Give the rows as lists."""
        return [self[row].tolist() for row in range(len(self))]


class Columns(NamedTuple):
    """A batch of questions as it comes out of a frame: the fields of `players.questions.Questions`.

    Its columns are memory views and `Rows`; they have a length, items, slices and `tolist`, as
    NumPy's arrays do, and a host need not load NumPy for them.
    """

    seats: Any
    calls: Any
    rounds: Any
    legal: Any
    dealer: Any
    cards: Any
    card_stops: Any
    exposed: Any
    exposed_stops: Any
    table: Any


Form: TypeAlias = Literal["q", "i", "B"]
"""A kind of number, as `memoryview` names it."""
SIZE_OF: dict[Form, int] = {"q": 8, "i": 4, "B": 1}
"""Bytes of each."""

LAYOUT = ("card_stops", "exposed_stops", "rounds", "table", "seats", "calls", "legal", "dealer")
"""In which order the columns of fixed length stand, the wide ones first so that all lie aligned;
then the cards and what was exposed."""

FORMATS: dict[str, Form] = {
    "seats": "i",
    "calls": "B",
    "legal": "B",
    "dealer": "B",
    "cards": "B",
    "exposed": "B",
}
"""Of those columns that are not of 64-bit numbers."""
WIDE: Form = "q"
WIDTHS = {"dealer": 2}


def write_questions(questions: Any) -> bytes:
    """Write the body of ASK.

    Args:
        questions: `Questions`, of NumPy arrays that lie in one piece, or `Columns` of buffers.
    """
    count, cards, exposed = (
        len(column) for column in (questions.seats, questions.cards, questions.exposed)
    )
    columns = [memoryview(getattr(questions, name)).cast("B") for name in LAYOUT if count]
    width = len(columns[LAYOUT.index("table")]) // (8 * count) if count else 0
    tail = [memoryview(questions.cards), memoryview(questions.exposed)]
    return b"".join((SIZES.pack(count, cards, exposed, width), *columns, *tail))


def read_questions(body: bytes) -> Columns:
    """Read the body of ASK, which a referee wrote."""
    count, cards, exposed, width = SIZES.unpack_from(body)
    view, at = memoryview(body), SIZES.size
    columns: dict[str, Any] = {}
    for name in LAYOUT:
        form, wide = FORMATS.get(name, WIDE), width if name == "table" else WIDTHS.get(name, 1)
        size = count * wide * SIZE_OF[form]
        numbers = view[at : at + size].cast(form)
        columns[name] = Rows(numbers, wide) if wide > 1 else numbers
        at += size
    columns["cards"] = view[at : at + cards]
    columns["exposed"] = view[at + cards : at + cards + exposed]
    return Columns(**columns)


def as_arrays(columns: Columns) -> Any:
    """Give the questions as `Questions`, in a process that has NumPy."""
    import numpy as np  # noqa: PLC0415 - most hosts do without

    from tourney.games.blackjack.players.questions import Questions  # noqa: PLC0415 - imports NumPy

    return Questions(
        *(
            np.frombuffer(column.numbers, FORMATS.get(name, WIDE)).reshape(-1, column.width)
            if isinstance(column, Rows)
            else np.frombuffer(column, FORMATS.get(name, WIDE))
            for name, column in columns._asdict().items()
        )
    )
