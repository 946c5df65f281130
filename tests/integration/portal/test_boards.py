"""Boards as pages, as JSON and as events: who is shown what, and that nothing ticks by itself."""

import asyncio
import json
import re
import zlib

import pytest

from tourney.portal import boards, sessions
from tourney.portal.accounts import remove_member
from tourney.portal.boards import Audience, PortalRun
from tourney.portal.web.live import GZIP, MOST_EACH, Watcher, packed

from .portals import Portal


def shown(*names: str) -> dict[str, object]:
    """Give a board of two columns."""
    columns = [
        {"name": "rank", "title": "Rank", "is_number": True},
        {"name": "entrant", "title": "Entrant", "is_number": False},
    ]
    rows = [
        {"cells": [{"text": str(at), "value": at}, {"text": name, "value": name}], "group": "001"}
        for at, name in enumerate(names, start=1)
    ]
    return {
        "title": "Cup",
        "state": "over",
        "said": [],
        "columns": columns,
        "rows": rows,
        "groups": ["001"],
    }


def practice_run(portal: Portal, *names: str, audience: Audience = "course") -> PortalRun:
    """Show the course a practice board."""
    run = boards.note_run(portal.database, portal.courses["cards"], "practice", 1, "Practice")
    own = {name: [str(at), name] for at, name in enumerate(names, start=1)}
    boards.show_board(portal.database, run.id, audience, shown(*names), own)
    return run


def final_run(portal: Portal, *names: str, audience: str = "public") -> PortalRun:
    """Show everybody the board of a final."""
    settings = {"audience": audience}
    course = portal.courses["cards"]
    run = boards.note_run(portal.database, course, "final", 1, "Cup", settings=settings)
    for each in ("course", "public", "staff"):
        own = {name: [str(at), name] for at, name in enumerate(names, start=1)}
        boards.show_board(portal.database, run.id, each, shown(*names), own)  # type: ignore[arg-type]  # one of them
    return run


def own_line(page: str) -> str:
    """Give what is said of the own row, which has the title of each column beside its text."""
    (line,) = re.findall('<p id="own".*?>(.*?)</p>', page)
    return re.sub("<.*?>", "", line)


def test_a_board_shows_its_rows_and_that_practice_is_practice(portal: Portal) -> None:
    """One's own row is said above it, also to who is beyond the rows that are shown."""
    practice_run(portal, "Ada", "Student")
    page = portal.browser("student").get("/c/cards/board").text
    assert "Practice results do not count." in page
    assert 'data-v="Ada"' in page
    assert own_line(page) == "You: Rank 2"
    assert own_line(portal.browser("lecturer").get("/c/cards/board").text) == "You: "


def test_the_end_of_a_freeze_is_on_the_clock_of_the_class(portal: Portal) -> None:
    """As the lecturer has typed it, whatever the offset of its stored time."""
    told = '{"time_zone": "Europe/Paris"}'
    portal.database.execute("UPDATE courses SET told = ? WHERE slug = 'cards'", (told,))
    run = final_run(portal, "Ada")
    frozen = shown("Ada") | {"state": "sealed", "until": "2036-07-01T10:00:00+00:00"}
    boards.show_board(portal.database, run.id, "course", frozen, {})
    page = portal.browser("student").get(f"/c/cards/final/{run.id}").text
    words = " ".join(re.sub("<.*?>", " ", page).split())
    assert "The board is frozen until Tue 1 Jul 2036, 12:00 Europe/Paris" in words


def test_markup_in_a_name_is_text(portal: Portal) -> None:
    """On the page and in events."""
    run = practice_run(portal, "<script>alert(1)</script>")
    browser = portal.browser("student")
    assert "<script>alert" not in browser.get("/c/cards/board").text
    frame = browser.begin("/c/cards/board/events").text
    assert f"id: {boards.versions(portal.database)[run.id, 'course']}\n" in frame
    assert "<script>alert" not in frame
    assert "&lt;script&gt;alert" in frame


def test_json_comes_again_only_when_there_is_another_version(portal: Portal) -> None:
    """The same board again is no version; others' own rows are in no JSON."""
    run = practice_run(portal, "Ada")
    browser = portal.browser("student")
    first = browser.get("/c/cards/board.json")
    assert set(first.json()) == set(shown())
    tag = first.headers["etag"]
    practice_run(portal, "Ada")
    assert browser.get("/c/cards/board.json", **{"if-none-match": tag}).status_code == 304
    boards.show_board(portal.database, run.id, "course", shown("Ada", "Bob"), {})
    again = browser.get("/c/cards/board.json", **{"if-none-match": tag})
    assert (again.status_code, again.headers["etag"]) == (200, '"c2"')


def test_a_public_final_is_seen_by_anybody_and_another_by_nobody_else(portal: Portal) -> None:
    """Who is no member cannot tell it from one that is not there."""
    run = final_run(portal, "Ada")
    path = f"/c/cards/final/{run.id}"
    assert portal.browser().get(path).status_code == 200
    with portal.database.transaction():
        boards.change(portal.database, run, audience="course")
    nobody, outsider = portal.browser(), portal.browser("outsider")
    missing = nobody.get("/c/cards/final/999")
    for each in (nobody, outsider):
        for page in ("", "/board.json", "/events"):
            assert each.get(path + page).status_code == 404
    assert nobody.get(path).text == missing.text
    assert portal.browser("student").get(path).status_code == 200


