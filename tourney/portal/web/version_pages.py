"""Pages of checked versions: the list, the report with the code, a comparison, and the choice.

The file name and the note of a version are parts of the upload's job, and so of its student: the
export of personal data has them with the job, and an erasure removes them with it. A version that
came another way has none.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, islice

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import Response

from tourney.errors import PortalError
from tourney.game.asking.printable_text import hidden_characters
from tourney.portal import jobs
from tourney.portal.marked_source import MOST_LINES_COMPARED as MOST_LINES
from tourney.portal.marked_source import compare, marked_files, place_of
from tourney.portal.versions import Version, files_of, version_by, versions_of
from tourney.portal.web.pages import Page, RequestContext, section_of
from tourney.portal.web.sources import as_text
from tourney.portal.web.submit import VERSIONS, name_of, rule_of, waiting_jobs
from tourney.sqlite.database import Database

WIDTH, HEIGHT = 480, 160
LEFT, RIGHT, TOP, BOTTOM = 56, 12, 12, 28
"""Margins, with room for the labels of the axes."""
FEWEST = 2
"""Scores that a chart needs."""


@dataclass(frozen=True, slots=True)
class ScorePoint:
    """A submission on the chart; `y` grows downwards."""

    number: int  # of the submission
    score: float
    margin: float  # half the 95 % confidence interval; 0 if unknown
    x: float
    y: float
    low: float  # end of the interval with the lower score
    high: float
    is_competing: bool


@dataclass(frozen=True, slots=True)
class ScoreChart:
    """A chart."""

    points: Sequence[ScorePoint]
    least: float  # score at the bottom
    greatest: float  # score at the top
    zero: float | None  # height of score 0, if it is on the chart

    @property
    def line(self) -> str:
        """The points, for a polyline."""
        return " ".join(f"{each.x:.1f},{each.y:.1f}" for each in self.points)

    @property
    def words(self) -> str:
        """All scores in words."""
        return "; ".join(
            f"submission {each.number}: {each.score:+z.1f} ± {each.margin:.1f}"
            for each in self.points
        )


def score_chart(numbered: Sequence[tuple[int, Version]]) -> ScoreChart | None:
    """Draw the scores of numbered versions; `None` if fewer than two have a score.

    Args:
        numbered: Versions with their numbers, oldest first.
    """
    scored = [
        (number, version, float(score), float(version.report.get("margin") or 0))
        for number, version in numbered
        if (score := version.report.get("score")) is not None
    ]
    if len(scored) < FEWEST:
        return None
    least = min(score - margin for _, _, score, margin in scored)
    greatest = max(score + margin for _, _, score, margin in scored)
    span = (greatest - least) or 1.0

    def height(value: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (greatest - value) / span

    step = (WIDTH - LEFT - RIGHT) / len(scored)
    points = [
        ScorePoint(
            number=number,
            score=score,
            margin=margin,
            x=LEFT + step * (at + 0.5),
            y=height(score),
            low=height(score - margin),
            high=height(score + margin),
            is_competing=version.plays,
        )
        for at, (number, version, score, margin) in enumerate(scored)
    ]
    zero = height(0.0) if least <= 0 <= greatest else None
    return ScoreChart(points, least, greatest, zero)


@dataclass(frozen=True, slots=True)
class Upload:
    """The last upload of a version."""

    title: str = ""  # file name
    note: str = ""  # the last one that the student wrote for this version


NO_UPLOAD = Upload()
Uploads = Mapping[tuple[str, str], Upload]
"""By player name and digest."""


def uploads_of(database: Database, course: int, name: str | None) -> Uploads:
    """Give the uploads of a name, or of a whole course.

    Args:
        database: The portal's.
        course: Its course.
        name: The player name; `None` for all.
    """
    rows = database.read(
        iter,
        "SELECT name, json_extract(result, '$.digest'), json_extract(payload, '$.title'), "
        "coalesce(json_extract(payload, '$.note'), '') FROM jobs "
        "WHERE course = :course AND kind = 'check' AND state = 'done' "
        "AND (:name IS NULL OR name = :name) ORDER BY id",
        {"course": course, "name": name},
    )
    found: dict[tuple[str, str], Upload] = {}
    for player, digest, title, note in rows:
        before = found.get((player, digest), NO_UPLOAD)
        found[player, digest] = Upload(title, note or before.note)
    return found


MOST_HIDDEN = 50
"""Limit of listed hidden characters of a source."""


async def versions(context: RequestContext) -> Response:
    """List the student's versions; to staff, all versions."""
    name = None if context.is_staff else name_of(context)
    found = () if name == "" else versions_of(context.database, context.course.id, name)
    section = section_of(context)
    own = [each for each in found if section.has(name=each.name)]
    numbers = _numbers(found)
    oldest_first = sorted(((numbers[each.id], each) for each in own), key=lambda each: each[0])
    return context.page(
        "versions.html",
        found=own,
        numbers=numbers,
        uploads=uploads_of(context.database, context.course.id, name) if own else {},
        no_upload=NO_UPLOAD,
        chart=None if context.is_staff else score_chart(oldest_first),
        size=(WIDTH, HEIGHT),
        waiting=waiting_jobs(context, VERSIONS, section),
        rule=rule_of(context),
        section=section,
    )


