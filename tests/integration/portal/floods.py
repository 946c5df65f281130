"""What a stranger sends to keep a portal from answering others, on loopback and for some seconds.

    python -m tests.integration.portal.floods NAME PORT SECONDS [--path PATH] [--source ADDRESS]

Prints how often what happened, as JSON.
"""

import argparse
import asyncio
import json
import os
import sys
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from urllib.parse import urlencode

PASSWORD = "0123456789abc"  # noqa: S105 - of nobody
TAKES = 65536
YIELDS = 19
"""Niceness of a flood, which shares processors with the portal here: one from elsewhere would take
none from it."""


@dataclass
class Flood:
    """One source of requests.

    Args:
        port: Of the portal.
        path: Of a large page, or of a stream.
        source: Address that it comes from.
    """

    port: int
    path: str = "/sign-in"
    source: str = "127.0.0.1"
    ends: Counter[str] = field(default_factory=Counter)
    numbers: "count[int]" = field(default_factory=count)

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Open a connection."""
        at = (self.source, 0)
        return await asyncio.open_connection("127.0.0.1", self.port, local_addr=at)

    async def again_and_again(self, act: Callable[[], Awaitable[None]]) -> None:
        """Do something on a connection until it ends, and again on another."""
        while True:
            try:
                await act()
            except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError) as error:
                self.ends[type(error).__name__] += 1
                await asyncio.sleep(0.05)

    async def forms(self, path: str, make: Callable[[int], Mapping[str, str]]) -> None:
        """Send forms on one connection, one after the other."""
        await self.posts(path, lambda number: urlencode(make(number)).encode())

    async def posts(
        self, path: str, make: Callable[[int], bytes], kind: str = "x-www-form-urlencoded"
    ) -> None:
        """Send bodies on one connection, one after the other."""
        reader, writer = await self.connect()
        about = "application/" + kind if "/" not in kind else kind
        try:
            while True:
                body = make(next(self.numbers))
                head = (
                    f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n"
                    f"Sec-Fetch-Site: same-origin\r\nContent-Type: {about}\r\n"
                    f"Content-Length: {len(body)}\r\n\r\n"
                )
                writer.write(head.encode() + body)
                await self.answer(reader)
        finally:
            writer.close()

    async def gets(self) -> None:
        """Ask for a page on one connection, again and again."""
        reader, writer = await self.connect()
        try:
            while True:
                writer.write(self.get())
                await self.answer(reader)
        finally:
            writer.close()

    def get(self) -> bytes:
        """Give a request for the page."""
        return f"GET {self.path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n\r\n".encode()

    async def answer(self, reader: asyncio.StreamReader) -> None:
        """Read an answer of stated length."""
        head = await reader.readuntil(b"\r\n\r\n")
        self.ends[head[9:12].decode()] += 1
        length = head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0]
        await reader.readexactly(int(length or 0))

    async def half(self, first: bytes, more: bytes = b"", every: float = 5.0) -> None:
        """Send the first part of a request, and little more."""
        reader, writer = await self.connect()
        try:
            writer.write(first)
            self.ends["begun"] += 1
            while not reader.at_eof():
                with suppress(TimeoutError):
                    async with asyncio.timeout(every):
                        if not await reader.read(TAKES):
                            return
                writer.write(more)
                await writer.drain()
        finally:
            writer.close()

    async def endless(self, first: bytes, more: bytes) -> None:
        """Send a request that does not end, as quickly as it is taken."""
        _, writer = await self.connect()
        self.ends["begun"] += 1
        try:
            writer.write(first)
            while True:
                writer.write(more)
                await writer.drain()
        finally:
            writer.close()

    async def unread(self) -> None:
        """Ask for a page, and read nothing of it."""
        reader, writer = await self.connect()
        transport = writer.transport
        transport.get_extra_info("socket").setsockopt(1, 8, 4096)  # the least room to receive
        transport.pause_reading()  # type: ignore[attr-defined]  # of a socket
        self.ends["begun"] += 1
        try:
            writer.write(self.get() * 4)
            await asyncio.sleep(20)
            transport.resume_reading()  # type: ignore[attr-defined]  # likewise
            while await reader.read(TAKES):
                pass
        finally:
            writer.close()


POST = b"POST /sign-in HTTP/1.1\r\nHost: x\r\nSec-Fetch-Site: same-origin\r\nContent-Type: "
FORM = POST + b"application/x-www-form-urlencoded\r\n"
CHUNKED = FORM + b"Transfer-Encoding: chunked\r\n\r\n"
PARTS = b'--x\r\ncontent-disposition: form-data; name="a"\r\n\r\nb\r\n' * 150 + b"--x--\r\n"


def code(number: int) -> Mapping[str, str]:
    """Fill in a link's form with a code that is none."""
    return {"code": f"x{number}", "password": PASSWORD, "login": "q", "name": "q"}


