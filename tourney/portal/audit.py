"""Who did what, and why: lines that are only ever added."""

import json
from collections.abc import Iterator
from dataclasses import dataclass

from tourney.event.store import Database
from tourney.portal.database import now

PERSONAL = frozenset({"person", "login", "email", "because"})
"""What never stands in a line."""


@dataclass(frozen=True, slots=True)
class Line:
    """One act."""

    time: str
    who: str  # name of the account; empty for the portal itself
    act: str
    about: dict[str, object]


def note(
    database: Database,
    act: str,
    *,
    account: int | None = None,
    course: int | None = None,
    **about: object,
) -> None:
    """Write down an act, best in the transaction that does it.

    Args:
        database: The portal's.
        act: What was done, as a few words: "deadline changed".
        account: Who did it; None for the portal itself.
        course: Where; None for the portal as a whole.
        about: What else there is to know: no secrets, and of people their numbers only, since a
            line outlives whoever it is about.
    """
    assert not PERSONAL & about.keys(), about.keys()
    database.execute(
        "INSERT INTO audit (time, account, course, act, about) VALUES (?, ?, ?, ?, ?)",
        (now(), account, course, act, json.dumps(about)),
    )


def lines(database: Database, course: int | None, most: int = 500) -> Iterator[Line]:
    """Give the latest lines of a course, or of the portal itself, newest first.

    Of an exception they say for whom it is and why, as long as that is kept.
    """
    rows = database.read(
        iter,
        "SELECT audit.time, coalesce(accounts.name, ''), act, about, person, because FROM audit "
        "LEFT JOIN accounts ON accounts.id = audit.account "
        "LEFT JOIN overrides ON overrides.id = json_extract(about, '$.exception') "
        "AND overrides.course = audit.course "
        "WHERE audit.course IS ? ORDER BY audit.id DESC LIMIT ?",
        (course, most),
    )
    for time, who, act, about, person, because in rows:
        more = {"person": person, "because": because} if person else {}
        yield Line(time, who, act, {**json.loads(about), **more})
