"""The loop of a process that works on jobs, and its reports that it is well.

A `TourneyError` is a fault of the request; its text is shown to the user. Any other error is a
fault of the portal, which is logged and retried.

A report means that the process lives, was set up, and can write; a job may take hours meanwhile. A
process that has never reported failed at its start.
"""

import logging
import os
import signal
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event, Thread
from typing import Any

from tourney.errors import (
    ConfigError,
    PortalError,
    RunInProgressError,
    StoreError,
    SubmissionError,
    TourneyError,
)
from tourney.portal import audit, jobs
from tourney.portal.accounts import Course, course_of
from tourney.portal.database import now, open_database, time_text
from tourney.portal.jobs import Job
from tourney.portal.places import Places
from tourney.sqlite.database import Database

SAY_EVERY = 5.0
LATELY = timedelta(seconds=20)
"""A process counts as healthy for this long after a report."""
ROLES = ("web", "checker", "practice", "runner", "follower")
"""The processes of a portal."""


def note_start(places: Places, role: str) -> None:
    """Record the start of this process; it is not healthy before its first report."""
    try:
        with closing(open_database(places)) as database:
            database.execute(
                "INSERT INTO processes (role, number, begun, seen) VALUES (?, ?, ?, '') "
                "ON CONFLICT (role) DO UPDATE SET number = excluded.number, "
                "begun = excluded.begun, seen = '', starts = starts + 1",
                (role, os.getpid(), now()),
            )
    except StoreError:  # a full disk must not stop the process
        log.exception("the start of a process could not be recorded")


def tell(database: Database, role: str) -> None:
    """Report that this process is healthy."""
    database.execute(
        "UPDATE processes SET seen = ? WHERE role = ? AND number = ?", (now(), role, os.getpid())
    )


def keep_telling(places: Places, role: str) -> None:
    """Report in a thread from now on that this process is healthy."""
    Thread(target=_keep_telling, args=(places, role), daemon=True).start()


def _keep_telling(places: Places, role: str) -> None:
    while True:
        try:
            with closing(open_database(places)) as database:
                while True:
                    tell(database, role)
                    time.sleep(SAY_EVERY)
        except StoreError:
            log.exception("a process could not report its health")
            time.sleep(SAY_EVERY)


def not_well(database: Database) -> tuple[str, ...]:
    """Give the processes without a recent report."""
    since = time_text(datetime.now(UTC) - LATELY)
    rows = database.read(iter, "SELECT role FROM processes WHERE seen >= ?", (since,))
    well = {role for (role,) in rows}
    return tuple(role for role in ROLES if role not in well)


def was_well(places: Places, role: str, number: int) -> bool:
    """Give whether an ended process had ever reported."""
    try:
        with closing(open_database(places)) as database:
            row = database.first(
                "SELECT seen FROM processes WHERE role = ? AND number = ?", (role, number)
            )
    except StoreError:
        return False
    return row is not None and row[0] != ""


def starts(database: Database) -> Mapping[str, int]:
    """Give the number of starts of each process."""
    return dict(database.read(iter, "SELECT role, starts FROM processes"))


LOOK_EVERY = 0.2
RENEW_EVERY = 5.0
PLAYED_SECONDS = 15.0
"""Pause before a job starts again whose run is played by another process."""
log = logging.getLogger("tourney.portal")


@dataclass(frozen=True, slots=True)
class Context:
    """The data of a handler's job."""

    places: Places
    database: Database
    job: Job

    @property
    def course(self) -> Course:
        """The job's course."""
        return course_of(self.database, self.job.course or 0)

    @property
    def folder(self) -> Path:
        """The folder of the job's course."""
        return self.places.course(self.course.slug)

    @property
    def upload(self) -> Path:
        """The job's file in the inbox."""
        return self.places.inbox / Path(str(self.job.payload["file"])).name

    def say(self, text: str) -> None:
        """Add a line to the job's report."""
        jobs.say(self.database, self.job.id, text)

    def note(self, act: str, **about: object) -> None:
        """Record an action of the job's account in its course."""
        job = self.job
        audit.note(self.database, act, account=job.account, course=job.course, **about)


