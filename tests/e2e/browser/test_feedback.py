"""Pages of feedback in a real browser: nothing is amiss, nothing is fetched, everybody can read."""

import itertools
import json
from pathlib import Path

import pytest

from tests.e2e.browser.chromium import Chromium
from tourney.cli import main

WIDE, PHONE = 1280, 390

CUP = """\
name: Cup & "quotes" </script>
seed: 3
game: {preset: ve280, shuffle: uniform}
bankroll: 200
minimum: 5
format: {kind: duplicate, tables: 12, rounds: 20, on_fault: disqualify}
entrants:
  - submissions: class
  - strategy: mimic
"""
PLAYER = """\
from tourney import Player


class Own(Player):
    def bet(self, bankroll, minimum):
        return {bet}

    def draw(self, dealer, player):
        return player.total < 16
"""
CLASS = {
    "ada": PLAYER.format(bet="minimum"),
    "emmy": PLAYER.format(bet="minimum // (bankroll != 190)"),
    "carl": "from tourney import Player\n\n\nclass Own(Player):\n    pass\n",
}


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Give a page of somebody who played, is out, failed the check, and did nothing."""
    folder = tmp_path_factory.mktemp("feedback")
    (folder / "class").mkdir()
    roster = "person,as\n" + "".join(f"{name} <b>,{name}\n" for name in (*CLASS, "leo"))
    (folder / "class" / "roster.csv").write_text(roster)
    terms = "game: {preset: ve280, shuffle: uniform}\nroster: roster.csv\n"
    (folder / "class" / "submissions.yaml").write_text(terms)
    for name, text in CLASS.items():
        (folder / f"{name}.py").write_text(text)
        sent = ["--as", name, "--author", f"{name} <b>", "--to", str(folder / "class")]
        assert main(["submit", str(folder / f"{name}.py"), *sent]) == int(name == "carl")
    (folder / "cup.yaml").write_text(CUP)
    store = ["--store", str(folder / "cup.db")]
    assert main(["run", str(folder / "cup.yaml"), *store, "--workers", "1"]) == 1
    assert main(["publish", "--output", str(folder / "site"), *store]) == 0
    ask = ["--submissions", str(folder / "class"), "--site", str(folder / "site"), *store]
    assert main(["feedback", "--output", str(folder / "answers"), *ask]) == 0
    found = sorted((folder / "answers").glob("*.html"))
    assert len(found) == len(CLASS) + 1
    return found


def test_a_page_works_by_itself(browser: Chromium, pages: list[Path]) -> None:
    """The console stays empty, and the page asks for no other file."""
    browser.screen(WIDE, 900)
    for path in pages:
        page = browser.open(path)
        assert page.complaints == [], path.name
        assert [each for each in page.requests if not each.startswith("data:")] == [path.as_uri()]


def test_no_page_scrolls_sideways_on_a_phone(browser: Chromium, pages: list[Path]) -> None:
    """Wide tables scroll by themselves."""
    browser.screen(PHONE, 844)
    for path in pages:
        browser.open(path)
        assert browser.run("document.documentElement.scrollWidth") <= PHONE, path.name


def test_headings_go_down_one_by_one(browser: Chromium, pages: list[Path]) -> None:
    """So that who listens to a page finds the way."""
    levels = "[...document.querySelectorAll('h1,h2,h3,h4')].map((each) => +each.tagName[1])"
    for path in pages:
        browser.open(path)
        found = browser.run(levels)
        assert found[0] == 1
        assert all(after <= before + 1 for before, after in itertools.pairwise(found))


def test_a_link_leads_to_the_hands(browser: Chromium, pages: list[Path]) -> None:
    """In the viewer of the site, with cards."""
    path = next(each for each in pages if each.name.startswith("ada"))
    browser.open(path)
    address = browser.run("document.querySelector('td a').href")
    page = browser.open(Path(address.removeprefix("file://")))
    assert page.complaints == []
    assert browser.run("document.querySelectorAll('#log li').length") > 1


@pytest.mark.parametrize(("width", "is_dark"), [(WIDE, False), (WIDE, True), (PHONE, False)])
def test_axe_finds_no_violation(
    browser: Chromium, pages: list[Path], axe: str, width: int, is_dark: bool
) -> None:
    """Contrast, names, roles, order of headings."""
    browser.screen(width, 900, is_dark=is_dark)
    for path in pages:
        browser.open(path)
        browser.run(f"{axe};0")
        found = browser.run(
            "axe.run().then((told) => JSON.stringify(told.violations.map((each) =>"
            " [each.id, each.help, each.nodes.map((node) => node.html.slice(0, 200))])))"
        )
        assert json.loads(found) == [], path.name
