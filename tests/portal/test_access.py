"""Every page, asked for by everybody: who gets which status.

The table is written by hand, apart from what the pages say of themselves. A page without a row
fails, so nothing can be added without saying who may see it.
"""

import re

import pytest

from tourney.portal.web.pages import Page
from tourney.portal.web.serving import PAGES

from .hands import add_handed_in
from .portals import Portal

WHO = ("", "admin", "lecturer", "assistant", "student", "spectator", "stranger", "outsider")
"""Columns of the table: nobody, then people of the course and of another one."""

TABLE = {
    "home": "200 200 200 200 200 200 200 200",
    "health": "200 200 200 200 200 200 200 200",
    "robots": "200 200 200 200 200 200 200 200",
    "sign-in": "200 200 200 200 200 200 200 200",
    "sign-in-form": "401 401 401 401 401 401 401 401",
    "sign-out": "401 303 303 303 303 303 303 303",
    "set-up": "200 200 200 200 200 200 200 200",
    "set-up-form": "422 422 422 422 422 422 422 422",
    "tokens": "303 200 200 200 200 200 200 200",
    "make-token": "401 422 422 422 422 422 422 422",
    "end-token": "401 404 404 404 404 404 404 404",
    "new-course": "303 200 404 404 404 404 404 404",
    "new-course-form": "401 422 404 404 404 404 404 404",
    "course": "303 404 200 200 200 200 404 404",
    "hand-in": "303 404 403 403 200 403 404 404",
    "hand-in-form": "401 404 403 403 422 403 404 404",
    "handed": "303 404 200 200 200 404 404 404",
    "handed-events": "303 404 200 200 200 404 404 404",
    "versions": "303 404 200 200 200 200 404 404",
    "version": "303 404 200 200 200 404 404 404",
    "version-source": "303 404 200 200 200 404 404 404",
    "choose-version": "401 404 403 403 422 403 404 404",
}


def test_every_page_is_in_the_table() -> None:
    """And every row is that of a page."""
    assert set(TABLE) == {page.name for page in PAGES}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_everybody_gets_what_is_theirs(portal: Portal, page: Page) -> None:
    """Forms are sent empty: whoever may send one hears that it says nothing."""
    add_handed_in(portal)
    path = re.sub(r"\{course(:\w+)?\}", "cards", page.path)
    path = re.sub(r"\{\w+(:\w+)?\}", "1", path)
    got = []
    for who in WHO:
        browser = portal.browser(who)
        answer = browser.get(path) if page.method == "GET" else browser.post(path)
        got.append(str(answer.status_code))
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
