"""The published random generator: keyed Philox4x64-10 streams and unbiased bounded draws.

Stream s of a key yields the 64-bit words of `numpy.random.Philox(key=key, counter=s << 64)`:
block i, from 1, is Philox of the counter (i, s, 0, 0). Anyone with a run's secret can reproduce
its shoes with NumPy alone; docs/reference/randomness.md shows how.

Every word is used as two halves of 32 bits, the low one first. As long as the product of the
bounds of several draws stays within 2**26, one half serves this whole group of draws by repeated
multiplication.

Source: Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", 2011;
Brackett-Rozinsky and Lemire, "Batched ranged random integer generation", 2024.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import prod

from tourney.game.arrays import np

HALF = 32
HALF_MASK = (1 << HALF) - 1
GROUP_LIMIT = 1 << 26
"""Largest product of bounds drawn from one half; at most one half in 64 is then rejected."""
WORDS_AT_A_TIME = 8


class Generator:
    """All streams of one 128-bit key."""

    __slots__ = ("_philox", "_state")

    def __init__(self, key: bytes) -> None:
        """Create the generator from a key of 16 bytes, little-endian."""
        # Setting the counter of one generator is four times faster than making another.
        self._philox = np.random.Philox(key=int.from_bytes(key, "little"))
        self._state = self._philox.state

    def halves(self, stream: int) -> Iterator[int]:
        """Yield the 32-bit halves of a stream, endlessly."""
        first_block = 0
        while True:
            counter = self._state["state"]["counter"]
            counter[0], counter[1] = first_block, stream
            self._philox.state = self._state
            words = self._philox.random_raw(WORDS_AT_A_TIME)
            yield from words.astype("<u8").view("<u4").tolist()
            first_block += WORDS_AT_A_TIME // 4


@dataclass(frozen=True, slots=True)
class Group:
    """Bounds of the draws that one half serves."""

    bounds: tuple[int, ...]  # each draw is in [0, bound)
    rejected_below: int  # a remainder below this would favour some outcomes


@lru_cache(maxsize=256)
def groups(bounds: tuple[int, ...]) -> tuple[Group, ...]:
    """Divide bounds, in order, into groups that one half each serves.

    Args:
        bounds: Each in [1, 2**26].
    """
    found: list[Group] = []
    group: list[int] = []
    for bound in (*bounds, GROUP_LIMIT + 1):
        if group and prod(group) * bound > GROUP_LIMIT:
            found.append(Group(tuple(group), (1 << HALF) % prod(group)))
            group = []
        group.append(bound)
    return tuple(found)


@lru_cache(maxsize=256)
def groups_of_shuffle(cards: int) -> tuple[Group, ...]:
    """Return the groups of draws that shuffle this many cards."""
    return groups(tuple(range(cards, 0, -1)))


def draw_group(group: Group, halves: Iterator[int]) -> list[int]:
    """Draw one index below each bound of a group, all combinations equally likely.

    Args:
        group: The bounds.
        halves: Uniform 32-bit numbers; takes as many as it needs.
    """
    while True:
        remainder = next(halves)
        indices = []
        for bound in group.bounds:
            product = remainder * bound
            indices.append(product >> HALF)
            remainder = product & HALF_MASK
        if remainder >= group.rejected_below:
            return indices


def draw(bounds: Sequence[int], halves: Iterator[int]) -> Iterator[int]:
    """Draw one index below each bound, lazily, a group at a time."""
    for group in groups(tuple(bounds)):
        yield from draw_group(group, halves)
