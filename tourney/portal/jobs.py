"""The job queue: requests and their uploads, the workers that do them, and the results.

A job is recorded before it is acknowledged. A worker leases it; if the worker ends, another one
gets the job. So doing a job twice must have the same effect. Scheduling is fair: the next job
belongs to the account with the fewest jobs done today, so one user's uploads do not delay others.

An uploaded file is on the disk before its job is recorded. Files of finished jobs are removed, and
so are files without a job, left by a process that ended between the two steps.
"""

import json
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields
from datetime import UTC, datetime, timedelta
from pathlib import Path
from secrets import token_hex
from typing import Any, Concatenate, ParamSpec
from zoneinfo import ZoneInfo

from tourney.errors import PortalError, StoreFullError
from tourney.game.words import counted
from tourney.portal.database import now, time_text
from tourney.portal.places import Places
from tourney.sqlite.database import Database

Arguments = ParamSpec("Arguments")
LEASE = timedelta(seconds=20)
RECENT = 20
"""Number of finished jobs that the estimate uses."""
MINUTE, HOUR = 60, 3600
MOST_TRIES, MOST_DEATHS = 3, 20
"""Limits before a job is given up: failures, and deaths of processes while they did it. The user
loses no attempt by that. Most deaths of a process have other reasons than the job.
"""
LONGEST_WAIT = 60.0
"""Longest pause in seconds before a job whose process died starts again (after 1, 2, 4), so that
other jobs are done meanwhile.
"""


@dataclass(frozen=True, slots=True)
class Job:
    """A unit of work for a process."""

    id: int
    course: int | None
    account: int | None
    kind: str
    name: str
    payload: Mapping[str, Any]
    state: str
    received: str
    turn: str
    not_before: str
    tries: int
    started: str | None
    finished: str | None
    result: Mapping[str, Any]

    @property
    def fault(self) -> str:
        """The reason why it failed; empty if it did not."""
        is_refused = self.state == "failed" or self.result.get("status") == "refused"
        return str(self.result.get("reason", "")) if is_refused else ""

    @property
    def is_over(self) -> bool:
        """Whether no process will work on it any more."""
        return self.state in {"done", "failed", "replaced"}


def insert(
    database: Database,
    kind: str,
    payload: Mapping[str, Any],
    *,
    course: int | None = None,
    account: int | None = None,
    name: str = "",
    per_day: int | None = None,
    time_zone: str = "UTC",
    not_before: str = "",
    replaces: bool = False,
    received: str = "",
) -> int:
    """Record a job, in a transaction of the caller; give its number.

    Args:
        database: The portal's.
        kind: A name among the handlers of `worker.work`.
        payload: Input of the handler, as JSON values.
        course: Its course.
        account: The account that requests it.
        name: The player name that it is about.
        per_day: Limit of this kind in a day for the name and its students; counted in the same
            transaction, so that two requests cannot both be the last.
        time_zone: Time zone in which days are counted.
        not_before: Earliest start, in the format of `now()`; empty for immediately.
        replaces: Whether it takes the place in the queue of the account's waiting job.
        received: Time of its arrival, in the format of `now()`; empty for now.
    Raises: PortalError, if the daily limit is reached.
    """
    moment = received or now()
    turn = moment
    for old in _waiting(database, kind, course, account, name) if replaces else ():
        turn = old.turn
        _finish(database, old.id, "replaced", {})
    midnight = _midnight(moment, time_zone)
    if per_day is not None and _today(database, kind, course, name, midnight) >= per_day:
        raise PortalError(
            f"the player {name} has used its {counted(per_day, 'submission')} of today "
            f"({time_zone}); submit again tomorrow"
        )
    return database.insert(
        "INSERT INTO jobs (course, account, kind, name, payload, received, turn, not_before) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (course, account, kind, name, json.dumps(payload), moment, turn, not_before),
    )


def _in_transaction(
    record: Callable[Concatenate[Database, Arguments], int],
) -> Callable[Concatenate[Database, Arguments], Job]:
    def add(database: Database, /, *args: Arguments.args, **named: Arguments.kwargs) -> Job:
        with database.transaction():
            number = record(database, *args, **named)
        return get(database, number)

    return add


add = _in_transaction(insert)
"""Records a job as `insert` does, in a transaction of its own; gives the job."""


def get(database: Database, number: int) -> Job:
    """Give a job by its number.

    Raises: PortalError, if there is no such job.
    """
    found = _all(database, "WHERE id = ?", (number,))
    if not found:
        raise PortalError(f"job: there is no job {number}")
    return found[0]


def these(database: Database, numbers: str) -> tuple[Job, ...]:
    """Give the jobs of a list of numbers in JSON."""
    return _all(database, "WHERE id IN (SELECT value FROM json_each(?))", (numbers,))


