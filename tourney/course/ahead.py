"""Checks of a whole class, several at once, in processes: to ask a player is work for both sides.

They are forked from this one, which has loaded what a check needs, so this is for machines only
that confine players, all of which can fork.
"""

from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from types import TracebackType
from typing import Self

from tourney.check.report import CheckReport
from tourney.check.source import Source
from tourney.course.folder import Check
from tourney.errors import WorkerError
from tourney.execution.workers.forks import forked_pool


class ChecksAhead:
    """A check that has begun with what it will be asked about."""

    def __init__(
        self, check: Check, at_once: int, prepare: Callable[[], None] | None = None
    ) -> None:
        """Begin with nothing.

        Args:
            check: Looks at a source; can be pickled where several are looked at.
            at_once: How many sources are looked at; one of them waits until it is asked about.
            prepare: Loads what every check needs, once for all of those processes.
        """
        self._check, self._prepare = check, prepare
        self._pool = forked_pool(at_once) if at_once > 1 else None
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
            if self._prepare and not self._begun:  # they are forked for the first one
                self._prepare()
            self._begun[source.digest] = self._pool.submit(self._check, source)

    def __call__(self, source: Source) -> CheckReport:
        """Give the report on a source.

        Raises: WorkerError, if somebody ended a process that looks at them.
        """
        begun = self._begun.get(source.digest)
        if begun is None:
            return self._check(source)
        try:
            return begun.result()
        except BrokenProcessPool as error:
            raise WorkerError(
                f"{source.name}: expected the report of a check, got a process that was ended "
                "from outside; take the same download in again, and it goes on from here"
            ) from error
