"""What all processes that do jobs have in common: take the next, do it, write down what came of it.

Who asked is told in words what is wrong with what was asked (`TourneyError`); anything else is the
portal's own failure, which is logged and tried again.
"""

import logging
import signal
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
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
from tourney.portal import jobs
from tourney.portal.database import open_database
from tourney.portal.health import keep_telling
from tourney.portal.jobs import Job
from tourney.portal.places import Places
from tourney.sqlite.database import Database

LOOK_EVERY = 0.2
RENEW_EVERY = 5.0
PLAYED_SECONDS = 15.0
"""Before a job is begun again whose run somebody else plays."""
log = logging.getLogger("tourney.portal")


@dataclass(frozen=True, slots=True)
class Context:
    """What a handler works with."""

    places: Places
    database: Database
    job: Job

    def say(self, text: str) -> None:
        """Tell whoever waits for the job how it goes, line by line."""
        jobs.say(self.database, self.job.id, text)


class CourseSetupError(PortalError):
    """The course's own configuration keeps a job from being done, whatever was asked."""


class JobTakenError(Exception):
    """A job was taken from whoever does it; what was written down of it meanwhile stays."""


@contextmanager
def of_course(context: Context) -> Iterator[None]:
    """Say of a fault of the course's configuration that there is one, and to staff alone which.

    Raises: CourseSetupError, in place of what names files of the course.
    """
    try:
        yield
    except (ConfigError, SubmissionError) as error:
        log.warning("course %s: %s", context.job.course, error)
        raise CourseSetupError(
            "the course's tournament has a fault, which its staff sees under Organise; nothing is "
            "wrong with what you sent: tell your lecturer, then send it again"
        ) from error


Handler = Callable[[Context], Mapping[str, Any]]
"""Does a job of its kind, gives what came of it; doing it twice comes to the same."""


def work(places: Places, role: str, handlers: Mapping[str, Handler], *, threads: int = 1) -> None:
    """Do jobs until a signal says to leave.

    Args:
        places: Of the portal.
        role: Which process this is.
        handlers: What does the jobs of each kind.
        threads: How many are done at once.
    """
    leaving = Event()
    signal.signal(signal.SIGTERM, lambda *_: leaving.set())
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # of the terminal; the supervisor says when
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
    """Do what waits now, and give how many jobs that were."""
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
            except StoreError:  # a full disk, a long writer: the job is taken again
                log.exception("a job could not be written down")
                leaving.wait(1.0)


def _do(places: Places, database: Database, job: Job, handler: Handler) -> None:
    jobs.unsay(database, job.id)
    with _renewed(places, job.id):
        try:
            result = handler(Context(places, database, job))
        except RunInProgressError as error:  # nobody's failure: such as by a portal that was killed
            log.warning("job %d (%s) is put off: %s", job.id, job.kind, error)
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
    """Keep the lease of a job that takes long."""
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
