"""Pages without scripts: what can be pressed is a form's or a link, and nothing stands inline."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html.parser import HTMLParser
from typing import Any

import pytest

from tests.e2e.browser.chromium import Chromium
from tests.e2e.browser.conftest import browser
from tourney.games.blackjack.check import matches
from tourney.portal.passwords import hash_password
from tourney.portal.versions import versions_of
from tourney.portal.web.guard import POLICY
from tourney.portal.web.server import PAGES

from .classes import CONFINED
from .furnished import ADDRESSES, furnish
from .hands import bold, do_checks, make_course
from .portals import PEOPLE, Portal
from .served import wait_until
from .test_boards import final_run, practice_run
from .test_every_page import answering

__all__ = ["browser"]  # a fixture

PASSWORD = "four words in a row"  # noqa: S105 - of nobody

VOID = {"meta", "link", "input", "br", "img"}
FIELDS = {"input", "select", "textarea"}
POSTS, ASKED = (
    [re.compile(re.sub(r"\{[^}]*\}", "[^/]+", page.path)) for page in PAGES if page.method == way]
    for way in ("POST", "GET")
)


class Plain(HTMLParser):
    """Looks for what does nothing without a script, and for what the policy would refuse."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.faults: list[str] = []
        self._open: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Look at an element."""
        told = dict(attrs)
        if tag not in VOID:
            self._open.append((tag, told))
        is_shown = not any("hidden" in each or "disabled" in each for _, each in self._open)
        form = next((each for name, each in self._open if name == "form"), None)
        if tag in {"button", *FIELDS} and is_shown and not self._serves(tag, told, form):
            self.faults.append(f"does nothing without a script: {self.get_starttag_text()}")
        is_labelled = any(name == "label" for name, _ in self._open) or "id" in told
        if tag in FIELDS and told.get("type") != "hidden" and not is_labelled:
            self.faults.append(f"has no label: {self.get_starttag_text()}")
        if any(name.startswith("on") or name == "style" for name in told) or tag == "style":
            self.faults.append(f"stands inline: {self.get_starttag_text()}")
        if tag == "script" and not (told.get("src") or "").startswith("/"):
            self.faults.append(f"stands inline: {self.get_starttag_text()}")
        if tag == "a" and not re.match(r"[/#]|otpauth:", told.get("href") or ""):
            self.faults.append(f"leads nowhere, or elsewhere: {self.get_starttag_text()}")

    @staticmethod
    def _serves(tag: str, told: dict[str, Any], form: dict[str, str | None] | None) -> bool:
        """Say whether it is of a form that is sent to one of the pages."""
        if form is None or (tag == "button" and told.get("type", "submit") != "submit"):
            return False
        action = form.get("action") or ""
        pages = ASKED if form.get("method") == "get" else POSTS
        return any(each.fullmatch(action) for each in pages)

    def handle_endtag(self, tag: str) -> None:
        """Leave an element."""
        if tag not in VOID:
            assert self._open.pop()[0] == tag, tag


def addresses(numbers: dict[str, int]) -> Iterator[str]:
    """Give every address that is no stream."""
    for page in PAGES:
        if page.method == "GET" and not page.path.endswith("/events"):
            yield from (each.format(**numbers) for each in ADDRESSES[page.name])


@pytest.mark.parametrize("who", ["", *PEOPLE])
def test_whatever_can_be_pressed_works_without_a_script(portal: Portal, who: str) -> None:
    """Every field is of a form, every button sends one, every link leads to a page here."""
    numbers, browser = dict(furnish(portal)), portal.browser(who)
    looked = 0
    for path in addresses(numbers):
        answer = browser.get(path)
        if answer.headers.get("content-type", "").startswith("text/html"):
            assert Plain(answer.text).faults == [], path
            looked += "<h1>" in answer.text
    assert looked > len(ADDRESSES) // 5


def test_the_policy_has_no_exception() -> None:
    """Nothing inline, nothing made of text, nothing from elsewhere."""
    assert "default-src 'none'" in POLICY
    for word in ("unsafe", "nonce-", "sha256-", "*", "http"):
        assert word not in POLICY


@dataclass
class Typist:
    """Somebody at a browser that runs no scripts, who has nothing but a keyboard."""

    chromium: Chromium
    url: str

    def visits(self, path: str) -> str:
        """Open a page; give it as it came."""
        self.chromium.ask("Page.navigate", url="about:blank")
        self.reads("<body></body>")
        self.chromium.ask("Page.navigate", url=self.url + path)
        return self.reads("</main>")

    def types(self, name: str, text: str) -> None:
        """Type over what stands in a field."""
        self._focus(f"[name={name}]")
        self.chromium.ask("Input.dispatchKeyEvent", type="keyDown", commands=["selectAll"])
        self.chromium.ask("Input.insertText", text=text)

    def presses(self, action: str, words: str) -> str:
        """Send a form by its button, and wait for the page that says something."""
        self._focus(f"form[action$='{action}'] button")
        self.chromium.press(" ", 32)
        return self.reads(words)

    def reads(self, words: str) -> str:
        """Wait until a page stands that says something; give it."""
        page = ""

        def is_there() -> bool:
            nonlocal page
            try:
                page = self.chromium.run("document.documentElement.outerHTML")
            except AssertionError:  # the page was just going
                return False
            return words in page

        assert wait_until(is_there), page
        return page

    def _focus(self, selector: str) -> None:
        root = self.chromium.ask("DOM.getDocument")["root"]["nodeId"]
        found = self.chromium.ask("DOM.querySelector", nodeId=root, selector=selector)
        self.chromium.ask("DOM.focus", nodeId=found["nodeId"])


@pytest.mark.prove
@CONFINED
def test_a_student_needs_no_script(
    portal: Portal, browser: Chromium, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Signs in, pastes a player, reads its report, lets another version play, looks at boards."""
    monkeypatch.setattr(matches, "TABLES", 20)
    run = final_run(portal, "Student", "Mate")
    practice_run(portal, "Student", "Mate")
    make_course(portal, terms="submission_rule: pinned\n", submission_rule="pinned")
    hashed = portal.runner.run(hash_password(PASSWORD))
    portal.database.execute("UPDATE accounts SET password = ?", (hashed,))
    browser.ask("Network.clearBrowserCookies")
    browser.ask("Emulation.setScriptExecutionDisabled", value=True)
    try:
        with answering(portal.places) as url:
            student = Typist(browser, url)
            student.visits("/c/cards/hand-in")
            student.types("login", "student@example.org")
            student.types("password", PASSWORD)
            student.presses("/sign-in", "<h1>Submit</h1>")
            for total in (15, 17):
                student.visits("/c/cards/hand-in")
                student.types("title", f"bold{total}.py")
                student.types("text", bold(total).decode())
                page = student.presses("/hand-in", "Place 1 in the queue")
                assert f"bold{total}.py" in page
                do_checks(portal)
                student.visits(re.findall(r'"(/c/cards/handed/\d+)"', page)[0])
                assert "accepted as Student" in student.reads('<strong class="good">Accepted')
            first = min(each.id for each in versions_of(portal.database, run.course, "Student"))
            student.visits(f"/c/cards/versions/{first}")
            page = student.presses("/choose", "Choice of a version")
            do_checks(portal)
            student.visits(re.findall(r'"(/c/cards/handed/\d+)"', page)[0])
            student.reads("<strong>Chosen")
            for path in ("/c/cards/board", f"/c/cards/final/{run.id}"):
                student.visits(path)
                student.reads("Reload this page to update it.")
                student.reads('data-v="Mate"')
    finally:
        browser.ask("Emulation.setScriptExecutionDisabled", value=False)
    playing = {each.id: each.plays for each in versions_of(portal.database, run.course, "Student")}
    assert playing[first]
