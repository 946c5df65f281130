"""Frames of boards, and how far jobs are, as events for browsers that stay.

One watcher for all of a process looks at the database's counter of changes, and wakes everybody by
an event that is replaced at every change; each then sends the latest there is, so nobody has a
queue. What an event of a board is numbered by is the board's version for its audience. A frame is
made and compressed once for all who wait for it.
"""

import asyncio
import json
import logging
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
from tourney.portal.job_progress import Progress, progress_of
from tourney.sqlite.database import Database

LOOK_EVERY = 0.25
"""Seconds between two looks."""
KEEP_ALIVE = 15.0
"""Seconds after which a stream without news says that it is there."""
MOST_EACH = 4
"""Streams of one account: a browser opens six connections to a host, and pages need some. The
oldest stay; whoever gets none looks again by itself, and two tabs do not drive each other out."""
MOST = 1000
"""Streams of all together."""
MOST_OF_SOURCE, MOST_OF_STRANGERS = 300, 400
"""Streams of people who are not signed in: from one source, where a class may sit, and in all."""
SOON = 15
"""Seconds after which who got none may ask again."""

STILL, NOTHING = ": still here\n\n", ": nothing yet\n\n"

GZIP = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
"""What a stream of gzip begins with (RFC 1952, 2.3): no name, no time, of no system."""

Frame = Callable[[], tuple[int, str]]
"""Makes what is sent of a board as it is now: its version, and text without line ends."""
Seen = TypeVar("Seen")
log = logging.getLogger("tourney.portal")


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
    """Looks for what is new of boards and jobs as long as anybody waits for it."""

    database: Database
    streams: Counter[int | str] = field(default_factory=Counter)  # by account or by source
    _changed: asyncio.Event = field(default_factory=asyncio.Event)
    _versions: dict[tuple[int, str], int] = field(default_factory=dict)
    _frames: dict[tuple[int, str], _Sent] = field(default_factory=dict)
    _jobs: Counter[int] = field(default_factory=Counter)  # by how many streams wait for each
    _progress: Mapping[int, Progress] = field(default_factory=dict)
    _task: asyncio.Task[None] | None = None

    def has_room(self, whose: int | str) -> bool:
        """Say whether an account, or a source of strangers, may have one more stream."""
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
        is_packed: bool = False,
    ) -> AsyncIterator[bytes]:
        """Give the frame of a board now, and again whenever there is another version of it.

        Args:
            run: Its number in the portal.
            audience: Whose board.
            frame: Makes what is sent.
            whose: Account, or source of strangers.
            is_packed: Whether to give one stream of gzip.
        """
        key, pack = (run, audience), packed if is_packed else bytes
        if is_packed:
            yield GZIP
        async with aclosing(self._follow(whose, lambda: self._versions.get(key, 0))) as seen:
            async for version in seen:
                if version:
                    event = self._event(key, frame)
                    yield event.packed if is_packed else event.plain
                else:
                    yield pack((STILL if version is None else NOTHING).encode())

    async def progress(
        self, number: int, whose: int | str
    ) -> AsyncGenerator[Progress | None, None]:
        """Give how far a job is now, and again whenever it is further, until it is over.

        Args:
            number: Of the job.
            whose: Account, or source of strangers.
        Returns: None in between, where nothing has changed for long.
        """
        self._jobs[number] += 1
        try:
            if self._jobs[number] == 1:  # nobody has looked for it
                self._progress = {**self._progress, **progress_of(self.database, [number])}
            async with aclosing(self._follow(whose, lambda: self._progress.get(number))) as seen:
                async for progress in seen:
                    yield progress
                    if progress and progress.job.is_over:
                        return
        finally:
            self._jobs[number] -= 1
            self._jobs += Counter()  # those that nobody waits for leave

    async def _follow(
        self, whose: int | str, look: Callable[[], Seen]
    ) -> AsyncGenerator[Seen | None, None]:
        """Give what is seen now, and again whenever it is another; None where that takes long."""
        if not self.has_room(whose):  # any more: it asks again, and is told so
            yield None
            return
        self.streams[whose] += 1
        try:
            self._begin()
            sent = None
            while True:
                changed = self._changed  # before looking, so that nothing falls in between
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
        """Give the latest frame of a board, which is made once for all who wait for it."""
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
            except StoreError:  # the next look may find it
                log.exception("what is new could not be read")
            await asyncio.sleep(LOOK_EVERY)

    def _look(self) -> None:
        """Read what anybody waits for, and wake all if there is news."""
        versions, progress = boards.versions(self.database), self._progress
        if self._jobs:
            progress = progress_of(self.database, self._jobs)
        if (versions, progress) != (self._versions, self._progress):
            self._versions, self._progress = versions, progress
            changed, self._changed = self._changed, asyncio.Event()
            changed.set()


_CHANGES = "SELECT data_version, total_changes() FROM pragma_data_version"
"""Of all others, and by this process itself."""


def stream_of(
    watcher: Watcher,
    whose: int | str,
    events: AsyncIterator[str] | AsyncIterator[bytes],
    *,
    is_packed: bool = False,
) -> Response:
    """Answer with events, if there is room for one more stream of somebody."""
    if not watcher.has_room(whose):
        words = "too many open streams: close a tab, or look again later"
        return Response(words, 429, {"retry-after": str(SOON)})
    headers = {"x-accel-buffering": "no", "vary": "Accept-Encoding"}  # the first is of proxies
    if is_packed:
        headers["content-encoding"] = "gzip"
    return StreamingResponse(events, media_type="text/event-stream", headers=headers)


def line_of(**told: object) -> str:
    """Give JSON in one line."""
    return json.dumps(told, ensure_ascii=False)
