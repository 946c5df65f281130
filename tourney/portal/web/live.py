"""Server-sent events: frames of boards, and the progress of jobs.

One watcher per process polls the database's change counter and wakes all streams through an event
that is replaced at every change. Each stream then sends the latest state, so streams have no
queues. The number of a board's event is the board's version for its audience. A frame is made and
compressed once for all streams.
"""

import asyncio
import json
import logging
import random
import time
import zlib
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import TypeVar

from starlette.responses import Response, StreamingResponse

from tourney.errors import StoreError
from tourney.portal import boards
from tourney.portal.boards import Audience
from tourney.portal.jobs import Progress, progress_of
from tourney.sqlite.database import Database

LOOK_EVERY = 0.25
"""Seconds between two polls."""
KEEP_ALIVE = 15.0
"""Seconds after which an idle stream sends a keep-alive."""
PERMITTED_SECONDS = 15.0
"""Longest time that a stream runs on after its reader has lost the permission."""
MOST_EACH = 4
"""Streams of one account: a browser opens six connections to a host, and pages need some. The
oldest streams stay and others reload instead, so two tabs do not end each other's streams.
"""
MOST = 1000
"""Streams in all."""
MOST_OF_SOURCE, MOST_OF_STRANGERS = 300, 400
"""Streams without a session: from one source (perhaps a class), and in all."""
SOON = 15
"""Seconds after which a rejected client may try again."""

STILL, NOTHING = ": still here\n\n", ": nothing yet\n\n"

GZIP = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
"""The header of a gzip stream (RFC 1952, 2.3): no name, no time, no system."""

Frame = Callable[[], tuple[int, str]]
"""Makes the current frame of a board: its version, and text without line ends."""
Permission = Callable[[], bool]
"""Gives whether the reader of a stream may still read it."""
Seen = TypeVar("Seen")
log = logging.getLogger("tourney.portal")


def packed(text: bytes) -> bytes:
    """Compress a piece of a stream so that it can follow any other.

    It has no back references and ends at a byte (RFC 1951, 3.2.4).
    """
    press = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return press.compress(text) + press.flush(zlib.Z_FULL_FLUSH)


@dataclass(frozen=True, slots=True)
class _Sent:
    """A frame, ready to send."""

    version: int
    plain: bytes
    packed: bytes


