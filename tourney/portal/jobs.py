"""The queue: what was asked for, who does it, and what came of it.

A job is written down before it is promised. It is leased to the worker that does it, and given to
another if that one ends; whatever does a job can therefore be done twice with the same effect.
The next is that of whoever had the fewest done today, so that nobody's flood is anybody's wait.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import UTC, datetime, timedelta
from typing import Any

from tourney.errors import PortalError
from tourney.portal.database import now, time_text
from tourney.sqlite.database import Database

LEASE = timedelta(seconds=20)
MOST_TRIES, MOST_DEATHS = 3, 20
"""How often a job may fail, and how many processes may die over it, before it is given up; whoever
asked for it has lost nothing by that. A process dies for reasons of its own mostly."""
LONGEST_WAIT = 60.0
"""Seconds before a job is begun again whose processes have died; 1, 2, 4 before, so that others are
done meanwhile."""


@dataclass(frozen=True, slots=True)
class Job:
    """Something to do."""

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
        """Why it came to nothing, in words; empty if it did not."""
        is_refused = self.state == "failed" or self.result.get("status") == "refused"
        return str(self.result.get("reason", "")) if is_refused else ""

    @property
    def is_over(self) -> bool:
        """Whether nobody works on it any more."""
        return self.state in {"done", "failed", "replaced"}


def add(
    database: Database,
    kind: str,
    payload: Mapping[str, Any],
    *,
    course: int | None = None,
    account: int | None = None,
    name: str = "",
    per_day: int | None = None,
    not_before: str = "",
    replaces: bool = False,
) -> Job:
    """Write down a job.

    Args:
        database: The portal's.
        kind: What is to be done: a name among the handlers of `worker.work`.
        payload: With what, as JSON can hold it.
        course: Where.
        account: Who asks.
        name: That it is about.
        per_day: How many of the kind and name somebody may have in a day of UTC; counted in the
            transaction that writes it down, so that no two are the last.
        not_before: When it may begin, as `now()` gives times; empty for at once.
        replaces: Whether it takes the place of one's own that still waits, in its turn.
    Raises: PortalError, if there were too many today.
    """
    with database.transaction():
        number = insert(
            database,
            kind,
            payload,
            course=course,
            account=account,
            name=name,
            per_day=per_day,
            not_before=not_before,
            replaces=replaces,
        )
    return get(database, number)


def insert(
    database: Database,
    kind: str,
    payload: Mapping[str, Any],
    *,
    course: int | None = None,
    account: int | None = None,
    name: str = "",
    per_day: int | None = None,
    not_before: str = "",
    replaces: bool = False,
) -> int:
    """Write down a job as `add` does, in a transaction of the caller's; give its number."""
    moment = now()
    old = _waiting(database, kind, course, account, name) if replaces else None
    turn = moment
    if old:
        turn = old.turn
        _finish(database, old.id, "replaced", {})
    if per_day is not None and _today(database, kind, course, name, moment) >= per_day:
        raise PortalError(
            f"expected at most {per_day} versions of {name} a day (UTC), got one more; hand it "
            "in tomorrow"
        )
    return database.insert(
        "INSERT INTO jobs (course, account, kind, name, payload, received, turn, not_before) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (course, account, kind, name, json.dumps(payload), moment, turn, not_before),
    )


def get(database: Database, number: int) -> Job:
    """Give a job by its number.

    Raises: PortalError, if there is none.
    """
    found = _all(database, "WHERE id = ?", (number,))
    if not found:
        raise PortalError(f"job: expected one that was asked for, got {number}")
    return found[0]


def these(database: Database, numbers: str) -> tuple[Job, ...]:
    """Give the jobs of a list of numbers, as JSON has it."""
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
    """Give the numbers of the jobs of a kind that wait, the next first."""
    rows = database.read(iter, f"SELECT id {_NEXT}", _next_of([kind]))
    return tuple(number for (number,) in rows)


