"""Clients that are slow, idle or too many: they are ended, and nobody else is."""

import asyncio
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
import uvicorn

from tourney.portal.web import connections
from tourney.portal.web.connections import Connection

SHORT = 0.3
"""Seconds that take the place of every limit."""
LONGEST = 30.0
GET = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
SAID = b"hello"
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@dataclass
class _Application:
    """Answers: at "/" at once, at "/quiet" slowly, at "/flood" without an end."""

    left: asyncio.Event = field(default_factory=asyncio.Event)

    async def __call__(self, scope: MutableMapping[str, Any], receive: Any, send: Any) -> None:
        """Answer."""
        while scope["method"] == "POST" and (await receive()).get("more_body"):
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
        http=Connection,
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
    """Those that are there are answered all the same."""
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
    assert asyncio.run(answered()) == [True] * 3 + [is_trusted] * 2


@pytest.mark.skipif(sys.platform != "linux", reason="asks from several addresses")
def test_descriptors_are_kept_for_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """Connections do not take the last of them, and one address takes half of theirs."""
    monkeypatch.setattr(connections, "HEADER_SECONDS", LONGEST)
    monkeypatch.setattr(connections.resource, "getrlimit", lambda _: (204, 204))

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
