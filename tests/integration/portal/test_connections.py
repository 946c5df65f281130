"""Clients that are slow, idle or too many: they are ended, and nobody else is."""

import asyncio
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import pytest
import uvicorn

from tourney.portal.web import connections
from tourney.portal.web.connections import Connection, Room

SHORT = 0.3
"""Seconds that take the place of every limit."""
LONGEST = 30.0
GET = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
SAID = b"hello"
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@dataclass
class _Application:
    """Answers: at "/" at once, at "/quiet" slowly, at "/flood" without an end.

    At "/unread" it reads nothing of what is sent.
    """

    answered: int = 0
    left: asyncio.Event = field(default_factory=asyncio.Event)

    async def __call__(self, scope: MutableMapping[str, Any], receive: Any, send: Any) -> None:
        """Answer."""
        self.answered += 1
        reads = scope["method"] == "POST" and scope["path"] != "/unread"
        while reads and (await receive()).get("more_body"):
            pass
        await send({"type": "http.response.start", "status": 200, "headers": []})
        if scope["path"] == "/flood":
            await self._flood(receive, send)
        elif scope["path"] == "/quiet":
            await asyncio.sleep(4 * SHORT)
        await send({"type": "http.response.body", "body": SAID})

    async def _flood(self, receive: Any, send: Any) -> None:
        leaving = asyncio.create_task(self._wait_for_end(receive))
        while not leaving.done():
            await send({"type": "http.response.body", "body": b"x" * 100_000, "more_body": True})
            await asyncio.sleep(0)
        self.left.set()

    @staticmethod
    async def _wait_for_end(receive: Any) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass


@pytest.fixture(autouse=True)
def _short(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HEADER_SECONDS", "BODY_SECONDS", "READ_SECONDS"):
        monkeypatch.setattr(connections, name, SHORT)


@asynccontextmanager
async def _serving(
    app: _Application, trusted: Sequence[str] = ()
) -> AsyncIterator[Callable[..., Awaitable[Streams]]]:
    """Serve in this process, and give what connects."""
    config = uvicorn.Config(
        app,
        port=0,
        http=partial(Connection, room=Room()),  # type: ignore[arg-type]  # is called like the class
        ws="none",
        lifespan="off",
        log_config=None,
        forwarded_allow_ips=list(trusted),
        timeout_graceful_shutdown=0,
        timeout_keep_alive=1,
    )
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve())
    while not server.started:  # noqa: ASYNC110 - uvicorn has no event for it
        await asyncio.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    opened: list[asyncio.StreamWriter] = []

    async def connect(source: str = "127.0.0.1") -> Streams:
        at = (source, 0)
        reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=at)
        opened.append(writer)
        return reader, writer

    try:
        yield connect
    finally:
        for writer in opened:
            writer.close()
        server.should_exit = True
        await serving


async def _rest(reader: asyncio.StreamReader) -> bytes:
    """Read until the other side ends the connection."""
    try:
        return await asyncio.wait_for(reader.read(), LONGEST)
    except ConnectionResetError:
        return b""


