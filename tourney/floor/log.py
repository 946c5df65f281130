"""The log of a floor: every block and its instants.

It needs memory for every block, so only reports and plans keep one. The same blocks can then run on
another floor.
"""

from array import array
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tourney.floor.block_durations import Sitting


class Instants(NamedTuple):
    """Instants of blocks in microseconds, shape (blocks,), in the order in which blocks ended."""

    wave: NDArray[np.int64]  # start of its wave
    free: NDArray[np.int64]  # its table became free
    begin: NDArray[np.int64]  # its table had a dealer, and there was no break
    play: NDArray[np.int64]  # start of its first round
    end: NDArray[np.int64]


class Log:
    """All blocks of a floor, wave by wave."""

    __slots__ = ("_instants", "_tables", "ended", "waves")

    def __init__(self) -> None:
        """Create an empty log."""
        self.waves: list[list[Sitting]] = []  # in order
        self.ended: list[Sitting] = []  # in the order in which blocks ended
        self._tables = array("q")
        self._instants = array("q")

    def noting(self, sittings: Iterable[Sitting]) -> Iterator[Sitting]:
        """Yield the sittings of a wave and store them."""
        wave: list[Sitting] = []
        self.waves.append(wave)
        for sitting in sittings:
            wave.append(sitting)
            yield sitting

    def note(self, sitting: Sitting, table: int, instants: tuple[int, int, int, int, int]) -> None:
        """Store a block that has ended.

        Args:
            sitting: The block.
            table: Number of its table on the floor, from 0.
            instants: As `Instants` lists them.
        """
        self.ended.append(sitting)
        self._tables.append(table)
        self._instants.extend(instants)

    @property
    def tables(self) -> NDArray[np.int64]:
        """The table of each block on the floor, from 0, in the order in which blocks ended."""
        return np.array(self._tables, dtype=np.int64)

    @property
    def instants(self) -> Instants:
        """The instants of all blocks."""
        columns = np.array(self._instants, dtype=np.int64).reshape(-1, len(Instants._fields))
        return Instants(*columns.T)
