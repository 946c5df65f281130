"""The audit log: actions with account, time and reason. Lines are never changed."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from tourney.portal.database import now
from tourney.sqlite.database import Database

PERSONAL = frozenset({"person", "login", "email", "because"})
"""Keys that no line may have."""


@dataclass(frozen=True, slots=True)
class Line:
    """One action."""

    time: str
    who: str  # name of the account; empty for the portal itself
    act: str
    about: dict[str, object]
    course: str  # its short name; empty for the portal as a whole
    id: int


def note(
    database: Database,
    act: str,
    *,
    account: int | None = None,
    course: int | None = None,
    **about: object,
) -> None:
    """Record an action, best in the transaction that does it.

    Args:
        database: The portal's.
        act: The action in a few words, such as "deadline changed".
        account: The actor; `None` for the portal itself.
        course: Its course; `None` for the portal as a whole.
        **about: Details: no secrets, and people only by number, since lines outlive accounts.
    """
    assert not PERSONAL & about.keys(), about.keys()
    database.execute(
        "INSERT INTO audit (time, account, course, act, about) VALUES (?, ?, ?, ?, ?)",
        (now(), account, course, act, json.dumps(about)),
    )


@dataclass(frozen=True, slots=True)
class Part:
    """Lines of a page, and the choices of its filter."""

    lines: tuple[Line, ...]
    older: int | None  # the next page starts after this line; None for the last page
    act: str  # the only action; empty for all
    acts: tuple[str, ...]


A_PAGE = 100
"""Lines on a page."""


def page(database: Database, *, course: str = "", act: str = "", before: int = 0) -> Part:
    """Give a page of lines; see `lines`. Here `before` 0 means the newest."""
    found = tuple(lines(database, course=course, act=act, before=before or None, most=A_PAGE + 1))
    older = found[A_PAGE - 1].id if len(found) > A_PAGE else None
    acts = database.read(
        iter,
        "SELECT DISTINCT act FROM audit LEFT JOIN courses ON courses.id = audit.course "
        "WHERE (:course = '' OR slug = :course) ORDER BY act",
        {"course": course},
    )
    return Part(found[:A_PAGE], older, act, tuple(name for (name,) in acts))


def lines(
    database: Database,
    *,
    course: str = "",
    act: str = "",
    before: int | None = None,
    most: int = 500,
) -> Iterator[Line]:
    """Give lines, newest first. A waiver's line shows its student and reason while they are stored.

    Args:
        database: The portal's.
        course: Short name of a course; empty for all courses and the portal.
        act: The only action; empty for all.
        before: Give lines older than this number; `None` for the newest.
        most: At most this many lines.
    """
    return database.read(
        _lines,
        f"{_LINES} WHERE (:course = '' OR slug = :course) AND (:act = '' OR act = :act) "
        "AND (:before IS NULL OR audit.id < :before) ORDER BY audit.id DESC LIMIT :most",
        {"course": course, "act": act, "before": before, "most": most},
    )


_LINES = """
SELECT
    audit.id, audit.time, coalesce(accounts.name, ''), act, about, coalesce(slug, ''), whom.name,
    person, because
FROM audit
LEFT JOIN accounts ON accounts.id = audit.account
LEFT JOIN accounts AS whom ON whom.id = json_extract(about, '$.of')
LEFT JOIN courses ON courses.id = audit.course
LEFT JOIN overrides ON overrides.id = json_extract(about, '$.exception')
    AND overrides.course = audit.course
"""


def _lines(rows: Iterable[tuple[Any, ...]]) -> Iterator[Line]:
    """Read lines, with the current names of accounts in place of numbers."""
    for number, time, who, act, text, course, whom, person, because in rows:
        about = json.loads(text)
        if person:
            about |= {"person": person, "because": because}
        if whom is not None:
            about["of"] = f"{whom} (account {about['of']})"
        yield Line(time, who, act, about, course, number)
