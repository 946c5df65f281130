"""The administrator: looks after accounts and courses, and locks nobody out who could undo it."""

import subprocess
import sys
from urllib.parse import urlsplit

import pyotp
import pytest

from tourney.errors import PortalError
from tourney.portal import (
    accounts,
    boards,
    erasure,
    jobs,
    sessions,
)
from tourney.portal.admin_actions import reset_link
from tourney.portal.database import setting
from tourney.portal.invites import Invite, make_invites

from .portals import Browser, Portal

PASSWORD = "four words in a row"  # noqa: S105 - of nobody
MARKUP = "<b>Bobby</b>"

USUAL_DAYS = {name: str(days) for name, days in erasure.KEPT.items()}


def done(portal: Portal, act: str, who: str, browser: Browser | None = None) -> int:
    """Do something with somebody's account as the administrator; give the status."""
    browser = browser or portal.browser("admin")
    return browser.post(f"/admin/accounts/{portal.people[who]}", {"act": act}).status_code


def chosen(portal: Portal, link: str) -> int:
    """Choose a new password by a link; give the status."""
    code = urlsplit(link).query.removeprefix("code=")
    return portal.browser().post("/reset", {"code": code, "password": PASSWORD}).status_code


def signed_in(portal: Portal, who: str) -> int:
    """Sign in with that password; give the status."""
    fields = {"login": f"{who}@example.org", "password": PASSWORD}
    return portal.browser().post("/sign-in", fields).status_code


def link_for(portal: Portal, who: str) -> str:
    """Give the link that the administrator makes for somebody."""
    path = f"/admin/accounts/{portal.people[who]}"
    text = portal.browser("admin").post(path, {"act": "reset"}).text
    return text.partition("<code>")[2].partition("</code>")[0]


def acts(portal: Portal) -> list[tuple[str, int, str]]:
    """Give what the audit log says that the administrator did."""
    sql = "SELECT act, account, about FROM audit WHERE account = ? ORDER BY id"
    return list(portal.database.read(iter, sql, (portal.people["admin"],)))


def test_accounts_are_found_by_name_login_and_number(portal: Portal) -> None:
    """In pages, and what somebody types is no pattern."""
    for number in range(120):
        accounts.add_account(portal.database, f"more{number}", f"More {number:03}")
    browser = portal.browser("admin")
    shown = [browser.get(f"/admin/accounts?words=more&page={page}").text for page in (1, 2, 3)]
    assert [text.count(">more") for text in shown] == [50, 50, 20]
    assert all("120 accounts, page" in text for text in shown)
    number = portal.people["student"]
    for words in ("STUDENT@", "Stud", str(number)):
        assert f"/admin/accounts/{number}" in browser.get(f"/admin/accounts?words={words}").text
    for words in ("%25", "_", "\\"):
        assert "0 accounts" in browser.get(f"/admin/accounts?words={words}").text
    assert "3 accounts" in browser.get("/admin/accounts?kind=staff").text
    assert browser.get("/admin/accounts?kind=none&page=9999999999999999999999").status_code == 200


def test_an_account_shows_what_helping_takes(portal: Portal) -> None:
    """Courses and roles, what it signs in by, and nothing that it could sign in with."""
    portal.database.execute(
        "UPDATE accounts SET totp = 'SECRETSECRET', password = '$argon2' WHERE id = ?",
        (portal.people["lecturer"],),
    )
    portal.database.execute(
        "INSERT INTO identities VALUES ('https://login.example.edu', 'subject-9', ?)",
        (portal.people["lecturer"],),
    )
    path = f"/admin/accounts/{portal.people['lecturer']}"
    text = portal.browser("admin").get(path).text
    for words in ("Cards (cards): lecturer", "password and https://login.example.edu", "set up"):
        assert words in text
    for secret in ("SECRETSECRET", "argon2", "subject-9"):
        assert secret not in text


@pytest.mark.parametrize("who", ["lecturer", "assistant", "student", "admin"])
def test_everybody_gets_a_new_password_by_a_link(portal: Portal, who: str) -> None:
    """Staff too, for whom nobody else makes one; it serves once."""
    link = link_for(portal, who)
    assert chosen(portal, link) == 303
    assert signed_in(portal, who) == 303
    assert chosen(portal, link) == 422
    assert ("reset link made", portal.people["admin"], f'{{"of": {portal.people[who]}}}') in acts(
        portal
    )


