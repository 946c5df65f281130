"""Limits on connections: how many, how slow, how large; a few clients keep no others out.

uvicorn waits for a request for ever, reads headers of any size and keeps any number of requests
that a client sends ahead. It ends idle connections between requests itself. A trusted proxy passes
on everybody and may have any number of connections up to the total.
"""

import resource
from asyncio import TimerHandle, Transport
from dataclasses import dataclass, field
from ipaddress import ip_address, ip_network
from typing import Any

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from tourney.portal.limits import source_of

HEADER_SECONDS = 15.0
"""That a client has for all of a request's header, and before it begins one."""
BODY_SECONDS = 120.0
"""And for the body after it: 1.1 MB at 9 kB/s."""
READ_SECONDS = 60.0
"""In which a client takes what lies ready for it before it is given up."""
DRAIN_SECONDS, DRAIN_BYTES = 5.0, 8_000_000
"""How much of a body is read and thrown away that is still coming when the answer has gone out:
who sends it reads the answer afterwards."""
MOST, MOST_EACH = 2000, 1000
"""Connections in all, and of one source: a class may sit behind one address."""
RESERVE = 200
"""Descriptors that are kept for files."""
URL_BYTES, HEADER_BYTES, MOST_HEADERS = 8_192, 16_384, 100
"""Of a request: its first line, its header with that line, and the lines of it."""
FRAMING = 6
"""Bytes around each byte of a body in chunks, at most: those of a chunk of one byte."""
MOST_PIECES = 1000
"""Chunks of a body that are taken at once; 256 kB are, in which others send 64 chunks."""
MOST_AHEAD = 8
"""Requests that a client may send before the answer to an earlier one."""
UNSENT_EACH, UNSENT = 16_384, 32_000_000
"""Bytes that wait for clients to read them: of one before its answer pauses, and of all paused."""


class _RefusedError(Exception):
    """A request is larger than any of ours."""


