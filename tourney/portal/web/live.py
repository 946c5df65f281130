"""Frames of boards as events, for browsers that stay.

One watcher for all of a process looks at the database's counter of changes, and wakes everybody by
an event that is replaced at every change; each then sends the latest frame of its board, so nobody
has a queue. What an event is numbered by is the board's version for its audience.
"""

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field

from tourney.event.store import Database
from tourney.portal import boards
from tourney.portal.boards import Audience, Board

LOOK_EVERY = 0.25
"""Seconds between two looks."""
KEEP_ALIVE = 15.0
"""Seconds after which a stream without news says that it is there."""
MOST_EACH = 6
"""Streams of one account, which has as many tabs before a browser makes others wait."""
MOST = 1000
"""Streams of all together."""

Frame = Callable[[Board], str]
"""Makes what is sent of a board: text without line ends."""


@dataclass(slots=True)
class Watcher:
    """Looks for new versions of boards as long as anybody waits for one."""

    database: Database
    streams: Counter[object] = field(default_factory=Counter)  # by whose they are
    _changed: asyncio.Event = field(default_factory=asyncio.Event)
    _versions: dict[tuple[int, str], int] = field(default_factory=dict)
    _frames: dict[tuple[int, str], tuple[int, str]] = field(default_factory=dict)
    _task: asyncio.Task[None] | None = None

    def has_room(self, whose: object) -> bool:
        """Say whether somebody may have one more stream; all who are not signed in are one."""
        is_many = whose is not None and self.streams[whose] >= MOST_EACH
        return not is_many and self.streams.total() < MOST

    async def events(
        self, run: int, audience: Audience, frame: Frame, whose: object
    ) -> AsyncIterator[str]:
        """Give the frame of a board now, and again whenever there is another version of it.

        Args:
            run: Its number in the portal.
            audience: Whose board.
            frame: Makes what is sent.
            whose: Account.
        """
        self.streams[whose] += 1
        try:
            self._begin()
            sent = 0
            while True:
                changed = self._changed  # before looking, so that nothing falls in between
                version = self._versions.get((run, audience), 0)
                if version > sent:
                    yield self._event(run, audience, frame)
                    sent = version
                elif not sent and not version:
                    yield ": nothing yet\n\n"
                    sent = -1
                try:
                    await asyncio.wait_for(changed.wait(), KEEP_ALIVE)
                except TimeoutError:
                    yield ": still here\n\n"
        finally:
            self.streams[whose] -= 1
            self._end()

    def _event(self, run: int, audience: Audience, frame: Frame) -> str:
        """Give the latest frame of a board, which is made once for all who wait for it."""
        key = (run, audience)
        version, text = self._frames.get(key, (0, ""))
        if version != self._versions[key]:
            board = boards.board_of(self.database, run, audience)
            assert board  # boards stay once they are there
            version, text = board.version, frame(board)
            self._frames[key] = version, text
        return f"id: {version}\nevent: board\ndata: {text}\n\n"

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
