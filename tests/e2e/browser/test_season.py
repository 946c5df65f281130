"""A season's index page in a real browser: nothing is amiss, nothing is fetched, all is read."""

import json
from pathlib import Path

import pytest

from tests.e2e.browser.chromium import Chromium
from tests.e2e.browser.sites import Sites
from tourney.cli import main

WIDE, PHONE = 1280, 390

SEASON = """\
name: Season & "quotes" </script>
points: [10, 8, 6, 5, 4, 3]
best: 1
runs:
  - {run: 1, store: duplicate.db, as: Tables}
  - {run: 1, store: levels.db, as: Levels}
"""


@pytest.fixture(scope="module")
def season(sites: Sites) -> Path:
    """Publish a season of two of the runs."""
    folder, _ = sites["duplicate"].parent, sites["levels"]
    (folder / "season.yaml").write_text(SEASON, encoding="utf-8")
    quick = ["--show-tables", "0", "--samples", "0"]
    assert (
        main(["season", str(folder / "season.yaml"), "--output", str(folder / "season"), *quick])
        == 0
    )
    return folder / "season"


@pytest.mark.parametrize("is_dark", [False, True])
def test_the_page_complains_of_nothing_and_asks_for_nothing(
    browser: Chromium, season: Path, is_dark: bool
) -> None:
    """The console stays empty, and every address is a file."""
    browser.screen(WIDE, 900, is_dark=is_dark)
    page = browser.open(season / "index.html")
    assert page.complaints == []
    assert [each for each in page.requests if not each.startswith(("file:", "data:"))] == []


@pytest.mark.parametrize(("width", "is_dark"), [(WIDE, False), (WIDE, True), (PHONE, False)])
def test_axe_finds_no_violation(
    browser: Chromium, season: Path, axe: str, width: int, is_dark: bool
) -> None:
    """Contrast, names, roles, order of headings."""
    browser.screen(width, 900, is_dark=is_dark)
    browser.open(season / "index.html")
    browser.run(f"{axe};0")
    found = browser.run(
        "axe.run().then((told) => JSON.stringify(told.violations.map((each) =>"
        " [each.id, each.help, each.nodes.map((node) => node.html.slice(0, 200))])))"
    )
    assert json.loads(found) == []


def test_it_does_not_scroll_sideways_on_a_phone(browser: Chromium, season: Path) -> None:
    """Its tables scroll by themselves."""
    browser.screen(PHONE, 844)
    browser.open(season / "index.html")
    assert browser.run("document.documentElement.scrollWidth") <= PHONE


def test_a_run_of_it_can_be_sorted_by(browser: Chromium, season: Path) -> None:
    """Most points first; whoever took no part comes last."""
    browser.screen(WIDE, 900)
    browser.open(season / "index.html")
    cells = "[...document.querySelectorAll('#board tbody tr')].map((row) => row.cells[5].dataset.v)"
    click = "document.querySelectorAll('#board thead button')[5].click()"
    shown = browser.run(f"{click}; {cells}")
    points = [float(each) for each in shown if each]
    assert points == sorted(points, reverse=True)
    page = browser.open(season / "index.html")
    browser.run("document.querySelector('#board tbody td a').click()")
    assert page.complaints == []