@dataclass(slots=True)
class Room:
    """The connections of a process by source, oldest first.

    Args:
        most: In all; None for as many as `MOST` and the descriptors of the process allow.
    """

    most: int | None = None
    _by_source: dict[str, dict["Connection", None]] = field(default_factory=dict)
    _paused: dict["Connection", None] = field(default_factory=dict)  # which do not read

    def __post_init__(self) -> None:
        """Count descriptors."""
        if self.most is None:
            self.most = min(MOST, resource.getrlimit(resource.RLIMIT_NOFILE)[0] - RESERVE)

    def enter(self, connection: "Connection") -> None:
        """Take a connection; if there are too many, end one that waits for its client.

        That is the oldest of the same source if this has too many, else of the source that has
        most.
        """
        assert self.most is not None
        own = self._by_source.setdefault(connection.source, {})
        own[connection] = None
        if len(own) > min(MOST_EACH, self.most // 2) and not connection.is_trusted:
            self._end_one(own, connection)
        elif sum(map(len, self._by_source.values())) > self.most:
            self._end_one(max(self._by_source.values(), key=len), connection)

    def leave(self, connection: "Connection") -> None:
        """Forget a connection."""
        self.resume(connection)
        own = self._by_source.get(connection.source, {})
        own.pop(connection, None)
        if not own:
            self._by_source.pop(connection.source, None)

    def pause(self, connection: "Connection") -> None:
        """Take note that a client does not read; if too much waits, give one such client up."""
        self._paused[connection] = None
        sizes: dict[str, int] = {}
        for each in self._paused:
            sizes[each.source] = sizes.get(each.source, 0) + each.unsent()
        if sum(sizes.values()) > UNSENT:
            largest = max(sizes, key=sizes.__getitem__)
            next(each for each in self._paused if each.source == largest).end()

    def resume(self, connection: "Connection") -> None:
        """Take note that a client reads again."""
        self._paused.pop(connection, None)

    def _end_one(self, among: dict["Connection", None], newest: "Connection") -> None:
        waiting = (each for each in among if each is not newest and each.waits_for_client())
        ended = next(waiting, newest)
        self.leave(ended)  # at once, so that the next one is not ended in its place again
        ended.end()


class Connection(HttpToolsProtocol):
    """A connection that has limits of time and size, and is one of a limited number."""

    def __init__(self, *args: Any, room: Room, **named: Any) -> None:
        """Take the room that it shares with others."""
        super().__init__(*args, **named)
        self.source, self.is_trusted = "", False
        self._room = room
        self._waiting: TimerHandle | None = None  # for the client to send
        self._reading: TimerHandle | None = None  # for the client to read
        self._state = "idle"  # or what comes next of a request: "header", "body"; or "drain"
        self._now, self._fed, self._given = 0, 0, 0  # bytes: now, of the request, of its body
        self._header = 0  # bytes of its header so far
        self._pieces = 0  # of bodies, now
        self._refusal = 400, ""

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]  # of a socket
        """Take the connection, or end it at once."""
        super().connection_made(transport)
        transport.set_write_buffer_limits(high=UNSENT_EACH)
        address = self.client[0] if self.client else ""  # empty from a Unix socket
        self.source = source_of(address)
        trusted = self.config.forwarded_allow_ips or ()
        self.is_trusted = not address or _is_among(address, trusted)
        self._wait(HEADER_SECONDS)
        self._room.enter(self)

    def data_received(self, data: bytes) -> None:
        """Take what came."""
        if self.transport.is_closing():
            return
        if self._state == "drain":
            self._fed += len(data)
            if self._fed > DRAIN_BYTES:
                self.end()
            return
        is_between = self.cycle is None or self.cycle.response_complete
        if is_between and self._waiting is None:  # uvicorn's own wait ends with the first byte
            self._wait(HEADER_SECONDS)
        self._now, self._pieces = len(data), 0
        self._fed += len(data)
        super().data_received(data)
        if self._state == "header" and self._fed > HEADER_BYTES:
            self._refuse(431, "header too large")
        elif self._state == "body" and self._fed > 2 * HEADER_BYTES + FRAMING * self._given:
            self._refuse(400, "body of little but its framing")

    def on_message_begin(self) -> None:
        """Wait for the header of a request."""
        if len(self.pipeline) >= MOST_AHEAD:
            self._raise(400, "too many requests sent ahead")
        super().on_message_begin()
        self._state, self._fed, self._given, self._header = "header", self._now, 0, 0
        self._wait(HEADER_SECONDS)

    def on_url(self, url: bytes) -> None:
        """Take a part of the address."""
        super().on_url(url)
        if len(self.url) > URL_BYTES:
            self._raise(414, "address too long")

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a line of the header, or one after a body in chunks."""
        super().on_header(name, value)
        self._header += len(name) + len(value) + 4  # ": " and the end of the line
        if self._header + len(self.url) > HEADER_BYTES or len(self.headers) > MOST_HEADERS:
            self._raise(431, "header too large")

    def on_headers_complete(self) -> None:
        """Wait for its body."""
        self._state = "body"
        self._wait(BODY_SECONDS)
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Take a part of the body."""
        self._given += len(body)
        self._pieces += 1
        if self._pieces > MOST_PIECES:
            self._raise(400, "body in too small chunks")
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Wait no more: it is the portal's turn."""
        self._state = "idle"
        self._wait(None)
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """Go on to the next request; if a body is still coming, throw it away first."""
        if self._state == "body" and self.cycle.response_complete:
            self._state, self._fed = "drain", 0
            self._wait(DRAIN_SECONDS)
        super().on_response_complete()

    def send_400_response(self, msg: str) -> None:
        """Say what is wrong with a request, and close."""
        status, words = self._refusal
        words = words or msg
        about = f"content-type: text/plain\r\ncontent-length: {len(words)}\r\nconnection: close"
        self.transport.write(STATUS_LINE[status] + f"{about}\r\n\r\n{words}".encode())
        self.transport.close()

    def pause_writing(self) -> None:
        """Give the client so long to read what lies ready."""
        super().pause_writing()
        self._reading = self.loop.call_later(READ_SECONDS, self.end)
        self._room.pause(self)

    def resume_writing(self) -> None:
        """Go on writing."""
        if self._reading:
            self._reading.cancel()
        self._room.resume(self)
        super().resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget it."""
        self._wait(None)
        if self._reading:
            self._reading.cancel()
        self._room.leave(self)
        super().connection_lost(exc)

    def end(self) -> None:
        """End it at once."""
        self.transport.abort()

    def unsent(self) -> int:
        """Give the bytes that wait for the client to read them."""
        return self.transport.get_write_buffer_size()

    def waits_for_client(self) -> bool:
        """Say whether it is the client's turn to send something."""
        return self._waiting is not None or self.timeout_keep_alive_task is not None

    def _refuse(self, status: int, words: str) -> None:
        self._refusal = status, words
        self.send_400_response(words)

    def _raise(self, status: int, words: str) -> None:
        """Refuse a request while it is parsed, so that no more of it is."""
        self._refusal = status, words
        raise _RefusedError(words)

    def _wait(self, seconds: float | None) -> None:
        """Give the client so long to send the next part; None for as long as it likes."""
        if self._waiting:
            self._waiting.cancel()
        self._waiting = None
        if seconds is not None:
            self._waiting = self.loop.call_later(seconds, self.end)


def _is_among(address: str, trusted: Any) -> bool:
    """Say whether an address is one of some addresses and networks."""
    try:
        return any(ip_address(address) in ip_network(each) for each in trusted)
    except ValueError:  # a name, as uvicorn takes it too
        return address in trusted
