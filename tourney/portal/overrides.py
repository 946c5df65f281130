"""What of a course's terms does not hold for one person, as its organisers have said."""

import json
from datetime import datetime

from tourney.sqlite.database import Database


def lifted(
    database: Database, course: int, person: str, name: str, received: str
) -> tuple[tuple[str, ...], str]:
    """Give the limits that do not hold for somebody, and why.

    Args:
        database: The portal's.
        course: Where.
        person: On the roster, where two may be called the same.
        name: That they play under, which nobody else does.
        received: When something of theirs came, as `database.now` gives times.
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
