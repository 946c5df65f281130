"""Changes that commands make in a course's folder appear on the pages of the portal."""

from contextlib import closing

import pytest

from tourney.course.folder import Submissions
from tourney.portal import (
    checker,
    erasure,
    folder_watch,
    jobs,
    worker,
)
from tourney.portal.accounts import add_member, course_of
from tourney.portal.course_jobs import tell_all
from tourney.portal.database import open_database
from tourney.portal.folder_watch import FolderWatch
from tourney.portal.versions import versions_of

from .classes import hand_in, make_class, player
from .portals import Portal

HANDLERS = {erasure.FOLDER: checker.read_folder, erasure.KIND: erasure.sweep}
ROSTER = "person,as\nStudent,Student\nMate,Mate\n"


@pytest.fixture
def course(portal: Portal) -> Submissions:
    """Make a class of two, of which one plays."""
    made = make_class(portal)
    (made.folder / "roster.csv").write_text(ROSTER)
    (made.folder / "submissions.yaml").write_text("game: ve280\nroster: roster.csv\n")
    for name in ("Student", "Mate"):
        who = portal.people[name.lower()]
        add_member(portal.database, 1, who, "student", person=name, name=name)
    hand_in(made, "Student", player(14))
    tell_all(portal.places)
    return Submissions(made.folder)


@pytest.fixture
def watch(portal: Portal, course: Submissions) -> FolderWatch:
    """Watch the folder, which was read before."""
    del course
    with closing(open_database(portal.places)) as database:
        watch = FolderWatch(portal.places)
        folder_watch.read_all(database)
        watch.look(database)
    worker.do_all(portal.places, HANDLERS)
    return watch


def playing(portal: Portal) -> list[str]:
    """Give the names that play, as pages know them."""
    return sorted(each.name for each in versions_of(portal.database, 1, None) if each.plays)


def read(portal: Portal, watch: FolderWatch) -> int:
    """Let the portal look at its folders; give the number of jobs."""
    watch.look(portal.database)
    return worker.do_all(portal.places, HANDLERS)


def test_a_submission_and_a_withdrawal_are_shown(
    portal: Portal, course: Submissions, watch: FolderWatch
) -> None:
    """And practice starts again."""
    assert playing(portal) == ["Student"]
    assert read(portal, watch) == 0, "nothing has changed"
    hand_in(course, "Mate", player(15))
    assert read(portal, watch) == 1
    assert playing(portal) == ["Mate", "Student"]
    course.withdraw("Student", course.versions("Student")[0].digest, "a copy")
    assert read(portal, watch) == 1
    assert playing(portal) == ["Mate"]
    assert "a copy" in portal.browser("student").get("/c/cards").text
    practice = jobs.of_course(portal.database, 1, ["practice"])
    assert [each.state for each in practice] == ["queued", "replaced", "replaced"]


def test_changed_rules_and_an_exclusion_are_shown(
    portal: Portal, course: Submissions, watch: FolderWatch
) -> None:
    """An excluded student does not play."""
    path = course.folder / "submissions.yaml"
    path.write_text(f"{path.read_text()}per_day: 3\n")
    (course.folder / "roster.csv").write_text(
        "person,as,excluded\nStudent,Student,left the course\nMate,Mate,\n"
    )
    assert read(portal, watch) == 1
    assert course_of(portal.database, 1).told["per_day"] == 3
    assert playing(portal) == []


def test_a_fault_in_a_folder_stops_nothing(
    portal: Portal, course: Submissions, watch: FolderWatch
) -> None:
    """It is read again when it is corrected."""
    path = course.folder / "submissions.yaml"
    text = path.read_text()
    path.write_text("per_day: many\n")
    assert read(portal, watch) == 1
    path.write_text(f"{text}per_day: 4\n")
    assert read(portal, watch) == 1
    assert course_of(portal.database, 1).told["per_day"] == 4


def test_the_sweep_removes_finished_jobs_with_names(
    portal: Portal, course: Submissions, watch: FolderWatch
) -> None:
    """They say nothing of use."""
    hand_in(course, "Mate", player(15))
    read(portal, watch)
    erasure.ask(portal.database)
    worker.do_all(portal.places, HANDLERS)
    assert not jobs.of_course(portal.database, 1, [erasure.FOLDER])
