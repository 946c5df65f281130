"""People: they join, sign in, show a second factor, and end what they began."""

import html
import json
import re
from contextlib import closing
from typing import Literal

import pyotp
import pytest

from tourney.errors import PortalError
from tourney.portal.accounts import account_by, login_of
from tourney.portal.database import open_database
from tourney.portal.guesses import Buckets
from tourney.portal.invites import Invite, make_code, make_invites
from tourney.portal.passwords import STEP, picture_of, step_of
from tourney.portal.web.guard import POLICY

from .portals import Browser, Portal

PASSWORD = "four words in a row"  # noqa: S105 - of nobody
SECOND = "/account/second"


def invited(portal: Portal, role: str = "student", person: str = "Ada") -> str:
    """Give the code of an invite."""
    invite = Invite(portal.courses["cards"], role, person, person)  # type: ignore[arg-type]  # a role by its name
    with portal.database.transaction():
        return make_invites(portal.database, [invite])[0][1]


def joined(portal: Portal, login: str = "ada@example.org") -> Browser:
    """Give the browser of somebody who has just joined."""
    browser = portal.browser()
    fields = {"login": login, "name": "Ada", "password": PASSWORD, "code": invited(portal)}
    assert 'href="/join">join with a code</a>' in browser.get("/sign-in").text
    answer = browser.post("/join", fields)
    assert (answer.status_code, answer.headers["location"]) == (303, "/c/cards")
    return browser


def test_whoever_has_a_code_joins_and_signs_in_again(portal: Portal) -> None:
    """Under the login, however it is typed."""
    browser = joined(portal)
    assert "Cards" in browser.get("/").text
    browser.post("/sign-out")
    assert browser.get("/c/cards").status_code == 303
    answer = browser.post("/sign-in", {"login": " ADA@example.org", "password": PASSWORD})
    assert answer.status_code == 303
    assert browser.get("/c/cards").status_code == 200


def test_a_code_serves_once(portal: Portal) -> None:
    """And a newer one of the same person ends the older."""
    older, newer = invited(portal), invited(portal)
    fields = {"login": "ada", "name": "Ada", "password": PASSWORD}
    assert portal.browser().post("/join", fields | {"code": older}).status_code == 422
    assert portal.browser().post("/join", fields | {"code": newer}).status_code == 303
    assert portal.browser().post("/join", fields | {"code": newer}).status_code == 422


def test_who_is_signed_in_joins_with_the_same_account(portal: Portal) -> None:
    """In another role, too."""
    browser = portal.browser("outsider")
    assert browser.post("/join", {"code": invited(portal, "spectator", "")}).status_code == 303
    account = account_by(portal.database, portal.people["outsider"])
    assert account
    assert account.role_in(portal.courses["cards"]) == "spectator"
    assert account.role_in(portal.courses["other"]) == "student"


def test_staff_shows_a_second_factor_and_each_code_serves_once(portal: Portal) -> None:
    """Here of a lecturer, who sets it up with the first code."""
    browser = portal.browser("admin", has_second=False)
    assert browser.get("/new-course").headers["location"].startswith("/account/second?back=")
    assert browser.post("/new-course", {"slug": "x", "title": "X"}).status_code == 403
    secret = pyotp.random_base32()
    code = pyotp.TOTP(secret).now()
    fields = {"secret": secret, "code": code, "back": "/new-course"}
    answer = browser.post(SECOND, fields)
    assert (answer.status_code, answer.headers["location"]) == (303, "/new-course")
    assert browser.get("/new-course").status_code == 200
    another = portal.browser("admin", has_second=False)
    assert another.post(SECOND, {"code": code}).status_code == 422


def test_a_second_factor_cannot_be_replaced_by_whoever_has_the_password(portal: Portal) -> None:
    """What is there already is asked for, whatever secret a form brings."""
    kept, brought = pyotp.random_base32(), pyotp.random_base32()
    portal.database.execute("UPDATE accounts SET totp = ? WHERE login LIKE 'lecturer%'", (kept,))
    browser = portal.browser("lecturer", has_second=False)
    fields = {"secret": brought, "code": pyotp.TOTP(brought).now()}
    assert browser.post(SECOND, fields).status_code == 422


def test_a_mistyped_digit_leaves_the_secret_of_a_second_factor(portal: Portal) -> None:
    """An app has it by then; one that is none is not shown again."""
    browser = portal.browser("lecturer", has_second=False)
    (secret,) = re.findall('name="secret" value="([A-Z2-7]{32})"', browser.get(SECOND).text)
    for number in range(2):
        answer = browser.post(SECOND, {"secret": secret, "code": f"wrong {number}"})
        assert answer.status_code == 422
        assert f'name="secret" value="{secret}"' in answer.text
        assert f"secret={secret}" in answer.text
    other = browser.post(SECOND, {"secret": "<b>none", "code": "0"}).text
    assert re.search('name="secret" value="[A-Z2-7]{32}"', other)
    right = {"secret": secret, "code": pyotp.TOTP(secret).now()}
    assert browser.post(SECOND, right).status_code == 303


