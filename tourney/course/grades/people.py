"""The people of a gradebook, and which entrant each of them plays as."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from tourney.config.documents import Faults
from tourney.course.csv_cells import Cells
from tourney.course.folder import Submissions
from tourney.course.folder_detection import fault_of_folder
from tourney.course.grades.platforms import STAFF, Part, Platform
from tourney.course.roster import Person, Roster
from tourney.course.roster_file import read_roster
from tourney.errors import GradebookError


@dataclass(frozen=True, slots=True)
class Student:
    """One line of a gradebook."""

    line: int  # of the file, from 1
    name: str  # given name first
    ids: tuple[str, ...]  # what the platform calls the person
    cells: Cells
    email: str = ""
    groups: tuple[str, ...] = ()  # sections too


def people_of(place: Path | None, entrants: Sequence[str]) -> Roster:
    """Give who plays under which name.

    Args:
        place: A roster, a folder of submissions, or None.
        entrants: Names on the board.
    Raises: GradebookError, ConfigError or SubmissionError, if it cannot be read.
    """
    if place is None:
        return Roster(tuple(Person(name, (name,)) for name in entrants))
    if not place.is_dir():
        return read_roster(place)
    if fault := fault_of_folder(place):
        raise GradebookError(f"{place}: {fault}")
    submissions = Submissions(place)
    return submissions.terms.roster or _authors(submissions)


def _authors(submissions: Submissions) -> Roster:
    """Take whoever handed in a version that plays for a person."""
    names: dict[str, list[str]] = {}
    for each in submissions.current():
        names.setdefault(each.author, []).append(each.name)
    return Roster(tuple(Person(author, tuple(own)) for author, own in names.items()))


def find(student: Student, people: Roster) -> tuple[Person, ...]:
    """Give who a student is: one person, nobody, or several where it is not clear.

    Whatever the gradebook says of a student has to be true of one person, as far as the roster
    knows it.
    """
    words = (*student.ids, student.email, student.name)
    told = [called for each in words if each and (called := people.all_called(each))]
    anybody = {person for called in told for person in called}
    found = {person for person in anybody if all(person in called for called in told)}
    return tuple(sorted(found or anybody, key=lambda each: (each.person, each.names)))


POSSIBLE = "Points Possible"
POSTING = re.compile(r"\s*(?:Muted|Manual Posting.*)?\s*", re.IGNORECASE)
TEST_STUDENTS = ("student, test", "test student")
IDENTIFIER = re.compile(r"(?:Participant|Teilnehmer/in|Participante?)[ \xa0](?=\d+$)")
"""Before the number by which a worksheet of Moodle, and its downloads, call somebody."""

SUFFIX = re.compile(r"[JS]r\.?|I{1,3}|IV")
"""Of a name: it stays behind the family's."""

TEXT_AS_FORMULA = re.compile(r'="[^"]*"')
"""How Canvas itself writes a name that begins with '='."""


def titles_of(heading: Cells) -> tuple[str, ...]:
    """Give the titles of columns."""
    return tuple(cell.text.strip() for cell in heading)


def students_of(
    rows: tuple[Cells, ...], platform: Platform, faults: Faults
) -> tuple[tuple[Student, ...], tuple[tuple[int, str], ...]]:
    """Read all lines but the heading.

    Args:
        rows: The heading first.
        platform: Who wrote them.
        faults: Notes lines that have not as many cells as the heading.
    Returns: The students, and the lines of nobody who plays, each with whose it is.
    """
    titles = titles_of(rows[0])
    parts = [platform.part(title) for title in titles]
    alone = {cell.text.strip() for row in rows for cell in row} if platform.joins_groups else None
    students, passed_over = [], []
    for row in rows[1:]:
        if _is_about_columns(row):
            continue
        if len(row) != len(titles):
            faults.note_at(
                (row[0].line, 1),
                f"expected {len(titles)} cells, as in the heading, got {len(row)}: export again",
            )
            continue
        student = _student(row, parts, platform, alone)
        role = next(iter(_told(row, parts, "role")), "")
        if student.name.casefold() in TEST_STUDENTS or row[0].text.casefold() in TEST_STUDENTS:
            passed_over.append((student.line, "the platform's test student"))
        elif STAFF.search(role):
            passed_over.append((student.line, f"{student.name}, {role}"))
        else:
            students.append(student)
    return tuple(students), tuple(passed_over)


def _student(
    row: Cells, parts: list[Part | None], platform: Platform, alone: Collection[str] | None
) -> Student:
    """Read one line about somebody."""
    ids = (IDENTIFIER.sub("", each) for each in _told(row, parts, "id"))
    groups = [
        group
        for told in _told(row, parts, "group")
        for group in _groups(told, platform.between, alone)
    ]
    return Student(
        line=row[0].line,
        name=_name(row, parts),
        ids=tuple(dict.fromkeys(ids)),
        cells=row,
        email=next(iter(_told(row, parts, "email")), ""),
        groups=tuple(dict.fromkeys(groups)),
    )


def _told(row: Cells, parts: list[Part | None], wanted: Part) -> list[str]:
    """Give what is told of one kind, without what is empty."""
    texts = (cell.text.strip() for cell, part in zip(row, parts, strict=True) if part == wanted)
    return [" ".join(text.split()) for text in texts if text]


def _groups(told: str, between: re.Pattern[str], alone: Collection[str] | None) -> list[str]:
    """Take groups apart; where they stand in a sentence, only into some that others have alone."""
    some = [each.strip() for each in between.split(told) if each.strip()]
    return some if alone is None or all(each in alone for each in some) else [told]


def _name(row: Cells, parts: list[Part | None]) -> str:
    """Give a name with the given name first.

    >>> from tourney.course.csv_cells import Cell
    >>> _name((Cell("Lovelace, Ada", 0, 0),), ["sorted"])
    'Ada Lovelace'
    >>> _name((Cell("King, Martin L., Jr.", 0, 0),), ["sorted"])
    'Martin L. King, Jr.'
    >>> _name((Cell("Noether", 0, 0), Cell("Emmy", 0, 0)), ["last", "first"])
    'Emmy Noether'
    """
    for whole in _told(row, parts, "sorted"):
        plain = whole[2:-1] if TEXT_AS_FORMULA.fullmatch(whole) else whole
        family, *others = (part.strip() for part in plain.split(","))
        suffixes = [each for each in others if SUFFIX.fullmatch(each)]
        given = ", ".join(each for each in others if each and each not in suffixes)
        return ", ".join([f"{given} {family}".strip(), *suffixes])
    halves = (*_told(row, parts, "first"), *_told(row, parts, "last"))
    return " ".join(halves or _told(row, parts, "whole"))


def _is_about_columns(row: Cells) -> bool:
    """Say whether a line tells of columns, and not of a student."""
    return POSSIBLE in row[0].text or all(POSTING.fullmatch(cell.text) for cell in row)
