"""Limits on connections: number, time and size, so that a few clients cannot exclude others.

uvicorn waits without a limit for a request, reads headers of any size and accepts any number of
requests that a client sends ahead. It ends idle connections between requests itself. A trusted
proxy passes on all clients and may use all connections.
"""

import resource
from asyncio import TimerHandle, Transport
from dataclasses import dataclass, field
from ipaddress import ip_address, ip_network
from typing import Any

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from tourney.portal.guesses import source_of

HEADER_SECONDS = 15.0
"""Time limit for a request's header, and for its start."""
BODY_SECONDS = 120.0
"""Time limit for the body after it: 1.1 MB at 9 kB/s."""
READ_SECONDS = 60.0
"""Time limit for a client to read the data that is ready for it."""
DRAIN_SECONDS, DRAIN_BYTES = 5.0, 8_000_000
"""Limits for reading and discarding the rest of a body after the answer was sent: the client reads
the answer afterwards, and sends its next request after the body.
"""
MOST, MOST_EACH = 2000, 1000
"""Connections in all, and of one source; a class may share one address."""
RESERVE = 200
"""File descriptors reserved for files."""
URL_BYTES, HEADER_BYTES, MOST_HEADERS = 8_192, 16_384, 100
"""Limits of a request: its first line, its whole header, and its header lines."""
FRAMING = 6
"""Largest overhead per byte of a chunked body: chunks of one byte."""
MOST_PIECES = 1000
"""Chunks of a body that are read together (256 kB; normal clients send 64 chunks in that)."""
DRAIN_PIECE = 256
"""Smallest mean size in bytes of a discarded body's pieces, after the first `MOST_PIECES`."""
MOST_AHEAD = 8
"""Requests that a client may send before the answer to an earlier one."""
UNSENT_EACH, UNSENT = 16_384, 32_000_000
"""Unread bytes: of one client before its answer pauses, and of all paused clients."""


class _RefusedError(Exception):
    """A request exceeds the limits of the portal."""