def test_the_secret_is_a_picture_for_a_phone(portal: Portal) -> None:
    """An image that the content policy allows: the QR code of the link beside it."""
    page = portal.browser("lecturer", has_second=False).get(SECOND).text
    (link,) = re.findall('href="(otpauth:[^"]+)"', page)
    (picture,) = re.findall('src="(data:image/svg[^"]+)"', page)
    assert html.unescape(picture) == picture_of(html.unescape(link))
    assert "img-src 'self' data:" in POLICY
    assert picture_of("a") != picture_of("b")
    kept = portal.browser("lecturer", has_second=False)
    portal.database.execute("UPDATE accounts SET totp = ?", (pyotp.random_base32(),))
    assert "data:image" not in kept.get(SECOND).text, "it is shown once"


def test_codes_of_the_step_before_and_after_count() -> None:
    """And no others."""
    secret = pyotp.random_base32()
    code = pyotp.TOTP(secret).at(1_000_000 * STEP)
    near = [step_of(secret, code, (1_000_000 + at) * STEP) for at in (-2, -1, 0, 1, 2)]
    assert near == [None, 1_000_000, 1_000_000, 1_000_000, None]


def test_a_new_password_ends_every_session(portal: Portal) -> None:
    """But the one in which it was chosen."""
    browser = joined(portal)
    other = portal.browser()
    other.post("/sign-in", {"login": "ada@example.org", "password": PASSWORD})
    assert other.get("/account").status_code == 200
    wrong = browser.post("/account/password", {"old": "guess", "new": "another few words"})
    assert wrong.status_code == 422
    fields = {"old": PASSWORD, "new": "another few words"}
    assert browser.post("/account/password", fields).status_code == 303
    assert browser.get("/account").status_code == 200
    assert other.get("/account").status_code == 303


def test_nobody_ends_the_sessions_of_others(portal: Portal) -> None:
    """A number of theirs does nothing."""
    mate, browser = portal.browser("mate"), portal.browser("student")
    row = portal.database.first(
        "SELECT id FROM sessions WHERE account = ?", (portal.people["mate"],)
    )
    assert row
    browser.post("/account/session", {"session": row[0]})
    assert mate.get("/account").status_code == 200


def test_a_reset_link_serves_once(portal: Portal) -> None:
    """It ends what the one who forgot, or somebody else, had begun."""
    joined(portal)
    row = portal.database.first("SELECT id FROM accounts WHERE login = 'ada@example.org'")
    assert row
    code = make_code(portal.database, "reset", row[0])
    fields = {"code": code, "password": "yet another password"}
    assert portal.browser().post("/reset", fields).status_code == 303
    assert portal.browser().post("/reset", fields).status_code == 422
    answer = portal.browser().post(
        "/sign-in", {"login": "ada@example.org", "password": "yet another password"}
    )
    assert answer.status_code == 303


def test_wrong_passwords_lock_nobody_out(portal: Portal) -> None:
    """The right one gets in afterwards, from the same address; sessions and others go on."""
    browser = joined(portal)
    guesser = portal.browser()
    wrong = {"login": "ada@example.org", "password": "a wrong one"}
    assert {guesser.post("/sign-in", wrong).status_code for _ in range(10)} == {401}
    right = {"login": "ada@example.org", "password": PASSWORD}
    assert portal.browser().post("/sign-in", right).status_code == 303
    assert browser.get("/account").status_code == 200
    for number in range(5):
        joined(portal, f"mate{number}@example.org")


def test_buckets_fill_again() -> None:
    """One at a time."""
    moment = 0.0
    buckets = Buckets(2, 60, lambda: moment)
    for _ in range(2):
        assert buckets.has_some("a")
        buckets.take("a")
    assert not buckets.has_some("a")
    assert buckets.has_some("b")
    moment = 1.0
    assert buckets.has_some("a")


@pytest.mark.parametrize(
    "back", ["https://evil.example/", "//evil.example", "/\\evil.example", "x"]
)
def test_signing_in_sends_nobody_elsewhere(portal: Portal, back: str) -> None:
    """Whatever a link to it says."""
    joined(portal)
    fields = {"login": "ada@example.org", "password": PASSWORD, "back": back}
    assert portal.browser().post("/sign-in", fields).headers["location"] == "/"


