"""The students of a gradebook, and which entrant each of them plays as."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from tourney.config.documents import Faults
from tourney.course.folder import Submissions, fault_of_folder
from tourney.course.grades.platforms import (
    IDS,
    STAFF,
    UNCHANGEABLE,
    Part,
    Platform,
    participant_number,
)
from tourney.course.names import (
    PARTICIPANT,
    folded,
    has_marks,
    shown,
)
from tourney.course.roster import Person, Roster, Submitter, identified
from tourney.course.roster_file import Cells, read_roster
from tourney.errors import GradebookError


@dataclass(frozen=True, slots=True)
class Student:
    """One line of a gradebook."""

    line: int  # of the file, from 1
    name: str  # given name first, without unprintable characters
    ids: tuple[str, ...]  # on the platform
    cells: Cells
    email: str = ""
    groups: tuple[str, ...] = ()  # sections too
    kinds: tuple[Part, ...] = ()  # of the ids, one for each
    is_locked: bool = False  # whether the platform does not accept another mark
    has_marks: bool = False  # whether the name had unprintable characters

    @property
    def kind_ids(self) -> tuple[str, ...]:
        """The ids with their kinds, as a roster may write them."""
        return tuple(f"{kind}:{each}" for kind, each in zip(self.kinds, self.ids, strict=True))

    @property
    def mention(self) -> Submitter:
        """The names and ids of the student in the line."""
        lasting = [each for each in self.kind_ids if not each.startswith(PARTICIPANT)]
        numbers = [each for each in self.kind_ids if each.startswith(PARTICIPANT)]
        return Submitter(
            tuple(filter(None, [self.name])),
            (*lasting, *filter(None, [self.email])),
            next(iter(numbers), ""),
            is_hidden=not self.name,
        )


def people_of(place: Path | None, entrants: Sequence[str]) -> Roster:
    """Return the students and the names they play under.

    Args:
        place: A roster or a folder of submissions; without it each entrant is a student.
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
    """Take the authors of the versions that play for the students."""
    names: dict[str, list[str]] = {}
    for each in submissions.current():
        names.setdefault(each.author, []).append(each.name)
    return Roster(tuple(Person(author, tuple(own)) for author, own in names.items()))


def find(student: Student, people: Roster) -> tuple[Person, ...]:
    """Return the students of a roster that a line may mean, as `identified` decides."""
    found = identified(student.mention, people)
    return tuple(sorted(found, key=lambda each: (each.person, each.names)))


POSSIBLE = "Points Possible"
POSTING = re.compile(r"\s*(?:Muted|Manual Posting.*)?\s*", re.IGNORECASE)
TEST_STUDENTS = ("student, test", "test student")
CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f]")
"""Control characters that are no white space."""
NO_IDS = ("n/a", "#n/a", "n.a.")
"""Texts of cells without an id; so is a dash."""
SUFFIX = re.compile(r"[JS]r\.?|I{1,3}|IV")
"""Suffix of a name; it comes after the family name."""

TEXT_AS_FORMULA = re.compile(r'="[^"]*"')
"""How Canvas itself writes a name that begins with '='."""


def titles_of(heading: Cells) -> tuple[str, ...]:
    """Return the titles of columns."""
    return tuple(cell.text.strip() for cell in heading)


def students_of(
    rows: tuple[Cells, ...], platform: Platform, faults: Faults
) -> tuple[tuple[Student, ...], tuple[tuple[int, str], ...]]:
    """Read all lines but the heading.

    Args:
        rows: The heading first.
        platform: The platform of the export.
        faults: Collects lines with another number of cells than the heading.
    Returns: The students, and the lines of other people, with a description.
    """
    titles = titles_of(rows[0])
    parts = [platform.part(title) for title in titles]
    listed = (text for row in rows[1:] for text in _texts(row, parts, "group"))
    alone = frozenset(listed) if platform.joins_groups else None
    students, passed_over = [], []
    possible = next((at for at, row in enumerate(rows) if POSSIBLE in row[0].text), 0)
    for at, row in enumerate(rows[1:], 1):
        if _is_about_columns(row) or (at < possible and not _names_anybody(row, parts)):
            continue
        if len(row) != len(titles):
            faults.note_at(
                (row[0].line, 1),
                f"this line has {len(row)} cells, and the heading has {len(titles)}. Export again.",
            )
            continue
        student = _student(row, parts, platform, alone)
        role = next(iter(_texts(row, parts, "role")), "")
        if student.name.casefold() in TEST_STUDENTS or row[0].text.casefold() in TEST_STUDENTS:
            passed_over.append((student.line, "the platform's test student"))
        elif STAFF.search(role):
            passed_over.append((student.line, f"{student.name}, {role}"))
        elif not (student.has_marks or student.email or _names_anybody(row, parts)):
            passed_over.append((student.line, "a line without a name and an id"))
        else:
            students.append(student)
    return tuple(students), tuple(passed_over)


