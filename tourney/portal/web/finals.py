"""Pages of lecturers for finals: start (now or later), reveal and publish; and practice settings.

A request becomes a job of the runner; decisions are stored with the run.
"""

import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from starlette.exceptions import HTTPException
from starlette.responses import Response

from tourney.errors import PortalError
from tourney.portal import boards, jobs
from tourney.portal.boards import PortalRun
from tourney.portal.database import now, set_setting, setting, time_text
from tourney.portal.web.boards import has_site, laid_out, pages_of
from tourney.portal.web.grades import SCHEMES
from tourney.portal.web.pages import (
    Page,
    RequestContext,
    add_job,
    board_content,
    final_of,
    is_whole,
    local_words,
    note,
    parts_of,
    time_on,
    zone_of,
)

LONGEST_TITLE = 80
GRACE = timedelta(minutes=5)
"""A start time may have passed by this much while the form was filled in."""
EMPTY = dict.fromkeys(("title", "begins", "freeze", "reveal", "audience", "names"), "")
"""Values of an empty form."""
STOPPED = "stopped by its lecturer; all results so far are kept"
PRACTICE = {"tables": (40, 500), "rounds": (100, 1000), "days": (7, 100)}
"""Default and largest values of the practice settings."""


async def new_final(context: RequestContext) -> Response:
    """Show the form for a new final."""
    zone = zone_of(context.course.told)
    return context.page(
        "new-final.html", zone=str(zone), job=None, values=EMPTY, until=_open_until(context)
    )


def _open_until(context: RequestContext) -> str:
    """Give the last deadline of the students, in words; empty once all have passed."""
    own = filter(None, (each.get("deadline") for each in context.course.students))
    last = max(map(datetime.fromisoformat, own), default=None)
    return _shown(context, last) if last and last > datetime.now(UTC) else ""


async def edit_final(context: RequestContext) -> Response:
    """Show the form for a final that has not started."""
    job, zone = _scheduled(context), zone_of(context.course.told)
    if job is None:
        raise HTTPException(404)
    typed = {**job.payload, "begins": job.not_before}
    times = {
        name: "T".join(parts_of(typed[name], zone)) if typed[name] else ""
        for name in ("begins", "freeze", "reveal")
    }
    return context.page(
        "new-final.html", zone=str(zone), job=job, values={**typed, **times}, until=""
    )


def _scheduled(context: RequestContext) -> jobs.Job | None:
    """Give the final in the address if it is of the course and has not started."""
    number = context.request.path_params["job"]
    for job in jobs.these(context.database, json.dumps([number])):
        is_own = (job.course, job.kind) == (context.course.id, "final")
        return job if is_own and job.state == "queued" and job.started is None else None
    return None


async def start_final(context: RequestContext) -> Response:
    """Request a final, now or at a later time."""
    wanted, begins, start = await _wanted(context)
    with context.database.transaction():
        note(context, "final asked for", begins=begins, **wanted)
        add_job(context, "final", wanted, not_before=start)
    return context.go_to("finals")


async def change_final(context: RequestContext) -> Response:
    """Change the times and the title of a final that has not started."""
    wanted, begins, start = await _wanted(context)
    with context.database.transaction():
        job = _scheduled(context)
        if job is None or not jobs.change(context.database, job, wanted, start):
            raise PortalError("final: it has already started, or there is no such final")
        note(context, "final changed", job=job.id, begins=begins, **wanted)
    return context.go_to("finals")


