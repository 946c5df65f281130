"""Waivers: submission rules that organisers have waived for one person, until a time.

A waiver is never deleted, because lines of the audit log refer to it; it is ended by its time.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from tourney.portal.database import now
from tourney.sqlite.database import Database


@dataclass(frozen=True, slots=True)
class Waiver:
    """Rules that do not hold for one person."""

    id: int
    person: str  # on the roster
    name: str  # the player name
    limits: tuple[str, ...]  # names of the waived rules
    because: str
    until: str  # in the format of `database.now`

    @property
    def is_over(self) -> bool:
        """Whether it no longer applies to new submissions."""
        return self.until <= now()


_COLUMNS = "id, person, name, limits, because, until"


def waivers_of(database: Database, course: int) -> tuple[Waiver, ...]:
    """Give the waivers of a course, the latest end first, without those of erased people."""
    return tuple(
        database.read(
            _waivers,
            f"SELECT {_COLUMNS} FROM overrides WHERE course = ? AND person <> '' "  # noqa: S608 - columns of ours
            "ORDER BY until DESC, id DESC",
            (course,),
        )
    )


def waive(database: Database, course: int, waiver: Waiver) -> int:
    """Store a waiver, in place of the person's present one for the same rules; give its number.

    Call it in a transaction. The `id` of the given waiver does not matter.
    """
    limits = json.dumps(list(waiver.limits))
    own = (course, waiver.person, waiver.name, limits, now())
    row = database.first(
        "SELECT id FROM overrides WHERE course = ? AND person = ? AND name = ? AND limits = ? "
        "AND until > ?",
        own,
    )
    if row:
        database.execute(
            "UPDATE overrides SET because = ?, until = ? WHERE id = ?",
            (waiver.because, waiver.until, row[0]),
        )
        return int(row[0])
    return database.insert(
        "INSERT INTO overrides (course, person, name, limits, because, until) "
        "VALUES (?, ?, ?, ?, ?, ?)",
        (*own[:4], waiver.because, waiver.until),
    )


def end_waiver(database: Database, course: int, number: int) -> bool:
    """End a waiver now; give whether there was one that applied."""
    sql = "UPDATE overrides SET until = :now WHERE id = :id AND course = :course AND until > :now"
    return bool(database.execute(sql, {"now": now(), "id": number, "course": course}))


def lifted(
    database: Database, course: int, person: str, name: str, received: str
) -> tuple[tuple[str, ...], str]:
    """Give the waived limits of a person, with reasons.

    Args:
        database: The portal's.
        course: Its course.
        person: On the roster, where two people may have the same name.
        name: The player name, which is unique.
        received: Time of the submission, in the format of `database.now`.
    """
    moment = datetime.fromisoformat(received)
    holding = sorted(
        (
            each
            for each in waivers_of(database, course)
            if (each.person, each.name) == (person, name)
            and moment <= datetime.fromisoformat(each.until)
        ),
        key=lambda each: each.id,
    )
    limits = sorted({limit for each in holding for limit in each.limits})
    return tuple(limits), "; ".join(each.because for each in holding)


def lifted_until(
    database: Database, course: int, person: str, name: str, limit: str
) -> datetime | None:
    """Give the time until which a limit is waived for a person; `None` if it was never waived."""
    rows = database.read(
        iter,
        "SELECT until FROM overrides WHERE course = ? AND person = ? AND name = ? "
        "AND EXISTS (SELECT 1 FROM json_each(limits) WHERE value = ?)",
        (course, person, name, limit),
    )
    return max((datetime.fromisoformat(until) for (until,) in rows), default=None)


def _waivers(rows: Iterable[tuple[Any, ...]]) -> Iterator[Waiver]:
    for number, person, name, limits, because, until in rows:
        yield Waiver(number, person, name, tuple(json.loads(limits)), because, until)
