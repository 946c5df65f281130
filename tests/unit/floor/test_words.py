"""Durations in words."""

import pytest

from tourney.floor.utilization import duration_words


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "0 s"),
        (0.4, "0 s"),
        (59.4, "59 s"),
        (59.6, "1 min"),
        (61, "1 min 1 s"),
        (3599.4, "59 min 59 s"),
        (3599.9, "1 h"),
        (15_130, "4 h 12 min"),
        (85_200, "23 h 40 min"),
        (86_399, "1 d"),
        (93_784, "1 d 2 h"),
        (8_640_000, "100 d"),
    ],
)
def test_a_duration_is_said_in_its_two_largest_units(seconds: float, words: str) -> None:
    """Units that are 0 are left out, and 60 of one are never said."""
    assert duration_words(seconds) == words
