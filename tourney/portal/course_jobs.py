"""Jobs of organisers on a course's folder, done by the checker: roster and submission rules.

The folder is as `tourney class` makes it, so every command works on it. The settings that pages
show are read here after every change and stored in `courses.told`, because the web process opens
no folder.
"""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC
from pathlib import Path
from typing import Any

from tourney.config.games import load_game
from tourney.config.words import quoted
from tourney.course.class_folder import ROSTER, begin_class, set_terms
from tourney.course.extensions import moment_in
from tourney.course.games import game_text
from tourney.course.grades.book import read_gradebook
from tourney.course.roster import Person
from tourney.course.roster_file import keep_roster, read_roster
from tourney.course.roster_import import Enrolment, enrol
from tourney.course.submission_rules import SubmissionRules, read_terms
from tourney.errors import ConfigError, GradebookError, PortalError
from tourney.plugins.discovery import PLATFORM
from tourney.plugins.loading import load_plugins
from tourney.portal import audit
from tourney.portal.handouts import handout_of
from tourney.portal.worker import Context, Handler
from tourney.tournament.catalog import catalog_of

SETTINGS = (
    *("time_zone", "deadline", "grace_minutes", "late_days", "per_day"),
    *("submission_rule", "tests"),
)
"""Submission rules that can be set in the browser."""
A_TIME = "a time with its UTC offset, such as 2026-12-01 23:59+01:00"
PLAIN = {
    "grace_minutes": "a number of minutes, such as 10",
    "late_days": "a number of days, such as 2",
    "per_day": "a number of versions, such as 5",
    "submission_rule": "last, best or pinned",
}
"""Settings that the file holds without quotes."""


def take_roster(context: Context) -> Mapping[str, Any]:
    """Preview or apply the roster changes of a gradebook.

    Payload: `file` in the inbox, `shown` (its displayed name), `game` for a new class, `is_sure`.
    """
    payload, folder = context.job.payload, _folder(context)
    path = context.places.inbox / payload["file"]
    registry = load_plugins()
    catalog = catalog_of(registry)
    kept = read_roster(folder / ROSTER).people if (folder / ROSTER).is_file() else ()
    reserved = [name for name, each in registry.strategies.items() if each.distribution == PLATFORM]
    try:
        enrolment = enrol(read_gradebook(path), kept, reserved)
    except GradebookError as error:
        raise PortalError(str(error).replace(str(path), payload["shown"])) from error
    if not payload["is_sure"]:
        return {"status": "shown", **_changes(enrolment, is_new=not kept)}
    if kept:
        keep_roster(folder / ROSTER, kept, enrolment.people)
        _follow_names(context, enrolment)
    else:
        title = str(payload["title"])
        begin_class(folder, enrolment.people, load_game(payload["game"], catalog), title)
    _told(context, "roster changed", people=len(enrolment.people))
    return {"status": "kept", **_changes(enrolment, is_new=not kept)}


def _follow_names(context: Context, enrolment: Enrolment) -> None:
    """Give members, codes to join by and exceptions the new names of their students."""
    with context.database.transaction():
        for old, new in enrolment.renamed:
            for name in old.names:
                values = (new.person, context.job.course, old.person, name)
                for table in ("members", "invites", "overrides"):
                    context.database.execute(
                        f"UPDATE {table} SET person = ? "  # noqa: S608 - a table of this list
                        "WHERE course = ? AND person = ? AND name = ?",
                        values,
                    )


def _changes(enrolment: Enrolment, *, is_new: bool) -> dict[str, Any]:
    return {
        "is_new": is_new,
        "people": len(enrolment.people),
        "joined": [_line(each) for each in enrolment.joined],
        "left": [_line(each) for each in enrolment.left],
        "changed": [[_line(old), _line(new)] for old, new in enrolment.changed],
        "unclear": [_line(each) for each in enrolment.unclear],
    }


def _line(person: Person) -> dict[str, Any]:
    return {
        "person": person.person,
        "name": person.names[0],
        "groups": list(person.groups),
        "excluded": person.excluded,
    }


