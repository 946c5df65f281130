"""Every page, asked for by everybody: who gets which status.

The table is written by hand, apart from what the pages say of themselves. A page without a row
fails, so nothing can be added without saying who may see it.
"""

import re

import pytest

from tourney.portal import boards, jobs, sessions
from tourney.portal.web.pages import Page
from tourney.portal.web.server import PAGES

from .hands import add_handed_in
from .portals import Portal

WHO = ("", "admin", "lecturer", "assistant", "student", "spectator", "stranger", "outsider")
"""Columns of the table: nobody, then people of the course and of another one."""
LESS = ("admin -", "lecturer -", "assistant -", "stranger -")
"""More columns: staff with a session that has not shown the second factor."""
TOKENS = ("student submit", "lecturer submit", "admin submit", "admin metrics")
"""The last columns: tokens, by their owner and purpose."""

TABLE = {
    "home": "200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200",
    "health": "503 503 503 503 503 503 503 503 503 503 503 503 503 503 503 503",
    "metrics": "404 404 404 404 404 404 404 404 404 404 404 404 403 403 403 200",
    "robots": "200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200",
    "sign-in": "200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200",
    "sign-in-form": "401 401 401 401 401 401 401 401 401 401 401 401 401 401 401 401",
    "openid": "422 422 422 422 422 422 422 422 422 422 422 422 422 422 422 422",
    "openid-answer": "422 422 422 422 422 422 422 422 422 422 422 422 422 422 422 422",
    "sign-out": "401 303 303 303 303 303 303 303 303 303 303 303 401 401 401 401",
    "set-up": "200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200",
    "set-up-form": "422 422 422 422 422 422 422 422 422 422 422 422 422 422 422 422",
    "account": "303 200 200 200 200 200 200 200 303 303 303 303 303 303 303 303",
    "end-session": "401 422 422 422 422 422 422 422 403 403 403 403 401 401 401 401",
    "change-password": "401 422 422 422 422 422 422 422 403 403 403 403 401 401 401 401",
    "reset": "200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200",
    "reset-form": "422 422 422 422 422 422 422 422 422 422 422 422 422 422 422 422",
    "second": "303 200 200 200 200 200 200 200 200 200 200 200 303 303 303 303",
    "second-form": "401 422 422 422 422 422 422 422 422 422 422 422 401 401 401 401",
    "join": "200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200",
    "join-form": "422 422 422 422 422 422 422 422 422 422 422 422 422 422 422 422",
    "tokens": "303 200 200 200 200 200 200 200 303 303 303 303 303 303 303 303",
    "make-token": "401 422 422 422 422 422 422 422 403 403 403 403 401 401 401 401",
    "end-token": "401 404 404 404 404 404 404 404 403 403 403 403 401 401 401 401",
    "join-provider": "401 422 422 422 422 422 422 422 403 403 403 403 401 401 401 401",
    "leave-provider": "401 422 422 422 422 422 422 422 403 403 403 403 401 401 401 401",
    "admin-accounts": "303 200 404 404 404 404 404 404 303 404 404 404 303 303 303 303",
    "admin-account": "303 200 404 404 404 404 404 404 303 404 404 404 303 303 303 303",
    "admin-account-form": "401 422 404 404 404 404 404 404 403 404 404 404 401 401 401 401",
    "admin-courses": "303 200 404 404 404 404 404 404 303 404 404 404 303 303 303 303",
    "admin-courses-form": "401 422 404 404 404 404 404 404 403 404 404 404 401 401 401 401",
    "admin-audit": "303 200 404 404 404 404 404 404 303 404 404 404 303 303 303 303",
    "admin-settings": "303 200 404 404 404 404 404 404 303 404 404 404 303 303 303 303",
    "admin-settings-form": "401 422 404 404 404 404 404 404 403 404 404 404 401 401 401 401",
    "admin-provider": "303 200 404 404 404 404 404 404 303 404 404 404 303 303 303 303",
    "admin-provider-form": "401 422 404 404 404 404 404 404 403 404 404 404 401 401 401 401",
    "admin-mail": "303 200 404 404 404 404 404 404 303 404 404 404 303 303 303 303",
    "admin-mail-form": "401 422 404 404 404 404 404 404 403 404 404 404 401 401 401 401",
    "notices": "303 200 200 200 200 200 200 200 303 303 303 303 303 303 303 303",
    "notices-form": "401 422 422 422 422 422 422 422 403 403 403 403 401 401 401 401",
    "notice": "303 404 404 404 404 404 404 404 303 303 303 303 303 303 303 303",
    "own-data": "303 200 200 200 200 200 200 200 303 303 303 303 303 303 303 303",
    "export-data": "401 200 200 200 200 200 200 200 403 403 403 403 401 401 401 401",
    "erase-data": "401 422 422 422 422 422 422 422 403 403 403 403 401 401 401 401",
    "erase-person": "303 200 404 404 404 404 404 404 303 404 404 404 303 303 303 303",
    "erase-person-form": "401 422 404 404 404 404 404 404 403 404 404 404 401 401 401 401",
    "new-course": "303 200 404 404 404 404 404 404 303 404 404 404 303 303 303 303",
    "new-course-form": "401 422 404 404 404 404 404 404 403 404 404 404 401 401 401 401",
    "organise": "303 404 200 200 403 403 404 404 404 303 303 404 303 303 303 303",
    "new-assignment": "303 404 200 403 403 403 404 404 404 303 403 404 303 303 303 303",
    "new-assignment-form": "401 404 422 403 403 403 404 404 404 403 403 404 401 401 401 401",
    "set-up-assignment": "401 404 422 403 403 403 404 404 404 403 403 404 401 401 401 401",
    "change-titles": "401 404 422 403 403 403 404 404 404 403 403 404 401 401 401 401",
    "change-game": "401 404 422 403 403 403 404 404 404 403 403 404 401 401 401 401",
    "upload-roster": "401 404 422 403 403 403 404 404 404 403 403 404 401 401 401 401",
    "keep-roster": "401 404 422 403 403 403 404 404 404 403 403 404 401 401 401 401",
    "change-terms": "401 404 422 403 403 403 404 404 404 403 403 404 401 401 401 401",
    "tournament": "401 404 303 403 403 403 404 404 404 403 403 404 401 401 401 401",
    "tournament-form": "401 404 422 403 403 403 404 404 404 403 403 404 401 401 401 401",
    "extensions": "303 404 200 200 403 403 404 404 404 303 303 404 303 303 303 303",
    "extensions-form": "401 404 422 422 403 403 404 404 404 403 403 404 401 401 401 401",
    "extension-end": "401 404 422 422 403 403 404 404 404 403 403 404 401 401 401 401",
    "make-codes": "401 404 422 422 403 403 404 404 404 403 403 404 401 401 401 401",
    "people": "303 404 200 200 403 403 404 404 404 303 303 404 303 303 303 303",
    "reset-link": "401 404 422 422 403 403 404 404 404 403 403 404 401 401 401 401",
    "remove-member": "401 404 422 403 403 403 404 404 404 403 403 404 401 401 401 401",
    "end-code": "401 404 422 422 403 403 404 404 404 403 403 404 401 401 401 401",
    "sources": "303 404 200 200 403 403 404 404 404 303 303 404 303 303 303 303",
    "sources-download": "401 404 200 200 403 403 404 404 404 403 403 404 401 401 401 401",
    "sources-copies": "401 404 303 303 403 403 404 404 404 403 403 404 401 401 401 401",
    "audit": "303 404 200 200 403 403 404 404 404 303 303 404 303 303 303 303",
    "doing": "303 404 422 422 403 403 404 404 404 303 303 404 303 303 303 303",
    "course": "303 404 200 200 200 200 404 404 404 303 303 404 303 303 303 303",
    "hand-in": "303 404 403 403 200 403 404 404 404 403 403 404 303 303 303 303",
    "hand-in-form": "401 404 403 403 422 403 404 404 404 403 403 404 422 403 404 403",
    "handed": "303 404 200 200 200 404 404 404 404 303 303 404 200 403 404 403",
    "handed-events": "303 404 200 200 200 404 404 404 404 303 303 404 303 303 303 303",
    "tests": "303 404 200 200 200 200 404 404 404 303 303 404 303 303 303 303",
    "tests-form": "401 404 403 403 422 403 404 404 404 403 403 404 401 401 401 401",
    "tests-source": "303 404 404 404 404 404 404 404 404 303 303 404 303 303 303 303",
    "versions": "303 404 200 200 200 200 404 404 404 303 303 404 303 303 303 303",
    "version": "303 404 200 200 200 404 404 404 404 303 303 404 303 303 303 303",
    "version-source": "303 404 200 200 200 404 404 404 404 303 303 404 303 303 303 303",
    "version-compare": "303 404 200 200 200 404 404 404 404 303 303 404 303 303 303 303",
    "game": "303 404 200 200 200 200 404 404 404 303 303 404 303 303 303 303",
    "starter": "303 404 404 404 404 404 404 404 404 303 303 404 303 303 303 303",
    "choose-version": "401 404 403 403 422 403 404 404 404 403 403 404 401 401 401 401",
    "practice": "303 404 200 200 200 200 404 404 404 303 303 404 303 303 303 303",
    "practice-history": "303 404 200 200 200 200 404 404 404 303 303 404 303 303 303 303",
    "practice-json": "303 404 200 200 200 200 404 404 404 303 303 404 303 303 303 303",
    "practice-events": "303 404 200 200 200 200 404 404 404 303 303 404 303 303 303 303",
    "practice-me": "303 404 200 200 200 200 404 404 404 303 303 404 303 303 303 303",
    "finals": "303 404 200 200 200 200 404 404 404 303 303 404 303 303 303 303",
    "final": "404 404 200 200 200 200 404 404 404 303 303 404 404 404 404 404",
    "final-staff": "303 404 200 200 403 403 404 404 404 303 303 404 303 303 303 303",
    "staff-events": "303 404 200 200 403 403 404 404 404 303 303 404 303 303 303 303",
    "final-json": "404 404 200 200 200 200 404 404 404 303 303 404 404 404 404 404",
    "final-events": "404 404 200 200 200 200 404 404 404 303 303 404 404 404 404 404",
    "final-me": "303 404 200 200 200 200 404 404 404 303 303 404 303 303 303 303",
    "final-answer": "303 404 404 404 404 404 404 404 404 303 303 404 303 303 303 303",
    "new-final": "303 404 200 403 403 403 404 404 404 303 403 404 303 303 303 303",
    "new-final-form": "401 404 422 403 403 403 404 404 404 403 403 404 401 401 401 401",
    "edit-final": "303 404 404 403 403 403 404 404 404 303 403 404 303 303 303 303",
    "edit-final-form": "401 404 422 403 403 403 404 404 404 403 403 404 401 401 401 401",
    "final-cancel": "401 404 422 403 403 403 404 404 404 403 403 404 401 401 401 401",
    "final-control": "303 404 200 403 403 403 404 404 404 303 403 404 303 303 303 303",
    "final-stop": "401 404 422 403 403 403 404 404 404 403 403 404 401 401 401 401",
    "final-go-on": "401 404 422 403 403 403 404 404 404 403 403 404 401 401 401 401",
    "ceremony": "303 404 200 200 403 403 404 404 404 303 303 404 303 303 303 303",
    "ceremony-step": "401 404 422 403 403 403 404 404 404 403 403 404 401 401 401 401",
    "ceremony-undo": "401 404 303 403 403 403 404 404 404 403 403 404 401 401 401 401",
    "final-hide": "401 404 422 403 403 403 404 404 404 403 403 404 401 401 401 401",
    "final-reveal": "401 404 422 403 403 403 404 404 404 403 403 404 401 401 401 401",
    "final-tell": "401 404 422 403 403 403 404 404 404 403 403 404 401 401 401 401",
    "final-audience": "401 404 422 403 403 403 404 404 404 403 403 404 401 401 401 401",
    "final-exclude": "401 404 422 403 403 403 404 404 404 403 403 404 401 401 401 401",
    "final-put-back": "401 404 422 403 403 403 404 404 404 403 403 404 401 401 401 401",
    "final-publish": "401 404 303 403 403 403 404 404 404 403 403 404 401 401 401 401",
    "make-grades": "401 404 422 403 403 403 404 404 404 403 403 404 401 401 401 401",
    "gradebook": "303 404 422 403 403 403 404 404 404 303 403 404 303 303 303 303",
    "practice-terms": "303 404 200 403 403 403 404 404 404 303 403 404 303 303 303 303",
    "practice-terms-form": "401 404 422 403 403 403 404 404 404 403 403 404 401 401 401 401",
    "team": "303 404 403 403 200 403 404 404 404 403 403 404 303 303 303 303",
    "team-invite": "401 404 403 403 422 403 404 404 404 403 403 404 401 401 401 401",
    "team-accept": "401 404 403 403 422 403 404 404 404 403 403 404 401 401 401 401",
    "team-end": "401 404 403 403 422 403 404 404 404 403 403 404 401 401 401 401",
    "team-leave": "401 404 403 403 422 403 404 404 404 403 403 404 401 401 401 401",
    "teams": "303 404 200 200 403 403 404 404 404 303 303 404 303 303 303 303",
    "teams-form": "401 404 422 422 403 403 404 404 404 403 403 404 401 401 401 401",
    "matches": "303 404 403 403 200 403 404 404 404 403 403 404 303 303 303 303",
    "matches-form": "401 404 403 403 422 403 404 404 404 403 403 404 401 401 401 401",
    "match-agree": "401 404 403 403 404 403 404 404 404 403 403 404 401 401 401 401",
    "match-decline": "401 404 403 403 404 403 404 404 404 403 403 404 401 401 401 401",
    "match-withdraw": "401 404 403 403 404 403 404 404 404 403 403 404 401 401 401 401",
    "commitments": "200 200 200 200 200 200 200 200 200 303 303 200 200 200 200 200",
    "site": "404 404 200 200 200 200 404 404 404 303 303 404 404 404 404 404",
}