def _student(
    row: Cells, parts: list[Part | None], platform: Platform, alone: Collection[str] | None
) -> Student:
    """Read one line of a person."""
    ids = dict(_ids(row, parts, platform))
    groups = [
        group
        for text in _texts(row, parts, "group")
        for group in _groups(text, platform.between, alone)
    ]
    named = [
        cell.text for cell, part in zip(row, parts, strict=True) if part in NAMES and cell.text
    ]
    return Student(
        line=row[0].line,
        name=_name(row, parts),
        ids=tuple(ids),
        kinds=tuple(ids.values()),
        cells=row,
        email=next(iter(_texts(row, parts, "email")), ""),
        groups=tuple(dict.fromkeys(groups)),
        is_locked=any(folded(text) in UNCHANGEABLE for text in _texts(row, parts, "locked")),
        has_marks=any(has_marks(text) or CONTROLS.search(text) for text in named),
    )


NAMES: tuple[Part, ...] = ("sorted", "whole", "first", "last")


def _ids(row: Cells, parts: list[Part | None], platform: Platform) -> list[tuple[str, Part]]:
    """Return the ids of a line with their kinds."""
    found: list[tuple[str, Part]] = []
    for kind in IDS:
        for cell in _texts(row, parts, kind):
            text = cell.lstrip(platform.id_signs) if platform.id_signs else cell
            if number := participant_number(text):
                found.append((number, "participant"))
            elif kind == "participant" and not text.isdecimal():
                found.append((text, "login"))
            elif text:
                found.append((text, kind))
    return found


def _texts(row: Cells, parts: list[Part | None], wanted: Part) -> list[str]:
    """Return the cells of one kind that are not empty, without unprintable characters."""
    # A line may have another number of cells than the heading.
    texts = (_plain(cell.text) for cell, part in zip(row, parts, strict=False) if part == wanted)
    can_be_empty = wanted == "email" or wanted in IDS
    return [text for text in texts if text and not (can_be_empty and _is_placeholder(text))]


def _plain(text: str) -> str:
    return shown(CONTROLS.sub("", text))


def _is_placeholder(text: str) -> bool:
    """Report whether a text stands for a missing id.

    >>> [_is_placeholder(each) for each in ("N/A", "-", "na", "李-1")]
    [True, True, False, False]
    """
    return text.casefold() in NO_IDS or not any(char.isalnum() for char in text)


def _groups(text: str, between: re.Pattern[str], alone: Collection[str] | None) -> Sequence[str]:
    """Split the text of several groups; with `alone`, only into groups that it has.

    >>> between = re.compile(" and | in ")
    >>> _groups("Go in A and 2 and 3", between, ("Go in A", "2", "3", "Go in A and 2 and 3"))
    ('Go in A', '2', '3')
    """
    if alone is None:
        return [each.strip() for each in between.split(text) if each.strip()]
    # The words between groups may also be in a group's name.
    ends = [*(found.span() for found in between.finditer(text)), (len(text), len(text))]
    known: dict[int, tuple[str, ...]] = {0: ()}  # groups before each place
    for end, following in ends:
        for begin in sorted(known, reverse=True):  # the last group as short as possible
            if text[begin:end] in alone:
                known[following] = (*known[begin], text[begin:end])
                break
    return known.get(len(text), (text,))


def _name(row: Cells, parts: list[Part | None]) -> str:
    """Return a name with the given name first.

    >>> from tourney.course.roster_file import Cell
    >>> _name((Cell("Lovelace, Ada", 0, 0),), ["sorted"])
    'Ada Lovelace'
    >>> _name((Cell("King, Martin L., Jr.", 0, 0),), ["sorted"])
    'Martin L. King, Jr.'
    >>> _name((Cell("Noether", 0, 0), Cell("Emmy", 0, 0)), ["last", "first"])
    'Emmy Noether'
    """
    for whole in _texts(row, parts, "sorted"):
        plain = whole[2:-1] if TEXT_AS_FORMULA.fullmatch(whole) else whole
        family, *others = (part.strip() for part in plain.split(","))
        suffixes = [each for each in others if SUFFIX.fullmatch(each)]
        given = ", ".join(each for each in others if each and each not in suffixes)
        return ", ".join([f"{given} {family}".strip(), *suffixes])
    halves = (*_texts(row, parts, "first"), *_texts(row, parts, "last"))
    return " ".join(halves or _texts(row, parts, "whole"))


def _is_about_columns(row: Cells) -> bool:
    """Report whether a line is about columns, and not about a student."""
    return POSSIBLE in row[0].text or all(POSTING.fullmatch(cell.text) for cell in row)


def _names_anybody(row: Cells, parts: list[Part | None]) -> bool:
    """Report whether a line has a name or an id; Canvas translates its line about posting."""
    return any(_texts(row, parts, part) for part in (*NAMES, *IDS))
