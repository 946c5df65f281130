"""The C library's `rand`, which two of the original programs use to deal.

An additive feedback generator over 31 words, seeded by a linear congruence. Only those programs
use it; tournaments shuffle with `generator`.

Source: the GNU C library's manual, ISO C random number functions (the default, TYPE_3).
"""

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