def change_terms(context: Context) -> Mapping[str, Any]:
    """Write the deadline, the limits and the rule for the competing version.

    Payload: `settings`, the typed texts by name.
    """
    folder, asked = _folder(context), context.job.payload["settings"]
    catalog = catalog_of(load_plugins())
    before = told_of(folder)
    has_zone = bool(str(asked.get("time_zone", before.get("time_zone", ""))).strip())
    settings = {
        name: _typed(name, str(asked[name]).strip(), has_zone=has_zone)
        for name in SETTINGS
        if name in asked
    }
    try:
        set_terms(folder, settings, catalog)
    except ConfigError as error:
        raise PortalError(str(error).replace(f"{folder}/", "")) from error
    _told(
        context, "terms changed", before={name: before.get(name) for name in settings}, to=settings
    )
    return {"status": "kept"}


def _typed(name: str, value: str, *, has_zone: bool) -> str:
    """Give a value in YAML; texts in quotes, so that they stay texts.

    Raises: PortalError, with the label of the form, if the value is invalid.
    """
    try:
        if value and name == "deadline":
            moment_in(value, UTC if has_zone else None)
        is_fit = name not in PLAIN or not value or value.isalnum()
    except ValueError:
        is_fit = False
    if not is_fit:
        raise PortalError(
            f"{name}: {quoted(value)} is not possible; enter {PLAIN.get(name, A_TIME)}"
        )
    return json.dumps(value) if value and name not in PLAIN else value


def _folder(context: Context) -> Path:
    slug = context.database.first("SELECT slug FROM courses WHERE id = ?", (context.job.course,))
    assert slug
    return context.places.course(slug[0])


def _told(context: Context, act: str, **about: object) -> None:
    """Record an action and the folder's new settings."""
    settings = told_of(_folder(context))
    with context.database.transaction():
        context.database.execute(
            "UPDATE courses SET told = ? WHERE id = ?", (json.dumps(settings), context.job.course)
        )
        audit.note(
            context.database,
            act,
            account=context.job.account,
            course=context.job.course,
            **about,
        )


def tell_again(context: Context, folder: Path) -> None:
    """Record the folder's settings after a change that no member of the course made."""
    if settings := told_of(folder):
        context.database.execute(
            "UPDATE courses SET told = ? WHERE id = ?", (json.dumps(settings), context.job.course)
        )


def told_of(folder: Path) -> dict[str, Any]:
    """Give the settings of a course's folder that pages show; empty before it has a roster.

    Returns: game (text), time_zone (or empty), deadline (ISO time or `None`), grace_minutes,
        late_days, per_day (or `None`), submission_rule, tests (name of the game of the mutants, or
        empty), people (person, name, groups, excluded, own deadline, own late_days),
        handout (see `handouts`), as JSON values.
    """
    if not (folder / ROSTER).is_file():
        return {}
    catalog = catalog_of(load_plugins())
    terms = read_terms(folder, catalog)
    people: Sequence[Person] = terms.roster.people if terms.roster else ()
    return {
        "game": game_text(terms.game) if terms.game else "",
        "time_zone": str(terms.time_zone or ""),
        "deadline": terms.deadline.isoformat() if terms.deadline else None,
        "grace_minutes": terms.grace_minutes,
        "late_days": terms.late_days,
        "per_day": terms.per_day,
        "submission_rule": terms.rule,
        "tests": terms.tests.preset if terms.tests else "",
        "people": [{**_line(each), **_own_rules(terms, each)} for each in people],
        "handout": handout_of(folder, terms, catalog),
    }


def _own_rules(terms: SubmissionRules, person: Person) -> dict[str, Any]:
    """Give the deadline of a student, with extensions, and the allowed late days."""
    deadline = terms.deadline_of(person.person, person.names[0])
    return {
        "deadline": deadline.isoformat() if deadline else None,
        "late_days": terms.late_days_of(person.person, person.names[0]),
    }


HANDLERS: Mapping[str, Handler] = {"roster": take_roster, "terms": change_terms}
"""The handler of each kind of job."""
