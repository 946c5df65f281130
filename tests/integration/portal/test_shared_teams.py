"""Teams in a course with two assignments: one roster, so one team in both of them."""

from datetime import datetime, timedelta

import pytest

from tourney.course.folder import Submissions
from tourney.course.roster_file import read_roster
from tourney.portal import course_jobs, notices, team_jobs
from tourney.portal.accounts import add_member, course_by
from tourney.portal.course_jobs import tell_all
from tourney.portal.notices import notices_of
from tourney.portal.notifier import add_near_deadlines
from tourney.portal.versions import Version, keep
from tourney.portal.worker import do_all

from .classes import hand_in, player
from .portals import Portal

NAMES = {"student": "Ann Alder", "mate": "Ben Birch"}
TEAM = "Ann Alder and Ben Birch"
NEW = {"first": "Project 1", "assignment": "Project 2", "short": "two", "game": "ve280",
       "date": "2036-12-01", "time": "18:00"}  # fmt: skip
HANDLERS = {**course_jobs.HANDLERS, **course_jobs.HANDLERS, **team_jobs.HANDLERS}
BOTH = ("cards", "cards-two")


@pytest.fixture(autouse=True)
def course(portal: Portal) -> None:
    """A class of two that allows teams, with a second assignment."""
    folder = portal.places.course("cards")
    folder.mkdir(parents=True)
    (folder / "submissions.yaml").write_text("game: ve280\nroster: roster.csv\nlargest_team: 2\n")
    people = "".join(f"{each},{each}\n" for each in NAMES.values())
    (folder / "roster.csv").write_text(f"person,as\n{people}")
    for who, name in NAMES.items():
        add_member(portal.database, 1, portal.people[who], "student", person=name, name=name)
    tell_all(portal.places)
    assert portal.browser("lecturer").post("/c/cards/assignments/new", NEW).status_code == 303
    do_all(portal.places, HANDLERS)


def form(portal: Portal, slug: str) -> None:
    """Let the two form a team, on the pages of an assignment."""
    path, mate = f"/c/{slug}/team", str(portal.people["mate"])
    assert portal.browser("student").post(f"{path}/invite", {"mate": mate}).status_code == 303
    assert portal.browser("mate").post(f"{path}/1/accept").status_code == 303
    do_all(portal.places, HANDLERS)


def teams(portal: Portal, slug: str) -> list[str]:
    """Give the teams in the roster of an assignment's folder."""
    roster = read_roster(portal.places.course(slug) / "roster.csv")
    return [each.team for each in roster.people]


def play_in_second(portal: Portal, name: str) -> None:
    """Let a submission compete in the second assignment."""
    folder = Submissions(portal.places.course("cards-two"))
    digest = hand_in(folder, name, player(), author=NAMES["student"])
    version = Version(name=name, digest=digest, received="2026-01-01", status="accepted",
                      reason="", plays=True, report={})  # fmt: skip
    row = portal.database.first("SELECT id FROM courses WHERE slug = 'cards-two'")
    assert row
    keep(portal.database, row[0], name, [(version, [])])


def test_each_student_of_a_team_is_counted_in_each_assignment(portal: Portal) -> None:
    """As on the page of the assignment; a notice names the assignment that it is about."""
    form(portal, "cards")
    play_in_second(portal, TEAM)
    for slug in BOTH:
        page = " ".join(portal.browser("lecturer").get(f"/c/{slug}").text.split())
        assert "<span>2 of 2 students have a submission that competes." in page
        assert "<span>0 of 2 students have a submission that competes." in page
        assert f'href="/c/{slug}/team"' in portal.browser("mate").get(f"/c/{slug}").text
    second = course_by(portal.database, "cards-two")
    assert second
    mate = portal.people["mate"]
    notices.add(portal.database, "report", account=mate, course=second.id, job=1)
    assert notices_of(portal.database, mate)[0].title == second.title == "Cards: Project 2"


@pytest.mark.parametrize("slug", BOTH)
def test_a_team_plays_in_every_assignment(portal: Portal, slug: str) -> None:
    """Whichever assignment's page it was formed on; and whoever leaves, leaves it in both."""
    form(portal, slug)
    assert [teams(portal, each) for each in BOTH] == [[TEAM] * 2] * 2
    for each in BOTH:
        page = portal.browser("mate").get(f"/c/{each}/team").text
        assert f"You play as <strong>{TEAM}</strong>" in page
    portal.browser("student").post(f"/c/{slug}/team/leave")
    do_all(portal.places, HANDLERS)
    assert [teams(portal, each) for each in BOTH] == [["", ""]] * 2


def test_a_submission_in_another_assignment_fixes_who_plays(portal: Portal) -> None:
    """The student cannot invite, and whoever accepted just before is refused."""
    path = "/c/cards/team"
    mate = {"mate": str(portal.people["mate"])}
    assert portal.browser("student").post(f"{path}/invite", mate).status_code == 303
    assert portal.browser("mate").post(f"{path}/1/accept").status_code == 303
    play_in_second(portal, NAMES["student"])
    do_all(portal.places, HANDLERS)
    assert [teams(portal, each) for each in BOTH] == [["", ""]] * 2
    assert "a submission of Ann Alder plays already" in portal.browser("mate").get(path).text
    assert portal.browser("student").post(f"{path}/invite", mate).status_code == 422


def test_a_team_that_plays_in_another_assignment_stays(portal: Portal) -> None:
    """Only staff can take a student out, and the submission stays with the other one."""
    form(portal, "cards")
    play_in_second(portal, TEAM)
    portal.browser("student").post("/c/cards/team/leave")
    do_all(portal.places, HANDLERS)
    assert teams(portal, "cards") == [TEAM, TEAM]
    asked = {"whom": f"Ben Birch ({TEAM})", "team": ""}
    assert portal.browser("lecturer").post("/c/cards-two/teams", asked).status_code == 303
    do_all(portal.places, HANDLERS)
    assert [teams(portal, each) for each in BOTH] == [[TEAM, ""]] * 2


def test_a_deadline_of_the_second_assignment_is_announced(portal: Portal) -> None:
    """To the members of the course, who are stored with the first one."""
    near = datetime.fromisoformat("2036-12-01T18:00+00:00") - timedelta(hours=2)
    add_near_deadlines(portal.database, near)
    for who in NAMES:
        (notice,) = notices_of(portal.database, portal.people[who])
        assert (notice.kind, notice.slug) == ("deadline near", "cards-two")
    assert not notices_of(portal.database, portal.people["lecturer"])