@dataclass(slots=True)
class Watcher:
    """Polls for changes of boards and jobs while any stream waits."""

    database: Database
    streams: Counter[int | str] = field(default_factory=Counter)  # by account or by source
    _changed: asyncio.Event = field(default_factory=asyncio.Event)
    _versions: dict[tuple[int, str], int] = field(default_factory=dict)
    _frames: dict[tuple[int, str], _Sent] = field(default_factory=dict)
    _jobs: Counter[int] = field(default_factory=Counter)  # number of streams for each job
    _progress: Mapping[int, Progress] = field(default_factory=dict)
    _task: asyncio.Task[None] | None = None

    def has_room(self, whose: int | str) -> bool:
        """Give whether an account, or a source of strangers, may open another stream."""
        is_stranger = isinstance(whose, str)
        if self.streams[whose] >= (MOST_OF_SOURCE if is_stranger else MOST_EACH):
            return False
        of_strangers = sum(count for key, count in self.streams.items() if isinstance(key, str))
        if is_stranger and of_strangers >= MOST_OF_STRANGERS:
            return False
        return self.streams.total() < MOST

    async def events(
        self,
        run: int,
        audience: Audience,
        frame: Frame,
        whose: int | str,
        *,
        may_read: Permission = lambda: True,
        is_packed: bool = False,
    ) -> AsyncIterator[bytes]:
        """Give the frame of a board now, and after each change of its version.

        Args:
            run: Its number in the portal.
            audience: The audience of the board.
            frame: Makes the frame.
            whose: Account, or source of strangers.
            may_read: Ends the stream when it gives False.
            is_packed: Whether to give one stream of gzip.
        """
        key, pack = (run, audience), packed if is_packed else bytes
        if is_packed:
            yield GZIP
        events = self._follow(whose, lambda: self._versions.get(key, 0), may_read)
        async with aclosing(events) as seen:
            async for version in seen:
                if version:
                    event = self._event(key, frame)
                    yield event.packed if is_packed else event.plain
                else:
                    yield pack((STILL if version is None else NOTHING).encode())

    async def progress(
        self, number: int, whose: int | str, may_read: Permission = lambda: True
    ) -> AsyncGenerator[Progress | None, None]:
        """Give the progress of a job now and after each change, until it is over.

        Args:
            number: Of the job.
            whose: Account, or source of strangers.
            may_read: Ends the stream when it gives False.
        Returns: `None` in between, after a long time without a change.
        """
        self._jobs[number] += 1
        try:
            if self._jobs[number] == 1:  # the first stream for this job
                self._progress = {**self._progress, **progress_of(self.database, [number])}
            events = self._follow(whose, lambda: self._progress.get(number), may_read)
            async with aclosing(events) as seen:
                async for progress in seen:
                    yield progress
                    if progress and progress.job.is_over:
                        return
        finally:
            self._jobs[number] -= 1
            self._jobs += Counter()  # removes jobs without streams

    async def _follow(
        self, whose: int | str, look: Callable[[], Seen], may_read: Permission
    ) -> AsyncGenerator[Seen | None, None]:
        """Give the state now and after each change; `None` after a long time without one.

        Several seconds pass between two looks at the permission, since each reads the database:
        chance spreads those of a class, whose streams begin together and wake together.
        """
        if not self.has_room(whose):  # the client tries again later
            yield None
            return
        self.streams[whose] += 1
        try:
            self._begin()
            sent, permitted = None, _next_permission()
            while True:
                if time.monotonic() >= permitted:
                    if not may_read():  # the client asks again, and is rejected
                        return
                    permitted = _next_permission()
                changed = self._changed  # before reading, so that no change is missed
                seen = look()
                if seen != sent:
                    yield seen
                    sent = seen
                try:
                    await asyncio.wait_for(changed.wait(), KEEP_ALIVE)
                except TimeoutError:
                    yield None
        finally:
            self.streams[whose] -= 1
            if not self.streams[whose]:
                del self.streams[whose]
            self._end()

    def _event(self, key: tuple[int, str], frame: Frame) -> _Sent:
        """Give the latest frame of a board, made once for all streams."""
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
            try:
                there = self.database.first(_CHANGES)
                if there != last:
                    self._look()
                    last = there
            except StoreError:  # the next poll may succeed
                log.exception("changes could not be read")
            await asyncio.sleep(LOOK_EVERY)

    def _look(self) -> None:
        """Poll the database, and wake all streams after a change."""
        versions, progress = boards.versions(self.database), self._progress
        if self._jobs:
            progress = progress_of(self.database, self._jobs)
        if (versions, progress) != (self._versions, self._progress):
            self._versions, self._progress = versions, progress
            changed, self._changed = self._changed, asyncio.Event()
            changed.set()


def _next_permission() -> float:
    return time.monotonic() + PERMITTED_SECONDS * random.uniform(0.3, 1.0)  # noqa: S311 - of load


_CHANGES = "SELECT data_version, total_changes() FROM pragma_data_version"
"""Change counters: of other connections, and of this one."""


def stream_of(
    watcher: Watcher,
    whose: int | str,
    events: AsyncIterator[str] | AsyncIterator[bytes],
    *,
    is_packed: bool = False,
) -> Response:
    """Answer with an event stream, if the account or source may open another one."""
    if not watcher.has_room(whose):
        words = "too many open streams: close a tab, or try again later"
        return Response(words, 429, {"retry-after": str(SOON)})
    headers = {"x-accel-buffering": "no", "vary": "Accept-Encoding"}  # the first is for proxies
    if is_packed:
        headers["content-encoding"] = "gzip"
    return StreamingResponse(events, media_type="text/event-stream", headers=headers)


def line_of(**told: object) -> str:
    """Give JSON in one line."""
    return json.dumps(told, ensure_ascii=False)