def test_the_first_link_makes_the_administrator_once(portal: Portal) -> None:
    """And a newer one ends the older."""
    older = make_code(portal.database, "set-up")
    code = make_code(portal.database, "set-up")
    fields = {"login": "root", "name": "Root", "password": PASSWORD}
    assert portal.browser().post("/set-up", fields | {"code": older}).status_code == 422
    browser = portal.browser()
    assert browser.post("/set-up", fields | {"code": code}).status_code == 303
    assert portal.browser().post("/set-up", fields | {"code": code}).status_code == 422


@pytest.mark.parametrize(("path", "purpose"), [("/set-up", "set-up"), ("/reset", "reset")])
def test_a_link_that_does_not_work_shows_no_form(
    portal: Portal, path: str, purpose: Literal["set-up", "reset"]
) -> None:
    """So that nobody fills it in first; the form of one that works is shown."""
    number = portal.people["student"] if purpose == "reset" else None
    code = make_code(portal.database, purpose, number)
    assert "<form" in portal.browser().get(f"{path}?code={code}").text
    fields = {"login": "root", "name": "Root", "password": PASSWORD, "code": code}
    assert portal.browser().post(path, fields).status_code == 303
    for query in ("", "?code=abc", f"?code={code}"):
        page = portal.browser().get(f"{path}{query}").text
        assert "Link: it was already used, or is older than two days" in page
        assert "<form" not in page


def test_a_code_for_a_student_who_has_joined_is_refused_by_name(portal: Portal) -> None:
    """It is said of that student, not of all."""
    people = [
        {"person": each, "name": each, "groups": [], "excluded": ""} for each in ("Student", "Ada")
    ]
    sql = "UPDATE courses SET told = ? WHERE slug = 'cards'"
    portal.database.execute(sql, (json.dumps({"people": people}),))
    fields = {"role": "student", "person": "Student", "name": "Student"}
    answer = portal.browser("lecturer").post("/c/cards/codes", fields)
    assert answer.status_code == 422
    assert "Codes: Student (Student) has joined, or is not on the roster" in answer.text
    assert "all students of the roster have joined" not in answer.text


CODE = "x = '<b>'\n    y = 1"


@pytest.mark.parametrize(
    ("length", "is_known", "is_kept"), [(20, False, True), (9000, False, False), (9000, True, True)]
)
def test_pasted_code_is_shown_again_to_who_is_signed_out(
    portal: Portal, length: int, *, is_known: bool, is_kept: bool
) -> None:
    """As text, in a page for people; of strangers, a small form alone is read."""
    browser = portal.browser()
    if is_known:
        browser = joined(portal)
        browser.post("/sign-out")
    code = f"{CODE}{'#' * length}"
    answer = browser.post("/c/cards/hand-in", {"text": code, "title": "a.py"})
    assert answer.status_code == 401
    assert "You are signed out; nothing was submitted. Sign in, and submit again" in answer.text
    areas = re.findall(r"<textarea[^>]* readonly [^>]*>\n([^<]*)</textarea>", answer.text)
    assert [html.unescape(each) for each in areas] == [code] * is_kept
    assert "<b>" not in answer.text


@pytest.mark.parametrize(
    "headers", [{"accept": "application/json"}, {"authorization": "Bearer wrong"}]
)
def test_a_program_that_is_signed_out_reads_of_its_token(
    portal: Portal, headers: dict[str, str]
) -> None:
    """Its text is not repeated."""
    answer = portal.browser().post("/c/cards/hand-in", {"text": CODE}, **headers)
    assert answer.status_code == 401
    assert "ign in first, or send a valid token" in answer.text
    assert "y = 1" not in answer.text


def test_what_somebody_could_sign_in_with_is_not_kept(portal: Portal) -> None:
    """Neither passwords nor codes stand in the file."""
    code = invited(portal, person="Bea")
    browser = joined(portal)
    portal.database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    held = portal.places.database.read_bytes()
    for secret in (PASSWORD, code, browser.cookies["tourney"]):
        assert secret.encode() not in held


def test_the_audit_log_is_only_added_to(portal: Portal) -> None:
    """The database itself refuses the rest."""
    joined(portal)
    with closing(open_database(portal.places)) as database:
        for sql in ("UPDATE audit SET act = 'nothing'", "DELETE FROM audit"):
            with pytest.raises(Exception, match="only ever appended to"):
                database.execute(sql)


@pytest.mark.parametrize("login", ["", "two words", "\u0430da", "x" * 300, "a\x00b"])
def test_a_login_that_could_be_taken_for_anothers_is_refused(login: str) -> None:
    """Here with a Cyrillic letter, too."""
    with pytest.raises(PortalError, match=r"login: .*is not possible; use a mail address"):
        login_of(login)
