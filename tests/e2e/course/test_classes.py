"""A generated class of every platform goes from its gradebook to its marks by commands alone."""

from pathlib import Path

import pytest

from tests.e2e.course.generated import class_of
from tests.e2e.course.walking import Runner, as_program, check, in_here, walk
from tests.support.proving import with_more
from tourney.sandbox.levels import Level, probe

CLASSES = with_more(
    [("Moodle", 15, in_here), ("Gradescope", 15, in_here)],
    [("Canvas", 30, as_program), ("Moodle", 30, as_program), ("Gradescope", 30, as_program)],
)
"""Among thirty students there is every fault; among fifteen every odd name and who is late."""


@pytest.mark.skipif(probe() is Level.UNSAFE, reason="takes a machine that confines players")
@pytest.mark.parametrize(("platform", "size", "run"), CLASSES)
def test_a_class_goes_from_its_gradebook_to_its_marks(
    tmp_path: Path, platform: str, size: int, run: Runner
) -> None:
    """Everybody has a page that says what became of it, and only marks and comments change."""
    students = class_of(size)
    for step in walk(tmp_path, students, platform, run=run):
        if "--copies" in step.command and {"copy", "renamed"} <= {each.fault for each in students}:
            assert "the same source" in step.out
            assert "the same but for names and comments" in step.out
    check(tmp_path, students, platform)
