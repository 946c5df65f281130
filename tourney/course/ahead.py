"""Checks of a whole class, several at once.

Threads are enough, since a check waits for a process of its own most of the time.
"""

from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType
from typing import Self

from tourney.course.folder import Check
from tourney.course.report import CheckReport
from tourney.course.source import Source


class ChecksAhead:
    """A check that has begun with what it will be asked about."""

    def __init__(self, check: Check, at_once: int) -> None:
        """Begin with nothing.

        Args:
            check: Looks at a source.
            at_once: How many sources are looked at; one of them waits until it is asked about.
        """
        self._check = check
        self._pool = ThreadPoolExecutor(at_once) if at_once > 1 else None
        self._begun: dict[str, Future[CheckReport]] = {}

    def __enter__(self) -> Self:
        """Begin."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Give up what has not begun."""
        if self._pool:
            self._pool.shutdown(cancel_futures=True)

    def begin(self, source: Source) -> None:
        """Look at a source as soon as there is time."""
        if self._pool and source.digest not in self._begun:
            self._begun[source.digest] = self._pool.submit(self._check, source)

    def __call__(self, source: Source) -> CheckReport:
        """Give the report on a source."""
        begun = self._begun.get(source.digest)
        return begun.result() if begun else self._check(source)
