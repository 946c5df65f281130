"""Pages to request a private match, and to agree to one."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from starlette.exceptions import HTTPException
from starlette.responses import Response

from tourney.errors import PortalError
from tourney.portal import jobs
from tourney.portal.database import now
from tourney.portal.jobs import Job
from tourney.portal.web.pages import Page, RequestContext

MOST_A_DAY = 10
LONGEST_NAME = 100


@dataclass(frozen=True, slots=True)
class AskedMatch:
    """A requested match, as one of its two players sees it."""

    id: int
    account: int
    mate: int | None
    opponent: str
    asker: str  # player name
    job: Job | None


async def matches(asked: RequestContext) -> Response:
    """Show the student's matches and requests."""
    return asked.page("matches.html", matches=_own(asked), me=asked.account.id)


async def ask_for_match(asked: RequestContext) -> Response:
    """Request a match; against a strategy it is queued immediately."""
    opponent = (await asked.field("opponent")).strip()
    if not opponent or len(opponent) > LONGEST_NAME or not opponent.isprintable():
        raise PortalError("opponent: enter the name of a strategy or of a classmate")
    mine = _name(asked)
    mate = asked.database.first(
        "SELECT account FROM members WHERE course = ? AND role = 'student' AND name = ?",
        (asked.course.id, opponent),
    )
    if opponent == mine:
        raise PortalError("opponent: you cannot play against yourself; choose another opponent")
    with asked.database.transaction():
        _check_few(asked)
        number = asked.database.insert(
            "INSERT INTO matches (course, account, mate, opponent, made) VALUES (?, ?, ?, ?, ?)",
            (asked.course.id, asked.account.id, mate[0] if mate else None, opponent, now()),
        )
        if mate is None:
            _begin(asked, number, [mine, opponent], [asked.account.id])
    return asked.go_to("matches")


async def agree(asked: RequestContext) -> Response:
    """Agree to a match that a classmate has requested."""
    number = asked.request.path_params["match"]
    with asked.database.transaction():
        found = next((each for each in _own(asked) if each.id == number), None)
        if found is None or found.mate != asked.account.id:
            raise HTTPException(404)
        if found.job is None:
            _begin(asked, number, [found.asker, found.opponent], [found.account, asked.account.id])
    return asked.go_to("matches")


def _name(asked: RequestContext) -> str:
    name = asked.account.memberships[asked.course.id].name
    if not name:
        raise PortalError("match: you have no player name yet; ask your lecturer for one")
    return name


def _check_few(asked: RequestContext) -> None:
    row = asked.database.first(
        "SELECT count(*) FROM matches WHERE account = ? AND made >= ?",
        (asked.account.id, now()[:10]),
    )
    if row and row[0] >= MOST_A_DAY:
        raise PortalError(
            f"match: you have used your {MOST_A_DAY} matches of today (UTC); try again tomorrow"
        )


def _begin(asked: RequestContext, match: int, names: list[str], accounts: list[int]) -> None:
    job = jobs.insert(
        asked.database,
        "match",
        {"names": names, "accounts": accounts},
        course=asked.course.id,
        account=accounts[0],
    )
    asked.database.execute("UPDATE matches SET job = ? WHERE id = ?", (job, match))


def _own(asked: RequestContext) -> tuple[AskedMatch, ...]:
    """Give the matches of the student, newest first."""

    def read(rows: Iterable[tuple[Any, ...]]) -> Iterator[AskedMatch]:
        for number, account, mate, opponent, asker, job in rows:
            done = jobs.get(asked.database, job) if job else None
            yield AskedMatch(number, account, mate, opponent, asker, done)

    return tuple(
        asked.database.read(
            read,
            "SELECT matches.id, matches.account, mate, opponent, members.name, job FROM matches "
            "JOIN members ON members.account = matches.account AND members.course = matches.course "
            "WHERE matches.course = ? AND (matches.account = ? OR mate = ?) "
            "ORDER BY matches.id DESC LIMIT 50",
            (asked.course.id, asked.account.id, asked.account.id),
        )
    )


_MATCHES = "/c/{course}/matches"
PAGES = (
    Page(_MATCHES, "matches", "student", matches),
    Page(_MATCHES, "matches-form", "student", ask_for_match, "POST"),
    Page(
        f"{_MATCHES}/{{match:int}}/agree", "match-agree", "student", agree, "POST", form="matches"
    ),
)