@pytest.mark.parametrize(
    ("sent", "answers"),
    [
        (b"", 0),
        (b"\r\n", 0),
        (b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow:", 0),
        (b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\nx", 0),
        (GET + b"\r\n", 1),
        (GET + b"GET / HT", 1),
        (GET, 1),
    ],
    ids=[
        *("nothing", "line ends", "half a header", "half a body"),
        *("line ends after", "half a second header", "idle after"),
    ],
)
def test_who_sends_too_slowly_is_ended(sent: bytes, answers: int) -> None:
    """At every part of a request, also after one that was answered."""

    async def ended() -> bytes:
        async with _serving(_Application()) as connect:
            reader, writer = await connect()
            writer.write(sent)
            return await _rest(reader)

    assert asyncio.run(ended()).count(SAID) == answers


def test_a_client_that_trickles_gains_no_time() -> None:
    """The limit is for the whole header, not for the next byte."""

    async def ended() -> bytes:
        async with _serving(_Application()) as connect:
            reader, writer = await connect()
            writer.write(b"GET / HTTP/1.1\r\n")
            rest = asyncio.create_task(_rest(reader))
            while not rest.done():
                writer.write(b"X: y\r\n")
                await asyncio.sleep(SHORT / 10)
            return rest.result()

    assert SAID not in asyncio.run(ended())


def test_who_does_not_read_is_ended_and_what_waits_in_peace_is_not() -> None:
    """A stream without news goes on, for longer than any limit."""

    async def all_of_it() -> bytes:
        app = _Application()
        async with _serving(app) as connect:
            _, slow = await connect()
            slow.write(GET.replace(b"/ ", b"/flood ", 1))
            reader, quiet = await connect()
            quiet.write(GET.replace(b"/ ", b"/quiet ", 1))
            await asyncio.wait_for(app.left.wait(), LONGEST)
            return await asyncio.wait_for(reader.readuntil(SAID), LONGEST)

    assert asyncio.run(all_of_it()).startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize("trusted", [(), ("127.0.0.1",), ("127.0.0.0/8",), ("proxy", "::1")])
def test_an_address_has_so_many_connections_and_a_trusted_proxy_any(
    monkeypatch: pytest.MonkeyPatch, trusted: Sequence[str]
) -> None:
    """The oldest that sends nothing makes room for a newer one."""
    monkeypatch.setattr(connections, "MOST_EACH", 3)
    monkeypatch.setattr(connections, "HEADER_SECONDS", LONGEST)

    async def answered() -> list[bool]:
        async with _serving(_Application(), trusted) as connect:
            opened = [await connect() for _ in range(5)]
            await asyncio.sleep(SHORT)
            found = []
            for reader, writer in opened:
                writer.write(GET)
                try:
                    answer = await asyncio.wait_for(reader.readuntil(SAID), LONGEST)
                except (ConnectionResetError, asyncio.IncompleteReadError):
                    answer = b""
                found.append(bool(answer))
            return found

    is_trusted = any(each.startswith("127.") for each in trusted)
    assert asyncio.run(answered()) == [is_trusted] * 2 + [True] * 3


@pytest.mark.skipif(sys.platform != "linux", reason="asks from several addresses")
def test_descriptors_are_kept_for_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """Connections do not take the last of them, and one address takes half of theirs."""
    monkeypatch.setattr(connections, "HEADER_SECONDS", LONGEST)
    monkeypatch.setattr("resource.getrlimit", lambda _: (204, 204))

    async def answered() -> list[bool]:
        async with _serving(_Application()) as connect:
            sources = [*("127.0.0.1",) * 3, "127.0.0.2", "127.0.0.3", "127.0.0.4"]
            found = []
            for source in sources:
                reader, writer = await connect(source)
                writer.write(GET.replace(b"/ ", b"/quiet ", 1))
                await asyncio.sleep(0.1)
                found.append(not reader.at_eof() and reader.exception() is None)
            return found

    assert asyncio.run(answered()) == [True, True, False, True, True, False]


HEADER, URL = connections.HEADER_BYTES, connections.URL_BYTES
CHUNKED = b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"GET /" + b"a" * URL + b" HTTP/1.1\r\nHost: x\r\n\r\n", b"414"),
        (b"GET /" + b"a" * 10 * HEADER, b"4"),
        (b"GET / HTTP/1.1\r\nX: " + b"y" * HEADER + b"\r\n\r\n", b"431"),
        (b"GET / HTTP/1.1\r\nX: " + b"y" * 10 * HEADER, b"431"),
        (b"GET / HTTP/1.1\r\n" + b"y" * 10 * HEADER, b"431"),
        (b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 2 * connections.MOST_HEADERS, b"431"),
        (b"GET / HTTP/1.1\r\n" + (b"X: " + b"y" * 900 + b"\r\n") * 40, b"431"),
        (CHUNKED + b"1\r\na\r\n0\r\nX: " + b"y" * 10 * HEADER, b"400"),
        (CHUNKED + b"1\r\na\r\n0\r\n" + b"X: y\r\n" * 9000, b"431"),
        (CHUNKED + b"1;" + b"y" * 10 * HEADER, b"400"),
        (CHUNKED + b"1\r\na\r\n" * 2 * connections.MOST_PIECES, b"400"),
    ],
    ids=[
        *("address", "address without an end", "line", "line without an end", "name"),
        *(
            "lines",
            "sum of lines",
            "line after the body",
            "lines after the body",
            "chunk",
            "chunks",
        ),
    ],
)
def test_a_request_larger_than_any_of_ours_is_refused(sent: bytes, status: bytes) -> None:
    """As soon as it is; the connection ends, and the application hears nothing of a header."""

    async def answered() -> tuple[bytes, int]:
        app = _Application()
        async with _serving(app) as connect:
            reader, writer = await connect()
            writer.write(sent)
            return await _rest(reader), app.answered * (b"POST" not in sent)

    answer, count = asyncio.run(answered())
    assert answer.startswith(b"HTTP/1.1 " + status) or (not answer and len(sent) > 60_000)
    assert count == 0


