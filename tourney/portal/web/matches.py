"""Pages to request a private match, to agree to one, to decline it and to withdraw it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from starlette.exceptions import HTTPException
from starlette.responses import Response

from tourney.errors import PortalError
from tourney.portal import boards, jobs
from tourney.portal.database import InstalledStrategy, now, strategies
from tourney.portal.jobs import Job
from tourney.portal.web.boards import laid_out
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
    ended: str  # declined, withdrawn or empty


async def matches(context: RequestContext) -> Response:
    """Show the student's matches and requests, with the opponents to choose from."""
    mine = context.account.memberships[context.course.id].name
    return context.page(
        "matches.html",
        matches=_own(context),
        me=context.account.id,
        strategies=_strategies(context),
        mates=[each for each in _visible_mates(context) if each != mine],
    )


async def ask_for_match(context: RequestContext) -> Response:
    """Request a match; against a strategy it is queued immediately."""
    mine = _name(context)
    opponent, mate = _opponent(context, mine, await _typed(context))
    with context.database.transaction():
        _check_few(context)
        number = context.database.insert(
            "INSERT INTO matches (course, account, mate, opponent, made) VALUES (?, ?, ?, ?, ?)",
            (context.course.id, context.account.id, mate, opponent, now()),
        )
        if mate is None:
            _begin(context, number, [mine, opponent], [context.account.id])
    return context.go_to("matches")


async def _typed(context: RequestContext) -> str:
    """Give the chosen opponent, or the typed name of a classmate."""
    typed = (await context.field("classmate")).strip() or (await context.field("opponent")).strip()
    if not typed or len(typed) > LONGEST_NAME or not typed.isprintable():
        raise PortalError("opponent: choose a strategy or a classmate")
    return typed


def _opponent(context: RequestContext, mine: str, typed: str) -> tuple[str, int | None]:
    """Give an opponent, and the account of a classmate.

    A fault is found here if possible, because a match that cannot be played counts as one of the
    day.

    Raises: PortalError, if there is no such opponent.
    """
    if _folded(typed) == _folded(mine):
        raise PortalError("opponent: you cannot play against yourself; choose another opponent")
    rows = context.database.read(
        tuple,
        "SELECT name, account FROM memberships WHERE course = ? AND role = 'student' "
        "AND name <> '' AND removed IS NULL",
        (context.course.id,),
    )
    mates: dict[str, int] = dict(rows)
    if typed in mates:
        return typed, mates[typed]
    known = [each.name for each in _strategies(context)]
    alike = next((each for each in (*known, *mates) if _folded(each) == _folded(typed)), None)
    if alike and typed not in known:
        raise PortalError(f"opponent: there is no {typed!r}, but {alike!r}; write it exactly so")
    if known and typed not in known:
        raise PortalError(
            f"opponent: no strategy of the game and no student who has joined is called "
            f"{typed[:40]!r}; choose one of the list, or type a full player name"
        )
    return typed, None


def _folded(name: str) -> str:
    return "".join(name.casefold().split())


def _strategies(context: RequestContext) -> tuple[InstalledStrategy, ...]:
    """Give strategies that can play the course's game; empty before the checker stores them."""
    told = context.course.told
    found = strategies(context.database, str(told.get("preset") or ""))
    fitting = told.get("strategies")
    return tuple(each for each in found if not isinstance(fitting, list) or each.name in fitting)


def _visible_mates(context: RequestContext) -> list[str]:
    """Give the students that the practice board shows by their player names."""
    found = boards.runs_of(context.database, context.course.id, "practice")
    board = boards.board_of(context.database, found[0].id, "course") if found else None
    if board is None:
        return []
    shown = {row["entrant"] for row in laid_out(boards.content_of(board))["rows"]}
    rows = context.database.read(
        tuple,
        "SELECT DISTINCT name FROM memberships WHERE course = ? AND role = 'student' "
        "AND removed IS NULL ORDER BY name",
        (context.course.id,),
    )
    return [name for (name,) in rows if name in shown]


async def agree(context: RequestContext) -> Response:
    """Agree to a match that a classmate has requested."""
    number = context.request.path_params["match"]
    with context.database.transaction():
        found = next((each for each in _own(context) if each.id == number), None)
        if found is None or found.mate != context.account.id:
            raise HTTPException(404)
        if found.ended:
            raise PortalError(f"match: it was {found.ended}; reload the page")
        own = context.account.memberships[context.course.id].name
        if found.job is None and own != found.opponent:
            # The name may be of a team that the student has left, and nobody of it has agreed.
            raise PortalError(
                f"match: you play as {own} by now, not as {found.opponent}; decline it, and ask "
                "for another one"
            )
        if found.job is None:
            _begin(
                context, number, [found.asker, found.opponent], [found.account, context.account.id]
            )
    return context.go_to("matches")


async def decline(context: RequestContext) -> Response:
    """Decline a match that a classmate has requested."""
    return _end(context, "declined")


async def withdraw(context: RequestContext) -> Response:
    """Withdraw an own request that has not started; it still counts as one of the day."""
    return _end(context, "withdrawn")


def _end(context: RequestContext, how: str) -> Response:
    number, me = context.request.path_params["match"], context.account.id
    with context.database.transaction():
        found = next((each for each in _own(context) if each.id == number), None)
        if found is None or me != (found.mate if how == "declined" else found.account):
            raise HTTPException(404)
        is_free = found.job is None or (
            how == "withdrawn"
            and jobs.withdraw(context.database, found.job.id, context.course.id, "match")
        )
        if found.ended or not is_free:
            raise PortalError("match: it has started or ended already; reload the page")
        context.database.execute("UPDATE matches SET ended = ? WHERE id = ?", (how, number))
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


def requests_to(context: RequestContext) -> list[AskedMatch]:
    """Give the requests of classmates that the student has not answered."""
    me = context.account.id
    return [each for each in _own(context) if each.mate == me and not each.ended and not each.job]


def _own(context: RequestContext) -> tuple[AskedMatch, ...]:
    """Give the matches of the student, newest first."""

    def read(rows: Iterable[tuple[Any, ...]]) -> Iterator[AskedMatch]:
        for number, account, mate, opponent, asker, job, ended in rows:
            done = jobs.get(context.database, job) if job else None
            yield AskedMatch(number, account, mate, opponent, asker, done, ended)

    return tuple(
        context.database.read(
            read,
            "SELECT matches.id, matches.account, mate, opponent, asker.name, job, ended "
            "FROM matches JOIN memberships AS asker "
            "ON asker.account = matches.account AND asker.course = matches.course "
            "WHERE matches.course = ? AND (matches.account = ? OR mate = ?) "
            "ORDER BY matches.id DESC LIMIT 50",
            (context.course.id, context.account.id, context.account.id),
        )
    )


_MATCHES = "/c/{course}/matches"
PAGES = (
    Page(_MATCHES, "matches", "student", matches),
    Page(_MATCHES, "matches-form", "student", ask_for_match, "POST"),
    *(
        Page(
            f"{_MATCHES}/{{match:int}}/{act}",
            f"match-{act}",
            "student",
            answer,
            "POST",
            form="matches",
        )
        for act, answer in (("agree", agree), ("decline", decline), ("withdraw", withdraw))
    ),
)
