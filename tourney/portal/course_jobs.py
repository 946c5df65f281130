"""Jobs of organisers on a course's folder, done by the checker.

The folder is as `tourney class` makes it, so every command works on it. The settings that pages
show are read here after every change and stored in `courses.told`, because the web process opens
no folder.
"""

import json
import logging
from collections.abc import Mapping, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tourney.config.games import load_game
from tourney.config.model import GameConfig
from tourney.config.words import quoted
from tourney.course.class_folder import (
    ROSTER,
    begin_class,
    change_game,
    set_group_deadline,
    set_terms,
)
from tourney.course.extensions import Extension, change_extension, moment_in
from tourney.course.files import only_one, write_whole
from tourney.course.folder import Submissions
from tourney.course.games import game_text
from tourney.course.grades.book import Gradebook, read_gradebook
from tourney.course.grades.platforms import certain_platform_of
from tourney.course.roster import Person, Roster
from tourney.course.roster_file import keep_roster, read_roster
from tourney.course.roster_import import Enrolment, enrol
from tourney.course.submission_rules import SubmissionRules, read_terms
from tourney.errors import PortalError, TourneyError
from tourney.plugins.discovery import PLATFORM
from tourney.plugins.fault_text import printable
from tourney.plugins.loading import load_plugins
from tourney.portal import notices
from tourney.portal.accounts import Course, assignments_of, course_of, courses
from tourney.portal.assignments import why_game_stays
from tourney.portal.class_overview import ROSTER_CHANGES
from tourney.portal.database import InstalledGame, InstalledStrategy, open_database, store_names
from tourney.portal.handouts import handout_of
from tourney.portal.jobs import Job, get
from tourney.portal.places import Places
from tourney.portal.teams import ASSIGNMENTS, OF_PEOPLE, follow_teams
from tourney.portal.worker import Context, Handler, hide_path
from tourney.sqlite.database import Database
from tourney.tournament.catalog import catalog_of

log = logging.getLogger("tourney.portal")
SETTINGS = (
    *("time_zone", "deadline", "grace_minutes", "late_days", "per_day"),
    *("submission_rule", "tests", "largest_team"),
)
"""Submission rules that can be set in the browser."""
A_TIME = "a time with its UTC offset, such as 2026-12-01 23:59+01:00"
PLAIN = {
    "grace_minutes": "a number of minutes, such as 10",
    "late_days": "a number of days, such as 2",
    "per_day": "a number of versions, such as 5",
    "largest_team": "a number of students, such as 2",
    "submission_rule": "last, best or pinned",
}
"""Settings that the file holds without quotes."""


def take_roster(context: Context) -> Mapping[str, Any]:
    """Preview or apply the roster changes of a gradebook.

    Changes other than those of the preview are previewed again.

    Payload: `file` in the inbox, `shown` (its displayed name), `game` for a new class, `is_sure`,
        and then the job of the `preview`.
    """
    payload, folder = context.job.payload, context.folder
    registry = load_plugins()
    kept = read_roster(folder / ROSTER).people if (folder / ROSTER).is_file() else ()
    reserved = [name for name, each in registry.strategies.items() if each.distribution == PLATFORM]
    with hide_path(str(context.upload), payload["shown"]):
        book = read_gradebook(context.upload)
        enrolment = enrol(book, kept, reserved)
    changes = _changes(enrolment, is_new=not kept)
    if not payload["is_sure"] or _is_new_to(get(context.database, payload["preview"]), changes):
        return {"status": "shown", **changes, **_about(book)}
    if kept:
        keep_roster(folder / ROSTER, kept, enrolment.people)
        _follow_names(context, enrolment)
    else:
        game = load_game(payload["game"], catalog_of(registry))
        begin_class(folder, enrolment.people, game, str(payload["title"]))
    tell_change(context, "roster changed", people=len(enrolment.people))
    faults = share_roster(context.database, context.places, context.course)
    return {"status": "kept", "faults": faults, **changes, **_about(book)}


