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


async def matches(context: RequestContext) -> Response:
    """Show the student's matches and requests."""
    return context.page("matches.html", matches=_own(context), me=context.account.id)


async def ask_for_match(context: RequestContext) -> Response:
    """Request a match; against a strategy it is queued immediately."""
    opponent = (await context.field("opponent")).strip()
    if not opponent or len(opponent) > LONGEST_NAME or not opponent.isprintable():
        raise PortalError("opponent: enter the name of a strategy or of a classmate")
    mine = _name(context)
    mate = context.database.first(
        "SELECT account FROM members WHERE course = ? AND role = 'student' AND name = ?",
        (context.course.id, opponent),
    )
    if opponent == mine:
        raise PortalError("opponent: you cannot play against yourself; choose another opponent")
    with context.database.transaction():
        _check_few(context)
        number = context.database.insert(
            "INSERT INTO matches (course, account, mate, opponent, made) VALUES (?, ?, ?, ?, ?)",
            (context.course.id, context.account.id, mate[0] if mate else None, opponent, now()),
        )
        if mate is None:
            _begin(context, number, [mine, opponent], [context.account.id])
    return context.go_to("matches")


async def agree(context: RequestContext) -> Response:
    """Agree to a match that a classmate has requested."""
    number = context.request.path_params["match"]
    with context.database.transaction():
        found = next((each for each in _own(context) if each.id == number), None)
        if found is None or found.mate != context.account.id:
            raise HTTPException(404)
        if found.job is None:
            _begin(
                context, number, [found.asker, found.opponent], [found.account, context.account.id]
            )
    return context.go_to("matches")


def _name(context: RequestContext) -> str:
    name = context.account.memberships[context.course.id].name
    if not name:
        raise PortalError("match: you have no player name yet; ask your lecturer for one")
    return name


def _check_few(context: RequestContext) -> None:
    row = context.database.first(
        "SELECT count(*) FROM matches WHERE account = ? AND made >= ?",
        (context.account.id, now()[:10]),
    )
    if row and row[0] >= MOST_A_DAY:
        raise PortalError(
            f"match: you have used your {MOST_A_DAY} matches of today (UTC); try again tomorrow"
        )


def _begin(context: RequestContext, match: int, names: list[str], accounts: list[int]) -> None:
    job = jobs.insert(
        context.database,
        "match",
        {"names": names, "accounts": accounts},
        course=context.course.id,
        account=accounts[0],
    )
    context.database.execute("UPDATE matches SET job = ? WHERE id = ?", (job, match))


def _own(context: RequestContext) -> tuple[AskedMatch, ...]:
    """Give the matches of the student, newest first."""

    def read(rows: Iterable[tuple[Any, ...]]) -> Iterator[AskedMatch]:
        for number, account, mate, opponent, asker, job in rows:
            done = jobs.get(context.database, job) if job else None
            yield AskedMatch(number, account, mate, opponent, asker, done)

    return tuple(
        context.database.read(
            read,
            "SELECT matches.id, matches.account, mate, opponent, members.name, job FROM matches "
            "JOIN members ON members.account = matches.account AND members.course = matches.course "
            "WHERE matches.course = ? AND (matches.account = ? OR mate = ?) "
            "ORDER BY matches.id DESC LIMIT 50",
            (context.course.id, context.account.id, context.account.id),
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
