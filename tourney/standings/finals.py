"""The bankrolls that the tables of a heat ended with, and their luck, in little memory.

A run has millions of tables, and all of them are needed for quantiles. Three numbers of eight
bytes each stand for one; Python's own would take three hundred.
"""

from array import array
from collections.abc import Iterator
from typing import NamedTuple

WORD = 1 << 64


class Final(NamedTuple):
    """How a table ended."""

    table: int
    bankroll: int  # in the unit of the rules
    luck: int  # of the cards of all blocks, in parts of 2**-32 of the unit


class Finals:
    """By table: the bankroll after the last block so far, and the luck of all blocks.

    >>> finals = Finals()
    >>> finals.put(3, first_round=11, final=90, luck=5)
    >>> finals.put(3, first_round=1, final=120, luck=-7)
    >>> list(finals)
    [Final(table=3, bankroll=90, luck=-2)]
    """

    __slots__ = ("_finals", "_firsts", "_lucks", "_wide")

    def __init__(self) -> None:
        self._finals = array("q")
        self._firsts = array("q")  # the first round of that block; 0 where there is none
        self._lucks = array("q")
        self._wide: dict[int, int] = {}  # bankrolls that need more than eight bytes

    def put(self, table: int, first_round: int, final: int, luck: int = 0) -> None:
        """Take in a block; the last one of a table decides, in whatever order they come."""
        if missing := max(0, table + 1 - len(self._firsts)):
            for each in (self._finals, self._firsts, self._lucks):
                each.frombytes(bytes(8 * missing))
        # Sums wrap at 64 bits, as those of the rounds do.
        self._lucks[table] = (self._lucks[table] + luck + WORD // 2) % WORD - WORD // 2
        if first_round <= self._firsts[table]:
            return
        self._firsts[table] = first_round
        self._wide.pop(table, None)
        try:
            self._finals[table] = final
        except OverflowError:
            self._wide[table] = final

    def __iter__(self) -> Iterator[Final]:
        """Give tables, their bankrolls and their luck, in order of tables."""
        found = zip(self._firsts, self._finals, self._lucks, strict=True)
        for table, (first_round, final, luck) in enumerate(found):
            if first_round:
                yield Final(table, self._wide.get(table, final), luck)
