"""What the portal does when there is no room, and while its database is written elsewhere."""

import asyncio
import resource
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from html import unescape

import httpx
import pytest

from tourney.errors import StoreFullError
from tourney.portal import database, jobs, sessions
from tourney.portal.database import WEB_BUSY_SECONDS, now, time_text
from tourney.portal.guesses import ASKED, Slots, TooManyError
from tourney.portal.jobs import put

from .hands import hand_in, make_course, number_of
from .portals import Portal

ROOM = 200_000
"""Bytes by which the database may still grow where an upload finds no room."""
TOO_MUCH = b"#" * 1_000_000


@contextmanager
def _full_disk(portal: Portal, *, for_database: bool = False) -> Iterator[None]:
    """Let no file grow far: the system says so as a full disk does, by an OSError of a write.

    For the database too where it is said: what it writes is appended to its log.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    largest = max(file.stat().st_size for file in portal.places.root.rglob("*") if file.is_file())
    log = portal.places.database.with_name("portal.db-wal")
    most = log.stat().st_size if for_database else largest + ROOM
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_full_disk_refuses_uploads_and_loses_none(portal: Portal) -> None:
    """One clear page with status 507; what was handed in before still waits, and room helps."""
    make_course(portal, per_day=5)
    student = portal.browser("student")
    before = number_of(hand_in(student, b"first"))
    with _full_disk(portal):
        refused = hand_in(student, TOO_MUCH)
    assert refused.status_code == 507
    assert "The portal&#39;s disk is full" in refused.text
    job = jobs.get(portal.database, before)
    assert job.state == "queued"
    (kept,) = portal.places.inbox.iterdir()
    assert (kept.name, kept.read_bytes()) == (job.payload["file"], b"first")
    after = number_of(hand_in(student, TOO_MUCH))
    file = jobs.get(portal.database, after).payload["file"]
    assert (portal.places.inbox / file).read_bytes() == TOO_MUCH


def test_a_gradebook_finds_no_room_either(portal: Portal) -> None:
    """With the same words; no job is promised, and nothing lies about."""
    make_course(portal)
    with _full_disk(portal):
        refused = portal.browser("lecturer").post(
            "/c/cards/roster", files={"gradebook": ("canvas.csv", TOO_MUCH[:900_000])}
        )
    assert refused.status_code == 507
    assert "The portal&#39;s disk is full" in refused.text
    assert not jobs.of_course(portal.database, portal.courses["cards"], ["roster"])
    assert not list(portal.places.inbox.iterdir())


@pytest.mark.parametrize("how", ["browser", "program", "token"])
def test_a_full_database_promises_nothing_and_loses_nothing(portal: Portal, how: str) -> None:
    """What was promised waits; pages are still shown to who was signed in; room helps."""
    make_course(portal)
    student = portal.browser("student")
    before = number_of(hand_in(student, b"first"))
    token = sessions.add_token(portal.database, portal.people["student"], "a test")
    long_ago = time_text(datetime.now(UTC) - 2 * sessions.SEEN_EVERY)
    portal.database.execute("UPDATE sessions SET seen = ?", (long_ago,))
    headers = {
        "browser": {},
        "program": {"accept": "application/json"},
        "token": {"accept": "application/json", "authorization": f"Bearer {token}"},
    }[how]
    asks = portal.browser() if how == "token" else student
    with _full_disk(portal, for_database=True):
        refused = hand_in(asks, b"second", **headers)
        shown = asks.get(f"/c/cards/handed/{before}", **headers)
        assert portal.browser().post("/sign-in", {"login": "a", "password": "b"}).status_code == 401
    assert refused.status_code == 507
    said = refused.json()["error"] if headers else unescape(refused.text)
    assert "portal's disk is full" in said
    assert shown.status_code == 200
    (kept,) = portal.places.inbox.iterdir()
    assert kept.read_bytes() == b"first"
    (job,) = jobs.of_course(portal.database, portal.courses["cards"], ["check"])
    assert (job.id, job.state) == (before, "queued")
    assert hand_in(asks, b"third", **headers).status_code in {202, 303}


@contextmanager
def _another_writer(portal: Portal) -> Iterator[sqlite3.Connection]:
    """Hold the write lock, as a worker does on a slow disk."""
    with closing(sqlite3.connect(portal.places.database, isolation_level=None)) as opened:
        opened.execute("BEGIN IMMEDIATE")
        yield opened


def test_an_upload_waits_for_other_writers(portal: Portal) -> None:
    """It counts from its arrival, and others are answered meanwhile."""
    make_course(portal)
    student, mate = portal.browser("student"), portal.browser("mate")
    with _another_writer(portal) as writer:

        async def both() -> tuple[httpx.Response, httpx.Response]:
            uploading = asyncio.create_task(
                student.send_async(
                    "POST",
                    "/c/cards/hand-in",
                    headers={"sec-fetch-site": "same-origin"},
                    files={"file": ("bold.py", b"first")},
                )
            )
            await asyncio.sleep(2 * WEB_BUSY_SECONDS)
            page = await mate.send_async("GET", "/c/cards/hand-in")
            assert not uploading.done()
            released.append(now())
            writer.execute("COMMIT")
            return await uploading, page

        released: list[str] = []
        taken, page = portal.runner.run(both())
    assert page.status_code == 200
    job = jobs.get(portal.database, number_of(taken))
    assert job.received < released[0]
    assert (portal.places.inbox / job.payload["file"]).read_bytes() == b"first"


def test_an_upload_that_waited_too_long_promises_nothing(
    portal: Portal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer says so, and leaves nothing behind."""
    monkeypatch.setattr(database, "PATIENCE", 0.1)
    make_course(portal)
    student = portal.browser("student")
    with _another_writer(portal):
        refused = hand_in(student, b"first", accept="application/json")
    assert (refused.status_code, refused.headers["retry-after"]) == (503, "5")
    assert refused.json() == {
        "error": "the portal is busy and could not do this; try again in a few seconds"
    }
    assert not list(portal.places.inbox.iterdir())
    assert not jobs.of_course(portal.database, portal.courses["cards"], ["check"])


