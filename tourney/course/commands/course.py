"""`class`: the roster from an export of a learning platform, shown before it is saved."""

import sys
from collections.abc import Sequence
from pathlib import Path

import click
from tabulate import tabulate

from tourney.cli import completion
from tourney.cli.options import YES, NamedFile, note, shared_option
from tourney.config.games import load_game
from tourney.course.class_folder import ROSTER, TOURNAMENT, begin_class
from tourney.course.grades.book import Gradebook, read_gradebook
from tourney.course.names import reserved_names
from tourney.course.roster import Person
from tourney.course.roster_file import keep_roster, read_roster
from tourney.course.roster_import import Enrolment, enrol
from tourney.course.submission_rules import TERMS
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
            f"{folder}: expected no class yet, got one; take a newer export in with "
            f"`tourney class update {folder} --gradebook {gradebook}`, or name another folder"
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
            f"{folder / ROSTER}: expected the roster of a class, got none; make it with "
            f"`tourney class new {folder} --gradebook {gradebook}`"
        )
    registry = load_plugins()
    book = read_gradebook(gradebook)
    kept = read_roster(folder / ROSTER).people
    enrolment = enrol(book, kept, reserved_names(registry))
    _show_changes(enrolment)
    _note_book(book)
    _note_unclear(enrolment)
    if enrolment.people == kept:
        note(f"{folder / ROSTER} stays as it is")
    elif _is_wanted(f"{folder / ROSTER} with {_count(len(enrolment.people))}", is_sure=is_sure):
        keep_roster(folder / ROSTER, kept, enrolment.people)
        note(f"{folder / ROSTER} is kept")


def _is_wanted(what: str, *, is_sure: bool) -> bool:
    """Ask whether to save the roster; without a terminal only --yes saves it."""
    if is_sure:
        return True
    if not (sys.stdin and sys.stdin.isatty() and sys.stderr.isatty()):
        note(f"nothing is kept yet: --yes keeps {what}")
        return False
    return click.confirm(f"Keep {what}?", err=True)


def _people(people: Sequence[Person]) -> str:
    """Show people, a line each."""
    rows = [
        tuple(map(printable, (each.person, each.names[0], _and(each.groups), _and(_ids(each)))))
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
                ("ids", _ids(before), _ids(after)),
            )
            if old != new
        )
        told = "; ".join(f"{word} {_and(old)} -> {_and(new)}" for word, old, new in parts)
        click.echo(printable(f"{back}{after.person}{f': {told}' if told else ''}"))


def _note_book(book: Gradebook) -> None:
    """Print the origin of the list, and lines that are no students."""
    written_in = {"utf-8": "UTF-8"}.get(book.encoding, "Latin-1")
    note(
        f"{book.path}: {_count(len(book.students))}, exported by {book.platform.name}, {written_in}"
    )
    for student in book.students:
        if student.has_marks:
            note(f"{book.path}:{student.line}: {printable(student.name)}: invisible marks removed")
    for line, who in book.passed_over:
        note(f"{book.path}:{line}: passed over: {printable(who)}")


def _note_unclear(enrolment: Enrolment) -> None:
    """Print students that a download could not tell apart."""
    for each in enrolment.unclear:
        note(
            f"{printable(each.person)} ({each.names[0]}): another student has this name, and no "
            f"id tells them apart. Write one into the column `ids` of {ROSTER}."
        )


def _ids(person: Person) -> tuple[str, ...]:
    return (*person.ids, *filter(None, [person.email]))


def _in(person: Person) -> str:
    return f" in {_and(person.groups)}" if person.groups else ""


def _and(parts: Sequence[str]) -> str:
    return "; ".join(parts)


def _count(students: int) -> str:
    return "1 student" if students == 1 else f"{students} students"
