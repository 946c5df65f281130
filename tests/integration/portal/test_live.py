"""The live board from a real process: in Chromium, and with streams open when the process ends."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from time import sleep

import pytest

from tests.e2e.browser.chromium import Chromium
from tests.e2e.browser.conftest import axe, browser
from tourney.portal import boards, jobs, sessions
from tourney.portal.database import set_setting
from tourney.portal.web.live import MOST_EACH

from .portals import Portal
from .served import wait_until
from .test_boards import final_run, shown

__all__ = ["axe", "browser"]

STREAMS = 300
ROWS = "[...document.querySelectorAll('#board tbody tr:not([hidden]) th')].map((e) => e.innerText)"
HIDE = """
Object.defineProperty(document, "hidden", {configurable: true, get: () => %s});
document.dispatchEvent(new Event("visibilitychange"));
"""


@pytest.fixture
def port() -> int:
    """Give a port that is free."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@pytest.fixture
def web(portal: Portal, port: int) -> Iterator[subprocess.Popen[bytes]]:
    """Start the web process, as the supervisor does."""
    reading, writing = os.pipe()
    command = (sys.executable, "-m", "tourney.portal.processes", "web", str(portal.places.root))
    options = {
        "port": port,
        "host": "127.0.0.1",
        "socket": "",
        "url": "",
        "proxy": [],
        "log": "text",
    }
    with subprocess.Popen((*command, json.dumps(options)), stdin=reading) as process:
        for _ in range(300):
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except ConnectionRefusedError:
                sleep(0.1)
        yield process
        os.close(writing)
        process.kill()
    os.close(reading)


def test_the_process_ends_with_its_streams_open(
    portal: Portal, web: subprocess.Popen[bytes], port: int
) -> None:
    """Each had its frame; all are closed, and the process is gone within 5 s."""
    run = final_run(portal, "Ada")
    asked = (
        f"GET /c/cards/final/{run.id}/events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode()
    )
    with ExitStack() as opened:
        streams = []
        for _ in range(STREAMS):
            stream = opened.enter_context(socket.create_connection(("127.0.0.1", port), 30))
            stream.sendall(asked)
            streams.append(stream)
        for stream in streams:
            got = b""
            while b"event: board" not in got:
                more = stream.recv(1 << 16)
                assert more, got
                got += more
        web.send_signal(signal.SIGTERM)
        web.wait(timeout=5)


def wait_for(chromium: Chromium, script: str, wanted: object) -> None:
    """Wait until a script gives a value."""
    for _ in range(100):
        if chromium.run(script) == wanted:
            return
        sleep(0.1)
    assert chromium.run(script) == wanted


def opened(
    chromium: Chromium, portal: Portal, port: int, path: str, who: str, complaints: int = 0
) -> Chromium:
    """Open a page as somebody; complaints about what scripts fetch come after it has loaded."""
    code = sessions.begin(portal.database, portal.people[who], "a test")
    address = f"http://127.0.0.1:{port}"
    chromium.ask("Network.setCookie", name="tourney", value=code, url=address)
    page = chromium.visit(address + path)
    wait_until(lambda: chromium.run("0") == 0 and len(page.complaints) >= complaints)
    assert len(page.complaints) == complaints, page.complaints
    return chromium


@pytest.mark.usefixtures("web")
def test_a_board_lives_and_keeps_how_it_was_sorted(
    portal: Portal, port: int, browser: Chromium
) -> None:
    """News come by themselves, one's own row too; not while the tab is hidden."""
    run = final_run(portal, "Ada", "Student")
    page = opened(browser, portal, port, f"/c/cards/final/{run.id}", "student")
    assert page.run(ROWS) == ["Ada", "Student"]
    page.run("document.querySelectorAll('#board th button')[1].click()")
    page.run("document.querySelectorAll('#board th button')[1].click()")
    assert page.run(ROWS) == ["Student", "Ada"]

    def show(*names: str) -> None:
        own = {name: [str(at), name] for at, name in enumerate(names, start=1)}
        boards.show_board(portal.database, run.id, "course", shown(*names), own)

    show("Student", "Bob", "Ada")
    wait_for(page, ROWS, ["Student", "Bob", "Ada"])
    wait_for(page, "document.getElementById('own').textContent", "You: Rank 1")
    page.run(HIDE % "true")
    show("Carl")
    sleep(1.0)
    assert page.run(ROWS) == ["Student", "Bob", "Ada"]
    page.run(HIDE % "false")
    wait_for(page, ROWS, ["Carl"])
    wait_for(page, "document.getElementById('own').hidden", wanted=True)
    own, pseudonyms = {"Student": ["2", "Student"]}, {"Student": "Quiet Lark"}
    told = shown("Carl", "Quiet Lark")
    boards.show_board(portal.database, run.id, "course", told, own, pseudonyms=pseudonyms)
    wait_for(page, "document.querySelector('#board .own')?.dataset.entrant", "Quiet Lark")
    assert page.run("document.getElementById('alias').textContent").startswith(
        "You play here as Quiet Lark."
    )
    assert page.page.complaints == []


@pytest.mark.prove
@pytest.mark.usefixtures("web")
def test_a_window_beyond_an_accounts_streams_looks_again_by_itself(
    portal: Portal, port: int, browser: Chromium
) -> None:
    """It gets no stream, so that pages have connections left; it reloads, and then has one."""
    run = final_run(portal, "Ada")
    path = f"/c/cards/final/{run.id}"
    code = sessions.begin(portal.database, portal.people["student"], "another window")
    head = f"GET {path}/events HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: tourney={code}\r\n\r\n"
    with ExitStack() as opened_before:
        for _ in range(MOST_EACH):
            connected = socket.create_connection(("127.0.0.1", port), 30)
            opened_before.enter_context(connected).sendall(head.encode())
            assert b" 200 " in connected.recv(100)
        page = opened(browser, portal, port, path, "student", complaints=1)
        page.run("window.isFirst = true")
    boards.show_board(portal.database, run.id, "course", shown("Bob"), {})
    assert page.run(ROWS) == ["Ada"]
    assert wait_until(lambda: page.run("window.isFirst") is not True)
    wait_for(page, ROWS, ["Bob"])
    boards.show_board(portal.database, run.id, "course", shown("Carl"), {})
    wait_for(page, ROWS, ["Carl"])


@pytest.mark.usefixtures("web")
@pytest.mark.parametrize(
    "path",
    [
        *("/c/cards/final/{run}", "/c/cards/final/{run}/control", "/c/cards/finals/new"),
        *("/c/cards/finals", "/c/cards/board", "/c/cards/practice-terms", "/c/cards/commitments"),
    ],
)
@pytest.mark.parametrize("width", [320, 1280])
def test_axe_finds_no_violation(
    portal: Portal, port: int, browser: Chromium, axe: str, path: str, width: int
) -> None:
    """And at 320 px nothing has to be scrolled sideways but the board."""
    run = final_run(portal, "Ada", "Student")
    job = jobs.add(portal.database, "final", {})
    with portal.database.transaction():
        boards.change(portal.database, run, job=job.id)
        set_setting(portal.database, "second_factor", "nobody")
    browser.screen(width, 800)
    page = opened(browser, portal, port, path.replace("{run}", str(run.id)), "lecturer")
    page.run(f"{axe};0")
    found = page.run(
        "axe.run().then((told) => JSON.stringify(told.violations.map((each) =>"
        " [each.id, each.nodes.map((node) => node.html)])))"
    )
    assert json.loads(found) == []
    assert page.run("document.documentElement.scrollWidth") <= width