def test_a_fault_of_the_database_is_not_called_busy(
    portal: Portal, caplog: pytest.LogCaptureFixture
) -> None:
    """Who asks is told whom to tell, and the log has the cause."""
    make_course(portal)
    student = portal.browser("student")
    portal.database.execute("ALTER TABLE jobs RENAME TO lost")
    refused = hand_in(student, b"first", accept="application/json")
    assert refused.status_code == 500
    assert "inform your lecturer or an administrator" in refused.json()["error"]
    assert "no such table" in caplog.text


def test_what_found_no_room_leaves_nothing_behind(portal: Portal) -> None:
    """Not even the part that was written."""
    with _full_disk(portal), pytest.raises(StoreFullError, match="File too large"):
        put(portal.places, TOO_MUCH)
    assert not list(portal.places.inbox.iterdir())


def test_an_account_asks_for_so_much_and_no_other_is_kept_waiting(portal: Portal) -> None:
    """It is told when to try again; what scripts ask for by themselves goes on."""
    make_course(portal)
    clock = [0.0]
    site = portal.app.state.site
    site.asked.clock = lambda: clock[0]
    student = portal.browser("student")
    for _ in range(int(ASKED)):
        assert site.asked.has_some(str(portal.people["student"]))
        site.asked.take(str(portal.people["student"]))
    refused = student.get("/c/cards")
    assert refused.status_code == 429
    assert refused.headers["retry-after"] == "1"
    assert "Too many requests in a short time; try again in 1 second" in refused.text
    assert student.post("/c/cards/hand-in").status_code == 429
    assert student.get("/c/cards/finals", accept="application/json").json()["error"]
    assert student.get("/c/cards/board.json").status_code == 404  # there is none yet
    assert portal.browser("mate").get("/c/cards").status_code == 200
    assert portal.browser().get("/sign-in").status_code == 200
    clock[0] += 1
    assert student.get("/c/cards").status_code == 200


def test_a_stated_number_waits_for_a_slot_and_no_more() -> None:
    """The others are told when to try again; every slot comes back."""

    async def used() -> tuple[int, int, int]:
        slots, inside, most, refused = Slots(2, 3, 5, "busy"), 0, 0, 0

        async def one() -> None:
            nonlocal most, inside
            async with slots.slot("a"):
                inside += 1
                most = max(most, inside)
                await asyncio.sleep(0)
                inside -= 1

        for _ in range(2):
            ends = await asyncio.gather(*(one() for _ in range(9)), return_exceptions=True)
            refused += sum(isinstance(each, TooManyError) for each in ends)
        return most, refused, inside

    assert asyncio.run(used()) == (2, 2 * 4, 0)


def test_one_source_does_not_take_all_places_to_wait() -> None:
    """It has a stated number of them."""

    async def refused() -> list[bool]:
        slots = Slots(1, 9, 2, "busy")

        async def one(key: str) -> None:
            async with slots.slot(key):
                await asyncio.sleep(0)

        ends = await asyncio.gather(*map(one, "aaaab"), return_exceptions=True)
        return [isinstance(each, TooManyError) for each in ends]

    assert asyncio.run(refused()) == [False, False, True, True, False]


def test_a_refusal_says_when_to_try_again() -> None:
    """In words and as a number."""
    refusal = TooManyError("busy", 5, 503)
    assert (str(refusal), refusal.status) == ("busy; try again in 5 seconds", 503)