def test_a_request_of_the_stated_size_is_answered() -> None:
    """Whichever part of it is as large as it may be."""
    url = b"GET /" + b"a" * (URL - 1) + b" HTTP/1.1\r\nHost: x\r\n\r\n"
    lines = b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * connections.MOST_HEADERS + b"\r\n"
    line = b"GET / HTTP/1.1\r\nX: " + b"y" * (HEADER - 100) + b"\r\n\r\n"
    body = CHUNKED + b"1\r\na\r\n" * connections.MOST_PIECES + b"0\r\n\r\n"

    async def answered() -> bytes:
        async with _serving(_Application()) as connect:
            reader, writer = await connect()
            found = b""
            for each in (url, lines, line, body):
                writer.write(each)
                found += await asyncio.wait_for(reader.readuntil(b"0\r\n\r\n"), LONGEST)
            return found

    assert asyncio.run(answered()).count(b"HTTP/1.1 200") == 4


def test_a_header_behind_a_body_has_the_same_limit() -> None:
    """Where both come in one piece, and the header without an end."""
    first = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n"

    async def answered() -> bytes:
        async with _serving(_Application()) as connect:
            reader, writer = await connect()
            writer.write(first)
            await asyncio.sleep(SHORT / 3)
            writer.write(b"a" * 9 + b"GET / HTTP/1.1\r\nX: " + b"y" * 3 * HEADER)
            return await _rest(reader)

    assert b"431" in asyncio.run(answered())


@pytest.mark.parametrize("many", [3, 5000])
def test_so_many_requests_are_taken_ahead(many: int) -> None:
    """More than a few in one piece end the connection instead of waiting in memory."""

    async def answered() -> tuple[int, int]:
        app = _Application()
        async with _serving(app) as connect:
            reader, writer = await connect()
            writer.write(GET * many)
            return (await _rest(reader)).count(SAID), app.answered

    said, count = asyncio.run(answered())
    assert (said == many) if many == 3 else (count <= connections.MOST_AHEAD + 1)


