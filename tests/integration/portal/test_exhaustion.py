"""Floods of a stranger cost a real portal a bounded amount of memory and processor time.

Measured of the web process, as people start it. `benchmarks/portal.py attack` measures what people
who are signed in wait meanwhile, on a machine with nothing else to do.
"""

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import httpx
import pytest

from tests.support.proving import with_more
from tourney.portal import boards, sessions
from tourney.portal.accounts import add_account, add_course, add_member
from tourney.portal.database import open_database
from tourney.portal.places import Places

from .floods import KINDS
from .served import Served
from .test_boards import shown

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")
SECONDS = 2.0
ALWAYS = ["links", "half headers", "small chunks", "unread pages", "streams"]
MOST_MEGABYTES = 200
GROWS_MEGABYTES = 100
"""That one kind of flood takes at most, of the 200 MB that all is to stay below."""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Served, str, str]]:
    """A portal with a final that anybody may see; its address, and the cookie of a student."""
    made = Served(tmp_path_factory.mktemp("exhaustion") / "portal").start()
    names = [f"P{number:03d}" for number in range(300)]
    with closing(open_database(Places(made.folder))) as database:
        course = add_course(database, "cards", "Cards")
        student = add_account(database, "student", "Student")
        add_member(database, course, student, "student", person="Student", name="Student")
        final = boards.note_run(
            database, course, "final", 1, "Final", settings={"audience": "public"}
        )
        boards.show_board(database, final.id, "public", shown(*names), {})
        cookie = sessions.begin(database, student, "a test")
    yield made, f"/c/cards/final/{final.id}", cookie
    made.end()


def status_of(served: Served, name: str) -> float:
    """Give a figure of the web process's memory in MB."""
    lines = Path(f"/proc/{served.children()['web']}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(name)) / 1000


def begin_counting(served: Served) -> None:
    """Forget the most memory that the web process had so far."""
    Path(f"/proc/{served.children()['web']}/clear_refs").write_text("5")


def processor_of(served: Served) -> float:
    """Give the processor seconds of the web process."""
    fields = Path(f"/proc/{served.children()['web']}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


@pytest.mark.parametrize("kind", with_more(ALWAYS, [each for each in KINDS if each not in ALWAYS]))
def test_a_flood_takes_bounded_memory_and_keeps_nobody_out(
    served: tuple[Served, str, str], kind: str
) -> None:
    """Whoever is signed in is answered meanwhile and afterwards."""
    portal, path, cookie = served
    about = ["--path", path + ("/events" if kind == "streams" else "")]
    begin_counting(portal)
    before = status_of(portal, "VmRSS")
    command = [
        sys.executable,
        "-m",
        "tests.integration.portal.floods",
        kind,
        str(portal.port),
        str(SECONDS),
    ]
    with (
        subprocess.Popen([*command, *about], stdout=subprocess.PIPE, text=True) as flood,
        httpx.Client(base_url=portal.url, cookies={"tourney": cookie}, timeout=60) as client,
    ):
        while flood.poll() is None:
            assert client.get("/account").status_code == 200
            time.sleep(0.1)  # or the account would ask too much
        assert flood.stdout
        ends = json.loads(flood.stdout.read())
    most = status_of(portal, "VmHWM")
    assert sum(ends.values()) > 0
    assert "500" not in ends
    assert most < MOST_MEGABYTES
    assert most - before < GROWS_MEGABYTES
    sys.stdout.write(f"{kind}: {before:.0f} MB, at most {most:.0f} MB; {ends}\n")


@pytest.mark.parametrize("path", ["/reset", "/set-up"])
def test_links_that_are_none_cost_no_hash(served: tuple[Served, str, str], path: str) -> None:
    """Five hundred of them take a fraction of the processor time that their hashes would."""
    portal, _, _ = served
    body = {"code": "x", "password": "0123456789abc", "login": "q", "name": "q"}
    begun = processor_of(portal)
    with httpx.Client(base_url=portal.url) as client:
        for _ in range(500):
            answer = client.post(path, data=body, headers={"sec-fetch-site": "same-origin"})
            assert answer.status_code == 422
    assert processor_of(portal) - begun < 500 * 0.01  # a hash takes 0.02 s and more


def test_a_flood_from_many_addresses_leaves_room_for_another(
    served: tuple[Served, str, str],
) -> None:
    """Three sources hold every connection there is; people connect all the same."""
    portal, _, cookie = served
    begin_counting(portal)
    command = [
        sys.executable,
        "-m",
        "tests.integration.portal.floods",
        "half headers",
        str(portal.port),
        "6",
    ]
    with ExitStack() as floods:
        running = [
            floods.enter_context(
                subprocess.Popen(
                    [*command, "--source", f"127.0.1.{number}"], stdout=subprocess.PIPE
                )
            )
            for number in range(3)
        ]
        while any(each.poll() is None for each in running):
            with httpx.Client(base_url=portal.url, cookies={"tourney": cookie}) as client:
                assert client.get("/account", timeout=60).status_code == 200
            time.sleep(0.1)
    assert status_of(portal, "VmHWM") < MOST_MEGABYTES
