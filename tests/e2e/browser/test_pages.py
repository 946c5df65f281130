"""Published pages in a real browser: nothing is amiss, nothing is fetched, everybody can read."""

import json
from pathlib import Path

import pytest

from tests.e2e.browser.chromium import Chromium
from tests.e2e.browser.sites import RUNS, Sites
from tests.support.proving import with_more

MOST_BYTES = 400_000
WIDE, PHONE = 1280, 390
DARK = ("duplicate", True)


def _pages(site: Path) -> list[Path]:
    """Give the pages of a site, and of the many that are alike the first two."""
    found = sorted(site.glob("*.html"))
    for part in ("entrants", "hands"):
        found += sorted((site / part).glob("*.html"))[:2]
    return found


@pytest.mark.parametrize(("name", "is_dark"), [*((name, False) for name in RUNS), DARK])
def test_no_page_complains_or_asks_for_what_is_not_on_the_disk(
    browser: Chromium, sites: Sites, name: str, is_dark: bool
) -> None:
    """The console stays empty, and every address is a file or stands in the page."""
    browser.screen(WIDE, 900, is_dark=is_dark)
    for path in _pages(sites[name]):
        page = browser.open(path)
        assert page.complaints == [], path.name
        foreign = [each for each in page.requests if not each.startswith(("file:", "data:"))]
        assert foreign == [], path.name


@pytest.mark.parametrize(
    ("name", "width", "is_dark"),
    [
        *((name, WIDE, False) for name in RUNS),
        ("duplicate", WIDE, True),
        ("casino", WIDE, True),
        ("duplicate", PHONE, False),
        ("straights", PHONE, True),
    ],
)
def test_axe_finds_no_violation(
    browser: Chromium, sites: Sites, axe: str, name: str, width: int, is_dark: bool
) -> None:
    """Contrast, names, roles, order of headings: what axe-core checks."""
    browser.screen(width, 900, is_dark=is_dark)
    for path in _pages(sites[name]):
        browser.open(path)
        browser.run(f"{axe};0")
        found = browser.run(
            "axe.run().then((told) => JSON.stringify(told.violations.map((each) =>"
            " [each.id, each.help, each.nodes.map((node) => node.html.slice(0, 200))])))"
        )
        assert json.loads(found) == [], f"{name}/{path.name}"


def test_no_page_scrolls_sideways_on_a_phone(browser: Chromium, sites: Sites) -> None:
    """Wide tables scroll by themselves."""
    browser.screen(PHONE, 844)
    for name in RUNS:
        for path in _pages(sites[name]):
            browser.open(path)
            assert browser.run("document.documentElement.scrollWidth") <= PHONE, (
                f"{name}/{path.name}"
            )


@pytest.mark.parametrize("width", [PHONE, WIDE, 1920])
def test_a_board_that_overflows_says_so(browser: Chromium, sites: Sites, width: int) -> None:
    """Its caption asks for a scroll exactly if columns are cut, whatever the screen."""
    browser.screen(width, 900)
    browser.open(sites["duplicate"] / "index.html")
    grown = "document.querySelector('#board td.n').style.minWidth"
    told = "document.querySelector('caption .more').checkVisibility()"
    region = "document.querySelector('.scroll')"
    cut = f"{region}.scrollWidth > {region}.clientWidth"
    assert browser.run(told) == browser.run(cut)
    browser.run(f"{grown} = '2000px'; new Promise((done) => setTimeout(done, 200))")
    assert browser.run(told)
    assert browser.run(cut)


def test_a_chart_follows_the_width_of_its_page(browser: Chromium, sites: Sites) -> None:
    """Also if the window narrows after the chart was drawn."""
    for path in ("entrants/1.html", "hands/1-1-1.html"):
        browser.screen(WIDE, 900)
        browser.open(sites["duplicate"] / path)
        browser.screen(PHONE, 900)
        browser.run(
            "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
        )
        widths = browser.run(
            "[...document.querySelectorAll('.curve')].map((each) =>"
            " [each.clientWidth, Math.round(each.querySelector('canvas').clientWidth)])"
        )
        assert widths
        assert all(there == drawn for there, drawn in widths), widths
        assert browser.run("document.documentElement.scrollWidth") <= PHONE


def test_a_click_on_a_heading_sorts_the_board(browser: Chromium, sites: Sites) -> None:
    """Figures first from the top, then from the bottom, and told to screen readers."""
    browser.screen(WIDE, 900)
    browser.open(sites["duplicate"] / "index.html")
    cells = (
        "[...document.querySelectorAll('#board tbody tr')].map((row) => +row.cells[0].dataset.v)"
    )
    click = "document.querySelector('#board thead th:first-child button').click()"
    places = browser.run(cells)
    assert places == sorted(places)
    assert browser.run(f"{click}; {cells}") == sorted(places, reverse=True)
    sort = "document.querySelector('#board thead th').getAttribute('aria-sort')"
    assert browser.run(sort) == "descending"


def test_the_board_is_searched_as_one_types(browser: Chromium, sites: Sites) -> None:
    """Rows that do not match go, and how many are left is said."""
    browser.open(sites["duplicate"] / "index.html")
    browser.run(
        "{const find = document.getElementById('find'); find.value = 'STAFF';"
        "find.dispatchEvent(new Event('input'));}"
    )
    links = "[...document.querySelectorAll('#board tbody tr:not([hidden]) a')]"
    shown = f"{links}.map((link) => link.textContent)"
    assert browser.run(shown) == ["counting [staff]"]
    assert browser.run("document.getElementById('found').textContent") == "1 of 3 shown"


def test_arrow_keys_step_through_the_hands(browser: Chromium, sites: Sites) -> None:
    """Right deals the next card, and at the end of a round the next one begins."""
    browser.open(sites["duplicate"] / "hands" / "1-1-1.html")
    lines = "document.querySelectorAll('#log li').length"
    number = "document.getElementById('round').value"
    whole = browser.run(lines)
    assert whole > 5
    browser.press("ArrowLeft")
    assert browser.run(lines) == whole - 1
    browser.press("ArrowRight")
    browser.press("ArrowRight")
    assert (browser.run(number), browser.run(lines)) == ("2", 1)
    browser.press("ArrowDown")
    assert browser.run(number) == "3"


def test_a_link_leads_to_a_round(browser: Chromium, sites: Sites) -> None:
    """The round stands in the address."""
    browser.open(sites["duplicate"] / "hands" / "1-1-1.html", "#7")
    assert browser.run("document.getElementById('round').value") == "7"


def test_the_viewer_ends_every_round_as_the_next_begins(browser: Chromium, sites: Sites) -> None:
    """What is read off the letters adds up: totals, outcomes and bankrolls of all rounds."""
    for name in ("duplicate", "casino", "charts", "straights"):
        for path in sorted((sites[name] / "hands").glob("*.html"))[:3]:
            page = browser.open(path)
            browser.run(
                "(async () => { const on = document.getElementById('round-on');"
                " for (let n = 0; n < 300 && !on.disabled; n += 1) on.click(); })()"
            )
            text = browser.run("document.getElementById('viewer').textContent")
            assert page.complaints == [], path
            assert "NaN" not in text, path
            assert "undefined" not in text, path


@pytest.mark.parametrize("name", with_more(["duplicate"], [*RUNS][1:]))
def test_pages_are_small(sites: Sites, name: str) -> None:
    """No page has more than 400 kB."""
    for path in sites[name].rglob("*.html"):
        assert path.stat().st_size <= MOST_BYTES, path
