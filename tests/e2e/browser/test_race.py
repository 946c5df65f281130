"""The bankroll race in a real browser: played, stepped, moved by hand, and without scripts."""

import json
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
    assert sorted(shown) == sorted(f"{name}: {value}" for name, value in pairs)
    assert board.run("document.getElementById('race-now').textContent") == "after 20"


def test_the_race_has_one_numbering(board: Chromium) -> None:
    """Lines, table and order name an entrant by its row on the board, and the list has no other."""
    rows = board.run("[...document.querySelectorAll('#race th:not(:first-child)')].length")
    head = board.run(
        "[...document.querySelectorAll('#race thead th')].slice(1).map((e) => e.textContent)"
    )
    labels = board.run(
        "[...document.querySelectorAll('.leader + text')].map((each) => each.textContent)"
    )
    assert rows == 3
    assert labels == head
    style = "getComputedStyle(document.getElementById('race-order')).listStyleType"
    assert board.run(style) == "none"
    assert "The race shows all 12 tables." in board.run(
        "document.querySelector('.race .hint').textContent"
    )


def test_the_longest_label_of_a_line_fits(board: Chromium) -> None:
    """Also in Chinese characters or capitals, it ends inside the picture."""
    for name in ("Anna Müller-Lüdenscheidt w", "王" * 12 + "…", "MARIANNE MÜLLER-LÜDENSCH…"):
        text = json.dumps(f"250 {name}")
        fits = board.run(
            f"(() => {{ const label = document.querySelector('.leader + text');"
            f" label.textContent = {text}; const box = label.getBBox();"
            " return box.x + box.width <= 860; })()"
        )
        assert fits, name


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
