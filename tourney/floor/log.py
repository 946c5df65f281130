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

    __slots__ = ("_instants", "waves")

    def __init__(self) -> None:
        """Create an empty log."""
        self.waves: list[list[Sitting]] = []  # in order
        self._instants = array("q")

    def noting(self, sittings: Iterable[Sitting]) -> Iterator[Sitting]:
        """Yield the sittings of a wave and store them."""
        wave: list[Sitting] = []
        self.waves.append(wave)
        for sitting in sittings:
            wave.append(sitting)
            yield sitting

    def note(  # noqa: PLR0917 - the block, and then its instants in order
        self, sitting: Sitting, wave: int, free: int, begin: int, play: int, end: int
    ) -> None:
        """Store the instants of a block that has ended."""
        del sitting  # for subclasses that observe blocks
        self._instants.extend((wave, free, begin, play, end))

    @property
    def instants(self) -> Instants:
        """The instants of all blocks."""
        columns = np.array(self._instants, dtype=np.int64).reshape(-1, len(Instants._fields))
        return Instants(*columns.T)
