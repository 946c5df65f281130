"""From a learning platform's export to the kept roster, and what a newer export changes in it.

People keep their line, with all that an organiser wrote there: aliases, teams, late days, handles.
Who is new gets a name to play under by one rule, `display_names`. Who is gone is excluded, and is
back when an export has them again.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from unicodedata import category, normalize

from tourney.config.documents import Faults
from tourney.course.csv_cells import Cell
from tourney.course.grades.book import Gradebook
from tourney.course.grades.people import Student
from tourney.course.names import BETWEEN, LONGEST_NAME, LONGEST_PERSON, check_name, skeletons
from tourney.course.roster import Person
from tourney.errors import ConfigError, GradebookError, SubmissionError

LEFT = "not in the export any more"
"""Why somebody is excluded whom the platform does not list any more."""

LONGEST_GROUP = 80
PLAINER = str.maketrans("\u2018\u2019\u02bc\u0060\u00b4\u2010\u2013", "'''''--")
"""Apostrophes and dashes of many kinds, and the one that a board shows."""
FORMULA = "=+-@"


@dataclass(frozen=True, slots=True)
class Enrolment:
    """A roster as an export makes it, and what is new in it."""

    people: tuple[Person, ...]
    joined: tuple[Person, ...]
    left: tuple[Person, ...]
    changed: tuple[tuple[Person, Person], ...]  # before and after
    unclear: tuple[Person, ...]  # whom no id tells from somebody of the same name


def enrol(book: Gradebook, kept: Sequence[Person], reserved: Collection[str] = ()) -> Enrolment:
    """Say what an export makes of a roster.

    Args:
        book: The export.
        kept: The roster so far; empty for a new class.
        reserved: Names that nobody may play under.
    Raises: GradebookError, with every fault of the export, each with its line and column.
    """
    _check(book)
    matched = _match(book.students, kept)
    before = {id(person): student for student, person in matched if person}
    people = [_renewed(person, before.get(id(person))) for person in kept]
    new = [student for student, person in matched if person is None]
    taken = [name for person in kept for name in (*person.names, *filter(None, [person.handle]))]
    names = display_names(new, taken, reserved)
    joined = [_person(student, name) for student, name in zip(new, names, strict=True)]
    pairs = list(zip(kept, people, strict=True))
    return Enrolment(
        people=(*people, *joined),
        joined=tuple(joined),
        left=tuple(after for old, after in pairs if after.excluded == LEFT != old.excluded),
        changed=tuple(
            (old, after)
            for old, after in pairs
            if old != after and (after.excluded != LEFT or old.excluded == LEFT)
        ),
        unclear=_unclear((*people, *joined)),
    )


def display_names(
    students: Sequence[Student], taken: Iterable[str] = (), reserved: Iterable[str] = ()
) -> list[str]:
    """Give everybody a name to play under that nobody takes for another's.

    The rule: the name as the platform has it, given name first, without what a board cannot show;
    else the word Student. Where that is somebody's already, or could be taken for it, a number
    from 2 on follows.

    Args:
        students: In order; the first of equal names keeps it.
        taken: Names that are given already.
        reserved: Names that nobody gets.
    """
    alike = {skeleton for name in (*taken, *reserved) for skeleton in skeletons(name)}
    names = []
    for student in students:
        name = _free(_shown(student.name), alike)
        alike |= skeletons(name)
        names.append(name)
    return names


def _free(plain: str, alike: Collection[str]) -> str:
    """Give a name, with a number where it is not free."""
    number, name = 1, plain
    while not _is_good(name) or any(each in alike for each in skeletons(name)):
        number += 1
        name = f"{plain[: LONGEST_NAME - 6].rstrip(BETWEEN)} {number}"
    return name


def _is_good(name: str) -> bool:
    try:
        check_name(name)
    except SubmissionError:
        return False
    return True


def _shown(name: str) -> str:
    r"""Give a name without what a board cannot show.

    >>> _shown("José  O\u2019Brien, Jr."), _shown("=1+1"), _shown("(李) Wei 😀"), _shown("...")
    ("José O'Brien Jr", '1 1', '李 Wei', 'Student')
    """
    plain = normalize("NFKC", name.translate(PLAINER))
    plain = "".join(char if _is_shown(char) else " " for char in plain)
    words = (word.strip(BETWEEN) for word in re.split(r"[\s]+|(?<=[^\w])(?=[^\w\s])", plain))
    kept = ""
    for word in filter(None, words):
        if len(f"{kept} {word}") > LONGEST_NAME and kept:
            break
        kept = f"{kept} {word}".strip()[:LONGEST_NAME].rstrip(BETWEEN)
    kept = kept.lstrip("".join(char for char in kept if category(char)[0] == "M"))
    return kept if kept and _is_good(kept) else "Student"


def _is_shown(char: str) -> bool:
    return category(char)[0] in "LM" or category(char) == "Nd" or char in BETWEEN


def _check(book: Gradebook) -> None:
    """Note everything in an export that a roster could not take."""
    faults = Faults(str(book.path))
    seen: dict[str, int] = {}
    for student in book.students:
        for cell, fault in _faults_of(book, student):
            faults.note_at(cell.place, fault, _title(book, student, cell))
        for key in dict.fromkeys(_keys(student)):
            if key in seen:
                faults.note_at(
                    student.cells[0].place,
                    f"expected everybody once, got {key[:40]!r} of line {seen[key]} again: remove "
                    "one of the lines, or mend it",
                )
            seen.setdefault(key, student.line)
    if not book.students:
        faults.note_at(book.rows[0][0].place, "expected a line for every student, got none")
    try:
        faults.raise_any()
    except ConfigError as error:
        raise GradebookError(str(error)) from error


def _faults_of(book: Gradebook, student: Student) -> Iterable[tuple[Cell, str]]:
    """Give the faults of one line, with their cells."""
    parts = [book.platform.part(title) for title in book.titles]
    if not student.name:
        at = next(at for at, part in enumerate(parts) if part in {"sorted", "whole", "first"})
        yield student.cells[at], "expected a name, got nothing: export it again"
    for cell, part in zip(student.cells, parts, strict=True):
        if part in {None, "about", "role"}:
            continue
        text = " ".join(cell.text.split())
        longest = LONGEST_GROUP if part == "group" else LONGEST_PERSON
        if not text.isprintable():
            yield cell, f"expected printable characters, got {text[:40]!r}: type it anew"
        elif len(text) > longest and not (part == "group" and student.groups != (text,)):
            yield cell, f"expected up to {longest} characters, got {len(text)}: shorten it"
        elif part in {"id", "email"} and ";" in text:
            yield cell, f"expected an id without ';', got {text[:40]!r}: mend it"


def _title(book: Gradebook, student: Student, cell: Cell) -> str:
    return book.titles[student.cells.index(cell)]


def _keys(student: Student) -> tuple[str, ...]:
    """Give what nobody else is called by the platform."""
    told = (*student.ids, *filter(None, [student.email]))
    return tuple(each.casefold() for each in told)


def _match(
    students: Sequence[Student], kept: Sequence[Person]
) -> list[tuple[Student, Person | None]]:
    """Find everybody's line: by id, else by name where that is clear, and each line once."""
    by_key = {key: person for person in kept for key in person.own_keys}
    free = {id(person): person for person in kept}
    found: dict[int, Person] = {}
    for student in students:
        hits = (by_key[key] for key in _keys(student) if key in by_key)
        if person := next((each for each in hits if id(each) in free), None):
            found[student.line] = free.pop(id(person))
    for student in students:
        if student.line in found:
            continue
        name = " ".join(student.name.casefold().split())
        # Who has an id on both sides and none in common is somebody else of the same name.
        same = [
            person
            for person in free.values()
            if _plain(person.person) == _plain(name) and not (_keys(student) and person.own_keys)
        ]
        if same:
            found[student.line] = free.pop(id(same[0]))
    return [(student, found.get(student.line)) for student in students]


