"""Cut positions of the course documents' `get_cut`, from a Mersenne Twister with seed 0.

The generator is MT19937 initialised by `init_genrand(0)`. Python uses the same generator but a
different seeding routine, so this module sets its state word by word.
Source: Matsumoto and Nishimura, 2002 (mt19937ar); FACTS of the five programs.
"""

import random

FEWEST, CUTS = 13, 27
STATE_WORDS = 624


def _init_genrand(rng_seed: int) -> random.Random:
    words = [rng_seed & 0xFFFFFFFF]
    for index in range(1, STATE_WORDS):
        previous = words[-1]
        words.append((1812433253 * (previous ^ (previous >> 30)) + index) & 0xFFFFFFFF)
    generator = random.Random()  # noqa: S311 - the original programs' generator, not a secret
    generator.setstate((3, (*words, STATE_WORDS), None))
    return generator


class Cuts:
    """The course's cut generator, in its state at the start of a program.

    >>> cuts = Cuts()
    >>> [cuts.get_cut() for _ in range(7)]
    [39, 22, 33, 37, 38, 37, 38]
    """

    __slots__ = ("_generator",)

    def __init__(self) -> None:
        self._generator = _init_genrand(0)

    def get_cut(self) -> int:
        """Draw the next cut, from 13 to 39."""
        return FEWEST + self._generator.getrandbits(32) % CUTS
