"""The bankrolls that the tables of a heat ended with, in little memory.

A run has millions of tables, and all of them are needed for quantiles. Two numbers of eight
bytes each stand for one; Python's own would take two hundred.
"""

from array import array
from collections.abc import Iterator


class Finals:
    """By table: the bankroll after the last block so far.

    >>> finals = Finals()
    >>> finals.put(3, first_round=11, final=90)
    >>> finals.put(3, first_round=1, final=120)
    >>> list(finals)
    [(3, 90)]
    """

    __slots__ = ("_finals", "_firsts", "_wide")

    def __init__(self) -> None:
        self._finals = array("q")
        self._firsts = array("q")  # the first round of that block; 0 where there is none
        self._wide: dict[int, int] = {}  # bankrolls that need more than eight bytes

    def put(self, table: int, first_round: int, final: int) -> None:
        """Take in a block; the last one of a table decides, in whatever order they come."""
        if missing := max(0, table + 1 - len(self._firsts)):
            self._finals.frombytes(bytes(8 * missing))
            self._firsts.frombytes(bytes(8 * missing))
        if first_round <= self._firsts[table]:
            return
        self._firsts[table] = first_round
        self._wide.pop(table, None)
        try:
            self._finals[table] = final
        except OverflowError:
            self._wide[table] = final

    def __iter__(self) -> Iterator[tuple[int, int]]:
        """Give tables and their bankrolls, in order of tables."""
        for table, (first_round, final) in enumerate(zip(self._firsts, self._finals, strict=True)):
            if first_round:
                yield table, self._wide.get(table, final)
