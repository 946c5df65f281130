"""Pages of lecturers for finals: start (now or later), reveal and publish; and practice settings.

A request becomes a job of the runner; decisions are stored with the run.
"""

import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from starlette.exceptions import HTTPException
from starlette.responses import Response

from tourney.errors import PortalError
from tourney.portal import audit, boards, jobs
from tourney.portal.boards import PortalRun
from tourney.portal.database import now, set_setting, setting, time_text
from tourney.portal.web.pages import Page, RequestContext, shown_time

LONGEST_TITLE = 80
GRACE = timedelta(minutes=5)
"""A start time may have passed by this much while the form was filled in."""
STOPPED = "stopped by its lecturer; all results so far are kept"
PRACTICE = {"tables": (40, 500), "rounds": (100, 1000), "days": (7, 100)}
"""Default and largest values of the practice settings."""


async def new_final(asked: RequestContext) -> Response:
    """Show the form for a new final."""
    return asked.page("new-final.html")


async def start_final(asked: RequestContext) -> Response:
    """Request a final, now or at a later time."""
    freeze, reveal = await _time(asked, "freeze"), await _time(asked, "reveal")
    if reveal and not freeze:
        raise PortalError("reveal: there is no freeze time; enter one, or leave the reveal empty")
    if reveal and freeze and reveal < freeze:
        raise PortalError(
            f"reveal: {_shown(reveal)} is before the freeze at {_shown(freeze)}; choose a later "
            "time"
        )
    begins, moment = await _time(asked, "begins"), datetime.now(UTC)
    if begins and begins < moment - GRACE:
        raise PortalError(
            f"begins: {_shown(begins)} has passed (it is {_shown(moment)} now, in UTC); leave the "
            "field empty to start now"
        )
    title = (await asked.field("title")).strip()
    if len(title) > LONGEST_TITLE or not title.isprintable():
        raise PortalError(f"title: use 1 to {LONGEST_TITLE} printable characters")
    wanted = {
        "title": title or f"Final of {asked.course.title}",
        "freeze": freeze.isoformat() if freeze else "",
        "reveal": reveal.isoformat() if reveal else "",
        "audience": await _choice(asked, "audience", ("course", "public")),
        "names": await _choice(asked, "names", ("names", "handles")),
    }
    with asked.database.transaction():
        audit.note(
            asked.database,
            "final asked for",
            account=asked.account.id,
            course=asked.course.id,
            begins=begins.isoformat() if begins else "",
            **wanted,
        )
        jobs.insert(
            asked.database,
            "final",
            wanted,
            course=asked.course.id,
            account=asked.account.id,
            not_before=time_text(begins) if begins else "",
        )
    return asked.go_to("finals")


async def cancel_final(asked: RequestContext) -> Response:
    """Cancel a final that has not started."""
    number = asked.request.path_params["job"]
    with asked.database.transaction():
        audit.note(
            asked.database,
            "final taken back",
            account=asked.account.id,
            course=asked.course.id,
            job=number,
        )
        if not jobs.withdraw(asked.database, number, asked.course.id, "final"):
            raise PortalError("final: it has already started, or there is no such final")
    return asked.go_to("finals")


async def control(asked: RequestContext) -> Response:
    """Show the progress of a final, and the available actions."""
    run = _run(asked)
    told = boards.board_of(asked.database, run.id, "course")
    counted = boards.board_of(asked.database, run.id, "staff")
    job = jobs.get(asked.database, int(run.settings["job"]))
    return asked.page(
        "final-control.html",
        run=run,
        board=json.loads(told.shown) if told else {"state": ""},
        is_counted=counted is not None and json.loads(counted.shown).get("state") == "over",
        said=jobs.said(asked.database, job.id),
        given_up=job.fault if job.state == "failed" else "",
        can_stop=job.started is not None and not job.is_over,
        pages=pages_of(asked).get(run.id),
    )


def pages_of(asked: RequestContext) -> Mapping[int, jobs.Job]:
    """Give the last job that wrote the pages of each final, by the final's number."""
    latest = jobs.of_course(asked.database, asked.course.id, ["publish"])
    return {int(each.payload["run"]): each for each in reversed(latest)}


async def stop_final(asked: RequestContext) -> Response:
    """Stop a running final until it is resumed."""
    run = _run(asked)
    number = int(run.settings["job"])
    with asked.database.transaction():
        boards.change(asked.database, run, stopped=True)
        _decide(asked, run, "final stopped")
        if not jobs.stop(asked.database, number, asked.course.id, "final", STOPPED):
            raise PortalError("final: it is not running; reload the page")
    return asked.go_to("final-control", run=run.id)


async def play_on(asked: RequestContext) -> Response:
    """Resume a final that was given up or stopped."""
    run = _run(asked)
    with asked.database.transaction():
        boards.change(asked.database, run, stopped=False)
        _decide(asked, run, "final goes on")
        if not jobs.begin_again(asked.database, int(run.settings["job"])):
            raise PortalError("final: it is not stopped; reload the page")
    return asked.go_to("final-control", run=run.id)


async def reveal_next(asked: RequestContext) -> Response:
    """Reveal one more row, from the last place up."""
    run = _run(asked)
    board = boards.board_of(asked.database, run.id, "staff")
    told = json.loads(board.shown) if board else {}
    # The last row to reveal is known only when all rows are counted.
    if told.get("state") != "over":
        raise PortalError("final: it is not finished and counted yet; try again in a moment")
    with asked.database.transaction():
        run = _run(asked)  # reread in the transaction
        revealed = int(run.settings.get("revealed", 0)) + 1
        _decide(asked, run, "row revealed", revealed=revealed)
        if revealed >= len(told["rows"]):
            _decide(asked, run, "results told", opened=now())
    return asked.go_to("final-control", run=run.id)


