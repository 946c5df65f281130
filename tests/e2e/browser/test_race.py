"""The bankroll race in a real browser: played, stepped, moved by hand, and without scripts."""

from time import monotonic

import pytest

from tests.e2e.browser.chromium import Chromium
from tests.e2e.browser.sites import Sites

FULL = 598.0
"""Width of the whole race, in pixels."""
BUTTON = "document.getElementById('race-play')"
SHOWN = "+document.getElementById('race-shown').getAttribute('width')"
SLIDER = "document.getElementById('race-round')"
NEXT_FRAMES = "new Promise((done) => setTimeout(done, 100))"


@pytest.fixture
def board(browser: Chromium, sites: Sites) -> Chromium:
    """Open the board of a small run, in which 3 entrants play 40 rounds."""
    browser.screen(1280, 900)
    browser.open(sites["duplicate"] / "index.html")
    return browser


def test_the_race_plays_pauses_and_ends(board: Chromium) -> None:
    """From its beginning to its end, in which every line is whole again."""
    assert (board.run(SHOWN), board.run(f"{BUTTON}.textContent")) == (FULL, "Play")
    board.run(f"{BUTTON}.click(); {NEXT_FRAMES}")
    assert board.run(SHOWN) < FULL
    board.run(f"{BUTTON}.click()")
    assert board.run(f"{BUTTON}.textContent") == "Play"
    stopped = board.run(SHOWN)
    assert board.run(f"{NEXT_FRAMES}.then(() => {SHOWN})") == stopped
    board.run(f"{SLIDER}.value = 38; {BUTTON}.click()")
    end = monotonic() + 30
    while board.run(f"{BUTTON}.textContent") != "Play" and monotonic() < end:
        board.run(NEXT_FRAMES)
    assert (board.run(SHOWN), board.run(f"{SLIDER}.value")) == (FULL, "40")
    assert board.page.complaints == []


def test_the_order_is_that_of_the_table(board: Chromium) -> None:
    """After any round, the most chips first; the table has the same figures."""
    rows = board.run(
        "[...document.querySelectorAll('#race tr')].map((row) =>"
        " [...row.cells].map((cell) => cell.textContent))"
    )
    head, middle = rows[0][1:], next(row for row in rows if row[0] == "20")
    board.run(f"{SLIDER}.value = 20; {SLIDER}.dispatchEvent(new Event('input'))")
    shown = board.run("[...document.querySelectorAll('#race-order li')].map((e) => e.textContent)")
    chips = [float(each.rpartition(": ")[2].replace(",", "")) for each in shown]
    assert chips == sorted(chips, reverse=True)
    pairs = zip(head, middle[1:], strict=True)
    assert sorted(shown) == sorted(f"{name.partition(' ')[2]}: {value}" for name, value in pairs)
    assert board.run("document.getElementById('race-now').textContent") == "after 20"


def test_with_reduced_motion_the_race_moves_by_steps(board: Chromium) -> None:
    """Each press of the button shows a tenth more, and nothing moves by itself."""
    features = [{"name": "prefers-reduced-motion", "value": "reduce"}]
    board.ask("Emulation.setEmulatedMedia", features=features)
    try:
        assert board.run(f"{NEXT_FRAMES}.then(() => {BUTTON}.textContent)") == "Next step"
        seen = []
        for _ in range(3):
            board.run(f"{BUTTON}.click()")
            seen.append(board.run(f"{NEXT_FRAMES}.then(() => {SLIDER}.value)"))
        assert seen == ["0", "4", "8"]
    finally:
        board.screen(1280, 900)


def test_without_scripts_the_race_is_a_still_picture(board: Chromium) -> None:
    """With whole lines and the table, and no button that would not work."""
    board.reload_without_scripts()
    assert board.run("document.getElementById('race-tools').hidden")
    assert board.run(SHOWN) == FULL
    assert board.run("document.querySelectorAll('.race polyline').length") == 3
    assert board.run("document.querySelectorAll('#race tr').length") == 12