def _plain(name: str) -> str:
    return " ".join(name.casefold().split()).lstrip(FORMULA + " ")


def _renewed(person: Person, student: Student | None) -> Person:
    """Give somebody's line as the export has it now."""
    if student is None:
        return person if person.excluded else replace(person, excluded=LEFT)
    back = "" if person.excluded == LEFT else person.excluded
    new = tuple(each for each in student.ids if each.casefold() not in person.own_keys)
    return replace(
        person,
        ids=(*person.ids, *new),
        email=student.email or person.email,
        groups=_groups(student) or person.groups,
        excluded=back,
    )


def _person(student: Student, name: str) -> Person:
    """Give the line of somebody new."""
    person = student.name.lstrip(FORMULA + " ") or name
    return Person(person, (name,), student.ids, None, student.email, _groups(student))


def _groups(student: Student) -> tuple[str, ...]:
    """Give groups without what stands between them in a roster."""
    return tuple(dict.fromkeys(" ".join(each.replace(";", " ").split()) for each in student.groups))


def _unclear(people: Sequence[Person]) -> tuple[Person, ...]:
    """Give people who have a name in common, and no id of their own."""
    named: dict[str, list[Person]] = {}
    for person in people:
        named.setdefault(_plain(person.person), []).append(person)
    alone: Mapping[str, list[Person]] = {k: v for k, v in named.items() if len(v) > 1}
    return tuple(each for those in alone.values() for each in those if not each.own_keys)
