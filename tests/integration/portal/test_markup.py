"""Markup in whatever people can set: on every page of everybody it is text, and nothing else.

What was written down before is called by it (`furnish`), and every field of every form is sent
with it; then all that there is is fetched. A browser that met it outside of text would run it.
"""

import csv
import io
import json
from collections.abc import Iterator, Mapping

import httpx
import pytest

from tourney.portal import course_jobs, jobs, worker
from tourney.portal.database import set_setting
from tourney.portal.invites import Invite, make_code, make_invites
from tourney.portal.web.server import PAGES

from .classes import CONFINED
from .forms import fields_of
from .furnished import ADDRESSES, furnish
from .hands import bold, do_checks, make_course
from .portals import PEOPLE, Browser, Portal

MARKUP = "\"><img src=x onerror='alert(1)'>"
RAW = "<img src=x"
ESCAPED = "&lt;img src=x"
FORMULAS = ("=", "+", "-", "@", "\t", "\r")
WHO = ("", *PEOPLE)
GRADEBOOK = f"""\
Student,ID,SIS User ID,SIS Login ID,Section,Project (7)
"    Points Possible",,,,,10
"{MARKUP.replace('"', '""')}, Ada",101,a1,ada,{MARKUP.replace('"', "")},
"=1+1, Bob",102,b2,=cmd|' /C calc'!A0,@Section,
"+2, -3",103,c3,-grace,+Section,
"""


def marked(text: str) -> str:
    """Put markup behind what something would be called."""
    return f"{text}{MARKUP}"


def fetched(portal: Portal, numbers: Mapping[str, int]) -> Iterator[tuple[str, httpx.Response]]:
    """Fetch every page as everybody."""
    for who in WHO:
        browser = portal.browser(who)
        for page in PAGES:
            for pattern in ADDRESSES[page.name] if page.method == "GET" else ():
                path = pattern.format(**numbers)
                is_stream = page.path.endswith("board/events") or page.name == "final-events"
                if is_stream or not page.path.endswith("/events"):
                    yield path, browser.begin(path) if is_stream else browser.get(path)


def faults_of(answer: httpx.Response) -> list[str]:
    """Say where markup would be more than text."""
    kind = answer.headers.get("content-type", "").partition(";")[0]
    if kind == "application/json" or not answer.text:
        return []  # no browser shows it as a page: nosniff says so on every answer
    if kind in {"text/plain", "text/csv"}:
        is_kept = answer.headers.get("content-disposition", "").startswith("attachment")
        return [] if is_kept or RAW not in answer.text else ["shown as text"]
    if answer.text.startswith((":", "id:")):
        frames = [json.loads(line[6:]) for line in answer.text.splitlines() if line[:5] == "data:"]
        texts = [text for frame in frames for text in frame.values()]
        return ["in a frame"] if any(RAW in text for text in texts) else []
    return ["on a page"] if RAW in answer.text else []


def assert_text(portal: Portal, numbers: Mapping[str, int], least: int) -> None:
    """Fetch all, and see that markup is text on at least so many pages."""
    shown = 0
    for path, answer in fetched(portal, numbers):
        assert faults_of(answer) == [], path
        assert answer.headers.get("x-content-type-options", "nosniff") == "nosniff"
        shown += ESCAPED in answer.text
    assert shown >= least


@pytest.mark.prove
def test_markup_that_was_written_down_is_text(portal: Portal) -> None:
    """In names, titles, files, reports, reasons, rows of boards, lines of the audit."""
    numbers = furnish(portal, marked)
    assert_text(portal, numbers, 150)


@pytest.mark.prove
def test_markup_in_every_field_is_text(portal: Portal) -> None:
    """Whether it is refused, and said so, or kept and shown."""
    numbers = furnish(portal)
    sent = 0
    for who in WHO:
        for path, fields in fields_of(portal, who, numbers).items():
            for name in [*fields, ""]:
                if path in {"/sign-out", "/account/session"}:
                    continue
                values = {
                    each: marked(value) if each == name or not name else value
                    for each, value in fields.items()
                }
                answer = portal.browser(who).post(path, values, **{"user-agent": MARKUP})
                assert faults_of(answer) == [], (path, name)
                sent += 1
    assert sent > 100
    assert_text(portal, numbers, 10)