def of_course(
    database: Database, course: int, kinds: Sequence[str], name: str | None = None, most: int = 200
) -> tuple[Job, ...]:
    """Give the latest jobs of a course, newest first."""
    return _all(
        database,
        "WHERE course = ? AND kind IN (SELECT value FROM json_each(?)) AND (? IS NULL OR name = ?) "
        "ORDER BY id DESC LIMIT ?",
        (course, json.dumps(list(kinds)), name, name, most),
    )


def order(database: Database, kind: str) -> tuple[int, ...]:
    """Give the numbers of the waiting jobs of a kind, in their order."""
    rows = database.read(iter, f"SELECT id {_NEXT}", _next_of([kind]))
    return tuple(number for (number,) in rows)


def take(database: Database, kinds: Sequence[str]) -> Job | None:
    """Lease the next job of some kinds to the caller; `None` without waiting jobs.

    A job that has started too often is given up instead.
    """
    with database.transaction():
        row = database.first(f"SELECT id, tries, deaths {_NEXT} LIMIT 1", _next_of(kinds))
        if row is None:
            return None
        number, tries, deaths = row
        if tries >= MOST_TRIES or deaths >= MOST_DEATHS:
            _finish(database, number, "failed", {"reason": GIVEN_UP})
            return None
        database.execute(
            "UPDATE jobs SET state = 'running', tries = tries + 1, lease = ?, "
            "started = coalesce(started, ?) WHERE id = ?",
            (_lease(), now(), number),
        )
    return get(database, number)


_FIELDS = tuple(each.name for each in fields(Job))
_COLUMNS = ", ".join(_FIELDS)

GIVEN_UP = (
    "the portal failed repeatedly. This was not your fault and does not use up an attempt. "
    "Ask the organiser to look into the log"
)


def renew(database: Database, number: int) -> None:
    """Renew the lease of a job."""
    database.execute(
        "UPDATE jobs SET lease = ? WHERE id = ? AND state = 'running'", (_lease(), number)
    )


def withdraw(database: Database, number: int, course: int, kind: str) -> bool:
    """Cancel a job that has not started; give whether there was one."""
    taken = database.execute(
        "UPDATE jobs SET state = 'replaced', finished = ? "
        "WHERE id = ? AND course = ? AND kind = ? AND state = 'queued' AND started IS NULL",
        (now(), number, course, kind),
    )
    return bool(taken)


def change(database: Database, job: Job, payload: Mapping[str, Any], not_before: str) -> bool:
    """Change a job that has not started; give whether it was still waiting."""
    taken = database.execute(
        "UPDATE jobs SET payload = ?, not_before = ? "
        "WHERE id = ? AND state = 'queued' AND started IS NULL",
        (json.dumps(payload), not_before, job.id),
    )
    return bool(taken)


def stop(database: Database, number: int, course: int, kind: str, reason: str) -> bool:
    """Stop a started job until `begin_again`; give whether there was one.

    Its worker sees this in `gets_on`, and leaves the job.
    """
    taken = database.execute(
        "UPDATE jobs SET state = 'failed', lease = NULL, finished = ?, result = ? "
        "WHERE id = ? AND course = ? AND kind = ? AND state IN ('queued', 'running') "
        "AND started IS NOT NULL",
        (now(), json.dumps({"reason": reason}), number, course, kind),
    )
    return bool(taken)


def put_off(database: Database, number: int, seconds: float) -> None:
    """Reschedule a job that cannot be done now; this does not count as a try."""
    database.execute(
        "UPDATE jobs SET state = 'queued', lease = NULL, tries = tries - 1, not_before = ? "
        "WHERE id = ? AND state = 'running'",
        (time_text(datetime.now(UTC) + timedelta(seconds=seconds)), number),
    )


def release(database: Database, kinds: Sequence[str]) -> None:
    """Release the jobs of a dead process; its successor calls this."""
    with database.transaction():
        left = database.read(
            tuple,
            "SELECT id, deaths FROM jobs WHERE state = 'running' "
            "AND kind IN (SELECT value FROM json_each(?))",
            (json.dumps(list(kinds)),),
        )
        for number, deaths in left:
            wait = timedelta(seconds=min(LONGEST_WAIT, 2.0**deaths) if deaths else 0.0)
            database.execute(
                "UPDATE jobs SET state = 'queued', lease = NULL, tries = tries - 1, "
                "deaths = deaths + 1, not_before = ? WHERE id = ?",
                (time_text(datetime.now(UTC) + wait), number),
            )


def begin_again(database: Database, number: int) -> bool:
    """Queue a job again that was given up or stopped; give whether there was one."""
    begun = database.execute(
        "UPDATE jobs SET state = 'queued', tries = 0, deaths = 0, not_before = '', finished = NULL "
        "WHERE id = ? AND state = 'failed'",
        (number,),
    )
    return bool(begun)


