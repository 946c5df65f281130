"""The C library's generator gives what it gave on the machines of the courses."""

from pathlib import Path

import pytest

from tourney.game.cards.glibc_rand import GlibcRand

RECORDED = Path(__file__).parents[3] / "golden" / "rng" / "glibc_rand.txt"
LINES = RECORDED.read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("line", LINES, ids=[line.partition(":")[0] for line in LINES])
def test_the_recorded_numbers_come_again(line: str) -> None:
    """For every recorded seed, in order."""
    rng_seed, _, numbers = line.partition(":")
    rand = GlibcRand(int(rng_seed))
    assert [rand() for _ in numbers.split()] == [int(number) for number in numbers.split()]


def test_a_seed_is_an_unsigned_word() -> None:
    """Negative ones and long ones wrap, and zero is one."""
    for rng_seed, same in ((0, 1), (-1, (1 << 32) - 1), ((1 << 32) + 42, 42)):
        first, second = GlibcRand(rng_seed), GlibcRand(same)
        assert [first() for _ in range(50)] == [second() for _ in range(50)]
