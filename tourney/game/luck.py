"""Luck beside cards: random numbers for dice, lots and other chance of a game.

The numbers come from the published generator of the cards (`cards.generator`), with a key derived
from the key of the table's shoes. So the commitment of a run covers them, entrants at the same
table number meet the same ones, and a round does not reveal another one.
docs/reference/randomness.md shows how to reproduce them.
"""

from collections.abc import Iterator
from hashlib import blake2b
from random import Random
from typing import Any

from tourney.game.cards.generator import HALF, Generator
from tourney.game.cards.keys import KEY_BYTES
from tourney.game.ledger.running_hash import mix

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