def test_pages_of_a_run_are_files_of_its_folder_alone(portal: Portal) -> None:
    """Whatever the address says."""
    run = final_run(portal, "Ada")
    site = portal.places.site("cards", run.id)
    site.mkdir(parents=True)
    (site / "index.html").write_text("<p>pages", encoding="utf-8")
    (site.parent.parent / "secret.txt").write_text("secret", encoding="utf-8")
    path = f"/c/cards/site/{run.id}/"
    assert portal.browser().get(path).text == "<p>pages"
    (site / "link").symlink_to(site.parent.parent / "secret.txt")
    for wrong in (
        "../../secret.txt",
        "%2e%2e/%2e%2e/secret.txt",
        "link",
        "none.html",
        "/etc/passwd",
    ):
        assert portal.browser().get(path + wrong).status_code == 404


def test_a_stream_gives_the_latest_frame_and_sleeps_until_there_is_another(portal: Portal) -> None:
    """Another board's news, and a change that its audience is not shown, wake it to nothing."""
    run = final_run(portal, "Ada")
    watcher: Watcher = portal.app.state.watcher

    def frame() -> tuple[int, str]:
        board = boards.board_of(portal.database, run.id, "public")
        assert board
        return board.version, board.shown

    async def frames() -> list[bytes]:
        got: list[bytes] = []
        events = watcher.events(run.id, "public", frame, 1)

        async def read() -> None:
            async for event in events:
                got.append(event)  # noqa: PERF401 - looked at meanwhile

        reading = asyncio.create_task(read())
        await asyncio.sleep(0.1)
        for names in (("Ada", "Bob"), ("Bob", "Ada")):
            boards.show_board(portal.database, run.id, "staff", shown(*names), {})
            await asyncio.sleep(0.6)
        assert len(got) == 1
        for names in (("Ada", "Bob"), ("Bob", "Ada")):
            boards.show_board(portal.database, run.id, "public", shown(*names), {})
        await asyncio.sleep(0.6)
        reading.cancel()
        await asyncio.gather(reading, return_exceptions=True)
        return got

    first, last = portal.runner.run(frames())
    assert first.startswith(b"id: 1\n")
    assert last.startswith(b"id: 3\n")
    assert json.loads(last.split(b"data: ")[1]) == shown("Bob", "Ada")
    assert watcher.has_room(1)


def test_pieces_of_a_compressed_stream_stand_in_any_order() -> None:
    """Each was compressed once, by itself, for all who wait for it."""
    pieces = [f"id: {number}\ndata: {'card ' * number}\n\n".encode() for number in range(40)]
    reading = zlib.decompressobj(wbits=16 + zlib.MAX_WBITS)
    reading.decompress(GZIP)
    for piece in (*reversed(pieces), *pieces):
        assert reading.decompress(packed(piece)) == piece  # at once, not with the next one
    assert len(packed(pieces[-1])) < len(pieces[-1])


def test_one_s_own_row_is_new_though_the_board_is_not(portal: Portal) -> None:
    """As while a board is sealed: its version stands still, and the page is not an old one."""
    run = final_run(portal, "Ada", "Student")
    student = portal.browser("student")
    for place in ("2", "3"):
        own = {"Student": [place, "Student"]}
        boards.show_board(portal.database, run.id, "course", shown("Ada"), own)
        assert student.get(f"/c/cards/final/{run.id}/me").json()["row"] == [place, "Student"]
        page = student.get(f"/c/cards/final/{run.id}").text
        assert own_line(page) == f"You: Rank {place}"


def test_an_account_has_so_many_streams(portal: Portal) -> None:
    """The next is told to close a tab; who has none is let in."""
    practice_run(portal, "Ada")
    watcher: Watcher = portal.app.state.watcher
    watcher.streams[portal.people["student"]] = MOST_EACH
    assert portal.browser("student").begin("/c/cards/board/events").status_code == 429
    assert portal.browser("mate").begin("/c/cards/board/events").status_code == 200


@pytest.mark.parametrize("loss", ["removed", "signed out", "made private"])
def test_a_stream_ends_when_its_reader_loses_the_permission(
    portal: Portal, monkeypatch: pytest.MonkeyPatch, loss: str
) -> None:
    """Whatever they had open; another reader's stream goes on."""
    monkeypatch.setattr("tourney.portal.web.live.PERMITTED_SECONDS", 0.2)
    monkeypatch.setattr("tourney.portal.web.live.KEEP_ALIVE", 0.1)
    database, mate = portal.database, portal.people["mate"]
    run = final_run(portal, "Ada")
    path = f"/c/cards/final/{run.id}/events"
    reader = portal.browser("" if loss == "made private" else "mate")
    watcher: Watcher = portal.app.state.watcher

    async def count_after_loss() -> tuple[int, int]:
        streams = [asyncio.create_task(each.read(path, 60)) for each in (reader, student)]
        await asyncio.sleep(0.6)
        before = watcher.streams.total()
        if loss == "removed":
            remove_member(database, 1, mate)
        elif loss == "signed out":
            sessions.end(database, mate)
        else:
            boards.change(database, run, audience="course")
        await asyncio.sleep(0.6)
        after = watcher.streams.total()
        for each in streams:
            each.cancel()
        await asyncio.gather(*streams, return_exceptions=True)
        return before, after

    student = portal.browser("student")
    assert portal.runner.run(count_after_loss()) == (2, 1)