async def _wanted(context: RequestContext) -> tuple[dict[str, str], str, str]:
    """Read the settings of a final, and the time of its start.

    Returns: The time as an ISO time and in the format of `now()`; both are empty for immediately.
    """
    freeze, reveal = await _time(context, "freeze"), await _time(context, "reveal")
    begins, moment = await _time(context, "begins"), datetime.now(UTC)
    if await context.field("hidden"):
        if freeze:
            raise PortalError("freeze: it has a time; leave it empty to hide all results")
        freeze = begins or moment
    if reveal and not freeze:
        raise PortalError("reveal: there is no freeze time; enter one, or leave the reveal empty")
    if reveal and freeze and reveal < freeze:
        raise PortalError(
            f"reveal: {_shown(context, reveal)} is before the freeze at "
            f"{_shown(context, freeze)}; choose a later time"
        )
    if begins and begins < moment - GRACE:
        raise PortalError(
            f"begins: {_shown(context, begins)} has passed (it is {_shown(context, moment)} now); "
            "leave the field empty to start now"
        )
    title = (await context.field("title")).strip()
    if len(title) > LONGEST_TITLE or not title.isprintable():
        raise PortalError(f"title: use 1 to {LONGEST_TITLE} printable characters")
    wanted = {
        "title": title or f"Final of {context.course.title}",
        "freeze": freeze.isoformat() if freeze else "",
        "reveal": reveal.isoformat() if reveal else "",
        "audience": await _choice(context, "audience", ("course", "public")),
        "names": await _choice(context, "names", ("names", "handles")),
    }
    if begins is None:
        return wanted, "", ""
    return wanted, begins.isoformat(), time_text(begins)


async def cancel_final(context: RequestContext) -> Response:
    """Cancel a final that has not started."""
    number = context.request.path_params["job"]
    with context.database.transaction():
        note(context, "final taken back", job=number)
        if not jobs.withdraw(context.database, number, context.course.id, "final"):
            raise PortalError("final: it has already started, or there is no such final")
    return context.go_to("finals")


async def control(context: RequestContext) -> Response:
    """Show the progress of a final, and the available actions."""
    run = final_of(context)
    whole = board_content(context, run, "staff")
    job = jobs.get(context.database, int(run.settings["job"]))
    return context.page(
        "final-control.html",
        run=run,
        board=board_content(context, run, "course") or {"state": ""},
        is_counted=whole.get("state") == "over",
        said=jobs.said(context.database, job.id),
        given_up=job.fault if job.state == "failed" else "",
        can_stop=job.started is not None and not job.is_over,
        pages=pages_of(context).get(run.id),
        exclusion=_last_exclusion(context, run),
        schemes=SCHEMES,
        entrants=_entrants(whole),
        has_site=has_site(context, run),
    )


def _entrants(board: Mapping[str, Any]) -> list[str]:
    """Give the names of the entrants of a stored board."""
    return sorted(row["entrant"] for row in laid_out(board)["rows"] if row["entrant"])


def _last_exclusion(context: RequestContext, run: PortalRun) -> jobs.Job | None:
    """Give the last request to exclude an entrant of a final, or to put it back."""
    asked = jobs.of_course(context.database, context.course.id, ["exclude"])
    return next((each for each in asked if each.payload["run"] == run.id), None)


async def exclude(context: RequestContext) -> Response:
    """Take an entrant off the boards of a finished final."""
    run = final_of(context)
    entrant, reason = await context.field("entrant"), (await context.field("reason")).strip()
    if entrant not in _entrants(board_content(context, run, "staff")):
        raise PortalError("entrant: choose one of the list")
    if not reason:
        raise PortalError("reason: write why the entrant is excluded; it is stored with the run")
    return _ask_exclusion(context, run, entrant, reason)


async def put_back(context: RequestContext) -> Response:
    """Put an excluded entrant back on the boards of a final."""
    run = final_of(context)
    entrant = await context.field("entrant")
    if entrant not in run.settings.get("excluded", {}).values():
        raise PortalError("entrant: it is not excluded; reload the page")
    return _ask_exclusion(context, run, entrant, "")


def _ask_exclusion(context: RequestContext, run: PortalRun, entrant: str, reason: str) -> Response:
    if run.finished is None:
        raise PortalError("final: it is not finished; exclude the entrant then")
    payload = {"run": run.id, "entrant": entrant, "reason": reason}
    add_job(context, "exclude", payload)
    return context.go_to("final-control", run=run.id)