def take(database: Database, kinds: Sequence[str]) -> Job | None:
    """Lease the next job of some kinds to the caller; None if there is nothing to do.

    One that was begun too often is given up instead.
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
    "the portal failed at it again and again; that is its own fault and counts as nobody's try: "
    "ask the organiser to look into its log"
)


def renew(database: Database, number: int) -> None:
    """Keep a job that is being done."""
    database.execute(
        "UPDATE jobs SET lease = ? WHERE id = ? AND state = 'running'", (_lease(), number)
    )


def withdraw(database: Database, number: int, course: int, kind: str) -> bool:
    """Take back a job that nobody has begun, and say whether there was one."""
    taken = database.execute(
        "UPDATE jobs SET state = 'replaced', finished = ? "
        "WHERE id = ? AND course = ? AND kind = ? AND state = 'queued' AND started IS NULL",
        (now(), number, course, kind),
    )
    return bool(taken)


def stop(database: Database, number: int, course: int, kind: str, reason: str) -> bool:
    """Take a begun job from whoever does it until `begin_again`; say whether there was one.

    Who does it hears so from `gets_on`, and leaves.
    """
    taken = database.execute(
        "UPDATE jobs SET state = 'failed', lease = NULL, finished = ?, result = ? "
        "WHERE id = ? AND course = ? AND kind = ? AND state IN ('queued', 'running') "
        "AND started IS NOT NULL",
        (now(), json.dumps({"reason": reason}), number, course, kind),
    )
    return bool(taken)


def put_off(database: Database, number: int, seconds: float) -> None:
    """Let a job wait that cannot be done now; it counts as no try."""
    database.execute(
        "UPDATE jobs SET state = 'queued', lease = NULL, tries = tries - 1, not_before = ? "
        "WHERE id = ? AND state = 'running'",
        (time_text(datetime.now(UTC) + timedelta(seconds=seconds)), number),
    )


def release(database: Database, kinds: Sequence[str]) -> None:
    """Let go of what a process had that has died; its successor calls it."""
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
    """Let a job that was given up or stopped be done after all; say whether there was one."""
    begun = database.execute(
        "UPDATE jobs SET state = 'queued', tries = 0, deaths = 0, not_before = '', finished = NULL "
        "WHERE id = ? AND state = 'failed'",
        (number,),
    )
    return bool(begun)


def finish(
    database: Database, number: int, result: Mapping[str, Any], *, state: str = "done"
) -> None:
    """Write down what came of a job."""
    with database.transaction():
        _finish(database, number, state, result)


def say(database: Database, number: int, text: str) -> None:
    """Add a line to what a job has said."""
    database.execute(
        "INSERT INTO lines SELECT ?, 1 + coalesce(max(number), 0), ? FROM lines WHERE job = ?",
        (number, text[:2000], number),
    )


def said(database: Database, number: int) -> tuple[str, ...]:
    """Give the lines of a job so far."""
    rows = database.read(iter, "SELECT text FROM lines WHERE job = ? ORDER BY number", (number,))
    return tuple(text for (text,) in rows)


def unsay(database: Database, number: int) -> None:
    """Forget the lines of a job that is begun again."""
    database.execute("DELETE FROM lines WHERE job = ?", (number,))


def gets_on(database: Database, number: int, text: str) -> bool:
    """Note that a job gets on, and how far it is: it is not given up, however often it is begun.

    Returns: Whether it is still to be done; not if it was stopped, even where it waits again.
    """
    with database.transaction():
        database.execute("UPDATE jobs SET tries = 1, deaths = 0 WHERE id = ?", (number,))
        database.execute("INSERT OR REPLACE INTO lines VALUES (?, 1, ?)", (number, text))
        row = database.first("SELECT state = 'running' FROM jobs WHERE id = ?", (number,))
    return bool(row and row[0])


_NEXT = """
FROM jobs AS job
WHERE job.kind IN (SELECT value FROM json_each(:kinds)) AND job.not_before <= :now
AND (job.state = 'queued' OR job.state = 'running' AND job.lease < :now)
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
) -> Job | None:
    found = _all(
        database,
        "WHERE state = 'queued' AND kind = ? AND course IS ? AND account IS ? AND name = ? LIMIT 1",
        (kind, course, account, name),
    )
    return found[0] if found else None


def _today(database: Database, kind: str, course: int | None, name: str, moment: str) -> int:
    """Count what somebody asked for today; what the portal failed at or refused is free."""
    row = database.first(
        "SELECT count(*) FROM jobs WHERE kind = ? AND course IS ? AND name = ? AND received >= ? "
        "AND state NOT IN ('failed', 'replaced') "
        "AND coalesce(json_extract(result, '$.status'), '') <> 'refused'",
        (kind, course, name, moment[:10]),
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