def _is_new_to(preview: Job, changes: Mapping[str, Any]) -> bool:
    """Return whether there are changes that a preview did not show."""
    parts = [name for name in ROSTER_CHANGES if changes[name]]
    return any(changes[name] != preview.result.get(name) for name in parts)


def share_roster(database: Database, places: Places, course: Course) -> list[str]:
    """Copy the roster of a course into the folders of all its assignments.

    Returns: The faults in the rules of assignments, whose pages show the earlier roster.
    """
    first, *others = assignments_of(database, course)
    source, faults = places.course(first.slug) / ROSTER, []
    for each in others if source.is_file() else ():
        folder = places.course(each.slug)
        if not (folder / ROSTER).is_file():
            continue  # it is not set up yet, and gets the roster then
        with only_one(folder):
            text = source.read_text(encoding="utf-8")
            if text != (folder / ROSTER).read_text(encoding="utf-8"):
                write_whole(folder / ROSTER, text)
        try:
            tell_again(database, each.id, folder)
        except TourneyError as error:
            log.warning("course %s: %s", each.slug, error)
            faults.append(str(error).replace(f"{folder.parent}/", ""))
    return faults


def _follow_names(context: Context, enrolment: Enrolment) -> None:
    """Give members, codes to join by and exceptions the new names of their students."""
    with context.database.transaction():
        for old, new in enrolment.renamed:
            for name in old.names:
                values = {"new": new.person, "old": old.person, "name": name}
                for table in OF_PEOPLE:
                    context.database.execute(
                        f"UPDATE {table} SET person = :new "  # noqa: S608 - a table of this list
                        f"WHERE {ASSIGNMENTS} AND person = :old AND name = :name",
                        {**values, "course": context.job.course},
                    )


def _changes(enrolment: Enrolment, *, is_new: bool) -> dict[str, Any]:
    return {
        "is_new": is_new,
        "people": sum(not each.excluded for each in enrolment.people),
        "joined": [_full_line(each) for each in enrolment.joined],
        "left": [_full_line(each) for each in enrolment.left],
        "changed": [[_full_line(old), _full_line(new)] for old, new in enrolment.changed],
        "unclear": [_full_line(each) for each in enrolment.unclear],
    }


def _about(book: Gradebook) -> dict[str, Any]:
    """Describe an upload: its platform, the skipped lines, and names with invisible marks."""
    platform = certain_platform_of(book.titles)
    return {
        "platform": platform.name if platform else "",
        "skipped": [[line, printable(title)] for line, title in book.passed_over],
        "cleaned": [[each.line, each.name] for each in book.students if each.has_marks],
    }


def _full_line(person: Person) -> dict[str, Any]:
    """Give a student with identifiers, which only previews show and no page keeps for long."""
    return {**_line(person), "ids": list(person.all_ids)}


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
    folder, asked = context.folder, context.job.payload["settings"]
    with hide_path(f"{folder}/"):
        before = told_of(folder)
        has_zone = bool(str(asked.get("time_zone", before.get("time_zone", ""))).strip())
        settings = {
            name: _typed(name, str(asked[name]).strip(), has_zone=has_zone)
            for name in SETTINGS
            if name in asked
        }
        set_terms(folder, settings, catalog_of(load_plugins()))
    tell_change(
        context, "terms changed", before={name: before.get(name) for name in settings}, to=settings
    )
    return {"status": "kept"}


def change_deadline_of(context: Context) -> Mapping[str, Any]:
    """Give a student or a section another deadline, or end that.

    Payload: `section`, or `person` and `name` of a student; `until`, an ISO time with its offset,
        or empty to end it; `because`, the reason for a student.
    """
    payload, folder = context.job.payload, context.folder
    catalog = catalog_of(load_plugins())
    until = datetime.fromisoformat(payload["until"]) if payload["until"] else None
    about: dict[str, object] = {"until": payload["until"]} if until else {}
    with hide_path(f"{folder}/"):
        if section := payload.get("section"):
            set_group_deadline(folder, section, until, catalog)
            about["section"] = section
        else:
            about |= _extend(context, read_terms(folder, catalog), until)
    tell_change(context, "extension granted" if until else "extension ended", **about)
    return {"status": "kept"}