async def stop_final(context: RequestContext) -> Response:
    """Stop a running final until it is resumed."""
    run = final_of(context)
    number = int(run.settings["job"])
    with context.database.transaction():
        boards.change(context.database, run, stopped=True)
        _decide(context, run, "final stopped")
        if not jobs.stop(context.database, number, context.course.id, "final", STOPPED):
            raise PortalError("final: it is not running; reload the page")
    return context.go_to("final-control", run=run.id)


async def play_on(context: RequestContext) -> Response:
    """Resume a final that was given up or stopped."""
    run = final_of(context)
    with context.database.transaction():
        boards.change(context.database, run, stopped=False)
        _decide(context, run, "final goes on")
        if not jobs.begin_again(context.database, int(run.settings["job"])):
            raise PortalError("final: it is not stopped; reload the page")
    return context.go_to("final-control", run=run.id)


async def reveal(context: RequestContext, places: int) -> Response:
    """Reveal one more row, from the last place up; or, with -1, hide the last one again."""
    if not reveal_step(context, places, await context.number("revealed")):
        raise PortalError(
            "final: this was done already, in another tab or by a colleague; nothing else changed. "
            "Press the button again for the next place"
        )
    return context.go_to("final-control", run=context.request.path_params["run"])


def reveal_step(context: RequestContext, places: int, seen: int) -> bool:
    """Change the number of revealed places, once for the number that the form shows.

    So two presses of a key, or one in each of two tabs, reveal one place.

    Args:
        context: The request of a lecturer, with the final in its address.
        places: 1 to reveal the next place, -1 to hide the last one again.
        seen: Number of revealed places on the page with the form.
    Returns: Whether the number changed.
    """
    with context.database.transaction():
        run = final_of(context)  # reread in the transaction
        is_current = seen == run.settings.get("revealed", 0) and not run.settings.get("opened")
        if not is_current or seen + places < 0:
            return False
        _reveal_places(context, run, seen + places)
    return True


def _reveal_places(context: RequestContext, run: PortalRun, number: int) -> None:
    """Store how many rows are revealed from the last place up, in a transaction of the caller.

    Raises: PortalError, if the last place is not known yet.
    """
    content = board_content(context, run, "staff")
    if content.get("state") != "over":
        raise PortalError("final: it is not finished and counted yet; try again in a moment")
    act = "row hidden" if number < run.settings.get("revealed", 0) else "row revealed"
    _decide(context, run, act, revealed=number)
    if number >= content["places"]:
        _decide(context, run, "results told", opened=now())


async def tell_all(context: RequestContext) -> Response:
    """Reveal all results; the ticked box prevents an accidental reveal."""
    if not await context.field("sure"):
        raise PortalError("tick the box to reveal all remaining places")
    run = final_of(context)
    with context.database.transaction():
        _decide(context, run, "results told", opened=now())
    return context.go_to("final-control", run=run.id)


async def set_audience(context: RequestContext) -> Response:
    """Set who may see a final."""
    run = final_of(context)
    audience = await _choice(context, "audience", ("course", "public"))
    with context.database.transaction():
        _decide(context, run, "audience chosen", audience=audience)
    return context.go_to("final-control", run=run.id)


async def publish(context: RequestContext) -> Response:
    """Request the pages of a final, with the results revealed by now."""
    run = final_of(context)
    with context.database.transaction():
        note(context, "pages asked for", run=run.id)
        add_job(context, "publish", {"run": run.id})
    return context.go_to("final-control", run=run.id)


async def practice_terms(context: RequestContext) -> Response:
    """Show the practice settings."""
    kept = json.loads(setting(context.database, f"practice {context.course.id}", "{}"))
    default = {name: default for name, (default, _) in PRACTICE.items()}
    return context.page("practice-terms.html", terms=default | kept)