class CourseSetupError(PortalError):
    """The course's own configuration prevents a job, whatever the request."""


class JobTakenError(Exception):
    """A job was taken from its worker; its records so far stay."""


@contextmanager
def of_course(context: Context) -> Iterator[None]:
    """Hide faults of the course's configuration from students; staff see them elsewhere.

    Raises: CourseSetupError, in place of an error that names files of the course.
    """
    try:
        yield
    except (ConfigError, SubmissionError) as error:
        log.warning("course %s: %s", context.job.course, error)
        raise CourseSetupError(
            "the course's tournament has a fault, which its staff see in the course settings; your "
            "submission is not the cause: inform your lecturer, then submit it again"
        ) from error


@contextmanager
def hide_path(path: str, shown: str = "") -> Iterator[None]:
    """Show faults of a course's folder or of an upload without its path on this machine.

    Raises: PortalError, in place of another fault of the request.
    """
    try:
        yield
    except (PortalError, StoreError):
        raise
    except TourneyError as error:
        raise PortalError(str(error).replace(path, shown)) from error


Handler = Callable[[Context], Mapping[str, Any]]
"""Does a job of its kind and gives its result; doing it twice has the same effect."""


def work(places: Places, role: str, handlers: Mapping[str, Handler], *, threads: int = 1) -> None:
    """Do jobs until a signal ends the process.

    Args:
        places: Of the portal.
        role: The role of this process.
        handlers: The handler of each kind.
        threads: Number of simultaneous jobs.
    """
    leaving = Event()
    signal.signal(signal.SIGTERM, lambda *_: leaving.set())
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the supervisor handles Ctrl-C
    with closing(open_database(places)) as database:
        jobs.release(database, list(handlers))
    keep_telling(places, role)
    others = [
        Thread(target=_work, args=(places, handlers, leaving), daemon=True)
        for _ in range(threads - 1)
    ]
    for thread in others:
        thread.start()
    _work(places, handlers, leaving)


def do_all(places: Places, handlers: Mapping[str, Handler]) -> int:
    """Do all waiting jobs, and give their number."""
    count = 0
    with closing(open_database(places)) as database:
        while job := jobs.take(database, list(handlers)):
            _do(places, database, job, handlers[job.kind])
            count += 1
    return count


def _work(places: Places, handlers: Mapping[str, Handler], leaving: Event) -> None:
    with closing(open_database(places)) as database:
        while not leaving.is_set():
            try:
                job = jobs.take(database, list(handlers))
                if job is None:
                    leaving.wait(LOOK_EVERY)
                    continue
                _do(places, database, job, handlers[job.kind])
            except StoreError:  # a full disk or a long write: the job is taken again
                log.exception("a job could not be recorded")
                leaving.wait(1.0)


def _do(places: Places, database: Database, job: Job, handler: Handler) -> None:
    jobs.unsay(database, job.id)
    with _renewed(places, job.id):
        try:
            result = handler(Context(places, database, job))
        except RunInProgressError as error:  # not a failure: for example the portal was killed
            log.warning("job %d (%s) is rescheduled: %s", job.id, job.kind, error)
            jobs.put_off(database, job.id, PLAYED_SECONDS)
            return
        except StoreError:
            raise
        except JobTakenError:
            return
        except CourseSetupError as error:
            jobs.finish(database, job.id, {"reason": str(error)}, state="failed")
            return
        except TourneyError as error:
            result = {"status": "refused", "reason": str(error)}
        except Exception:
            log.exception("job %d (%s) failed", job.id, job.kind)
            time.sleep(min(4.0, 2.0 ** (job.tries - 1)))
            sql = "UPDATE jobs SET state = 'queued' WHERE id = ? AND state = 'running'"
            database.execute(sql, (job.id,))  # unless it was stopped meanwhile
            return
    jobs.finish(database, job.id, result)


@contextmanager
def _renewed(places: Places, number: int) -> Iterator[None]:
    """Renew the lease of a long job."""
    done = Event()

    def renew() -> None:
        with closing(open_database(places)) as database:
            while not done.wait(RENEW_EVERY):
                jobs.renew(database, number)

    thread = Thread(target=renew, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
