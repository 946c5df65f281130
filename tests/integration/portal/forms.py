"""The forms of all pages, with what may stand in their fields."""

from collections.abc import Mapping
from html.parser import HTMLParser

from .furnished import ADDRESSES
from .portals import Portal


class Fields(HTMLParser):
    """Reads the fields of all forms of a page, and what they hold."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.forms: dict[str, dict[str, str]] = {}
        self._form: dict[str, str] = {}
        self._choice, self._is_option = "", False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Look at an element."""
        told = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._form = self.forms.setdefault(told.get("action", ""), {})
        elif tag == "datalist":
            self._choice = ""
        elif tag == "option" and not self._choice:
            pass
        elif tag == "option" and "value" in told:
            self._form.setdefault(self._choice, told["value"])
        elif tag == "option":
            self._is_option = True
        elif tag in {"input", "select", "textarea"} and told.get("name"):
            self._choice = told["name"]
            if tag == "input":
                known = told.get("value") or told.get("placeholder")
                is_time = told.get("type") in {"datetime-local", "date", "time"}
                is_list = bool(told.get("list"))
                self._form.setdefault(told["name"], known or ("" if is_time or is_list else "1"))
            elif tag == "textarea":
                self._form.setdefault(told["name"], "text")

    def handle_data(self, data: str) -> None:
        """Take an option that has no other value."""
        if self._is_option:
            self._form.setdefault(self._choice, data)
        self._is_option = False


def fields_of(portal: Portal, who: str, numbers: Mapping[str, int]) -> dict[str, dict[str, str]]:
    """Give the fields of every form that somebody is shown, by the address that it is sent to."""
    browser, found = portal.browser(who), {}
    for name, patterns in ADDRESSES.items():
        if not name.endswith("events"):
            for pattern in patterns:
                found |= Fields(browser.get(pattern.format(**numbers)).text).forms
    return found