def test_a_lost_second_factor_is_set_up_again(portal: Portal) -> None:
    """Its owner's sessions and tokens end, and the next code is that of a new secret."""
    lost, number = pyotp.random_base32(), portal.people["lecturer"]
    portal.database.execute("UPDATE accounts SET totp = ? WHERE id = ?", (lost, number))
    browser = portal.browser("lecturer")
    token = sessions.add_token(portal.database, number, "laptop")
    assert done(portal, "second", "lecturer") == 303
    assert browser.get("/c/cards").status_code == 303
    assert sessions.find_token(portal.database, token) is None
    again = portal.browser("lecturer", has_second=False)
    found = pyotp.random_base32()
    fields = {"code": pyotp.TOTP(found).now(), "secret": found}
    assert again.post("/account/second", fields).status_code == 303
    assert again.get("/c/cards/people").status_code == 200
    assert again.post("/account/second", {"code": pyotp.TOTP(lost).now()}).status_code == 422


def test_all_sessions_of_somebody_end(portal: Portal) -> None:
    """And nobody else's."""
    browser, mate = portal.browser("student"), portal.browser("mate")
    assert done(portal, "sessions", "student") == 303
    assert browser.get("/account").status_code == 303
    assert mate.get("/account").status_code == 200


def test_there_is_always_an_administrator(portal: Portal) -> None:
    """The last one stays, also if two leave one after the other."""
    assert done(portal, "unmake-admin", "admin") == 422
    assert done(portal, "make-admin", "lecturer") == 303
    lecturer = portal.browser("lecturer")
    assert done(portal, "unmake-admin", "admin") == 303
    assert portal.browser("admin").get("/admin/accounts").status_code == 404
    assert done(portal, "unmake-admin", "lecturer", lecturer) == 422
    assert lecturer.get("/admin/accounts").status_code == 200


def test_an_account_that_is_locked_is_of_no_use(portal: Portal) -> None:
    """By session, password, token or a link that was made; until it is unlocked."""
    link = link_for(portal, "student")
    browser = portal.browser("student")
    token = sessions.add_token(portal.database, portal.people["student"], "laptop")
    assert done(portal, "lock", "student") == 303
    assert browser.get("/account").status_code == 303
    assert sessions.find_token(portal.database, token) is None
    assert chosen(portal, link) == 303
    assert signed_in(portal, "student") == 422
    assert done(portal, "make-admin", "student") == 422
    assert done(portal, "unlock", "student") == 303
    assert signed_in(portal, "student") == 303


def test_no_administrator_is_locked_out(portal: Portal) -> None:
    """Not even by another."""
    done(portal, "make-admin", "lecturer")
    assert done(portal, "lock", "lecturer") == 422
    assert portal.browser("lecturer").get("/admin/accounts").status_code == 200


@pytest.mark.parametrize("act", ["reset", "second", "make-admin", "lock"])
def test_nothing_is_done_for_others_or_by_their_sites(portal: Portal, act: str) -> None:
    """A lecturer finds no such page, a form of another site and an old proof do nothing."""
    before = portal.database.first("SELECT * FROM accounts WHERE login LIKE 'student%'")
    path, fields = f"/admin/accounts/{portal.people['student']}", {"act": act}
    assert portal.browser("lecturer").post(path, fields).status_code == 404
    admin = portal.browser("admin")
    other = {"sec-fetch-site": "cross-site"}
    assert admin.post(path, fields, **other).status_code == 403
    assert portal.browser("admin", has_second=False).post(path, fields).status_code == 403
    portal.database.execute("UPDATE sessions SET proved = '2020-01-01T00:00:00+00:00'")
    answer = admin.post(path, fields, referer="https://evil.example//evil.example/")
    assert answer.status_code == 403
    assert f'<a href="{path}">Cancel and go back</a>' in answer.text
    assert "evil" not in answer.text
    assert portal.database.first("SELECT * FROM accounts WHERE login LIKE 'student%'") == before
    assert acts(portal) == []
    assert portal.database.first("SELECT 1 FROM codes") is None


