"""The tournament file of a course, shown to and changed by its lecturer; done by the checker.

It is `tournament.yaml` in the folder of the course, as `tourney run` reads it, with the same
messages for its faults. A file from a browser may name no file outside that folder. A final that
has begun keeps its configuration, so the file is locked until it is over.
"""

from collections.abc import Collection, Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from tourney.config.documents import Faults, KeyPath, file_text, parse
from tourney.config.entrants import WILDCARDS
from tourney.config.model import Catalog
from tourney.config.tournament import loads
from tourney.config.words import quoted
from tourney.course.class_folder import TOURNAMENT
from tourney.course.files import only_one, write_whole
from tourney.course.folder import Submissions
from tourney.course.games import for_tournament
from tourney.course.submission_rules import read_terms
from tourney.errors import ConfigError, Fault, PortalError
from tourney.plugins.loading import load_plugins
from tourney.portal import jobs
from tourney.portal.course_jobs import tell_again
from tourney.portal.course_runs import tournament_of
from tourney.portal.worker import Context, Handler, hide_path
from tourney.tournament.catalog import catalog_of

KIND = "tournament"
DIGITS = 16
"""Digits of a digest."""
MOST_ENTRANTS = 10_000
MOST_CHARACTERS = 100_000
"""Limit for a file that is changed in a browser."""


def look_or_change(context: Context) -> Mapping[str, Any]:
    """Give the file, or replace it.

    Payload: empty, to look; else `text`, and `before`, the digest of the shown file.
    Returns: text and digest of the current file.
    Raises: ConfigError, with every fault; PortalError, if it cannot be changed now. Then the file
        does not change.
    """
    course, folder, asked = context.course, context.folder, context.job.payload
    path = tournament_of(context)
    if "text" not in asked:
        return _shown(file_text(path), folder)
    new, before = str(asked["text"]), str(asked["before"])
    _check(new, folder, catalog_of(load_plugins()))
    with only_one(folder):
        _check_now(context, _digest(file_text(path)), before, _digest(new))
        write_whole(path, new)
    tell_again(context.database, course.id, folder)
    if before != _digest(new):
        context.note("tournament changed", before=before, after=_digest(new))
    if Submissions(folder).current():
        jobs.add(context.database, "practice", {}, course=course.id, replaces=True)
    return {"status": "kept", "text": new, "digest": _digest(new)}


def _shown(text: str, folder: Path) -> Mapping[str, Any]:
    """Give the file, and the faults that prevent play."""
    try:
        _check(text, folder, catalog_of(load_plugins()))
        faults = ""
    except (ConfigError, PortalError) as error:
        faults = str(error)
    return {"status": "shown", "text": text, "digest": _digest(text), "faults": faults}


def _digest(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:DIGITS]


def _check_now(context: Context, now: str, before: str, after: str) -> None:
    """Reject a change if the file has changed meanwhile, or a final is running."""
    if now not in {before, after}:  # `after` if an earlier try had written it before it died
        raise PortalError(
            f"{TOURNAMENT}: the file was changed meanwhile; reload it and change it again"
        )
    if context.database.first(
        "SELECT 1 FROM jobs WHERE course = ? AND kind = 'final' AND started IS NOT NULL "
        "AND state IN ('queued', 'running')",
        (context.job.course,),
    ):
        raise PortalError(
            f"{TOURNAMENT}: a final that uses this file is running; change it when that is over"
        )


def _check(text: str, folder: Path, catalog: Catalog) -> None:
    """Reject a file that cannot be played, with every fault and its place.

    Submissions are left out, since a class may not have any yet.
    """
    if len(text) > MOST_CHARACTERS:
        raise PortalError(
            f"{TOURNAMENT}: the file is too long; use at most {MOST_CHARACTERS:,} characters"
        )
    config, found = None, dict.fromkeys(_faults_of_paths(text, folder, catalog))
    try:
        config = loads(text, catalog, TOURNAMENT, folder=None, most_entrants=MOST_ENTRANTS)
    except ConfigError as error:
        found |= dict.fromkeys(error.faults)
    if config is None or found:
        raise ConfigError(tuple(found))
    with hide_path(f"{folder}/"):
        for_tournament(folder, read_terms(folder, catalog), config.game)


def _faults_of_paths(text: str, folder: Path, catalog: Catalog) -> tuple[Fault, ...]:
    """Find entrants whose files are outside the folder or missing."""
    faults = Faults(TOURNAMENT)
    try:
        for path, given in _paths(parse(text, faults), {*catalog.files, "submissions"}):
            if wrong := _fault_of_path(given, folder.resolve()):
                faults.note(path, wrong)
        faults.raise_any()
    except ConfigError as error:
        return error.faults
    return ()


def _paths(data: Any, kinds: Collection[str]) -> Iterator[tuple[KeyPath, str]]:
    """Give the paths of all entrants, each with its place in the file."""
    entrants = data.get("entrants") if isinstance(data, dict) else None
    for at, item in enumerate(entrants if isinstance(entrants, list) else ()):
        for key in item if isinstance(item, dict) else ():
            if key in kinds and not isinstance(item[key], (dict, list)):
                yield ("entrants", at, key), str(item[key])


def _fault_of_path(given: str, home: Path) -> str:
    """Describe the fault of a path; empty if it is valid."""
    try:
        place = (home / given).resolve()
        is_there = place.exists() or not WILDCARDS.isdisjoint(given)
    except (OSError, ValueError):  # such as a name that is too long for the system
        place, is_there = home, False
    if not place.is_relative_to(home):
        return f"{quoted(given)} is outside the course's folder; name a file inside it"
    return "" if is_there else f"there is no file {quoted(given)} in the course's folder"


HANDLERS: Mapping[str, Handler] = {KIND: look_or_change}
"""The handler of each kind of job."""
