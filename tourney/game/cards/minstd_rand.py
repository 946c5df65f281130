"""C++'s `std::default_random_engine` and `std::shuffle`, as libstdc++ implements them.

The C++ standard leaves both open; the original Straights was played with libstdc++. Only that
program uses them; tournaments shuffle with `generator`.

Source: Park and Miller, 1988, for the generator (minstd_rand0); libstdc++ for the shuffle.
"""

from collections.abc import MutableSequence
from typing import Any

MULTIPLIER, MODULUS = 16807, (1 << 31) - 1
LEAST, MOST = 1, MODULUS - 1
SPAN = MOST - LEAST


class DefaultRandomEngine:
    """The generator of a program that was started with a seed.

    >>> engine = DefaultRandomEngine(1)
    >>> engine(), engine()
    (16807, 282475249)
    """

    __slots__ = ("_number",)

    def __init__(self, rng_seed: int) -> None:
        """Seed the generator.

        Args:
            rng_seed: A whole number, at least 0, taken modulo 2**31 - 1.
        """
        self._number = rng_seed % MODULUS or 1

    def __call__(self) -> int:
        """Return the next number, from 1 to 2**31 - 2."""
        self._number = number = self._number * MULTIPLIER % MODULUS
        return number

    def below(self, limit: int) -> int:
        """Draw a number from 0 to limit - 1, each equally likely.

        Args:
            limit: 1 to 2**31 - 3.
        """
        size = SPAN // limit
        drawn = self() - LEAST
        # Draw again: an incomplete last share would favour small numbers.
        while drawn >= limit * size:
            drawn = self() - LEAST
        return drawn // size

    def shuffle(self, cards: MutableSequence[Any]) -> None:
        """Shuffle in place, as `std::shuffle` does.

        Args:
            cards: Up to 46,340 items: for more, the library draws in another way.
        """
        place = 1
        if len(cards) % 2 == 0 and cards:
            self._swap(cards, place, self.below(place + 1))
            place += 1
        while place < len(cards):
            # The library uses one draw for two places.
            both = self.below((place + 1) * (place + 2))
            self._swap(cards, place, both // (place + 2))
            self._swap(cards, place + 1, both % (place + 2))
            place += 2

    @staticmethod
    def _swap(cards: MutableSequence[Any], place: int, other: int) -> None:
        cards[place], cards[other] = cards[other], cards[place]