def test_every_page_is_in_the_table() -> None:
    """And every row is that of a page."""
    assert set(TABLE) == {page.name for page in PAGES}


def some_final(portal: Portal) -> int:
    """Make a final for members of the course, with a page, and a practice run; give its number."""
    course = portal.courses["cards"]
    boards.note_run(portal.database, course, "practice", 1, "Practice")
    job = jobs.add(portal.database, "final", {}, course=course)
    settings = {"job": job.id}
    run = boards.note_run(portal.database, course, "final", 1, "Final", settings=settings)
    site = portal.places.site("cards", run.id)
    site.mkdir(parents=True)
    (site / "index.html").write_text("<!DOCTYPE html>", encoding="utf-8")
    return run.id


def path_of(portal: Portal, page: Page) -> str:
    """Give an address of a page, with a course, a job and a version that are there."""
    path = re.sub(r"\{course(:\w+)?\}", "cards", page.path)
    path = path.replace("{run:int}", str(some_final(portal))).replace("{path:path}", "index.html")
    path = path.replace("{account:int}", str(portal.people["student"]))
    path += "?with=1" if page.name == "version-compare" else ""
    is_handed = "/handed/" in path or "/versions/" in path
    return re.sub(r"\{\w+(:\w+)?\}", "1" if is_handed else "999", path)


