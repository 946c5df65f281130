"""What a floor writes down if it is asked to: every block and its instants.

Costs memory for every block, so that a floor keeps a log for reports and plans only, and the
same blocks can pass over another floor. Counts nothing itself.
"""

from array import array
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tourney.floor.block_durations import Sitting


class Instants(NamedTuple):
    """When things happened to blocks, in microseconds; shapes (blocks,), by when they ended."""

    wave: NDArray[np.int64]  # its wave began
    free: NDArray[np.int64]  # its table was free
    begin: NDArray[np.int64]  # its table had a dealer, and there was no break
    play: NDArray[np.int64]  # its first round began
    end: NDArray[np.int64]


class Log:
    """All blocks of a floor, wave by wave."""

    __slots__ = ("_instants", "waves")

    def __init__(self) -> None:
        """Begin with an empty page."""
        self.waves: list[list[Sitting]] = []  # in the order in which they came
        self._instants = array("q")

    def noting(self, sittings: Iterable[Sitting]) -> Iterator[Sitting]:
        """Write down the sittings of a wave as they are taken."""
        wave: list[Sitting] = []
        self.waves.append(wave)
        for sitting in sittings:
            wave.append(sitting)
            yield sitting

    def note(  # noqa: PLR0917 - the block, and then instants in the order in which they came
        self, sitting: Sitting, wave: int, free: int, begin: int, play: int, end: int
    ) -> None:
        """Write down a block that has ended."""
        del sitting  # whoever watches wants to know which it was; accounts do not
        self._instants.extend((wave, free, begin, play, end))

    @property
    def instants(self) -> Instants:
        """When things happened."""
        columns = np.array(self._instants, dtype=np.int64).reshape(-1, len(Instants._fields))
        return Instants(*columns.T)