async def set_practice_terms(context: RequestContext) -> Response:
    """Save the practice settings."""
    terms = {name: await _number(context, name, most) for name, (_, most) in PRACTICE.items()}
    with context.database.transaction():
        set_setting(context.database, f"practice {context.course.id}", json.dumps(terms))
        note(context, "practice changed", **terms)
        jobs.insert(context.database, "practice", {}, course=context.course.id)
    return context.go_to("practice")


def _decide(context: RequestContext, run: PortalRun, act: str, **settings: object) -> None:
    """Store a decision on a run, with a line in the audit log."""
    boards.change(context.database, run, **settings)
    note(context, act, run=run.id, **settings)


async def _time(context: RequestContext, name: str) -> datetime | None:
    """Read a time of a form, on the clock of the class; `None` if the field is empty."""
    text = (await context.field(name)).strip()
    if not text:
        return None
    try:
        time = datetime.fromisoformat(text)
        zone = zone_of(context.course.told)
        return (time if time.tzinfo else time_on(time, zone, name)).astimezone(UTC)
    except (ValueError, OverflowError):
        raise PortalError(
            f"{name}: {text[:40]!r} is not a time; enter one such as 2026-05-01T12:00"
        ) from None


def _shown(context: RequestContext, time: datetime) -> str:
    return local_words(time.isoformat(), zone_of(context.course.told))


async def _choice(context: RequestContext, name: str, known: tuple[str, ...]) -> str:
    value = await context.field(name)
    if value not in known:
        raise PortalError(f"{name}: {value[:40]!r} is not possible; choose {' or '.join(known)}")
    return value


async def _number(context: RequestContext, name: str, most: int) -> int:
    text = await context.field(name)
    if not is_whole(text, 1, most):
        raise PortalError(f"{name}: expected a whole number from 1 to {most}, got {text[:40]!r}")
    return int(text)


_NEW, _RUN = "/c/{course}/finals/new", "/c/{course}/final/{run:int}"
_EDIT = "/c/{course}/finals/edit/{job:int}"
_TERMS = "/c/{course}/practice-terms"
_on_control = partial(Page, method="POST", form="final-control")
PAGES = (
    Page(_NEW, "new-final", "lecturer", new_final),
    Page(_NEW, "new-final-form", "lecturer", start_final, "POST", is_grave=True),
    Page(_EDIT, "edit-final", "lecturer", edit_final),
    Page(_EDIT, "edit-final-form", "lecturer", change_final, "POST", is_grave=True),
    Page(
        "/c/{course}/finals/cancel/{job:int}",
        "final-cancel",
        "lecturer",
        cancel_final,
        "POST",
        form="finals",
    ),
    Page(f"{_RUN}/control", "final-control", "lecturer", control),
    _on_control(f"{_RUN}/stop", "final-stop", "lecturer", stop_final),
    _on_control(f"{_RUN}/go-on", "final-go-on", "lecturer", play_on),
    _on_control(f"{_RUN}/reveal", "final-reveal", "lecturer", partial(reveal, places=1)),
    _on_control(f"{_RUN}/hide", "final-hide", "lecturer", partial(reveal, places=-1)),
    _on_control(f"{_RUN}/tell", "final-tell", "lecturer", tell_all, is_grave=True),
    _on_control(f"{_RUN}/audience", "final-audience", "lecturer", set_audience),
    _on_control(f"{_RUN}/exclude", "final-exclude", "lecturer", exclude),
    _on_control(f"{_RUN}/put-back", "final-put-back", "lecturer", put_back),
    _on_control(f"{_RUN}/publish", "final-publish", "lecturer", publish),
    Page(_TERMS, "practice-terms", "lecturer", practice_terms),
    Page(_TERMS, "practice-terms-form", "lecturer", set_practice_terms, "POST"),
)