def test_markup_in_what_people_typed_is_text(portal: Portal) -> None:
    """Names, titles, and what is looked for."""
    portal.database.execute("UPDATE accounts SET name = ?", (MARKUP,))
    portal.database.execute("UPDATE courses SET title = ?", (MARKUP,))
    browser = portal.browser("admin")
    fields = {"portal_title": MARKUP, "second_factor": "staff", **USUAL_DAYS}
    assert browser.post("/admin/settings", fields).status_code == 303
    done(portal, "sessions", "student")
    paths = [f"/admin/{each}" for each in ("accounts", "courses", "audit", "settings", "provider")]
    for path in (*paths, f"/admin/accounts/{portal.people['student']}"):
        for query in ("", f"?words={MARKUP}&act={MARKUP}&course={MARKUP}"):
            text = browser.get(path + query).text
            assert MARKUP not in text
            assert "&lt;b&gt;" in text


def test_an_archived_course_can_be_read_by_its_staff_alone(portal: Portal) -> None:
    """Nobody hands in or joins, and it can be brought back."""
    invite = Invite(portal.courses["cards"], "student", "Ada", "Ada")
    code = make_invites(portal.database, [invite])[0][1]
    admin, number = portal.browser("admin"), str(portal.courses["cards"])
    jobs.add(portal.database, "shoes", {}, course=int(number), not_before="2100")
    boards.note_run(portal.database, int(number), "practice", 1, "Practice")
    shown, private = (
        boards.note_run(
            portal.database, int(number), "final", at, "Cup", settings={"audience": audience}
        )
        for at, audience in ((1, "public"), (2, "course"))
    )
    assert admin.post("/admin/courses", {"course": number, "act": "archive"}).status_code == 303
    lecturer, student = portal.browser("lecturer"), portal.browser("student")
    assert [student.get(path).status_code for path in ("/c/cards", "/c/cards/hand-in")] == [404] * 2
    assert "Cards" not in student.get("/").text
    assert "Cards</a> (archived)" in lecturer.get("/").text
    assert lecturer.get("/c/cards/people").status_code == 200
    assert lecturer.post("/c/cards/terms", {"per_day": "5"}).status_code == 403
    assert student.post("/c/cards/hand-in", {"text": "x"}).status_code == 404
    assert portal.browser("outsider").post("/join", {"code": code}).status_code == 422
    assert student.get(f"/c/cards/final/{shown.id}").status_code == 200
    assert student.get(f"/c/cards/final/{private.id}").status_code == 404
    assert portal.database.first("SELECT state FROM jobs") == ("replaced",)
    assert admin.post("/admin/courses", {"course": number, "act": "archive"}).status_code == 422
    assert admin.post("/admin/courses", {"course": number, "act": "bring-back"}).status_code == 303
    waits = "SELECT kind FROM jobs WHERE state = 'queued'"
    assert list(portal.database.read(iter, waits)) == [("practice",)]
    assert student.get("/c/cards").status_code == 200
    assert lecturer.post("/c/cards/terms", {"per_day": "5"}).status_code == 303


def test_a_course_with_work_to_do_is_not_archived(portal: Portal) -> None:
    """It is said how much; and the list counts it."""
    course, admin = portal.courses["cards"], portal.browser("admin")
    jobs.add(portal.database, "check", {}, course=course)
    answer = admin.post("/admin/courses", {"course": str(course), "act": "archive"})
    assert answer.status_code == 422
    assert "1 jobs" in answer.text
    row = admin.get("/admin/courses").text.partition("<td>cards</td>")[2]
    assert row.startswith("<td>1</td><td>5</td><td>1</td><td>no run</td>")


@pytest.mark.parametrize("course", ["", "0", "-1", "cards", "٣", "9" * 5000])
def test_what_is_no_course_is_not_archived(portal: Portal, course: str) -> None:
    """A number can be longer than any that Python reads."""
    answer = portal.browser("admin").post("/admin/courses", {"course": course, "act": "archive"})
    assert answer.status_code == 422
    assert "no course or action was chosen" in answer.text


