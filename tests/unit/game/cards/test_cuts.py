"""The course's cut generator."""

from pathlib import Path

import numpy as np

from tourney.game.cards.deck import Cuts

GOLDEN = Path(__file__).parents[3] / "golden" / "rng" / "get_cut_first.txt"


def test_the_first_cuts_are_those_of_the_course() -> None:
    """All recorded cuts, in order."""
    expected = [int(word) for word in GOLDEN.read_text(encoding="utf-8").split()]
    cuts = Cuts()
    assert [cuts.get_cut() for _ in expected] == expected


def test_the_generator_is_numpys_random_state_of_zero() -> None:
    """An independent Mersenne Twister gives the same cuts far beyond its first state."""
    words = np.random.RandomState(0).randint(0, 2**32, size=5000, dtype=np.uint64)
    cuts = Cuts()
    assert [cuts.get_cut() for _ in words] == [13 + int(word) % 27 for word in words]