async def tell_all(asked: RequestContext) -> Response:
    """Reveal all results."""
    run = _run(asked)
    with asked.database.transaction():
        _decide(asked, run, "results told", opened=now())
    return asked.go_to("final-control", run=run.id)


async def set_audience(asked: RequestContext) -> Response:
    """Set who may see a final."""
    run = _run(asked)
    audience = await _choice(asked, "audience", ("course", "public"))
    with asked.database.transaction():
        _decide(asked, run, "audience chosen", audience=audience)
    return asked.go_to("final-control", run=run.id)


async def publish(asked: RequestContext) -> Response:
    """Request the pages of a final, with the results revealed by now."""
    run = _run(asked)
    with asked.database.transaction():
        audit.note(
            asked.database,
            "pages asked for",
            account=asked.account.id,
            course=asked.course.id,
            run=run.id,
        )
        jobs.insert(
            asked.database,
            "publish",
            {"run": run.id},
            course=asked.course.id,
            account=asked.account.id,
        )
    return asked.go_to("final-control", run=run.id)


async def practice_terms(asked: RequestContext) -> Response:
    """Show the practice settings."""
    kept = json.loads(setting(asked.database, f"practice {asked.course.id}", "{}"))
    default = {name: default for name, (default, _) in PRACTICE.items()}
    return asked.page("practice-terms.html", terms=default | kept)


async def set_practice_terms(asked: RequestContext) -> Response:
    """Save the practice settings."""
    terms = {name: await _number(asked, name, most) for name, (_, most) in PRACTICE.items()}
    with asked.database.transaction():
        set_setting(asked.database, f"practice {asked.course.id}", json.dumps(terms))
        audit.note(
            asked.database,
            "practice changed",
            account=asked.account.id,
            course=asked.course.id,
            **terms,
        )
        jobs.insert(asked.database, "practice", {}, course=asked.course.id)
    return asked.go_to("practice")


def _run(asked: RequestContext) -> PortalRun:
    number = asked.request.path_params["run"]
    run = boards.run_by(asked.database, asked.course.id, number)
    if run is None or run.purpose != "final":
        raise HTTPException(404)
    return run


def _decide(asked: RequestContext, run: PortalRun, act: str, **settings: object) -> None:
    """Store a decision on a run, with a line in the audit log."""
    boards.change(asked.database, run, **settings)
    audit.note(
        asked.database,
        act,
        account=asked.account.id,
        course=asked.course.id,
        run=run.id,
        **settings,
    )


async def _time(asked: RequestContext, name: str) -> datetime | None:
    """Read a time (UTC) of a form; None if the field is empty."""
    text = (await asked.field(name)).strip()
    if not text:
        return None
    try:
        time = datetime.fromisoformat(text)
        return (time if time.tzinfo else time.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        raise PortalError(
            f"{name}: {text[:40]!r} is not a time; enter one such as 2026-05-01T12:00"
        ) from None


def _shown(time: datetime) -> str:
    return shown_time(time.isoformat())


async def _choice(asked: RequestContext, name: str, known: tuple[str, ...]) -> str:
    value = await asked.field(name)
    if value not in known:
        raise PortalError(f"{name}: {value[:40]!r} is not possible; choose {' or '.join(known)}")
    return value


async def _number(asked: RequestContext, name: str, most: int) -> int:
    text = await asked.field(name)
    if not text.isascii() or not text.isdecimal() or len(text) > len(str(most)):
        raise PortalError(f"{name}: expected a whole number from 1 to {most}, got {text[:40]!r}")
    if not 1 <= int(text) <= most:
        raise PortalError(f"{name}: expected a whole number from 1 to {most}, got {text}")
    return int(text)


_NEW, _RUN = "/c/{course}/finals/new", "/c/{course}/final/{run:int}"
_TERMS = "/c/{course}/practice-terms"
PAGES = (
    Page(_NEW, "new-final", "lecturer", new_final),
    Page(
        "/c/{course}/finals/new", "new-final-form", "lecturer", start_final, "POST", is_grave=True
    ),
    Page(
        "/c/{course}/finals/cancel/{job:int}",
        "final-cancel",
        "lecturer",
        cancel_final,
        "POST",
        form="finals",
    ),
    Page(f"{_RUN}/control", "final-control", "lecturer", control),
    Page(f"{_RUN}/stop", "final-stop", "lecturer", stop_final, "POST", form="final-control"),
    Page(f"{_RUN}/go-on", "final-go-on", "lecturer", play_on, "POST", form="final-control"),
    Page(f"{_RUN}/reveal", "final-reveal", "lecturer", reveal_next, "POST", form="final-control"),
    Page(
        f"{_RUN}/tell",
        "final-tell",
        "lecturer",
        tell_all,
        "POST",
        is_grave=True,
        form="final-control",
    ),
    Page(
        f"{_RUN}/audience", "final-audience", "lecturer", set_audience, "POST", form="final-control"
    ),
    Page(f"{_RUN}/publish", "final-publish", "lecturer", publish, "POST", form="final-control"),
    Page(_TERMS, "practice-terms", "lecturer", practice_terms),
    Page(_TERMS, "practice-terms-form", "lecturer", set_practice_terms, "POST"),
)
