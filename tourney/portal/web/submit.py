"""Pages to submit: the form, the progress of the job, and the checked versions."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import aclosing
from itertools import islice
from pathlib import PurePosixPath
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from tourney.errors import PortalError
from tourney.game.asking.hidden_characters import hidden_characters
from tourney.portal import graded_tests, inbox, jobs
from tourney.portal.database import now
from tourney.portal.jobs import Job, Progress, progress_of
from tourney.portal.overrides import lifted
from tourney.portal.versions import Files, Version, files_of, version_by, versions_of
from tourney.portal.web.live import STILL, Watcher, line_of, stream_of
from tourney.portal.web.pages import Page, RequestContext
from tourney.portal.web.sections import Section, section_of

VERSIONS = ("check", "choose")
"""Kinds of jobs about versions."""
KINDS = (*VERSIONS, graded_tests.KIND)
"""Kinds of jobs that these pages show."""
MOST_BYTES = 1_100_000
"""Size limit of an upload with its form; a competitor may have a million bytes."""
LONGEST_TITLE = 100
MOST_HIDDEN = 50
"""Limit of listed hidden characters of a source."""


async def hand_in_form(asked: RequestContext) -> Response:
    """Show the form for a file, or pasted code."""
    return asked.page("hand-in.html", name=name_of(asked), told=asked.course.told)


async def hand_in(asked: RequestContext) -> Response:
    """Receive a competitor."""
    return await take_in(asked, "check")


async def take_in(asked: RequestContext, kind: str) -> Response:
    """Store an upload, and record the job that checks it.

    Raises: PortalError, if it is empty, the daily limit is reached, or the account has no player
        name.
    """
    name, (title, content) = name_of(asked), await _handed(asked)
    if not name:
        raise PortalError("you have no player name yet; ask your lecturer for one")
    path = await run_in_threadpool(inbox.put, asked.places, content)
    try:
        job = jobs.add(
            asked.database,
            kind,
            {"file": path.name, "title": title, "author": _person(asked)},
            course=asked.course.id,
            account=asked.account.id,
            name=name,
            per_day=_per_day(asked),
            replaces=True,
        )
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    if asked.wants_json:
        return JSONResponse(_told_now(asked, job), 202)
    return asked.go_to("handed", job=job.id)


async def handed(asked: RequestContext) -> Response:
    """Show the progress of a job, or its result."""
    job = _job(asked)
    if asked.wants_json:
        return JSONResponse(_told_now(asked, job))
    return asked.page(
        "handed.html",
        job=job,
        progress=progress_of(asked.database, [job.id])[job.id],
        version=_version_of(asked, job),
    )


async def events(asked: RequestContext) -> Response:
    """Send the progress of a job as server-sent events."""
    job, watcher = _job(asked), asked.request.app.state.watcher
    return stream_of(watcher, asked.account.id, _stream(asked, watcher, job))


async def versions(asked: RequestContext) -> Response:
    """List the student's versions; to staff, all versions."""
    name = None if asked.is_staff else name_of(asked)
    found = () if name == "" else versions_of(asked.database, asked.course.id, name)
    section = section_of(asked)
    return asked.page(
        "versions.html",
        found=[each for each in found if section.has(name=each.name)],
        waiting=waiting_jobs(asked, VERSIONS, section),
        rule=_rule(asked),
        section=section,
    )


def waiting_jobs(asked: RequestContext, kinds: Sequence[str], section: Section) -> list[Job]:
    """Give the unfinished jobs of some kinds: the student's own, or a section's for staff."""
    name = None if asked.is_staff else name_of(asked)
    return [
        each
        for each in jobs.of_course(asked.database, asked.course.id, kinds, name)
        if not each.is_over
        and section.has(name=each.name)
        and (asked.is_staff or each.account == asked.account.id)
    ]


async def version(asked: RequestContext) -> Response:
    """Show the report on a version."""
    found = _version(asked)
    hidden = islice(hidden_characters(files_of(asked.database, found)), MOST_HIDDEN)
    return asked.page("version.html", version=found, rule=_rule(asked), hidden=tuple(hidden))


async def source(asked: RequestContext) -> Response:
    """Give a version's source, as files that browsers do not execute."""
    found = _version(asked)
    return as_text(files_of(asked.database, found), found.digest[:12])


def as_text(files: Files, mark: str) -> Response:
    """Give files as one download that browsers do not execute.

    Args:
        files: The files.
        mark: Prefix of the download's name, so that names differ.
    """
    single = len(files) == 1
    name = f"{mark}-{PurePosixPath(files[0][0]).name}" if single else "source.txt"
    text = files[0][1] if single else "".join(f"===== {path}\n{text}\n" for path, text in files)
    ascii_name = "".join(c if c.isascii() and (c.isalnum() or c in "._-") else "_" for c in name)
    return Response(
        text,
        media_type="text/plain; charset=utf-8",
        headers={"content-disposition": f'attachment; filename="{ascii_name}"'},
    )