def finish(
    database: Database, number: int, result: Mapping[str, Any], *, state: str = "done"
) -> None:
    """Record the result of a job."""
    with database.transaction():
        _finish(database, number, state, result)


def say(database: Database, number: int, text: str) -> None:
    """Add a line to the report of a job."""
    database.execute(
        "INSERT INTO lines SELECT ?, 1 + coalesce(max(number), 0), ? FROM lines WHERE job = ?",
        (number, text[:2000], number),
    )


def said(database: Database, number: int) -> tuple[str, ...]:
    """Give the report lines of a job so far."""
    rows = database.read(iter, "SELECT text FROM lines WHERE job = ? ORDER BY number", (number,))
    return tuple(text for (text,) in rows)


def unsay(database: Database, number: int) -> None:
    """Remove the report lines of a job that starts again."""
    database.execute("DELETE FROM lines WHERE job = ?", (number,))


def gets_on(database: Database, number: int, *texts: str) -> bool:
    """Record the progress of a job, so that it is not given up, however often it starts.

    Args:
        database: The portal's.
        number: Of the job.
        *texts: The lines of its report, which replace all earlier ones.
    Returns: Whether to continue; False if it was stopped, even where it waits again.
    """
    with database.transaction():
        database.execute("UPDATE jobs SET tries = 1, deaths = 0 WHERE id = ?", (number,))
        unsay(database, number)
        for text in texts:
            say(database, number, text)
        row = database.first("SELECT state = 'running' FROM jobs WHERE id = ?", (number,))
    return bool(row and row[0])


# While the roster of a course changes, its members have new names that the rosters of other
# assignments may not have yet. So its submissions wait.
_NEXT = """
FROM jobs AS job
WHERE job.kind IN (SELECT value FROM json_each(:kinds)) AND job.not_before <= :now
AND (job.state = 'queued' OR job.state = 'running' AND job.lease < :now)
AND NOT (job.kind IN ('check', 'choose') AND EXISTS (
    SELECT 1 FROM jobs AS other
    JOIN courses AS changed ON changed.id = other.course
    JOIN courses AS own ON own.id = job.course
    WHERE other.kind IN ('team', 'roster') AND other.started IS NOT NULL
    AND other.state IN ('queued', 'running')
    AND coalesce(changed.home, changed.id) = coalesce(own.home, own.id)
))
ORDER BY (
    SELECT count(*) FROM jobs AS done
    WHERE done.account = job.account AND done.kind = job.kind AND done.received >= :today
    AND done.state IN ('done', 'running')
), job.turn, job.id
"""


def _next_of(kinds: Sequence[str]) -> Mapping[str, Any]:
    moment = now()
    return {"kinds": json.dumps(list(kinds)), "now": moment, "today": moment[:10]}


def _finish(database: Database, number: int, state: str, result: Mapping[str, Any]) -> None:
    database.execute(
        "UPDATE jobs SET state = ?, lease = NULL, finished = ?, result = ? WHERE id = ?",
        (state, now(), json.dumps(result), number),
    )


def _lease() -> str:
    return time_text(datetime.now(UTC) + LEASE)


def _waiting(
    database: Database, kind: str, course: int | None, account: int | None, name: str
) -> tuple[Job, ...]:
    return _all(
        database,
        "WHERE state = 'queued' AND kind = ? AND course IS ? AND account IS ? AND name = ? LIMIT 1",
        (kind, course, account, name),
    )


def _midnight(moment: str, time_zone: str) -> str:
    """Return the time at which the day of a moment began in a time zone, in the tables' format."""
    local = datetime.fromisoformat(moment).astimezone(ZoneInfo(time_zone))
    midnight = local.replace(hour=0, minute=0, second=0, microsecond=0, fold=0)
    return time_text(midnight.astimezone(UTC))


def count_today(
    database: Database, kind: str, course: int | None, name: str, time_zone: str
) -> int:
    """Count the jobs of a name that use up its daily limit, in the day of a time zone."""
    return _today(database, kind, course, name, _midnight(now(), time_zone))


def _today(database: Database, kind: str, course: int | None, name: str, midnight: str) -> int:
    """Count the jobs of a name today; portal errors and refused uploads do not count.

    Jobs of its students under other names count too, so that a new team has no new limit.
    """
    row = database.first(
        "SELECT count(*) FROM jobs WHERE kind = :kind AND course IS :course "
        "AND (name = :name OR account IN (SELECT account FROM memberships WHERE course = :course "
        "AND memberships.name = :name AND role = 'student' AND removed IS NULL)) "
        "AND received >= :midnight AND state NOT IN ('failed', 'replaced') "
        "AND coalesce(json_extract(result, '$.status'), '') <> 'refused'",
        {"kind": kind, "course": course, "name": name, "midnight": midnight},
    )
    assert row
    return int(row[0])


