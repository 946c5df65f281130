"""The tournament of a course, looked at and changed by its lecturer: done by the checker.

It is `tournament.yaml` in the folder of the course, as `tourney run` reads it, with the same words
for its faults. What is written in a browser names no file outside of that folder. A final that has
begun keeps what it began with, so the file is left alone until it is over.
"""

from collections.abc import Collection, Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from tourney.config.documents import Faults, KeyPath, file_text, parse
from tourney.config.entrants import WILDCARDS
from tourney.config.model import Catalog
from tourney.config.tournament import loads
from tourney.config.words import quoted, said
from tourney.course.class_folder import TOURNAMENT
from tourney.course.files import only_one, write_whole
from tourney.course.folder import Submissions
from tourney.course.games import for_tournament
from tourney.course.submission_rules import read_terms
from tourney.errors import ConfigError, Fault, PortalError, SubmissionError
from tourney.plugins.loading import load_plugins
from tourney.portal import audit, jobs
from tourney.portal.accounts import course_of
from tourney.portal.worker import Context, Handler
from tourney.tournament.catalog import catalog_of

KIND = "tournament"
DIGITS = 16
"""Of a digest."""
MOST_ENTRANTS = 10_000
MOST_CHARACTERS = 100_000
"""Of a file that is changed in a browser."""


def look_or_change(context: Context) -> Mapping[str, Any]:
    """Give the file, or write it anew.

    Payload: nothing, to look; else `text`, and `before`, the digest of what was shown.
    Returns: text and digest, as they are now.
    Raises: ConfigError, with every fault; PortalError, if it cannot be changed now. Then nothing is
        written.
    """
    course = course_of(context.database, context.job.course or 0)
    folder, asked = context.places.course(course.slug), context.job.payload
    path = folder / TOURNAMENT
    if not path.is_file():
        raise PortalError(
            f"{course.title}: expected a class with a tournament, got none yet; take in its "
            "gradebook first"
        )
    if "text" not in asked:
        return _shown(file_text(path), folder)
    new, before = str(asked["text"]), str(asked["before"])
    _check(new, folder, catalog_of(load_plugins()))
    with only_one(folder):
        _check_now(context, _digest(file_text(path)), before, _digest(new))
        write_whole(path, new)
    if before != _digest(new):
        audit.note(
            context.database,
            "tournament changed",
            account=context.job.account,
            course=course.id,
            before=before,
            after=_digest(new),
        )
    if Submissions(folder).current():
        jobs.add(context.database, "practice", {}, course=course.id, replaces=True)
    return {"status": "kept", "text": new, "digest": _digest(new)}


def _shown(text: str, folder: Path) -> Mapping[str, Any]:
    """Give the file, and what keeps it from being played."""
    try:
        _check(text, folder, catalog_of(load_plugins()))
        faults = ""
    except (ConfigError, PortalError) as error:
        faults = str(error)
    return {"status": "shown", "text": text, "digest": _digest(text), "faults": faults}


def _digest(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:DIGITS]


def _check_now(context: Context, now: str, before: str, after: str) -> None:
    """Refuse to write over what nobody was shown, or under a final."""
    if now not in {before, after}:  # the latter where a process died that had written it
        raise PortalError(
            f"{TOURNAMENT}: expected the file that was shown, got another, changed meanwhile; look "
            "at it once more and change that"
        )
    if context.database.first(
        "SELECT 1 FROM jobs WHERE course = ? AND kind = 'final' AND started IS NOT NULL "
        "AND state IN ('queued', 'running')",
        (context.job.course,),
    ):
        raise PortalError(
            f"{TOURNAMENT}: expected no final that has begun, got one; change it when that is over"
        )


def _check(text: str, folder: Path, catalog: Catalog) -> None:
    """Refuse what could not be played, with every fault and where it is.

    Who has handed in is left out, since a class may have nobody yet.
    """
    if len(text) > MOST_CHARACTERS:
        raise PortalError(f"{TOURNAMENT}: expected up to {MOST_CHARACTERS:,} characters, got more")
    config, found = None, dict.fromkeys(_faults_of_paths(text, folder, catalog))
    try:
        config = loads(text, catalog, TOURNAMENT, folder=None, most_entrants=MOST_ENTRANTS)
    except ConfigError as error:
        found |= dict.fromkeys(error.faults)
    if config is None or found:
        raise ConfigError(tuple(found))
    try:
        for_tournament(folder, read_terms(folder, catalog), config.game)
    except (ConfigError, SubmissionError) as error:
        raise PortalError(str(error).replace(f"{folder}/", "")) from error


def _faults_of_paths(text: str, folder: Path, catalog: Catalog) -> tuple[Fault, ...]:
    """Find entrants whose files lie elsewhere, or are not there."""
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
    """Give the paths of all entrants, each with where it is in the file."""
    entrants = data.get("entrants") if isinstance(data, dict) else None
    for at, item in enumerate(entrants if isinstance(entrants, list) else ()):
        for key in item if isinstance(item, dict) else ():
            if key in kinds and not isinstance(item[key], (dict, list)):
                yield ("entrants", at, key), str(item[key])


def _fault_of_path(given: str, home: Path) -> str:
    """Say what is wrong with a path; empty if nothing is."""
    try:
        place = (home / given).resolve()
        is_there = place.exists() or not WILDCARDS.isdisjoint(given)
    except (OSError, ValueError):  # such as a name that the system cannot hold
        place, is_there = home, False
    if not place.is_relative_to(home):
        return said("a path within the course's folder", quoted(given))
    return "" if is_there else said(f"a file at {quoted(given)}", "no such file")


HANDLERS: Mapping[str, Handler] = {KIND: look_or_change}
"""What does each kind of job."""
