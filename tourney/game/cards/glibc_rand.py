"""The generators of the original programs: the C library's `rand`, and C++'s default engine.

`GlibcRand` is an additive feedback generator over 31 words, seeded by a linear congruence.
`DefaultRandomEngine` generates and shuffles as libstdc++ does: the C++ standard leaves both open,
and the original Straights was played with libstdc++. Only the original programs use these
generators; tournaments shuffle with `generator`.

Source: the GNU C library's manual, ISO C random number functions (the default, TYPE_3); Park and
Miller, 1988, for minstd_rand0; libstdc++ for its shuffle.
"""

from collections.abc import MutableSequence
from typing import Any

SHORT_LAG, LAG = 3, 31
MULTIPLIER, MODULUS = 16807, (1 << 31) - 1
DROPPED = 310  # outputs thrown away before the first
WORD = (1 << 32) - 1


class GlibcRand:
    """Reproduces `srand(seed)` and calls of `rand()`.

    >>> rand = GlibcRand(1)
    >>> rand(), rand() % 13
    (1804289383, 9)
    """

    def __init__(self, rng_seed: int) -> None:
        """Seed the generator.

        Args:
            rng_seed: Any whole number; taken modulo 2**32, as an unsigned int takes it.
        """
        word = rng_seed & WORD or 1
        # The C program computes with a signed word.
        word -= (word >> 31) << 32
        self._words = [word & WORD]
        for _ in range(LAG - 1):
            word = word * MULTIPLIER % MODULUS
            self._words.append(word)
        self._front, self._rear = SHORT_LAG, 0
        for _ in range(DROPPED):
            self()

    @property
    def state(self) -> tuple[tuple[int, ...], int]:
        """The words, and the index of the one that the next call changes."""
        return tuple(self._words), self._front

    def __call__(self) -> int:
        """Return the next number, from 0 to 2**31 - 1."""
        words, front, rear = self._words, self._front, self._rear
        word = words[front] = (words[front] + words[rear]) & WORD
        self._front, self._rear = (front + 1) % LAG, (rear + 1) % LAG
        return word >> 1


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
