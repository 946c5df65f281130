"""Pages to submit competitors and tests: the forms, and the progress of a job."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import aclosing, suppress
from functools import partial
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from tourney.config.words import shortened
from tourney.errors import PortalError
from tourney.portal import graded_tests, jobs, teams
from tourney.portal.accounts import course_of
from tourney.portal.class_overview import place_of
from tourney.portal.database import now, patiently
from tourney.portal.graded_tests import KIND, files_of, graded_of
from tourney.portal.jobs import Job, Progress, progress_of
from tourney.portal.personal_rules import entry_of, lifted
from tourney.portal.versions import versions_of
from tourney.portal.web.course_home import own_rules
from tourney.portal.web.live import STILL, Watcher, line_of, stream_of
from tourney.portal.web.pages import Page, RequestContext, Section, section_of, wants_json
from tourney.portal.web.sources import as_text, material_of

VERSIONS = ("check", "choose")
"""Kinds of jobs about versions."""
KINDS = (*VERSIONS, graded_tests.KIND)
"""Kinds of jobs that these pages show."""
MOST_BYTES = 1_100_000
"""Size limit of an upload with its form; a competitor may have a million bytes."""
LONGEST_TITLE = 100
LONGEST_NOTE = 200


async def hand_in_form(context: RequestContext) -> Response:
    """Show the form for a file, or pasted code."""
    return context.page(
        "hand-in.html",
        name=name_of(context),
        told=context.course.told,
        rules=own_rules(context),
        longest_note=LONGEST_NOTE,
        material=material_of(context),
        may_join_team=_may_join_team(context),
    )


def _may_join_team(context: RequestContext) -> bool:
    """Give whether the student has no team, and may still join one."""
    home = course_of(context.database, context.course.home)
    own = context.account.memberships[context.course.id]
    return (
        teams.largest_team(home) > 1
        and not teams.own_team(home, own)
        and not teams.is_fixed(context.database, home.id, own.name)
    )


async def hand_in(context: RequestContext) -> Response:
    """Receive a competitor."""
    return await take_in(context, "check")


async def take_in(context: RequestContext, kind: str) -> Response:
    """Store an upload, and record the job that checks it.

    Raises: PortalError, if it is empty, the daily limit is reached, or the account has no player
        name.
    """
    name, (title, content) = name_of(context), await _handed(context)
    received = now()
    if not name:
        raise PortalError("you have no player name yet; ask your lecturer for one")
    if not context.course.told and not context.course.is_first:
        raise PortalError("this assignment is not set up yet; submit again in a minute")
    note = await _note(context)
    path = await run_in_threadpool(jobs.put, context.places, content)
    try:
        add = partial(
            jobs.add,
            context.database,
            kind,
            {"file": path.name, "title": title, "note": note, "author": _person(context)},
            course=context.course.id,
            account=context.account.id,
            name=name,
            per_day=_per_day(context),
            time_zone=str(context.course.told.get("time_zone") or "UTC"),
            replaces=True,
            received=received,
        )
        job = await patiently(add)
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    if wants_json(context.request):
        return JSONResponse(_told_now(context, job), 202)
    return context.go_to("handed", job=job.id)


async def handed(context: RequestContext) -> Response:
    """Show the progress of a job, or its result."""
    job = _job(context)
    if wants_json(context.request):
        return JSONResponse(_told_now(context, job))
    own = versions_of(context.database, context.course.id, job.name) if job.name else ()
    digest = job.result.get("digest")
    return context.page(
        "handed.html",
        job=job,
        progress=progress_of(context.database, [job.id])[job.id],
        version=next((each for each in own if digest and each.digest == digest), None),
        competing=next((each for each in own if each.plays), None),
        excluded=_excluded(context, job),
        rule=rule_of(context),
        rules=own_rules(context) if context.role == "student" else None,
        place=place_of(context.database, context.course, job.name),
        is_practising=any(
            not each.is_over
            for each in jobs.of_course(context.database, context.course.id, ["practice"])
        ),
    )


def _excluded(context: RequestContext, job: Job) -> str:
    """Give the roster's reason for excluding the student of an upload; empty without one."""
    person = str(job.payload.get("author", ""))
    return str(entry_of(context.course, person, job.name).get("excluded") or "")


def rule_of(context: RequestContext) -> str:
    """Give the course's rule for the competing version: last, best or pinned."""
    return str(context.course.told.get("submission_rule") or "last")


async def events(context: RequestContext) -> Response:
    """Send the progress of a job as server-sent events."""
    job, watcher = _job(context), context.request.app.state.watcher
    return stream_of(watcher, context.account.id, _stream(context, watcher, job))


def waiting_jobs(context: RequestContext, kinds: Sequence[str], section: Section) -> list[Job]:
    """Give the unfinished jobs of some kinds: the student's or team's, or a section's for staff."""
    name = None if context.is_staff else name_of(context)
    return [
        each
        for each in jobs.of_course(context.database, context.course.id, kinds, name)
        if not each.is_over
        and section.has(name=each.name)
        and (context.is_staff or _is_own(context, each))
    ]