async def version(context: RequestContext) -> Response:
    """Show the report on a version, and its code."""
    found = _version(context)
    files = files_of(context.database, found)
    findings = found.report.get("findings", [])
    hidden = islice(hidden_characters(files), MOST_HIDDEN)
    others = versions_of(context.database, context.course.id, found.name)
    numbers = _numbers(others)
    number = numbers[found.id]
    known = uploads_of(context.database, context.course.id, found.name)
    return context.page(
        "version.html",
        version=found,
        numbers=numbers,
        upload=known.get((found.name, found.digest), NO_UPLOAD),
        others=[each for each in others if each.id != found.id],
        previous=next((each for each in others if numbers[each.id] == number - 1), None),
        files=marked_files(files, findings),
        places=[place_of(each, files) for each in findings],
        rule=rule_of(context),
        hidden=tuple(hidden),
    )


async def source(context: RequestContext) -> Response:
    """Give a version's source, as files that browsers do not execute."""
    found = _version(context)
    return as_text(files_of(context.database, found), found.digest[:12])


async def comparison(context: RequestContext) -> Response:
    """Show the difference to another version."""
    pair = _version(context), _version(context, context.query_number("with"))
    numbers = {
        each: number
        for name in {one.name for one in pair}
        for each, number in _numbers(versions_of(context.database, context.course.id, name)).items()
    }
    older, newer = sorted(pair, key=lambda each: (numbers[each.id], each.id))
    files = [files_of(context.database, each) for each in (older, newer)]
    return context.page(
        "comparison.html",
        older=older,
        newer=newer,
        numbers=numbers,
        files=await run_in_threadpool(compare, *files),
        most=MOST_LINES,
    )


async def choose(context: RequestContext) -> Response:
    """Let one of the student's versions compete."""
    found = _version(context)
    if rule_of(context) != "pinned":
        raise PortalError(
            f"you cannot choose a version in this course; its rule is {rule_of(context)!r}"
        )
    job = jobs.add(
        context.database,
        "choose",
        {"digest": found.digest},
        course=context.course.id,
        account=context.account.id,
        name=found.name,
        replaces=True,
    )
    return context.go_to("handed", job=job.id)


def _numbers(found: Sequence[Version]) -> Mapping[int, int]:
    """Number the versions of each name from 1, in the order in which they were filed first."""
    by_name = sorted(found, key=lambda each: (each.name, each.id))
    return {
        each.id: number
        for _, own in groupby(by_name, key=lambda each: each.name)
        for number, each in enumerate(own, 1)
    }


def _version(context: RequestContext, number: int | None = None) -> Version:
    """Find a version, if it is the student's own or the user is staff.

    Args:
        context: The request.
        number: Its number; by default that of the address.
    """
    if number is None:
        number = int(context.request.path_params["version"])
    found = version_by(context.database, context.course.id, number)
    if found is None or not (context.is_staff or (found.name and found.name == name_of(context))):
        raise HTTPException(404)
    return found


_VERSION = "/c/{course}/versions/{version:int}"
PAGES = (
    Page("/c/{course}/versions", "versions", "member", versions),
    Page(_VERSION, "version", "member", version),
    Page(f"{_VERSION}/source", "version-source", "member", source),
    Page(f"{_VERSION}/compare", "version-compare", "member", comparison),
    Page(f"{_VERSION}/choose", "choose-version", "student", choose, "POST", form="version"),
)