def nobody(number: int) -> Mapping[str, str]:
    """Sign in as nobody there is."""
    return {"login": f"nobody{number}@example.org", "password": PASSWORD}


def somebody(number: int) -> Mapping[str, str]:
    """Sign in as somebody of a crowd."""
    return {"login": f"p{number % 300:03d}", "password": PASSWORD}


FIELDS = b"&".join([b"a=b"] * 1900)
HEADER = b"GET / HTTP/1.1\r\nX: "
LATE = FORM + b"Content-Length: 7900\r\n\r\n" + b"a" * 7000
MULTIPART = "multipart/form-data; boundary=x"
KINDS: Mapping[str, tuple[int, Callable[[Flood], Awaitable[None]]]] = {
    "links": (100, lambda flood: flood.forms("/reset", code)),
    "set-up": (100, lambda flood: flood.forms("/set-up", code)),
    "invites": (100, lambda flood: flood.forms("/join", code)),
    "sign-in of nobody": (100, lambda flood: flood.forms("/sign-in", nobody)),
    "sign-in of a class": (100, lambda flood: flood.forms("/sign-in", somebody)),
    "many parts": (50, lambda flood: flood.posts("/sign-in", lambda _: PARTS, MULTIPART)),
    "many fields": (50, lambda flood: flood.posts("/sign-in", lambda _: FIELDS)),
    "pages": (100, Flood.gets),
    "half headers": (800, lambda flood: flood.half(HEADER + b"y" * 15_000, b"y")),
    "half bodies": (800, lambda flood: flood.half(LATE, b"a")),
    "endless headers": (50, lambda flood: flood.endless(HEADER, b"y" * TAKES)),
    "endless lines": (50, lambda flood: flood.endless(HEADER[:-3], b"X: y\r\n" * 9000)),
    "endless address": (50, lambda flood: flood.endless(b"GET /", b"y" * TAKES)),
    "small chunks": (50, lambda flood: flood.endless(CHUNKED, b"1\r\na\r\n" * 9000)),
    "endless end": (50, lambda flood: flood.endless(CHUNKED + b"0\r\nX: ", b"y" * TAKES)),
    "requests ahead": (50, lambda flood: flood.endless(b"", flood.get() * 1000)),
    "unread pages": (400, Flood.unread),
    "streams": (900, lambda flood: flood.half(flood.get())),
    "connections": (900, lambda flood: flood.half(b"")),
}
"""Each kind: its number of connections, and what happens on each again and again."""


async def run(kind: str, flood: Flood, seconds: float) -> Counter[str]:
    """Send a flood for some seconds; count what happened."""
    many, act = KINDS[kind]
    tasks = []
    for number in range(many):
        tasks.append(asyncio.create_task(flood.again_and_again(lambda: act(flood))))
        if number % 20 == 0:
            await asyncio.sleep(0)
    await asyncio.sleep(seconds)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return flood.ends


def main() -> None:
    """Send a flood."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("port", type=int)
    parser.add_argument("seconds", type=float)
    parser.add_argument("--path", default="/sign-in")
    parser.add_argument("--source", default="127.0.0.1")
    given = parser.parse_args()
    os.nice(YIELDS)
    flood = Flood(given.port, given.path, given.source)
    sys.stdout.write(json.dumps(asyncio.run(run(given.kind, flood, given.seconds))))


if __name__ == "__main__":
    main()