async def _handed(context: RequestContext) -> tuple[str, bytes]:
    """Give the upload and its file name.

    Raises: PortalError, if it is empty, or there is pasted code too.
    """
    form = await context.form()
    upload, text = form.get("file"), (await context.field("text")).replace("\r\n", "\n")
    is_file = isinstance(upload, UploadFile) and bool(upload.filename)
    if isinstance(upload, UploadFile) and upload.filename:
        title, content = upload.filename, await upload.read()
        if text.strip():
            raise PortalError(
                f"the form has the file {shortened(title)} and pasted code; choose the file again "
                "and empty the code, or send the code alone"
            )
    else:
        title, content = await context.field("title"), text.encode("utf-8", "replace")
    title = title.replace("\\", "/").rpartition("/")[2].strip()
    if not content.strip():
        if is_file and title and title.isprintable():
            name = shortened(title)
            raise PortalError(f"the file {name} is empty; save your code in it and choose it again")
        raise PortalError("the form has no file and no code; choose the file again")
    if not title or not title.isprintable() or len(title) > LONGEST_TITLE:
        raise PortalError(
            f"the file's name is not possible; use 1 to {LONGEST_TITLE} printable characters, such "
            "as bold.py"
        )
    if not is_file and "." not in title:
        raise PortalError(
            f"the file's name {title} has no ending; use one that says the language, such as "
            f"{title}.py"
        )
    return title, content


async def _note(context: RequestContext) -> str:
    """Give the student's note on an upload; empty without one.

    Raises: PortalError, if it is too long or has characters that no page can show.
    """
    note = " ".join((await context.field("note")).split())
    if len(note) > LONGEST_NOTE or not note.isprintable():
        raise PortalError(f"note: use at most {LONGEST_NOTE} printable characters")
    return note


async def _stream(context: RequestContext, watcher: Watcher, job: Job) -> AsyncIterator[str]:
    """Give the job after each change, until it is over or the client leaves."""
    address = context.link("handed", job=job.id)
    events = watcher.progress(job.id, context.account.id, context.keeps_role)
    async with aclosing(events) as seen:
        async for progress in seen:
            if progress is None:
                yield STILL
                continue
            yield f"data: {line_of(**_told(address, progress))}\n\n"
            if progress.job.is_over:
                yield "event: over\ndata: {}\n\n"


def _told_now(context: RequestContext, job: Job) -> Mapping[str, Any]:
    return _told(
        context.link("handed", job=job.id), progress_of(context.database, [job.id])[job.id]
    )


def _told(address: str, progress: Progress) -> Mapping[str, Any]:
    """Describe a job for a program."""
    job = progress.job
    return {
        "job": job.id,
        "address": address,
        "kind": job.kind,
        "name": job.name,
        "received": job.received,
        "state": job.state,
        "place": progress.place,
        "wait": progress.wait,
        "lines": progress.lines,
        "result": job.result,
    }


def _job(context: RequestContext) -> Job:
    """Find the job of the address, if it is of the student or the team, or the user is staff."""
    job = _job_here(context)
    assert context.session
    shown = VERSIONS if context.session.by_token else KINDS
    if job.kind not in shown or not (context.is_staff or _is_own(context, job)):
        raise HTTPException(404)
    return job


def _job_here(context: RequestContext) -> Job:
    """Find the job of the address, if it is of the course."""
    with suppress(PortalError):
        job = jobs.get(context.database, context.request.path_params["job"])
        if job.course == context.course.id:
            return job
    raise HTTPException(404)


def _is_own(context: RequestContext, job: Job) -> bool:
    """Give whether a job is of the account; in the browser, also of its team."""
    assert context.session
    is_of_team = job.kind in VERSIONS and job.name and job.name == name_of(context)
    return job.account == context.account.id or bool(is_of_team and not context.session.by_token)


def name_of(context: RequestContext) -> str:
    """Give the player name of the account; empty without one."""
    return context.player if context.role == "student" else ""


def _person(context: RequestContext) -> str:
    found = context.account.memberships[context.course.id]
    return found.person or context.account.name


def _per_day(context: RequestContext) -> int | None:
    """Give the account's daily limit of submissions; `None` for no limit."""
    limits, _ = lifted(
        context.database, context.course.id, _person(context), name_of(context), now()
    )
    limit = context.course.told.get("per_day")
    return limit if isinstance(limit, int) and "per_day" not in limits else None


async def tests(context: RequestContext) -> Response:
    """List the student's tests, with the form; to staff, all tests."""
    name = None if context.is_staff else name_of(context)
    found = () if name == "" else graded_of(context.database, context.course.id, name)
    section = section_of(context)
    return context.page(
        "tests.html",
        found=[each for each in found if section.has(name=each.name)],
        waiting=waiting_jobs(context, [KIND], section),
        game=_game(context),
        name=name or "",
        section=section,
    )


async def hand_in_tests(context: RequestContext) -> Response:
    """Receive a file of tests."""
    if not _game(context):
        raise PortalError("this course takes no tests; ask your lecturer")
    return await take_in(context, KIND)


async def source(context: RequestContext) -> Response:
    """Give the submitted test files."""
    job = _job_here(context)
    is_own = context.is_staff or job.account == context.account.id
    files = files_of(context.database, job.id)
    if not is_own or not files:
        raise HTTPException(404)
    return as_text(files, str(job.id))


def _game(context: RequestContext) -> str:
    """Give the game of the mutants; empty if the course takes no tests."""
    return str(context.course.told.get("tests") or "")


_TESTS = "/c/{course}/tests"
_upload = partial(Page, method="POST", most_bytes=MOST_BYTES)
PAGES = (
    Page("/c/{course}/hand-in", "hand-in", "student", hand_in_form),
    _upload("/c/{course}/hand-in", "hand-in-form", "student", hand_in, purpose="handing in"),
    Page("/c/{course}/handed/{job:int}", "handed", "member", handed, purpose="handing in"),
    Page("/c/{course}/handed/{job:int}/events", "handed-events", "member", events, is_light=True),
    Page(_TESTS, "tests", "member", tests),
    _upload(_TESTS, "tests-form", "student", hand_in_tests),
    Page(f"{_TESTS}/{{job:int}}/source", "tests-source", "member", source),
)
