"""Members are removed and come back, and codes are listed and ended."""

import html
import json

import pytest

from tourney.course.folder import Submissions
from tourney.portal.accounts import account_by
from tourney.portal.erasure import erase
from tourney.portal.folder_erasure import HANDLERS
from tourney.portal.invites import Invite, make_invites
from tourney.portal.worker import do_all

from .classes import hand_in, player
from .hands import ROSTER, add_handed_in, make_course
from .portals import Browser, Portal

PEOPLE = "/c/cards/people"


def code_for(portal: Portal, role: str, person: str = "") -> str:
    """Make a code."""
    invite = Invite(portal.courses["cards"], role, person, person)  # type: ignore[arg-type]  # a role by its name
    with portal.database.transaction():
        return make_invites(portal.database, [invite])[0][1]


def remove(portal: Portal, who: str, by: str = "lecturer") -> int:
    """Remove somebody; give the status."""
    number = str(portal.people[who])
    return portal.browser(by).post(f"{PEOPLE}/remove", {"account": number}).status_code


def test_a_removed_member_sees_nothing_of_the_course_from_then_on(portal: Portal) -> None:
    """In the sessions that are open, too; what was handed in stays, and the log has a line."""
    make_course(portal)
    add_handed_in(portal)
    student = portal.browser("student")
    assert student.get("/c/cards").status_code == 200
    assert remove(portal, "student") == 303
    for path in ("/c/cards", "/c/cards/board", "/c/cards/versions", "/c/cards/hand-in"):
        assert student.get(path).status_code == 404
    assert "Cards" not in html.unescape(student.get("/").text).partition("<main")[2]
    lecturer = portal.browser("lecturer")
    assert "student@example.org" not in lecturer.get(PEOPLE).text
    assert "Student" in lecturer.get("/c/cards/versions").text
    assert "<td>member removed</td>" in lecturer.get("/c/cards/audit").text
    assert "Student (account" in lecturer.get("/c/cards/audit").text
    assert remove(portal, "student") == 422


def test_a_removed_member_comes_back_by_a_new_code(portal: Portal) -> None:
    """In another role, too."""
    assert remove(portal, "student") == 303
    student = portal.browser("student")
    code = code_for(portal, "spectator")
    assert student.post("/join", {"code": code}).status_code == 303
    account = account_by(portal.database, portal.people["student"])
    assert account
    assert account.role_in(portal.courses["cards"]) == "spectator"


@pytest.mark.parametrize(
    ("who", "by", "status"),
    [
        ("assistant", "lecturer", 303),
        ("spectator", "lecturer", 303),
        ("student", "assistant", 403),
        ("lecturer", "lecturer", 422),
        ("outsider", "lecturer", 422),
        ("student", "stranger", 404),
        ("mate", "student", 403),
    ],
)
def test_lecturers_remove_members_of_their_own_course(
    portal: Portal, who: str, by: str, status: int
) -> None:
    """But never the last of themselves."""
    assert remove(portal, who, by) == status


def test_of_two_lecturers_one_can_leave(portal: Portal) -> None:
    """And the other one then cannot."""
    admin = portal.browser("admin")
    assert admin.post("/join", {"code": code_for(portal, "lecturer")}).status_code == 303
    assert remove(portal, "lecturer") == 303
    assert portal.browser("lecturer").get(PEOPLE).status_code == 404
    assert remove(portal, "admin", "admin") == 422


def test_erasing_a_removed_member_still_finds_the_folder(portal: Portal) -> None:
    """What was handed in is removed with the person."""
    make_course(portal)
    hand_in(Submissions(portal.places.course("cards")), "Student", player())
    assert remove(portal, "student") == 303
    with portal.database.transaction():
        erase(portal.database, portal.people["student"], None)
    do_all(portal.places, HANDLERS)
    assert not (portal.places.course("cards") / "Student").exists()
    assert "Student" not in (portal.places.course("cards") / "roster.csv").read_text()


def test_erasing_whoever_took_a_code_of_somebody_else_takes_nothing_from_them(
    portal: Portal,
) -> None:
    """The right student has joined in the meantime, with another account."""
    make_course(portal)
    assert remove(portal, "student") == 303
    code = code_for(portal, "student", "Student")
    assert portal.browser("outsider").post("/join", {"code": code}).status_code == 303
    with portal.database.transaction():
        erase(portal.database, portal.people["student"], None)
    do_all(portal.places, HANDLERS)
    assert (portal.places.course("cards") / "roster.csv").read_text() == ROSTER


def with_roster(portal: Portal) -> Browser:
    """Give a lecturer of a course in which two have not joined."""
    people = [
        {"person": name, "name": name, "groups": [], "excluded": False} for name in ("Ada", "Bob")
    ]
    told = json.dumps({"people": people})
    portal.database.execute("UPDATE courses SET told = ? WHERE slug = 'cards'", (told,))
    return portal.browser("lecturer")


def test_codes_are_listed_and_ended(portal: Portal) -> None:
    """Of one student, made alone; an ended one lets nobody in."""
    lecturer = with_roster(portal)
    assert lecturer.get(PEOPLE).text.count("<td>no code</td>") == 2
    fields = {"role": "student", "person": "Ada", "name": "Ada"}
    answer = lecturer.post("/c/cards/codes", fields).content.decode("utf-8-sig")
    code = answer.splitlines()[1].rpartition(",")[2]
    assert "Bob" not in answer
    page = lecturer.get(PEOPLE).text
    assert page.count("<td>no code</td>") == 1
    hashed = page.partition(f'{PEOPLE}/end-code"')[2].partition('name="code" value="')[2][:64]
    assert code not in page
    assert (
        portal.browser("assistant").post(f"{PEOPLE}/end-code", {"code": hashed}).status_code == 303
    )
    assert lecturer.get(PEOPLE).text.count("<td>no code</td>") == 2
    joins = {"login": "ada", "name": "Ada", "password": "four words in a row", "code": code}
    assert portal.browser().post("/join", joins).status_code == 422
    assert "<td>code ended</td>" in lecturer.get("/c/cards/audit").text
    assert lecturer.post(f"{PEOPLE}/end-code", {"code": hashed}).status_code == 422


def test_only_lecturers_end_codes_of_staff(portal: Portal) -> None:
    """And nobody those of another course."""
    lecturer = with_roster(portal)
    code_for(portal, "assistant")
    hashed = lecturer.get(PEOPLE).text.partition('name="code" value="')[2][:64]
    for who, status in (("assistant", 422), ("stranger", 404), ("lecturer", 303)):
        answer = portal.browser(who).post(f"{PEOPLE}/end-code", {"code": hashed})
        assert answer.status_code == status
    assert "Unused code" not in lecturer.get(PEOPLE).text
    code_for(portal, "assistant")
    hashed = lecturer.get(PEOPLE).text.partition('name="code" value="')[2][:64]
    stranger = portal.browser("stranger").post("/c/other/people/end-code", {"code": hashed})
    assert stranger.status_code == 422
    assert "Unused code" in lecturer.get(PEOPLE).text


def test_who_has_no_code_left_to_get_is_told_so(portal: Portal) -> None:
    """Instead of an empty file."""
    with_roster(portal)
    fields = {"role": "student", "person": "Ada", "name": "Nobody"}
    answer = portal.browser("lecturer").post("/c/cards/codes", fields)
    assert "Ada (Nobody) has joined, or is not on the roster" in answer.text
