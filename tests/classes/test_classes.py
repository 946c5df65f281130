"""A generated class of every platform goes from its gradebook to its marks by commands alone."""

from pathlib import Path

import pytest

from tests.classes.generated import PLATFORMS, class_of
from tests.classes.walking import check, walk
from tourney.jail.levels import Level, probe

STUDENTS = 30


@pytest.mark.skipif(probe() is Level.UNSAFE, reason="takes a machine that confines players")
@pytest.mark.parametrize("platform", PLATFORMS)
def test_a_class_goes_from_its_gradebook_to_its_marks(tmp_path: Path, platform: str) -> None:
    """Everybody has a page that says what became of it, and only marks and comments change."""
    students = class_of(STUDENTS)
    for step in walk(tmp_path, students, platform):
        if "--copies" in step.command:
            assert "the same source" in step.out
            assert "the same but for names and comments" in step.out
    check(tmp_path, students, platform)