@pytest.mark.parametrize("chunk", [b"1\r\na\r\n", b"4000\r\n" + b"a" * 0x4000 + b"\r\n"])
def test_a_body_that_nobody_reads_is_thrown_away(
    monkeypatch: pytest.MonkeyPatch, chunk: bytes
) -> None:
    """In few pieces, and only so much of it; the answer comes all the same."""
    monkeypatch.setattr(connections, "DRAIN_BYTES", 500_000)
    parsed = 0
    on_body = Connection.on_body

    def counted(self: Connection, body: bytes) -> None:
        nonlocal parsed
        parsed += 1
        on_body(self, body)

    monkeypatch.setattr(Connection, "on_body", counted)

    async def answered() -> tuple[bytes, int]:
        async with _serving(_Application()) as connect:
            reader, writer = await connect()
            writer.write(CHUNKED.replace(b"/ ", b"/unread ", 1))
            answer = await asyncio.wait_for(reader.readuntil(b"0\r\n\r\n"), LONGEST)
            sent = 0
            while sent < 50_000_000 and not reader.at_eof() and reader.exception() is None:
                writer.write(chunk * (60_000 // len(chunk) + 1))
                sent += 60_000
                await asyncio.sleep(0)
            return answer, sent

    answer, sent = asyncio.run(answered())
    assert SAID in answer
    assert sent < 50_000_000
    assert parsed < 2 * connections.MOST_PIECES


UNREAD = b"POST /unread HTTP/1.1\r\nHost: x\r\n"
BODY = b"a" * 3000


@pytest.mark.parametrize("together", [True, False], ids=["together", "apart"])
@pytest.mark.parametrize(
    ("head", "body"),
    [
        (UNREAD + b"Content-Length: 3000\r\n\r\n", BODY),
        (UNREAD + b"Transfer-Encoding: chunked\r\n\r\n", b"bb8\r\n" + BODY + b"\r\n0\r\n\r\n"),
        (UNREAD + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\na\r\n" * 900 + b"0\r\n\r\n"),
    ],
    ids=["length", "chunk", "small chunks"],
)
def test_the_next_request_after_an_unread_body_is_answered(
    head: bytes, body: bytes, *, together: bool
) -> None:
    """Three times on one connection, in pieces or with the end of the body before it."""

    async def answered() -> list[bytes]:
        async with _serving(_Application()) as connect:
            reader, writer = await connect()
            found = []
            for _ in range(3):
                writer.write(head + body[:7])
                found.append(await asyncio.wait_for(reader.readuntil(b"0\r\n\r\n"), LONGEST))
                pieces = [body[7:] + GET] if together else [body[7:50], body[50:], GET]
                for piece in pieces:
                    writer.write(piece)
                    await asyncio.sleep(0.01)
                found.append(await asyncio.wait_for(reader.readuntil(b"0\r\n\r\n"), LONGEST))
            return found

    found = asyncio.run(answered())
    assert [each[:12] for each in found] == [b"HTTP/1.1 200"] * 6


@pytest.mark.parametrize("rest", [b"a", b"a" * 9, b"a" * 9 + b"GET / HT"])
def test_a_client_that_stops_after_an_unread_body_is_ended(
    monkeypatch: pytest.MonkeyPatch, rest: bytes
) -> None:
    """Within the body, at its end, and in the next header; without a second answer."""
    monkeypatch.setattr(connections, "DRAIN_SECONDS", SHORT)

    async def ended() -> bytes:
        async with _serving(_Application()) as connect:
            reader, writer = await connect()
            writer.write(UNREAD + b"Content-Length: 10\r\n\r\na")
            said = await asyncio.wait_for(reader.readuntil(b"0\r\n\r\n"), LONGEST)
            writer.write(rest)
            return said + await _rest(reader)

    assert asyncio.run(ended()).count(b"HTTP/1.1") == 1


def test_a_malformed_rest_of_an_unread_body_gets_no_second_answer() -> None:
    """A client would take it for the answer to its next request."""

    async def ended() -> bytes:
        async with _serving(_Application()) as connect:
            reader, writer = await connect()
            writer.write(UNREAD + b"Transfer-Encoding: chunked\r\n\r\n")
            said = await asyncio.wait_for(reader.readuntil(b"0\r\n\r\n"), LONGEST)
            writer.write(b"no number of bytes\r\n")
            return said + await _rest(reader)

    assert asyncio.run(ended()).count(b"HTTP/1.1") == 1


def test_no_other_protocol_is_spoken() -> None:
    """A request to change to it is answered as any other."""
    upgrade = b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\n\r\n"

    async def answered() -> bytes:
        async with _serving(_Application()) as connect:
            reader, writer = await connect()
            writer.write(GET[:-2] + upgrade)
            return await asyncio.wait_for(reader.readuntil(SAID), LONGEST)

    assert asyncio.run(answered()).startswith(b"HTTP/1.1 200")


def test_what_many_do_not_read_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Long before each has had its time; who reads is not among those that end."""
    monkeypatch.setattr(connections, "UNSENT", 1_000_000)
    monkeypatch.setattr(connections, "READ_SECONDS", LONGEST)

    async def kept() -> tuple[int, bytes]:
        app = _Application()
        async with _serving(app) as connect:
            for _ in range(30):
                _, slow = await connect()
                slow.transport.pause_reading()  # type: ignore[attr-defined]  # of a socket
                slow.write(GET.replace(b"/ ", b"/flood ", 1))
            await asyncio.wait_for(app.left.wait(), LONGEST)
            reader, quick = await connect("127.0.0.2")
            quick.write(GET)
            said = await asyncio.wait_for(reader.readuntil(SAID), LONGEST)
            return app.answered, said

    answered, said = asyncio.run(kept())
    assert answered == 31
    assert said.startswith(b"HTTP/1.1 200")


class _Client:
    """A connection that waits for its client, as far as a room looks at it."""

    source, is_trusted = "192.0.2.1", False

    def __init__(self) -> None:
        self.ended = 0

    def waits_for_client(self) -> bool:
        """Say so."""
        return True

    def end(self) -> None:
        """Count it; the loop forgets it later."""
        self.ended += 1


def test_as_many_connections_end_as_come_at_once() -> None:
    """Each once, though none is forgotten yet."""
    room, clients = Room(most=4), [_Client() for _ in range(7)]
    for each in clients:
        room.enter(each)  # type: ignore[arg-type]  # has all that is looked at
    assert [each.ended for each in clients] == [1, 1, 1, 1, 1, 0, 0]
