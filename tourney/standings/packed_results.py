"""Results in compact form: final bankrolls of tables, and finishing orders of games.

Quantiles need the results of all tables, and a run has millions of tables: each takes three numbers
of eight bytes here, instead of three hundred bytes as Python objects. A game, which is a block of
several seats, takes four bytes for each seat.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from math import inf
from typing import NamedTuple

from tourney.game.arrays import NDArray, np
from tourney.game.ledger import BlockResult

WORD = 1 << 64


class Final(NamedTuple):
    """Result of a table."""

    table: int
    bankroll: int  # in the unit of the rules
    luck: int  # of the cards of all blocks, in parts of 2**-32 of the unit


class Finals:
    """The bankroll after the last known block of each table, and the luck of all its blocks.

    >>> finals = Finals()
    >>> finals.put(3, first_round=11, final=90, luck=5)
    >>> finals.put(3, first_round=1, final=120, luck=-7)
    >>> list(finals)
    [Final(table=3, bankroll=90, luck=-2)]
    """

    __slots__ = ("_finals", "_firsts", "_lucks", "_wide")

    def __init__(self) -> None:
        self._finals = array("q")
        self._firsts = array("q")  # the first round of that block; 0 without a block
        self._lucks = array("q")
        self._wide: dict[int, int] = {}  # bankrolls that need more than eight bytes

    def put(self, table: int, first_round: int, final: int, luck: int = 0) -> None:
        """Add a block; the last block of a table decides, in whatever order blocks arrive."""
        if missing := max(0, table + 1 - len(self._firsts)):
            for each in (self._finals, self._firsts, self._lucks):
                each.frombytes(bytes(8 * missing))
        # Sums wrap at 64 bits, like the sums of rounds.
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
        """Yield tables with their bankrolls and luck, in order of tables."""
        found = zip(self._firsts, self._finals, self._lucks, strict=True)
        for table, (first_round, final, luck) in enumerate(found):
            if first_round:
                yield Final(table, self._wide.get(table, final), luck)


class Games(NamedTuple):
    """Games with equal numbers of seats and equal ties, each different order once."""

    ties: tuple[bool, ...]  # by finish: whether it ties with the previous one
    entrants: NDArray[np.int64]  # by order and finish; ties are sorted by number
    times: NDArray[np.int64]  # number of games with this order


class Orders:
    """The finishing orders of games.

    >>> orders = Orders()
    >>> orders.add([7, 3, 5], [20, 11, 20])
    >>> orders.add([3, 5, 7], [0, 9, 9])
    >>> for games in orders.games():
    ...     print(games.ties, games.entrants, games.times)
    (False, False, True) [[3 5 7]] [2]
    """

    __slots__ = ("_codes",)

    def __init__(self) -> None:
        self._codes: dict[int, array[int]] = {}  # by number of seats: finishes in sequence

    def take(self, result: BlockResult, scores: Sequence[int], *, loses_faults: bool) -> None:
        """Add a block, if it has several seats.

        Args:
            result: The block.
            scores: Scores of its seats; lower is better.
            loses_faults: Whether a seat at fault finishes last.
        """
        if len(scores) > 1:
            found = [
                inf if loses_faults and seat.verdict else score
                for seat, score in zip(result.seats, scores, strict=True)
            ]
            self.add([seat.entrant for seat in result.seats], found)

    def add(self, entrants: Sequence[int], scores: Sequence[float]) -> None:
        """Add a game.

        Args:
            entrants: Numbers of its players.
            scores: Their scores; lower is better.
        """
        codes = self._codes.setdefault(len(entrants), array("i"))
        before: float | None = None
        for score, entrant in sorted(zip(scores, entrants, strict=True)):
            codes.append(2 * entrant + (score == before))
            before = score

    def games(self) -> list[Games]:
        """Return all games, in an order that does not depend on the order of additions."""
        return [
            games for seats in sorted(self._codes) for games in _games(self._codes[seats], seats)
        ]


def _games(codes: array[int], seats: int) -> list[Games]:
    rows = np.frombuffer(codes, np.int32).reshape(-1, seats)
    rows = rows[np.lexsort(rows.T)]
    is_new = np.ones(len(rows), bool)
    is_new[1:] = (rows[1:] != rows[:-1]).any(axis=1)
    starts = np.flatnonzero(is_new)
    times = np.diff(starts, append=len(rows))
    rows = rows[starts].astype(np.int64)
    kinds = (rows & 1) @ (1 << np.arange(seats))
    return [
        Games(
            tuple(bool(kind >> seat & 1) for seat in range(seats)),
            rows[kinds == kind] >> 1,
            times[kinds == kind],
        )
        for kind in np.unique(kinds).tolist()
    ]