async def choose(asked: RequestContext) -> Response:
    """Let one of the student's versions compete."""
    found = _version(asked)
    if _rule(asked) != "pinned":
        raise PortalError(
            f"you cannot choose a version in this course; its rule is {_rule(asked)!r}"
        )
    job = jobs.add(
        asked.database,
        "choose",
        {"digest": found.digest},
        course=asked.course.id,
        account=asked.account.id,
        name=found.name,
        replaces=True,
    )
    return asked.go_to("handed", job=job.id)


async def _handed(asked: RequestContext) -> tuple[str, bytes]:
    """Give the upload and its file name.

    Raises: PortalError, if it is empty.
    """
    form = await asked.form()
    upload = form.get("file")
    if isinstance(upload, UploadFile) and upload.filename:
        title, content = upload.filename, await upload.read()
    else:
        text = (await asked.field("text")).replace("\r\n", "\n")
        title, content = await asked.field("title"), text.encode("utf-8", "replace")
    title = title.replace("\\", "/").rpartition("/")[2].strip()
    if not content.strip():
        raise PortalError("the form has no file and no code; choose the file again")
    if not title or not title.isprintable() or len(title) > LONGEST_TITLE:
        raise PortalError(
            f"the file's name is not possible; use 1 to {LONGEST_TITLE} printable characters, such "
            "as bold.py"
        )
    return title, content


async def _stream(asked: RequestContext, watcher: Watcher, job: Job) -> AsyncIterator[str]:
    """Give the job after each change, until it is over or the client leaves."""
    address = asked.link("handed", job=job.id)
    async with aclosing(watcher.progress(job.id, asked.account.id)) as seen:
        async for progress in seen:
            if progress is None:
                yield STILL
                continue
            yield f"data: {line_of(**_told(address, progress))}\n\n"
            if progress.job.is_over:
                yield "event: over\ndata: {}\n\n"


def _told_now(asked: RequestContext, job: Job) -> Mapping[str, Any]:
    return _told(asked.link("handed", job=job.id), progress_of(asked.database, [job.id])[job.id])


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


def _job(asked: RequestContext) -> Job:
    """Find the job of the address, if it is the student's own or the user is staff."""
    number = int(asked.request.path_params["job"])
    try:
        job = jobs.get(asked.database, number)
    except PortalError:
        job = None
    assert asked.session
    shown = VERSIONS if asked.session.by_token else KINDS
    is_here = job is not None and job.course == asked.course.id and job.kind in shown
    if job is None or not is_here or not (asked.is_staff or job.account == asked.account.id):
        raise HTTPException(404)
    return job


def _version(asked: RequestContext) -> Version:
    """Find the version of the address, if it is the student's own or the user is staff."""
    number = int(asked.request.path_params["version"])
    found = version_by(asked.database, asked.course.id, number)
    if found is None or not (asked.is_staff or (found.name and found.name == name_of(asked))):
        raise HTTPException(404)
    return found


def _version_of(asked: RequestContext, job: Job) -> Version | None:
    """Find the version that a job has filed, if any."""
    digest = job.result.get("digest")
    own = versions_of(asked.database, asked.course.id, job.name) if digest else ()
    return next((each for each in own if each.digest == digest), None)


def name_of(asked: RequestContext) -> str:
    """Give the player name of the account; empty without one."""
    found = asked.account.memberships.get(asked.course.id)
    return found.name if found and found.role == "student" else ""


def _person(asked: RequestContext) -> str:
    found = asked.account.memberships[asked.course.id]
    return found.person or asked.account.name


def _per_day(asked: RequestContext) -> int | None:
    """Give the account's daily limit of submissions; None for no limit."""
    limits, _ = lifted(asked.database, asked.course.id, _person(asked), name_of(asked), now())
    told = asked.course.told.get("per_day")
    return told if isinstance(told, int) and "per_day" not in limits else None


def _rule(asked: RequestContext) -> str:
    return str(asked.course.told.get("submission_rule") or "last")


PAGES = (
    Page("/c/{course}/hand-in", "hand-in", "student", hand_in_form),
    Page(
        "/c/{course}/hand-in",
        "hand-in-form",
        "student",
        hand_in,
        "POST",
        purpose="handing in",
        most_bytes=MOST_BYTES,
    ),
    Page("/c/{course}/handed/{job:int}", "handed", "member", handed, purpose="handing in"),
    Page("/c/{course}/handed/{job:int}/events", "handed-events", "member", events, is_light=True),
    Page("/c/{course}/versions", "versions", "member", versions),
    Page("/c/{course}/versions/{version:int}", "version", "member", version),
    Page("/c/{course}/versions/{version:int}/source", "version-source", "member", source),
    Page(
        "/c/{course}/versions/{version:int}/choose",
        "choose-version",
        "student",
        choose,
        "POST",
        form="version",
    ),
)
