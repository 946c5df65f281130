"""Connections that are too many or too slow are ended, so that nobody keeps others out.

uvicorn waits for a request for ever, and for whoever reads its answer too; it ends idle connections
between requests itself. A proxy that is trusted may have any number: it passes on everybody.
"""

import resource
from asyncio import TimerHandle, Transport
from ipaddress import ip_address, ip_network
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEADER_SECONDS = 15.0
"""That a client has for all of a request's header, and before it begins one."""
BODY_SECONDS = 120.0
"""And for the body after it: 1.1 MB at 9 kB/s."""
READ_SECONDS = 60.0
"""In which a client takes what lies ready for it, 64 kB at most, before it is given up."""
MOST_EACH = 2000
"""Connections of one address: a class may sit behind one."""
RESERVE = 200
"""Descriptors that are kept for files and for proxies."""


class Connection(HttpToolsProtocol):
    """A connection that has limits of time, and is one of a limited number."""

    _waiting: TimerHandle | None = None  # for the client to send
    _reading: TimerHandle | None = None  # for the client to read

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]  # of a socket
        """Take the connection, or end it at once."""
        super().connection_made(transport)
        if self._is_one_too_many():
            transport.abort()
        else:
            self._wait(HEADER_SECONDS)

    def data_received(self, data: bytes) -> None:
        """Take what came."""
        is_between = self.cycle is None or self.cycle.response_complete
        if is_between and self._waiting is None:  # uvicorn's own wait ends with the first byte
            self._wait(HEADER_SECONDS)
        super().data_received(data)

    def on_message_begin(self) -> None:
        """Wait for the header of a request."""
        super().on_message_begin()
        self._wait(HEADER_SECONDS)

    def on_headers_complete(self) -> None:
        """Wait for its body."""
        self._wait(BODY_SECONDS)
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Wait no more: it is the portal's turn."""
        self._wait(None)
        super().on_message_complete()

    def pause_writing(self) -> None:
        """Give the client so long to read what lies ready."""
        super().pause_writing()
        self._reading = self.loop.call_later(READ_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        """Go on writing."""
        if self._reading:
            self._reading.cancel()
        super().resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget it."""
        self._wait(None)
        super().connection_lost(exc)

    def _wait(self, seconds: float | None) -> None:
        """Give the client so long to send the next part; None for as long as it likes."""
        if self._waiting:
            self._waiting.cancel()
        self._waiting = None
        if seconds is not None:
            self._waiting = self.loop.call_later(seconds, self.transport.abort)

    def _is_one_too_many(self) -> bool:
        """Say whether there is no room for this connection, which is counted already."""
        address = _address(self)
        if address is None or _is_among(address, self.config.forwarded_allow_ips or ()):
            return False
        room = resource.getrlimit(resource.RLIMIT_NOFILE)[0] - RESERVE
        if len(self.connections) > room:
            return True
        own = sum(_address(each) == address for each in self.connections)
        return own > min(MOST_EACH, room // 2)


def _address(connection: Any) -> str | None:
    """Give where a connection comes from; None from a Unix socket."""
    return connection.client[0] if connection.client else None


def _is_among(address: str, trusted: Any) -> bool:
    """Say whether an address is one of some addresses and networks."""
    try:
        return any(ip_address(address) in ip_network(each) for each in trusted)
    except ValueError:  # a name, as uvicorn takes it too
        return address in trusted