def _extend(
    context: Context, terms: SubmissionRules, until: datetime | None
) -> Mapping[str, object]:
    """Change the extension of a student; give the numbers by which the activity log names them."""
    payload, roster = context.job.payload, terms.roster or Roster(())
    asked = (payload["person"], payload["name"])
    at = next((at for at, each in enumerate(roster.people) if asked == _called(each)), None)
    if at is None:
        raise PortalError("extension: the roster has changed; reload the page and try again")
    person = roster.people[at]
    key = next(
        (each for each in (person.person, *person.all_ids) if roster.find(each) == person), ""
    )
    if not key:
        raise PortalError(
            f"extension: another student is called {person.person}, too; add an id to the roster"
        )
    known = [each.person for each in terms.extensions_of(person)]
    extension = Extension(key, until, payload["because"]) if until else None
    change_extension(context.folder, terms.time_zone, key, extension, known_as=known)
    account = context.database.first(
        "SELECT account FROM memberships WHERE course = ? AND person = ? AND name = ?",
        (context.job.course, *asked),
    )
    return {"roster_line": at + 1, **({"of": account[0]} if account else {})}


def _called(person: Person) -> tuple[str, str]:
    return person.person, person.names[0]


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


def tell_change(context: Context, act: str, **about: object) -> None:
    """Record an action and the folder's new settings."""
    folder = context.folder
    settings = told_of(folder)
    with context.database.transaction():
        _store(context.database, context.course.id, folder, settings)
        context.note(act, **about)


def tell_again(database: Database, course: int, folder: Path) -> None:
    """Record the folder's settings after a change that no member of the course made."""
    if settings := told_of(folder):
        with database.transaction():
            _store(database, course, folder, settings)


def _store(database: Database, course: int, folder: Path, settings: Mapping[str, Any]) -> None:
    """Record the settings, in a transaction of the caller; notify students of new deadlines."""
    before = course_of(database, course).told
    follow_teams(database, course, settings.get("people", ()))
    notices.add_moved_deadlines(database, course, before, settings)
    sql = "UPDATE courses SET told = ? WHERE id = ?"
    database.execute(sql, (json.dumps(settings), course))
    if moved := _excluded(before) ^ _excluded(settings):
        submissions = Submissions(folder)
        for name in moved:
            playing = submissions.playing(name)
            sql = "UPDATE versions SET plays = (digest = ?) WHERE course = ? AND name = ?"
            database.execute(sql, (playing.digest if playing else "", course, name))


def _excluded(settings: Mapping[str, Any]) -> frozenset[str]:
    """Give the player names of the students that the roster excludes."""
    return frozenset(each["name"] for each in settings.get("people", ()) if each["excluded"])


def tell_all(places: Places) -> None:
    """Record the installed names, and the settings of all courses, which commands may have changed.

    The checker does this at its start. The faults of a course are logged.
    """
    registry = load_plugins()
    known = [
        InstalledGame(name, each.rules.game.name, each.rules.game.mutants() is not None)
        for name, each in registry.games.items()
    ]
    players = [
        InstalledStrategy(name, each.game, each.summary)
        for name, each in registry.strategies.items()
    ]
    with closing(open_database(places)) as database:
        store_names(database, known, players)
        for course in courses(database):
            try:
                tell_again(database, course.id, places.course(course.slug))
                if course.is_first:
                    share_roster(database, places, course)
            except TourneyError as error:  # its staff see it with the next change
                log.warning("course %s: %s", course.slug, error)


