"""The ceremony of a published site in a real browser, with and without scripts."""

import json
from pathlib import Path

import pytest

from tests.e2e.browser.chromium import Chromium
from tests.e2e.browser.sites import Sites, make_large_board

ENTRANTS = 300
STEPS = 40
"""A browser slows down after some hundred steps at once."""
MOST_BYTES = 300_000
SHOWN = (
    "[...document.querySelectorAll('tbody tr')].filter((row) => row.getClientRects().length)"
    ".map((row) => row.cells[0].textContent)"
)
CONTROLS = "[...document.querySelectorAll('[data-key]')].filter((each) => each.checkVisibility())"
TOP = "document.querySelector('tr:target').getBoundingClientRect().top"
WIDE, NARROW = (1280, 800), (320, 640)


@pytest.fixture(scope="module")
def ceremony(sites: Sites, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the ceremony of 300 entrants."""
    folder = tmp_path_factory.mktemp("ceremony") / "site"
    return make_large_board(sites["duplicate"], folder, ENTRANTS) / "ceremony.html"


def test_keys_show_the_next_place_and_hide_it_again(browser: Chromium, ceremony: Path) -> None:
    """The last place comes first, and the view follows the newest."""
    browser.screen(*WIDE)
    assert browser.open(ceremony).complaints == []
    assert browser.run(SHOWN) == []
    for key, shown in (
        ("ArrowRight", ["300"]),
        ("PageDown", ["299", "300"]),
        ("ArrowRight", ["298", "299", "300"]),
        ("ArrowLeft", ["299", "300"]),
        ("PageUp", ["300"]),
        ("ArrowLeft", []),
        ("ArrowLeft", []),
    ):
        browser.press(key)
        assert browser.run(SHOWN) == shown
    browser.open(ceremony, "#place-150")
    browser.press("ArrowRight")
    assert browser.run(SHOWN)[0] == "149"
    assert 0 < browser.run(TOP) < WIDE[1] / 2


def test_without_scripts_links_step_through_all_places(browser: Chromium, ceremony: Path) -> None:
    """From the last place up, and back; the board has a link to the page."""
    browser.screen(*WIDE)
    browser.open(ceremony.parent / "index.html")
    link = "document.querySelector('nav a[href=\"ceremony.html\"]').textContent"
    assert browser.run(link) == "Ceremony"
    browser.open(ceremony)
    browser.reload_without_scripts()
    words = f"{CONTROLS}.map((each) => each.textContent)"
    assert browser.run(words) == ["Show the last place"]
    steps = f"""(() => {{
        const shown = [];
        for (const way of [0, -1])
            for (let step = 0; step < {STEPS}; step += 1) {{
                {CONTROLS}.at(way).click();
                shown.push({SHOWN}.length);
            }}
        return shown;
    }})()"""
    assert browser.run(steps) == [*range(1, STEPS + 1), *range(STEPS - 1, -1, -1)]
    browser.run("location.hash = '#place-1'")
    assert browser.run(words) == ["Back"]
    assert browser.run(f"{SHOWN}.length") == ENTRANTS
    browser.run("location.hash = '#start'")
    assert browser.run(words) == ["Show the last place"]


@pytest.mark.parametrize("screen", [WIDE, NARROW], ids=["wide", "narrow"])
@pytest.mark.parametrize("place", ["", "#place-300", "#place-150", "#place-1"])
def test_axe_finds_no_violation_at_any_step(
    browser: Chromium, ceremony: Path, axe: str, screen: tuple[int, int], place: str
) -> None:
    """And the page does not scroll sideways."""
    browser.screen(*screen)
    browser.open(ceremony, place)
    browser.run(f"{axe};0")
    found = browser.run(
        "axe.run().then((told) => JSON.stringify(told.violations.map((each) =>"
        " [each.id, each.help, each.nodes.slice(0, 3).map((node) => node.html.slice(0, 200))])))"
    )
    assert json.loads(found) == []
    assert browser.run("document.documentElement.scrollWidth <= innerWidth")


def test_reduced_motion_is_respected(browser: Chromium, ceremony: Path) -> None:
    """The newest place moves into view for all other readers."""
    browser.open(ceremony, "#place-2")
    animation = "getComputedStyle(document.querySelector('tr:target').cells[0]).animationName"
    for wish, name in (("no-preference", "newest"), ("reduce", "none")):
        media = [{"name": "prefers-reduced-motion", "value": wish}]
        browser.ask("Emulation.setEmulatedMedia", features=media)
        assert browser.run(animation) == name
    browser.ask("Emulation.setEmulatedMedia", features=[])


def test_a_ceremony_of_300_loads_little(ceremony: Path) -> None:
    """With its style and its script."""
    loads = (ceremony.parent / "static" / name for name in ("site.css", "ceremony.js"))
    assert sum(path.stat().st_size for path in (ceremony, *loads)) < MOST_BYTES
