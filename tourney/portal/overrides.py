"""Waivers: submission rules that organisers have waived for one person."""

import json
from datetime import datetime

from tourney.sqlite.database import Database


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
    rows = database.read(
        iter,
        "SELECT limits, because, until FROM overrides "
        "WHERE course = ? AND person = ? AND name = ? ORDER BY id",
        (course, person, name),
    )
    moment = datetime.fromisoformat(received)
    holding = [row for row in rows if moment <= datetime.fromisoformat(row[2])]
    limits = sorted({limit for row in holding for limit in json.loads(row[0])})
    return tuple(limits), "; ".join(row[1] for row in holding)


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