def told_of(folder: Path) -> dict[str, Any]:
    """Give the settings of a course's folder that pages show; empty before it has a roster.

    Returns: game (text), preset, game_words (for people), strategies (names of those
        that can play by its rules), time_zone (or empty), deadline (ISO time or `None`),
        grace_minutes, late_days, per_day (or `None`), submission_rule, largest_team, tests (name
        of the game of the mutants, or empty), people (person, name, groups, excluded, own
        deadline, own late_days, team), group_deadlines (ISO times by section), extensions (of
        students: as people, with until and reason), handout (see `handouts`), as JSON values.
    """
    if not (folder / ROSTER).is_file():
        return {}
    catalog = catalog_of(load_plugins())
    terms = read_terms(folder, catalog)
    people: Sequence[Person] = terms.roster.people if terms.roster else ()
    return {
        "game": game_text(terms.game) if terms.game else "",
        "preset": terms.game.preset if terms.game else "",
        "game_words": _game_words(terms.game) if terms.game else "",
        "strategies": load_plugins().strategies_for(terms.game.rules) if terms.game else [],
        "time_zone": str(terms.time_zone or ""),
        "deadline": terms.deadline.isoformat() if terms.deadline else None,
        "grace_minutes": terms.grace_minutes,
        "late_days": terms.late_days,
        "per_day": terms.per_day,
        "submission_rule": terms.rule,
        "largest_team": terms.largest_team,
        "tests": terms.tests.preset if terms.tests else "",
        "people": [
            {**_line(each), **_own_rules(terms, each), "team": each.team} for each in people
        ],
        "handout": handout_of(folder, terms, catalog),
        "group_deadlines": {group: time.isoformat() for group, time in terms.group_deadlines},
        "extensions": [
            {**_line(person), "until": each.until.isoformat(), "reason": each.reason}
            for person in people
            for each in terms.extensions_of(person)
        ],
    }


def _own_rules(terms: SubmissionRules, person: Person) -> dict[str, Any]:
    """Give the deadline of a student, with extensions, and the allowed late days."""
    deadline = terms.deadline_of(person.person, person.names[0])
    return {
        "deadline": deadline.isoformat() if deadline else None,
        "late_days": terms.late_days_of(person.person, person.names[0]),
    }


def _game_words(game: GameConfig) -> str:
    """Describe a game to people.

    >>> _game_words(GameConfig("ve280", (("shuffle", "uniform"),), None))
    've280, shuffled evenly'
    """
    if game.overrides == (("shuffle", "uniform"),):
        return f"{game.preset}, shuffled evenly"
    return game_text(game)


def set_up(context: Context) -> Mapping[str, Any]:
    """Create the folder of an assignment, with the roster of its course.

    Payload: `game`, and `settings` as `change_terms` takes them.
    """
    course, folder = context.course, context.folder
    first, *_ = assignments_of(context.database, course)
    source = context.places.course(first.slug)
    with hide_path(f"{source.parent}/"):
        if not (folder / ROSTER).is_file():  # an earlier try may have created it
            game = load_game(context.job.payload["game"], catalog_of(load_plugins()))
            people = read_roster(source / ROSTER).people
            begin_class(folder, people, game, course.title)
    result = change_terms(context)
    share_roster(context.database, context.places, course)  # it may have changed meanwhile
    return result


def replace_game(context: Context) -> Mapping[str, Any]:
    """Change the game of an assignment without submissions.

    Payload: `game`.
    """
    course, folder, catalog = context.course, context.folder, catalog_of(load_plugins())
    if reason := why_game_stays(context.database, course.id):
        raise PortalError(f"game: {reason}")
    before, after = course.told.get("game"), str(context.job.payload["game"])
    with hide_path(f"{folder}/"):
        change_game(folder, load_game(after, catalog), course.title, catalog)
        tell_again(context.database, course.id, folder)
    context.note("game changed", before=before, after=after)
    return {"status": "kept"}


HANDLERS: Mapping[str, Handler] = {
    "roster": take_roster,
    "terms": change_terms,
    "extension": change_deadline_of,
    "assignment": set_up,
    "game": replace_game,
}
"""The handler of each kind of job."""
