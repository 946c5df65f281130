"""`class`: the roster from an export of a learning platform, shown before it is saved."""

import json
import sys
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

import click
from tabulate import tabulate

from tourney.cli import completion
from tourney.cli.options import JSON, YES, NamedFile, note, shared_option
from tourney.config.games import load_game
from tourney.config.words import hint
from tourney.course.class_folder import ROSTER, TOURNAMENT, begin_class
from tourney.course.extensions import (
    COLUMNS,
    LOCAL_WORDS,
    MOMENT_WORDS,
    Extension,
    change_extension,
    moment_in,
)
from tourney.course.folder import fault_of_folder
from tourney.course.grades.book import Gradebook, read_gradebook
from tourney.course.names import reserved_names
from tourney.course.roster import Person, Roster
from tourney.course.roster_file import keep_roster, read_roster
from tourney.course.roster_import import Enrolment, enrol
from tourney.course.submission_rules import TERMS, SubmissionRules, read_terms
from tourney.errors import SubmissionError
from tourney.plugins.fault_text import printable
from tourney.plugins.loading import load_plugins
from tourney.tournament.catalog import catalog_of

DEFAULT_GAME = "ve280"

FOLDER = click.argument("folder", type=NamedFile(file_okay=False, path_type=Path), metavar="DIR")
GRADEBOOK = shared_option(
    "--gradebook", required=True, type=NamedFile(dir_okay=False, path_type=Path), metavar="FILE"
)


@click.group("class")
def class_command() -> None:
    """Set up a class from a learning platform's export."""


@class_command.command("new")
@FOLDER
@GRADEBOOK
@shared_option(
    "--game",
    metavar="GAME",
    shell_complete=completion.games,
    default=DEFAULT_GAME,
    show_default=True,
)
@YES
def new_class_command(folder: Path, gradebook: Path, game: str, is_sure: bool) -> None:
    """Make a folder for a class.

    DIR becomes a folder of submissions with a roster of all students and a tournament of their
    submissions. The names under which students play are shown first.
    """
    if (folder / ROSTER).exists() or (folder / TOURNAMENT).exists():
        raise SubmissionError(
            f"{folder} is already a class. Import a newer export with "
            f"`tourney class update {folder} --gradebook {gradebook}`, or name another folder."
        )
    registry = load_plugins()
    asked = load_game(game, catalog_of(registry))
    book = read_gradebook(gradebook)
    enrolment = enrol(book, (), reserved_names(registry))
    click.echo(_people(enrolment.people))
    _note_book(book)
    _note_unclear(enrolment)
    if _is_wanted(f"{folder} with {_count(len(enrolment.people))}", is_sure=is_sure):
        begin_class(folder, enrolment.people, asked, folder.absolute().name)
        note(f"{folder} is ready: {ROSTER}, {TERMS}, {TOURNAMENT}")


@class_command.command("update")
@FOLDER
@GRADEBOOK
@YES
def update_command(folder: Path, gradebook: Path, is_sure: bool) -> None:
    """Update the roster from a newer export.

    Students who joined or left are shown first. Your own entries in the roster of DIR stay:
    aliases, teams, late days, pseudonyms and exclusions.
    """
    if not (folder / ROSTER).is_file():
        raise SubmissionError(
            f"{folder} has no roster. Create the class with "
            f"`tourney class new {folder} --gradebook {gradebook}`."
        )
    registry = load_plugins()
    book = read_gradebook(gradebook)
    kept = read_roster(folder / ROSTER).people
    enrolment = enrol(book, kept, reserved_names(registry))
    _show_changes(enrolment)
    _note_book(book)
    _note_unclear(enrolment)
    if enrolment.people == kept:
        note(f"{folder / ROSTER} is unchanged")
    elif _is_wanted(f"{folder / ROSTER} with {_count(len(enrolment.people))}", is_sure=is_sure):
        keep_roster(folder / ROSTER, kept, enrolment.people)
        note(f"{folder / ROSTER} is saved")


def _is_wanted(contents: str, *, is_sure: bool) -> bool:
    """Ask whether to save the roster; without a terminal only --yes saves it."""
    if is_sure:
        return True
    if not (sys.stdin and sys.stdin.isatty() and sys.stderr.isatty()):
        note(f"nothing is saved yet; add --yes to save {contents}")
        return False
    return click.confirm(f"Save {contents}?", err=True)


def _people(people: Sequence[Person]) -> str:
    """Return a table of students."""
    rows = [
        tuple(map(printable, (each.person, each.names[0], _and(each.groups), _and(each.all_ids))))
        for each in people
    ]
    return tabulate(rows, headers=["Person", "Plays as", "Groups", "Ids"], disable_numparse=True)


