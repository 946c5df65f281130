"""Pages to request a private match, to agree to one, to decline it and to withdraw it."""

from dataclasses import dataclass
from functools import partial
from typing import Literal

from starlette.exceptions import HTTPException
from starlette.responses import Response

from tourney.errors import PortalError
from tourney.portal import jobs
from tourney.portal.database import InstalledStrategy, now, strategies
from tourney.portal.jobs import Job
from tourney.portal.web.boards import laid_out, practice_run
from tourney.portal.web.pages import Page, RequestContext, board_content

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
    ended: str  # declined, withdrawn or empty
    job: Job | None


async def matches(context: RequestContext) -> Response:
    """Show the student's matches and requests, with the opponents to choose from."""
    return context.page(
        "matches.html",
        matches=_own(context),
        me=context.account.id,
        strategies=_strategies(context),
        mates=[each for each in _visible_mates(context) if each != context.player],
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
    mates = _mates(context)
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
    run = practice_run(context)
    if run is None:
        return []
    shown = {row["entrant"] for row in laid_out(board_content(context, run, "course"))["rows"]}
    return [name for name in _mates(context) if name in shown]


def _mates(context: RequestContext) -> dict[str, int]:
    """Give the accounts of the students by their player names; of a team, one account."""
    rows = context.database.read(
        tuple,
        "SELECT name, account FROM memberships WHERE course = ? AND role = 'student' "
        "AND name <> '' AND removed IS NULL ORDER BY name",
        (context.course.id,),
    )
    return dict(rows)


async def agree(context: RequestContext) -> Response:
    """Agree to a match that a classmate has requested."""
    number = context.request.path_params["match"]
    with context.database.transaction():
        found = next((each for each in _own(context) if each.id == number), None)
        if found is None or found.mate != context.account.id:
            raise HTTPException(404)
        if found.ended:
            raise PortalError(f"match: it was {found.ended}; reload the page")
        if found.job is None and context.player != found.opponent:
            # The name may be of a team that the student has left, and nobody of it has agreed.
            raise PortalError(
                f"match: you play as {context.player} by now, not as {found.opponent}; decline it, "
                "and ask for another one"
            )
        if found.job is None:
            _begin(
                context, number, [found.asker, found.opponent], [found.account, context.account.id]
            )
    return context.go_to("matches")


async def end(context: RequestContext, how: Literal["declined", "withdrawn"]) -> Response:
    """Decline a classmate's request, or withdraw an own one that has not started.

    A withdrawn match still counts as one of the day.
    """
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
    if not context.player:
        raise PortalError("match: you have no player name yet; ask your lecturer for one")
    return context.player


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
    rows = context.database.read(
        iter,
        "SELECT matches.id, matches.account, mate, opponent, asker.name, ended, job "
        "FROM matches JOIN memberships AS asker "
        "ON asker.account = matches.account AND asker.course = matches.course "
        "WHERE matches.course = ? AND (matches.account = ? OR mate = ?) "
        "ORDER BY matches.id DESC LIMIT 50",
        (context.course.id, context.account.id, context.account.id),
    )
    return tuple(
        AskedMatch(
            number,
            account,
            mate,
            opponent,
            asker,
            ended,
            jobs.get(context.database, job) if job else None,
        )
        for number, account, mate, opponent, asker, ended, job in rows
    )


_MATCHES = "/c/{course}/matches"
_MATCH = f"{_MATCHES}/{{match:int}}"
_on_matches = partial(Page, method="POST", form="matches")
PAGES = (
    Page(_MATCHES, "matches", "student", matches),
    Page(_MATCHES, "matches-form", "student", ask_for_match, "POST"),
    _on_matches(f"{_MATCH}/agree", "match-agree", "student", agree),
    _on_matches(f"{_MATCH}/decline", "match-decline", "student", partial(end, how="declined")),
    _on_matches(f"{_MATCH}/withdraw", "match-withdraw", "student", partial(end, how="withdrawn")),
)