def ask(portal: Portal, page: Page, path: str, who: str) -> str:
    """Ask for a page as one of the columns; give the status."""
    name, _, how = who.partition(" ")
    headers = {}
    browser = portal.browser() if how and how != "-" else portal.browser(name, has_second=not how)
    if how and how != "-":
        purpose: sessions.Purpose = "metrics" if how == "metrics" else "handing in"
        code = sessions.add_token(portal.database, portal.people[name], who, purpose)
        headers = {"authorization": f"Bearer {code}"}
    if page.method == "POST":
        return str(browser.post(path, **headers).status_code)
    is_stream = page.path.endswith("/events")
    answer = browser.begin(path, **headers) if is_stream else browser.get(path, **headers)
    return str(answer.status_code)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_everybody_gets_what_is_theirs(portal: Portal, page: Page) -> None:
    """Forms are sent empty: whoever may send one hears that it says nothing."""
    add_handed_in(portal)
    path = path_of(portal, page)
    got = [ask(portal, page, path, who) for who in (*WHO, *LESS, *TOKENS)]
    assert " ".join(got) == TABLE[page.name]


@pytest.mark.parametrize(
    "headers",
    [{"sec-fetch-site": "cross-site"}, {"sec-fetch-site": "same-site"}, {"sec-fetch-site": "none"}],
)
def test_a_form_of_another_site_does_nothing(portal: Portal, headers: dict[str, str]) -> None:
    """Whatever its cookie says."""
    browser = portal.browser("student")
    assert browser.post("/sign-out", **headers).status_code == 403
    assert browser.get("/c/cards").status_code == 200


def test_whoever_is_signed_in_is_so_on_pages_that_refuse(portal: Portal) -> None:
    """An address that no page has, a way in which none is asked, and a form that is none."""
    student, kind = portal.browser("student"), {"content-type": "multipart/form-data"}
    ours = {"sec-fetch-site": "same-origin", **kind}
    for method, path, status, headers in (
        ("GET", "/nowhere", 404, {}),
        ("GET", "/static/nowhere", 404, {}),
        ("GET", "/c/cards/handed/999", 404, {}),
        ("PUT", "/account", 405, {}),
        ("POST", "/c/cards/hand-in", 400, ours),
    ):
        answer = student.send(method, path, headers=headers, content=b"")
        assert answer.status_code == status
        assert "<span>Student ·</span>" in answer.text
        assert "Sign out" not in portal.browser().send(method, path, headers=headers).text