def _all(database: Database, where: str, parameters: Sequence[Any]) -> tuple[Job, ...]:
    return tuple(database.read(_jobs, f"SELECT {_COLUMNS} FROM jobs {where}", parameters))  # noqa: S608 - columns of ours


def _jobs(rows: Iterable[tuple[Any, ...]]) -> Iterator[Job]:
    for row in rows:
        values = dict(zip(_FIELDS, row, strict=True))
        for name in ("payload", "result"):
            values[name] = json.loads(values[name])
        yield Job(**values)


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a job."""

    job: Job
    place: int  # in the queue, from 1; 0 if it does not wait
    lines: tuple[str, ...]
    wait: str  # estimate in words; empty if unknown


def progress_of(database: Database, numbers: Iterable[int]) -> Mapping[int, Progress]:
    """Give the progress of jobs, by their numbers."""
    wanted = json.dumps(list(numbers))
    lines: dict[int, list[str]] = {}
    for number, text in database.read(
        iter,
        "SELECT job, text FROM lines WHERE job IN (SELECT value FROM json_each(?)) "
        "ORDER BY job, number",
        (wanted,),
    ):
        lines.setdefault(number, []).append(text)
    found = these(database, wanted)
    places: dict[int, int] = {}
    seconds: dict[str, float | None] = {}
    for kind in {job.kind for job in found if job.state == "queued"}:
        places |= {number: at for at, number in enumerate(order(database, kind), start=1)}
        seconds[kind] = _seconds_each(database, kind)
    progress = {}
    for job in found:
        place = places.get(job.id, 0) if job.state == "queued" else 0
        each = seconds.get(job.kind)
        wait = words_for(place * each) if place and each is not None else ""
        progress[job.id] = Progress(job, place, tuple(lines.get(job.id, ())), wait)
    return progress


def words_for(seconds: float) -> str:
    """Describe a duration.

    >>> words_for(20), words_for(100), words_for(3700), words_for(9000)
    ('less than a minute', 'about 2 minutes', 'about an hour', 'about 2 hours')
    """
    if seconds < MINUTE:
        return "less than a minute"
    amount, unit = (seconds / MINUTE, "minute") if seconds < HOUR else (seconds / HOUR, "hour")
    count = round(amount)
    if count == 1:
        return "about an hour" if unit == "hour" else "about a minute"
    return f"about {count} {unit}s"


def _seconds_each(database: Database, kind: str) -> float | None:
    """Give the time between ends of recent jobs of a kind; `None` without any."""
    row = database.first(
        "SELECT avg(julianday(finished) - julianday(started)) * 86400 / "
        "max(1, (SELECT count(*) FROM jobs WHERE state = 'running' AND kind = :kind)) "
        "FROM (SELECT started, finished FROM jobs WHERE state = 'done' AND kind = :kind "
        "ORDER BY turn DESC LIMIT :recent)",
        {"kind": kind, "recent": RECENT},
    )
    return None if row is None or row[0] is None else float(row[0])


PREFIX = "check-"
ROSTER = "roster-"
"""Prefix of gradebooks, which are previewed before they are saved."""
KEPT = 86_400.0
"""A previewed gradebook can be saved for this many seconds."""
BETWEEN = 60.0
"""Seconds after which a file without a job will never get one."""


def put(places: Places, content: bytes, prefix: str = PREFIX) -> Path:
    """Store an upload; it is on the disk when this returns.

    Raises: StoreFullError, if the disk is full.
    """
    path = places.inbox / f"{prefix}{token_hex(16)}"
    try:
        with path.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        path.unlink(missing_ok=True)
        raise StoreFullError(
            f"{path}: the disk has no room ({error.strerror}); try again later"
        ) from error
    return path


def sweep(places: Places, database: Database) -> None:
    """Remove files that no job needs."""
    # Listed before the jobs are read, so that no new job is missed.
    lying = list(places.inbox.glob(f"{PREFIX}*"))
    rows = database.read(
        iter,
        "SELECT json_extract(payload, '$.file') FROM jobs "
        "WHERE state IN ('queued', 'running') AND kind IN ('check', 'tests')",
    )
    wanted = {name for (name,) in rows}
    for path in lying:
        with suppress(FileNotFoundError):  # another thread removed it
            if path.name not in wanted and time.time() - path.stat().st_mtime > BETWEEN:
                path.unlink()
    for path in places.inbox.glob(f"{ROSTER}*"):
        with suppress(FileNotFoundError):
            if time.time() - path.stat().st_mtime > KEPT:
                path.unlink()
