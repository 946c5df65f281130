"""C++'s `std::default_random_engine` and `std::shuffle`, as one library makes them.

The language leaves both open; these are libstdc++'s, with which the original Straights was
played. They are kept for that program; tournaments shuffle with `generator`.

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
            rng_seed: A whole number, at least 0; those 2**31 - 1 apart are the same.
        """
        self._number = rng_seed % MODULUS or 1

    def __call__(self) -> int:
        """Give the next number, from 1 to 2**31 - 2."""
        self._number = number = self._number * MULTIPLIER % MODULUS
        return number

    def below(self, limit: int) -> int:
        """Draw a number from 0 to below a limit, each equally likely.

        Args:
            limit: 1 to 2**31 - 3.
        """
        size = SPAN // limit
        drawn = self() - LEAST
        # What is left over after equal shares would make small numbers likelier.
        while drawn >= limit * size:
            drawn = self() - LEAST
        return drawn // size

    def shuffle(self, cards: MutableSequence[Any]) -> None:
        """Shuffle in place, as `std::shuffle` does.

        Args:
            cards: Up to 46,340 things: beyond that the library draws in another way.
        """
        place = 1
        if len(cards) % 2 == 0 and cards:
            self._swap(cards, place, self.below(place + 1))
            place += 1
        while place < len(cards):
            # One draw is enough for two places, so the library makes no more.
            both = self.below((place + 1) * (place + 2))
            self._swap(cards, place, both // (place + 2))
            self._swap(cards, place + 1, both % (place + 2))
            place += 2

    @staticmethod
    def _swap(cards: MutableSequence[Any], place: int, other: int) -> None:
        cards[place], cards[other] = cards[other], cards[place]