def test_everything_that_was_done_is_found_again(portal: Portal) -> None:
    """By course and act, in pages; people stand there as numbers, and are shown as they are."""
    for who in ("lecturer", "student"):
        done(portal, "sessions", who)
    browser = portal.browser("admin")
    browser.post("/new-course", {"slug": "new", "title": "New"})
    ended = browser.get("/admin/audit?act=sessions+ended").text
    assert f"of: Student (account {portal.people['student']})" in ended
    assert "<td>course made</td>" not in ended
    made = browser.get("/admin/audit?course=new").text
    assert "<td>course made</td>" in made
    assert "<td>sessions ended</td>" not in made
    for _ in range(100):
        done(portal, "sessions", "mate")
    newest = browser.get("/admin/audit?act=sessions+ended").text
    assert newest.count("<td>sessions ended</td>") == 100
    older = newest.partition("Older")[0].rpartition('href="')[2].partition('"')[0]
    assert browser.get(older.replace("&amp;", "&")).text.count("<td>sessions ended</td>") == 2
    kept = portal.database.read(iter, "SELECT about FROM audit")
    assert not [about for (about,) in kept if "@example.org" in about or "Student" in about]


def test_settings_hold_for_the_whole_portal(portal: Portal) -> None:
    """Title, second factor and days; a fault in one keeps none."""
    browser = portal.browser("admin")
    good = {
        "portal_title": "Cards at home",
        "second_factor": "off",
        **USUAL_DAYS,
        "keep_feedback_days": "7",
    }
    for name, value in (
        ("portal_title", " "),
        ("second_factor", "never"),
        ("keep_feedback_days", "3651"),
        ("keep_feedback_days", "-1"),
        ("keep_feedback_days", "9" * 5000),
    ):
        assert browser.post("/admin/settings", {**good, name: value}).status_code == 422
    assert 'value="365"' in browser.get("/admin/settings").text
    assert browser.post("/admin/settings", good).status_code == 303
    assert "<title>Cards at home" in portal.browser().get("/").text
    assert 'value="7"' in browser.get("/admin/settings").text
    assert portal.browser("lecturer", has_second=False).get("/c/cards/people").status_code == 200


@pytest.mark.parametrize("typed", ["", "-1", "soon", "4000", "\u0663", "9" * 5000])
def test_days_that_are_none_are_refused(portal: Portal, typed: str) -> None:
    """With the range, and nothing is kept; nor are settings that there are not."""
    name, *_ = erasure.KEPT
    fields = {"portal_title": "Cards", "second_factor": "staff", **USUAL_DAYS}
    answer = portal.browser("admin").post("/admin/settings", {**fields, name: typed})
    assert answer.status_code == 422
    assert "use 0 to 3650 days" in answer.text
    assert not setting(portal.database, name)
    fields["keep_everything_days"] = "1"
    assert portal.browser("admin").post("/admin/settings", fields).status_code == 303
    assert not setting(portal.database, "keep_everything_days")


def test_the_machines_owner_gets_anybody_in_again(portal: Portal) -> None:
    """Also who is the only administrator and has lost the phone; another login is a fault."""
    number = portal.people["admin"]
    portal.database.execute("UPDATE accounts SET totp = 'X' WHERE id = ?", (number,))
    command = [sys.executable, "-m", "tourney", "serve", "reset", str(portal.places.root)]
    command += ["--login", "Admin@example.org", "--second-factor", "--url", "https://c.example"]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert ran.stdout.startswith("https://c.example/reset?code=")
    assert chosen(portal, ran.stdout.strip()) == 303
    assert signed_in(portal, "admin") == 303
    row = portal.database.first("SELECT totp FROM accounts WHERE id = ?", (number,))
    assert row == ("",)
    with pytest.raises(PortalError, match="--login: no account has the login 'nobody'"):
        reset_link(portal.places, "nobody", "", with_second=False)


def test_a_folder_without_a_portal_stays_as_it_is(portal: Portal) -> None:
    """No portal is made where somebody has mistyped."""
    command = [sys.executable, "-m", "tourney", "serve", "reset", str(portal.places.inbox)]
    command += ["--login", "admin"]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert ran.returncode == 2
    assert "no portal in this folder" in ran.stderr
    assert not list(portal.places.inbox.iterdir())
