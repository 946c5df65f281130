"""How far jobs are, for whoever waits for them: place, lines, and about how long it may take.

Read for all who wait at once, so that a class that watches its checks costs three queries.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tourney.portal import jobs
from tourney.portal.jobs import Job
from tourney.sqlite.database import Database

RECENT = 20
"""Jobs of a kind whose time tells how long the next may take."""
MINUTE, HOUR = 60, 3600


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a job is."""

    job: Job
    place: int  # in the queue, itself included; 0 if it does not wait
    lines: tuple[str, ...]
    wait: str  # until it is done, in words; empty if nobody can say


def progress_of(database: Database, numbers: Iterable[int]) -> Mapping[int, Progress]:
    """Give how far some jobs are, by their numbers."""
    asked = json.dumps(list(numbers))
    lines: dict[int, list[str]] = {}
    for number, text in database.read(
        iter,
        "SELECT job, text FROM lines WHERE job IN (SELECT value FROM json_each(?)) "
        "ORDER BY job, number",
        (asked,),
    ):
        lines.setdefault(number, []).append(text)
    found = jobs.these(database, asked)
    places: dict[int, int] = {}
    seconds: dict[str, float | None] = {}
    for kind in {job.kind for job in found if job.state == "queued"}:
        places |= {number: at for at, number in enumerate(jobs.order(database, kind), start=1)}
        seconds[kind] = _seconds_each(database, kind)
    told = {}
    for job in found:
        place = places.get(job.id, 0) if job.state == "queued" else 0
        each = seconds.get(job.kind)
        wait = words_for(place * each) if place and each is not None else ""
        told[job.id] = Progress(job, place, tuple(lines.get(job.id, ())), wait)
    return told


def words_for(seconds: float) -> str:
    """Say about how long.

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
    """Give the time after which one more of a kind is done, by the latest; None before any is."""
    row = database.first(
        "SELECT avg(julianday(finished) - julianday(started)) * 86400 / "
        "max(1, (SELECT count(*) FROM jobs WHERE state = 'running' AND kind = :kind)) "
        "FROM (SELECT started, finished FROM jobs WHERE state = 'done' AND kind = :kind "
        "ORDER BY turn DESC LIMIT :recent)",
        {"kind": kind, "recent": RECENT},
    )
    return None if row is None or row[0] is None else float(row[0])
