"""Frames of boards as events, for browsers that stay.

One watcher for all of a process looks at the database's counter of changes, and wakes everybody by
an event that is replaced at every change; each then sends the latest frame of its board, so nobody
has a queue. What an event is numbered by is the board's version for its audience. A frame is made
and compressed once for all who wait for it.
"""

import asyncio
import json
import zlib
from collections import Counter
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field

from tourney.event.store import Database
from tourney.portal import boards
from tourney.portal.boards import Audience

LOOK_EVERY = 0.25
"""Seconds between two looks."""
KEEP_ALIVE = 15.0
"""Seconds after which a stream without news says that it is there."""
MOST_EACH = 6
"""Streams of one account, which has as many tabs before a browser makes others wait."""
MOST = 1000
"""Streams of all together."""

Frame = Callable[[], tuple[int, str]]
"""Makes what is sent of a board as it is now: its version, and text without line ends."""

GZIP = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
"""What a stream of gzip begins with (RFC 1952, 2.3): no name, no time, of no system."""


def packed(text: bytes) -> bytes:
    """Compress a piece of a stream so that it stands after any other: it looks back at none, and
    ends at a byte (RFC 1951, 3.2.4).
    """
    press = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return press.compress(text) + press.flush(zlib.Z_FULL_FLUSH)


@dataclass(frozen=True, slots=True)
class _Sent:
    """A frame as it goes out."""

    version: int
    plain: bytes
    packed: bytes


@dataclass(slots=True)
class Watcher:
    """Looks for new versions of boards as long as anybody waits for one."""

    database: Database
    streams: Counter[object] = field(default_factory=Counter)  # by whose they are
    _changed: asyncio.Event = field(default_factory=asyncio.Event)
    _versions: dict[tuple[int, str], int] = field(default_factory=dict)
    _frames: dict[tuple[int, str], _Sent] = field(default_factory=dict)
    _task: asyncio.Task[None] | None = None

    def has_room(self, whose: object) -> bool:
        """Say whether somebody may have one more stream; all who are not signed in are one."""
        is_many = whose is not None and self.streams[whose] >= MOST_EACH
        return not is_many and self.streams.total() < MOST

    async def events(
        self, run: int, audience: Audience, frame: Frame, whose: object, *, is_packed: bool = False
    ) -> AsyncIterator[bytes]:
        """Give the frame of a board now, and again whenever there is another version of it.

        Args:
            run: Its number in the portal.
            audience: Whose board.
            frame: Makes what is sent.
            whose: Account.
            is_packed: Whether to give one stream of gzip.
        """
        self.streams[whose] += 1
        try:
            self._begin()
            sent = 0
            pack = packed if is_packed else bytes
            if is_packed:
                yield GZIP
            while True:
                changed = self._changed  # before looking, so that nothing falls in between
                version = self._versions.get((run, audience), 0)
                if version > sent:
                    event = self._event(run, audience, frame)
                    yield event.packed if is_packed else event.plain
                    sent = version
                elif not sent and not version:
                    yield pack(b": nothing yet\n\n")
                    sent = -1
                try:
                    await asyncio.wait_for(changed.wait(), KEEP_ALIVE)
                except TimeoutError:
                    yield pack(b": still here\n\n")
        finally:
            self.streams[whose] -= 1
            self._end()

    def _event(self, run: int, audience: Audience, frame: Frame) -> _Sent:
        """Give the latest frame of a board, which is made once for all who wait for it."""
        key = (run, audience)
        sent = self._frames.get(key)
        if sent is None or sent.version != self._versions[key]:
            version, text = frame()
            event = f"id: {version}\nevent: board\ndata: {text}\n\n".encode()
            sent = self._frames[key] = _Sent(version, event, packed(event))
        return sent

    def _begin(self) -> None:
        if self._task is None or self._task.done():
            self._versions = boards.versions(self.database)
            self._task = asyncio.create_task(self._watch())

    def _end(self) -> None:
        if self._task and not self.streams.total():
            self._task.cancel()
            self._task = None

    async def _watch(self) -> None:
        last = None
        while True:
            there = self.database.first("PRAGMA data_version")
            if there != last:
                last, found = there, boards.versions(self.database)
                if found != self._versions:
                    self._versions = found
                    changed, self._changed = self._changed, asyncio.Event()
                    changed.set()
            await asyncio.sleep(LOOK_EVERY)


def line_of(**told: object) -> str:
    """Give JSON in one line."""
    return json.dumps(told, ensure_ascii=False)
