"""Every number on the pages of a site stands in its data.

A number counts as found where some number of the data is the same, rounded as it is shown, or where
a text of the data holds it. By rule, and not one by one, these are left out: what a template says
in its own words, such as "95 %"; how many things are listed; times, which are said in words;
the round figures of a scale; and the parts that a long page is divided into.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from tests.support.told import told_of
from tourney.floor.utilization import duration_words

Cli = Callable[..., Any]
Write = Callable[[str, str], Path]

NUMBER = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?(?:e-?\d+)?")
KINDS = {
    "blackjack": "game: six-decks-s17\nbankroll: 200\nminimum: 5\n"
    "format: {kind: duplicate, tables: 7, rounds: 30}\n"
    "entrants: [{strategy: simple}, {strategy: counting, group: staff}, {strategy: sharp}]\n",
    "straights": "game: straights\nformat: {kind: duplicate, tables: 4, rounds: 3}\n"
    "entrants: [{strategy: thrifty}, {strategy: blocker}, {strategy: first-legal, count: 2}]\n",
    "many tables": "game: ve280\nbankroll: 200\nminimum: 5\n"
    "format: {kind: multi-table, seats: 3, block_rounds: 6, minimums: [5, 10, 25, 50]}\n"
    "entrants: [{strategy: simple, count: 3}, {strategy: counting}, {strategy: finisher}]\n",
}


class Texts(HTMLParser):
    """Gathers what a reader sees of a page, and what its columns are sorted by."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self._silent = 0  # how deep in what nobody reads, or in the parts of a page
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note where the eye does not go."""
        is_silent = (
            tag in {"script", "style"}
            or (tag == "nav" and ("class", "parts") in attrs)
            or ("class", "scale") in attrs
        )
        if self._silent or is_silent:
            self._silent += 1
        self.found += [value or "" for name, value in attrs if name == "data-v"]

    def handle_endtag(self, tag: str) -> None:
        """Note where it goes on."""
        del tag
        self._silent = max(0, self._silent - 1)

    def handle_data(self, data: str) -> None:
        """Take a text."""
        if not self._silent:
            self.found.append(" ".join(data.split()))


class Known:
    """Everything that the data of a site tell."""

    def __init__(self, told: dict[str, Any]) -> None:
        self.numbers: set[float] = set()
        self.words: set[str] = set()
        self._take(told)
        happened = (told["floor"] or {"happenings": []})["happenings"]
        together = Counter((each["seconds"], each["event"]) for each in happened)
        self.numbers.update(together.values())
        self.words.update(part for text in list(self._times(told)) for part in NUMBER.findall(text))
        self._rounded: dict[int, set[str]] = {}

    def has(self, shown: str) -> bool:
        """Say whether a number stands in the data."""
        text = shown.replace(",", "")
        if shown in self.words or float(text) in self.numbers:
            return True
        decimals = len(text.partition(".")[2])
        if decimals not in self._rounded:
            self._rounded[decimals] = {
                f"{abs(number * factor):.{decimals}f}"
                for number in self.numbers
                for factor in (1, 100)
            }
        return text in self._rounded[decimals]

    def _take(self, part: Any) -> None:
        if isinstance(part, str):
            self.words.update(NUMBER.findall(part))
        elif isinstance(part, int | float):
            self.numbers.add(part)
        elif part is not None:
            self.numbers.add(len(part))
            for each in part.values() if isinstance(part, dict) else part:
                self._take(each)
            if isinstance(part, dict):
                for name in part:
                    self._take(name)

    @staticmethod
    def _times(told: dict[str, Any]) -> Iterator[str]:
        if told["floor"]:
            chart = told["floor"]["chart"]
            for part in (*chart["rows"], *chart["intervals"], chart["blocks"] or {}):
                for each in part.values():
                    numbers = each if isinstance(each, list) else [each]
                    yield from (duration_words(one) for one in numbers if isinstance(one, float))
            yield duration_words(told["floor"]["seconds"])
            for each in told["floor"]["happenings"]:
                yield duration_words(each["seconds"])


def own_words() -> list[str]:
    """Give what templates say themselves and what holds a number, the longest first."""
    found = set()
    for template in files("tourney.report.site").joinpath("templates").iterdir():
        text = re.sub(r"(?s)\{#.*?#\}|<script.*?</script>", "", template.read_text())
        for part in re.split(r"(?s)\{\{.*?\}\}|\{%.*?%\}|<[^>]*>", text):
            said = " ".join(part.split())
            if NUMBER.search(said):
                found.add(said)
    return sorted(found, key=len, reverse=True)


@pytest.mark.prove
@pytest.mark.parametrize("kind", KINDS)
def test_every_number_on_the_pages_stands_in_the_data(cli: Cli, write: Write, kind: str) -> None:
    """On every page, in every text that a reader sees."""
    write("cup.yaml", f"name: Cup\nseed: 3\n{KINDS[kind]}")
    assert cli("run", "cup.yaml", "--workers", "1").status == 0
    assert cli("publish", "--output", "site", "--show-tables", "1", "--samples", "3").status == 0
    known = Known(told_of("site"))
    said, looked_at = own_words(), 0
    unknown = []
    for page in sorted(Path("site").rglob("*.html")):
        for text in Texts(page.read_text()).found:
            rest = text
            for own in said:
                rest = re.sub(rf"(?<![\w.,]){re.escape(own)}(?![\w.,])", " ", rest)
            numbers = NUMBER.findall(rest)
            looked_at += len(numbers)
            unknown += [(page.name, text, each) for each in numbers if not known.has(each)]
    assert looked_at > 200
    assert not unknown


def test_a_number_that_is_nowhere_in_the_data_would_be_seen() -> None:
    """The search can tell."""
    known = Known({"floor": None, "a": [0.12345, "the 7th"], "b": {"share": 0.8}})
    assert all(known.has(shown) for shown in ("0.1235", "7", "80", "12"))
    assert not any(known.has(shown) for shown in ("0.1236", "8", "81", "1,234"))