def test_whoever_joins_or_sets_up_is_called_by_text(portal: Portal) -> None:
    """With a code that counts."""
    numbers = furnish(portal)
    set_setting(portal.database, "second_factor", "nobody")  # else only its page is shown
    with portal.database.transaction():
        invite = Invite(portal.courses["cards"], "student", MARKUP, MARKUP)
        ((_, code),) = make_invites(portal.database, [invite])
    person = {"name": MARKUP, "login": f"{MARKUP.replace(' ', '')}@x", "password": MARKUP * 2}
    for path, code_ in (("/join", code), ("/set-up", make_code(portal.database, "set-up"))):
        browser = portal.browser()
        login = {"login": f"{path}{person['login']}"}
        answer = browser.post(path, {**person, **login, "code": code_}, **{"user-agent": MARKUP})
        assert answer.status_code == 303, answer.text
        for page in ("/", "/account"):
            assert ESCAPED in browser.get(page).text
            assert RAW not in browser.get(page).text
    assert_text(portal, numbers, 3)


def joined_rows(lecturer: Browser, role: str = "student") -> list[dict[str, str]]:
    """Make codes, and read the sheet that they come in."""
    answer = lecturer.post("/c/cards/codes", {"role": role})
    assert answer.headers["content-disposition"] == 'attachment; filename="codes.csv"'
    assert answer.headers["x-content-type-options"] == "nosniff"
    return list(csv.DictReader(io.StringIO(answer.text.removeprefix("\ufeff"))))


def test_a_roster_of_markup_and_formulas_is_text_on_pages_and_in_sheets(portal: Portal) -> None:
    """As it is read by who reads gradebooks, shown, kept, and given out again."""
    lecturer = portal.browser("lecturer")
    sheet, number = {"gradebook": (f"{MARKUP}.csv", GRADEBOOK.encode())}, ""
    for path, files in (("roster", sheet), ("roster/keep", None)):
        answer = lecturer.post(f"/c/cards/{path}", {"game": "ve280", "job": number}, files)
        number = answer.headers["location"].rpartition("/")[2]
        worker.do_all(portal.places, course_jobs.HANDLERS)
        page = lecturer.get(answer.headers["location"])
        assert "on the roster" in page.text, page.text
        assert ESCAPED in page.text
        assert faults_of(page) == []
    rows = joined_rows(lecturer)
    assert len(rows) == 3
    for row in rows:
        assert not any(value.startswith(FORMULAS) for value in row.values()), row
    for path in ("people", "organise", "audit"):
        assert faults_of(lecturer.get(f"/c/cards/{path}")) == []


@CONFINED
@pytest.mark.parametrize(
    "text",
    [
        bold().decode().replace("player.total", f"player.{MARKUP}"),
        bold().decode().replace("return minimum", f"raise ValueError({MARKUP!r})"),
        bold().decode().replace("return minimum", f"print({MARKUP!r}) or {MARKUP!r}"),
        bold().decode() + f"\n# {MARKUP}\nBold.__qualname__ = Bold.__name__ = {MARKUP!r}\n",
    ],
    ids=["no Python", "raised", "printed", "named"],
)
def test_markup_in_a_source_is_text_in_its_report(portal: Portal, text: str) -> None:
    """In findings, reasons and lines; the source itself is a file that no browser shows."""
    make_course(portal)
    student = portal.browser("student")
    answer = student.post("/c/cards/hand-in", {"title": "bold.py", "text": text})
    do_checks(portal)
    paths = [answer.headers["location"], "/c/cards/versions"]
    number = jobs.get(portal.database, int(paths[0].rpartition("/")[2])).result.get("digest")
    if number:
        row = portal.database.first("SELECT id FROM versions WHERE digest = ?", (number,))
        assert row
        paths += [f"/c/cards/versions/{row[0]}", f"/c/cards/versions/{row[0]}/source"]
    for path in paths:
        for who in ("student", "lecturer"):
            page = portal.browser(who).get(path)
            assert page.status_code == 200
            assert faults_of(page) == []