@dataclass(slots=True)
class Room:
    """The connections of a process by source, oldest first.

    Args:
        most: Limit in all; `None` for the smaller of `MOST` and the process's file descriptors.
    """

    most: int | None = None
    _by_source: dict[str, dict["Connection", None]] = field(default_factory=dict)
    _paused: dict["Connection", None] = field(default_factory=dict)  # whose clients do not read

    def __post_init__(self) -> None:
        """Count file descriptors."""
        if self.most is None:
            self.most = min(MOST, resource.getrlimit(resource.RLIMIT_NOFILE)[0] - RESERVE)

    def enter(self, connection: "Connection") -> None:
        """Add a connection; if there are too many, end one that waits for its client.

        That is the oldest of the same source if it has too many, else of the largest source.
        """
        assert self.most is not None
        own = self._by_source.setdefault(connection.source, {})
        own[connection] = None
        if len(own) > min(MOST_EACH, self.most // 2) and not connection.is_trusted:
            self._end_one(own, connection)
        elif sum(map(len, self._by_source.values())) > self.most:
            self._end_one(max(self._by_source.values(), key=len), connection)

    def leave(self, connection: "Connection") -> None:
        """Remove a connection."""
        self.resume(connection)
        own = self._by_source.get(connection.source, {})
        own.pop(connection, None)
        if not own:
            self._by_source.pop(connection.source, None)

    def pause(self, connection: "Connection") -> None:
        """Record that a client does not read; if too many bytes wait, end one such connection."""
        self._paused[connection] = None
        sizes: dict[str, int] = {}
        for each in self._paused:
            sizes[each.source] = sizes.get(each.source, 0) + each.unsent()
        if sum(sizes.values()) > UNSENT:
            largest = max(sizes, key=sizes.__getitem__)
            next(each for each in self._paused if each.source == largest).end()

    def resume(self, connection: "Connection") -> None:
        """Record that a client reads again."""
        self._paused.pop(connection, None)

    def _end_one(self, among: dict["Connection", None], newest: "Connection") -> None:
        waiting = (each for each in among if each is not newest and each.waits_for_client())
        ended = next(waiting, newest)
        self.leave(ended)  # immediately, so that no other connection is ended as well
        ended.end()


class Connection(HttpToolsProtocol):
    """A connection with limits of time and size, counted in a room."""

    def __init__(self, *args: Any, room: Room, **named: Any) -> None:
        """Store the room."""
        super().__init__(*args, **named)
        self.source, self.is_trusted = "", False
        self._room = room
        self._waiting: TimerHandle | None = None  # until the client sends
        self._reading: TimerHandle | None = None  # until the client reads
        self._state = "idle"  # or the next part of a request, "header" or "body"; or "drain"
        # Bytes: received now, of the request, of its body.
        self._now, self._fed, self._given = 0, 0, 0
        self._header = 0  # bytes of its header so far
        self._pieces = 0  # of bodies, in this call; or of the discarded body
        self._refusal = 400, ""

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]  # of a socket
        """Accept the connection, or end it immediately."""
        super().connection_made(transport)
        transport.set_write_buffer_limits(high=UNSENT_EACH)
        address = self.client[0] if self.client else ""  # empty from a Unix socket
        self.source = source_of(address)
        trusted = self.config.forwarded_allow_ips or ()
        self.is_trusted = not address or _is_among(address, trusted)
        self._wait(HEADER_SECONDS)
        self._room.enter(self)

    def data_received(self, data: bytes) -> None:
        """Process received data."""
        if self.transport.is_closing():
            return
        is_drained = self._state == "drain"
        if is_drained and self._fed + len(data) > DRAIN_BYTES:
            self.end()
            return
        is_between = self.cycle is None or self.cycle.response_complete
        if is_between and self._waiting is None:  # uvicorn's own wait ends with the first byte
            self._wait(HEADER_SECONDS)
        self._now, self._pieces = len(data), self._pieces if is_drained else 0
        self._fed += len(data)
        super().data_received(data)
        if self._state == "header" and self._fed > HEADER_BYTES:
            self._refuse(431, "header too large")
        elif self._state == "body" and self._fed > 2 * HEADER_BYTES + FRAMING * self._given:
            self._refuse(400, "body with too much framing")

    def on_message_begin(self) -> None:
        """Start the time limit for the header."""
        if len(self.pipeline) >= MOST_AHEAD:
            self._raise(400, "too many requests sent ahead")
        super().on_message_begin()
        self._state, self._fed, self._given, self._header = "header", self._now, 0, 0
        self._wait(HEADER_SECONDS)

    def on_url(self, url: bytes) -> None:
        """Count a part of the address."""
        super().on_url(url)
        if len(self.url) > URL_BYTES:
            self._raise(414, "address too long")

    def on_header(self, name: bytes, value: bytes) -> None:
        """Count a line of the header, or a trailer of a chunked body."""
        super().on_header(name, value)
        self._header += len(name) + len(value) + 4  # ": " and the end of the line
        if self._header + len(self.url) > HEADER_BYTES or len(self.headers) > MOST_HEADERS:
            self._raise(431, "header too large")

    def on_headers_complete(self) -> None:
        """Start the time limit for the body."""
        self._state = "body"
        self._wait(BODY_SECONDS)
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Count a part of the body."""
        self._given += len(body)
        self._pieces += 1
        more = self._given // DRAIN_PIECE if self._state == "drain" else 0
        if self._pieces > MOST_PIECES + more:
            self._raise(400, "body in too small chunks")
        super().on_body(body)

    def on_message_complete(self) -> None:
        """End the time limit: the portal answers now, or has answered and waits for a request."""
        is_drained = self._state == "drain"
        self._wait(HEADER_SECONDS if is_drained else None)
        self._state, self._pieces = "idle", 0 if is_drained else self._pieces
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """Continue with the next request; first discard the rest of the body."""
        if self._state == "body" and self.cycle.response_complete:
            self._state, self._fed, self._given, self._pieces = "drain", 0, 0, 0
            self._wait(DRAIN_SECONDS)
        super().on_response_complete()

    def send_400_response(self, msg: str) -> None:
        """Answer an invalid request, and close; a request that has its answer gets no second."""
        if self._state == "drain":
            self.end()
            return
        status, words = self._refusal
        words = words or msg
        about = f"content-type: text/plain\r\ncontent-length: {len(words)}\r\nconnection: close"
        self.transport.write(STATUS_LINE[status] + f"{about}\r\n\r\n{words}".encode())
        self.transport.close()

    def pause_writing(self) -> None:
        """Start the time limit for the client's reading."""
        super().pause_writing()
        self._reading = self.loop.call_later(READ_SECONDS, self.end)
        self._room.pause(self)

    def resume_writing(self) -> None:
        """Continue writing."""
        if self._reading:
            self._reading.cancel()
        self._room.resume(self)
        super().resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        """Remove the connection from the room."""
        self._wait(None)
        if self._reading:
            self._reading.cancel()
        self._room.leave(self)
        super().connection_lost(exc)

    def end(self) -> None:
        """End the connection immediately."""
        self.transport.abort()

    def unsent(self) -> int:
        """Give the number of bytes that the client has not read."""
        return self.transport.get_write_buffer_size()

    def waits_for_client(self) -> bool:
        """Whether the client has to send something next."""
        return self._waiting is not None or self.timeout_keep_alive_task is not None

    def _refuse(self, status: int, words: str) -> None:
        self._refusal = status, words
        self.send_400_response(words)

    def _raise(self, status: int, words: str) -> None:
        """Reject a request during parsing, so that the rest is not parsed."""
        self._refusal = status, words
        raise _RefusedError(words)

    def _wait(self, seconds: float | None) -> None:
        """Set the time limit for the client's next part; `None` for no limit."""
        if self._waiting:
            self._waiting.cancel()
        self._waiting = None
        if seconds is not None:
            self._waiting = self.loop.call_later(seconds, self.end)


def _is_among(address: str, trusted: Any) -> bool:
    """Give whether an address is in a list of addresses and networks."""
    try:
        return any(ip_address(address) in ip_network(each) for each in trusted)
    except ValueError:  # a name, which uvicorn accepts too
        return address in trusted
