"""The pages of handing in, in a browser."""

from pathlib import Path
from shutil import copy

import pytest

from tests.browser.chromium import Chromium
from tests.browser.conftest import axe, browser
from tourney.portal import jobs

from .hands import add_handed_in, bold, hand_in, make_course, number_of
from .portals import Portal

__all__ = ["axe", "browser"]  # fixtures

STYLES = {
    "/style/site.css": Path("show/site/static/site.css"),
    "/static/portal.css": Path("portal/web/static/portal.css"),
}
ROOM = Path(__file__).parents[2] / "tourney"
FINDING = {"place": "bold.py:7", "message": "expected 1", "remedy": "give 1", "is_warning": False}


@pytest.mark.parametrize("who", ["student", "lecturer"])
@pytest.mark.parametrize("width", [320, 1280])
def test_axe_finds_no_violation_and_nothing_is_too_wide(
    portal: Portal, browser: Chromium, axe: str, tmp_path: Path, width: int, who: str
) -> None:
    """Contrast, names, labels, order of headings; on a small telephone, too."""
    make_course(portal, per_day=5, deadline="2026-12-01T23:59:00+01:00")
    waiting = number_of(hand_in(portal.browser("student"), bold()))
    jobs.say(portal.database, waiting, "read: bold.py")
    done, version = add_handed_in(portal)
    jobs.finish(
        portal.database, done, {"status": "rejected", "reason": "a fault", "findings": [FINDING]}
    )
    paths = [f"c/cards/handed/{waiting}", f"c/cards/handed/{done}", "c/cards/versions"]
    paths += [f"c/cards/versions/{version}", "account/tokens", "c/cards"]
    paths += ["c/cards/hand-in"] if who == "student" else []
    for path in paths:
        answer = portal.browser(who).get(f"/{path}")
        assert answer.status_code == 200
        page = answer.text.replace('<script src="/static/handed.js" defer></script>', "")
        for address, place in STYLES.items():
            copy(ROOM / place, tmp_path / place.name)
            page = page.replace(address, place.name)
        written = tmp_path / "page.html"
        written.write_text(page)
        browser.screen(width, 800)
        browser.open(written)
        browser.run(f"{axe};0")
        told = browser.run(
            "axe.run().then((told) => told.violations.map((each) => each.id).join())"
        )
        assert (path, told) == (path, "")
        wide = browser.run("document.documentElement.scrollWidth - innerWidth")
        assert (path, wide <= 0) == (path, True)
