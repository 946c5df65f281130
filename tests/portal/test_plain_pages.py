"""Pages without scripts: what can be pressed is a form's or a link, and nothing stands inline."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

import pytest

from tourney.portal.web.guard import POLICY
from tourney.portal.web.serving import PAGES

from .furnished import ADDRESSES, furnish
from .portals import PEOPLE, Portal

VOID = {"meta", "link", "input", "br"}
FIELDS = {"input", "select", "textarea"}
POSTS = [
    re.compile(re.sub(r"\{[^}]*\}", "[^/]+", page.path)) for page in PAGES if page.method == "POST"
]


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
        return form.get("method") == "post" and any(each.fullmatch(action) for each in POSTS)

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
    assert looked > len(ADDRESSES) // 3


def test_the_policy_has_no_exception() -> None:
    """Nothing inline, nothing made of text, nothing from elsewhere."""
    assert "default-src 'none'" in POLICY
    for word in ("unsafe", "nonce-", "sha256-", "*", "http"):
        assert word not in POLICY
