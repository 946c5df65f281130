"""A class of which some are hostile: a study of 200 is `benchmarks/class_of_200.py`."""

from pathlib import Path

import pytest

from tourney import play_tournament
from tourney.sandbox.levels import Level, probe

from .classroom import BETS, HOSTILE, hand_in, honest_rows, not_named

pytestmark = pytest.mark.skipif(
    probe() is not Level.FULL, reason="this machine cannot confine players fully"
)

STUDENTS = 2 * len(BETS)
QUICKEST = HOSTILE[:6]


def test_a_class_plays_as_if_the_hostile_were_not_there(tmp_path: Path) -> None:
    """Hashes, addresses, clocks and all: the same rows, in any run, on 1 and 2 workers."""
    config = hand_in(tmp_path / "honest", STUDENTS, ())
    alone = honest_rows(play_tournament(config, store=tmp_path / "alone.db"))
    assert len(alone) == STUDENTS
    assert not any(row.faults for row in alone)
    config = hand_in(tmp_path / "all", STUDENTS, QUICKEST)
    for workers in (1, 2):
        result = play_tournament(config, store=tmp_path / f"{workers}.db", workers=workers)
        assert not not_named(result, QUICKEST)
        differing = [
            row.name for row, other in zip(honest_rows(result), alone, strict=True) if row != other
        ]
        assert not differing