def _show_changes(enrolment: Enrolment) -> None:
    """Print the changes, a line each."""
    for each in enrolment.joined:
        click.echo(printable(f"joins: {each.person} as {each.names[0]}{_in(each)}"))
    for each in enrolment.left:
        click.echo(printable(f"leaves: {each.person} ({each.names[0]}), excluded from now on"))
    for before, after in enrolment.changed:
        back = "is back: " if before.excluded != after.excluded else "changes: "
        parts = (
            (word, old, new)
            for word, old, new in (
                ("name", (before.person,), (after.person,)),
                ("groups", before.groups, after.groups),
                ("ids", before.all_ids, after.all_ids),
            )
            if old != new
        )
        words = "; ".join(f"{word} {_and(old)} -> {_and(new)}" for word, old, new in parts)
        click.echo(printable(f"{back}{after.person}{f': {words}' if words else ''}"))


def _note_book(book: Gradebook) -> None:
    """Print the platform and encoding of an export, and the skipped lines."""
    written_in = {"utf-8": "UTF-8"}.get(book.encoding, "Latin-1")
    note(
        f"{book.path}: {_count(len(book.students))}, exported by {book.platform.name}, {written_in}"
    )
    for student in book.students:
        if student.has_marks:
            name = printable(student.name)
            note(f"{book.path}:{student.line}: {name}: unprintable characters removed")
    for line, title in book.passed_over:
        note(f"{book.path}:{line}: skipped: {printable(title)}")


def _note_unclear(enrolment: Enrolment) -> None:
    """Print students with the same name and no id."""
    for each in enrolment.unclear:
        note(
            f"{printable(each.person)} ({each.names[0]}): another student has this name, and this "
            f"one has no id. Write one into the column `ids` of {ROSTER}."
        )


def _in(person: Person) -> str:
    return f" in {_and(person.groups)}" if person.groups else ""


def _and(parts: Sequence[str]) -> str:
    return "; ".join(parts)


def _count(students: int) -> str:
    return "1 student" if students == 1 else f"{students} students"


@class_command.command("extensions")
@FOLDER
@click.argument("person", required=False)
@click.option(
    "--until",
    metavar="TIME",
    help="Set the student's deadline, such as '2026-12-03 23:59' in the time zone of the class.",
)
@shared_option("--reason", metavar="REASON", default="")
@click.option("--remove", is_flag=True, help="Remove the student's extension.")
@JSON
def extensions_command(
    folder: Path, person: str | None, until: str | None, reason: str, remove: bool, as_json: bool
) -> None:
    """List, set or remove extensions.

    An extension is a later deadline of one student. It applies immediately, also to submissions
    that are in DIR already. Without PERSON, all extensions are listed.
    """
    if fault := fault_of_folder(folder):
        raise SubmissionError(f"{folder}: {fault}")
    if bool(person) != (until is not None or remove):
        raise click.UsageError("PERSON needs --until TIME or --remove, and these need PERSON")
    if until and (remove or not reason.strip()):
        raise click.UsageError("--until needs --reason REASON, and cannot be used with --remove")
    terms = read_terms(folder)
    if person:
        name = _named(person, terms.roster) if terms.roster else person
        extension = Extension(name, _until(until, terms), reason.strip()) if until else None
        change_extension(folder, terms.time_zone, name, extension)
        terms = read_terms(folder)
    rows = [(each.person, each.until.isoformat(" "), each.reason) for each in terms.extensions]
    if as_json:
        click.echo(json.dumps([dict(zip(COLUMNS, row, strict=True)) for row in rows]))
    elif rows:
        cells = [tuple(map(printable, row)) for row in rows]
        titles = [column.capitalize() for column in COLUMNS]
        click.echo(tabulate(cells, headers=titles, disable_numparse=True))
    else:
        note(f"{folder}: no student has an extension")


def _named(word: str, roster: Roster) -> str:
    """Return the name of a student, or an id if several have that name."""
    found = roster.find(word) or next(iter(roster.playing_as(word)), None)
    if found is None:
        raise SubmissionError(
            f"{word!r} is not one person of the roster{hint(roster.closest(word))}"
        )
    return found.person if roster.find(found.person) else next(iter(found.own_keys), word)


def _until(text: str, terms: SubmissionRules) -> datetime:
    try:
        return moment_in(text, terms.time_zone)
    except ValueError:
        expected = LOCAL_WORDS if terms.time_zone else MOMENT_WORDS
        raise click.UsageError(f"--until: expected {expected}, got {text!r}") from None
