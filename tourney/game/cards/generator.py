"""The published random generator of cards and of luck beside cards.

Stream s of a key yields the 64-bit words of `numpy.random.Philox(key=key, counter=s << 64)`:
block i, from 1, is Philox of the counter (i, s, 0, 0). Anyone with a run's secret can reproduce
its shoes with NumPy alone; docs/reference/randomness.md shows how.

Every word is used as two halves of 32 bits, the low one first. As long as the product of the
bounds of several draws stays within 2**26, one half serves this whole group of draws by repeated
multiplication.

The luck of dice, lots and other chance uses the same generator, with a key derived from the key of
the table's shoes. So the commitment of a run covers this luck, entrants at the same table number
meet the same luck, and a round does not reveal that of another one.

Source: Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", 2011;
Brackett-Rozinsky and Lemire, "Batched ranged random integer generation", 2024.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from math import prod
from random import Random
from typing import Any

from tourney.game.arrays import np
from tourney.game.cards.keys import KEY_BYTES
from tourney.game.ledger.running_hash import mix

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


FRACTION_BITS = 53
"""Bits of a float from `random`, as in the standard library."""


def luck_key(shoe_key: bytes) -> bytes:
    """Return the key of the luck at the table that deals from the shoes of a key.

    Args:
        shoe_key: 16 bytes.
    """
    return blake2b(key=shoe_key, digest_size=KEY_BYTES, person=b"tourney.luck").digest()


class Luck(Random):
    """A generator with all methods of `random.Random`; it cannot be seeded, copied or restored.

    Args:
        shoe_key: 16 bytes, the key of the table's shoes.
    """

    def __init__(self, shoe_key: bytes) -> None:
        self._shoe_key = shoe_key
        self._generator: Generator | None = None  # made at the first draw: many games need none
        self._halves: Iterator[int] | None = None
        self._round = 0
        super().__init__(0)
        self.begin(0)

    def begin(self, round_number: int) -> None:
        """Start the numbers of a round: the stream of its number."""
        self._round, self._halves = round_number, None
        self.gauss_next = None  # `gauss` keeps every second number for its next call
        self.word = 0
        """A running hash of the numbers drawn in the round, for the digest; 0 without a draw."""

    def random(self) -> float:
        """Return a float in [0, 1), from the upper 53 of the next 64 bits."""
        return self.getrandbits(FRACTION_BITS) * 2.0**-FRACTION_BITS

    def getrandbits(self, k: int, /) -> int:
        """Return a whole number of `k` bits: the upper bits of as many 32-bit halves as needed."""
        if k < 0:
            raise ValueError("expected a number of bits from 0")
        halves = self._halves or self._begun()
        count = -(-k // HALF)
        bits = 0
        for place in range(count):
            half = next(halves)
            self.word = mix(self.word, half + 1)
            bits |= half << HALF * place
        return bits >> (count * HALF - k)

    def _begun(self) -> Iterator[int]:
        self._generator = self._generator or Generator(luck_key(self._shoe_key))
        self._halves = self._generator.halves(self._round)
        return self._halves

    def randbytes(self, n: int) -> bytes:
        """Return `n` bytes, in the order of the halves."""
        return self.getrandbits(n * 8).to_bytes(n, "little")

    def seed(self, *_: object, **__: object) -> None:
        """Ignore seeds: the key and the round decide all numbers."""

    def getstate(self) -> tuple[Any, ...]:
        """Reject the request; a state would describe another generator."""
        raise NotImplementedError("luck has no state to keep; every round starts its own stream")

    def setstate(self, state: tuple[Any, ...]) -> None:
        """Reject the request."""
        raise NotImplementedError("luck has no state to set; every round starts its own stream")
