"""Import of a platform's export: a new roster, or changes to the roster of a class.

Students keep their line with all entries of the organiser: aliases, teams, late days, pseudonyms.
`display_names` gives new students a name to play under. Students who are not in the export are
excluded, and take part again when a later export lists them.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from unicodedata import category, normalize

from tourney.config.documents import Faults
from tourney.course.grades.book import Gradebook
from tourney.course.grades.people import NAMES, Student
from tourney.course.grades.platforms import IDS
from tourney.course.names import (
    BETWEEN,
    FORMULAS,
    LONGEST_NAME,
    LONGEST_PERSON,
    PARTICIPANT,
    SHORTENED,
    check_name,
    folded,
    id_key,
    is_letter,
    is_misread,
    kind_and_id,
    same_id,
    same_name,
    shown,
    skeletons,
    squeezed,
)
from tourney.course.roster import Person, Roster
from tourney.course.roster_file import Cell
from tourney.errors import ConfigError, GradebookError, SubmissionError

LEFT = "not in the export any more"
"""Reason for excluding a student whom the platform no longer lists."""

LONGEST_GROUP = 80
PLAINER = str.maketrans("\u2018\u2019\u02bc\u0060\u00b4\u2010\u2013", "'''''--")
"""Apostrophes and dashes of many kinds, and the one that a board shows."""
EXPORT_AGAIN = "Export the list again, and do not save it there."
SAVE_AS_UTF_8 = "Export the list again and save it only as `CSV UTF-8`, or correct the name."


@dataclass(frozen=True, slots=True)
class Enrolment:
    """A roster after the import of an export, with the changes."""

    people: tuple[Person, ...]
    joined: tuple[Person, ...]
    left: tuple[Person, ...]
    changed: tuple[tuple[Person, Person], ...]  # before and after
    unclear: tuple[Person, ...]  # students of the same name as others, and without an id
    renamed: tuple[tuple[Person, Person], ...] = ()  # those of `changed` who have another name


def enrol(book: Gradebook, kept: Sequence[Person], reserved: Collection[str] = ()) -> Enrolment:
    """Bring a roster up to date with an export.

    Args:
        book: The export.
        kept: The roster so far; empty for a new class.
        reserved: Names that no student may play under.
    Raises: GradebookError, with every fault of the export, each with its line and column.
    """
    _check(book)
    matched, unsure = _match(book.students, kept)
    before = {id(person): student for student, person in matched if person}
    clashing = _clashing(book.students)
    people = [
        person
        if id(person) in unsure
        else _renewed(person, before.get(id(person)), book.students, kept, clashing)
        for person in kept
    ]
    new = [student for student, person in matched if person is None]
    taken = [name for person in kept for name in (*person.names, *filter(None, [person.handle]))]
    names = display_names(new, taken, reserved)
    joined = [_person(student, name, clashing) for student, name in zip(new, names, strict=True)]
    pairs = list(zip(kept, people, strict=True))
    changed = tuple(
        (old, after)
        for old, after in pairs
        if old != after and (after.excluded != LEFT or old.excluded == LEFT)
    )
    return Enrolment(
        people=(*people, *joined),
        joined=tuple(joined),
        left=tuple(after for old, after in pairs if after.excluded == LEFT != old.excluded),
        changed=changed,
        unclear=_unclear((*people, *joined)),
        renamed=tuple((old, after) for old, after in changed if old.person != after.person),
    )


def display_names(
    students: Sequence[Student], taken: Iterable[str] = (), reserved: Iterable[str] = ()
) -> list[str]:
    """Return a name to play under for each student; readers do not confuse these names.

    The rule: the name of the platform, given name first, without characters that a board cannot
    show; else the word Student. If the name is taken or looks like another one, a number from 2 on
    follows.

    Args:
        students: In order; the first of equal names keeps it.
        taken: Names that are given already.
        reserved: Names that no student gets.
    """
    alike = {skeleton for name in (*taken, *reserved) for skeleton in skeletons(name)}
    names = []
    for student in students:
        name = free_name(display_name(student.name), alike)
        alike |= skeletons(name)
        names.append(name)
    return names


def free_name(plain: str, alike: Collection[str]) -> str:
    """Return a name, with a number if it is taken."""
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


def display_name(name: str) -> str:
    r"""Return a name without characters that a board cannot show.

    >>> [display_name(each) for each in ("José  O\u2019Brien, Jr.", "=1+1", "(李) Wei 😀", "...")]
    ["José O'Brien Jr", '1 1', '李 Wei', 'Student']
    """
    plain = normalize("NFKC", shown(name).translate(PLAINER))
    plain = "".join(char if is_letter(char) or char in BETWEEN else " " for char in plain)
    words = (word.strip(BETWEEN) for word in re.split(r"[\s]+|(?<=[^\w])(?=[^\w\s])", plain))
    kept = ""
    for word in filter(None, words):
        if len(f"{kept} {word}") > LONGEST_NAME and kept:
            break
        kept = f"{kept} {word}".strip()[:LONGEST_NAME].rstrip(BETWEEN)
    kept = kept.lstrip("".join(char for char in kept if category(char)[0] == "M"))
    return kept if kept and _is_good(kept) else "Student"


def _check(book: Gradebook) -> None:
    """Note everything in an export that does not fit into a roster."""
    faults = Faults(str(book.path))
    seen: dict[str, Student] = {}
    for student in book.students:
        for cell, fault in _faults_of(book, student):
            faults.note_at(cell.place, fault, book.titles[student.cells.index(cell)])
        for key in dict.fromkeys(_keys(student)):
            if key in seen and not SHORTENED.fullmatch(kind_and_id(key)[1]):
                is_same = same_name(seen[key].name, student.name)
                remedy = (
                    "Remove one of the lines, or correct it."
                    if is_same
                    else "Correct it in one of the lines, or empty that cell."
                )
                faults.note_at(
                    student.cells[0].place,
                    f"{kind_and_id(key)[1][:40]!r} is also in line {seen[key].line}. {remedy}",
                )
            seen.setdefault(key, student)
    if not book.students:
        faults.note_at(book.rows[0][0].place, "No student is in it. Export the list again.")
    try:
        faults.raise_any()
    except ConfigError as error:
        raise GradebookError(str(error)) from error


def _faults_of(book: Gradebook, student: Student) -> Iterable[tuple[Cell, str]]:
    """Return the faults of one line, with their cells."""
    parts = [book.platform.part(title) for title in book.titles]
    if not student.name:
        at = next((at for at, part in enumerate(parts) if part in NAMES), 0)
        yield (
            student.cells[at],
            "No character of the name is printable. Correct it on the platform."
            if student.has_marks
            else "The name is missing. Export a list with names.",
        )
    for cell, part in zip(student.cells, parts, strict=True):
        if part not in {*NAMES, *IDS, "email", "group"}:
            continue
        text = shown(cell.text)
        longest = LONGEST_GROUP if part == "group" else LONGEST_PERSON
        if len(text) > longest and not (part == "group" and student.groups != (text,)):
            yield cell, f"expected up to {longest} characters, got {len(text)}. Shorten it."
        elif part in {*IDS, "email"} and ";" in text:
            yield cell, f"The id {text[:40]!r} has a ';'. Correct it."
        elif part in IDS and SHORTENED.fullmatch(text):
            yield (
                cell,
                f"A spreadsheet program has shortened this number to {text!r}. {EXPORT_AGAIN}",
            )
        elif part in NAMES and is_misread(text):
            yield cell, f"The letters of {text[:40]!r} come from another encoding. {SAVE_AS_UTF_8}"


def _keys(student: Student) -> tuple[str, ...]:
    """Return the ids and the address of a student with kinds, in the form that is compared."""
    return tuple(map(id_key, (*student.kind_ids, *filter(None, [student.email]))))


def _lasting(keys: Iterable[str]) -> list[str]:
    """Leave out the numbers that hold for one assignment only."""
    return [key for key in keys if kind_and_id(key)[0] != PARTICIPANT]


Matches = list[tuple[Student, Person | None]]


def _match(students: Sequence[Student], kept: Sequence[Person]) -> tuple[Matches, set[int]]:
    """Find the kept student of every line: by lasting ids, then by name, then by the number.

    Returns: The lines with their students, and the `id` of kept students who are not clear: they
        match several lines, or one line matches several of them.
    """
    free = {id(person): person for person in kept}
    found: dict[int, Person] = {}
    known = _match_ids(students, kept, free, found)
    unsure: set[int] = set()
    for student in students:
        if student.line in found:
            continue
        # In a kind of ids that both sides have, another id is another student.
        is_other = any(kind_and_id(key)[0] in known for key in _lasting(_keys(student)))
        others = [
            each
            for each in students
            if each.line not in found and same_name(each.name, student.name)
        ]
        same = [
            person
            for person in free.values()
            if same_name(person.person, _plain(student.name))
            and not (is_other and _lasting(person.own_keys))
        ]
        if same:
            if len(same) > 1 or len(others) > 1:
                unsure.update(map(id, same))
            found[student.line] = free.pop(id(same[0]))
    numbered = {key: each for each in free.values() for key in each.own_keys}
    for student in students:
        keys = (key for key in _keys(student) if kind_and_id(key)[0] == PARTICIPANT)
        person = next((numbered[key] for key in keys if key in numbered), None)
        if student.line not in found and person and id(person) in free:
            found[student.line] = free.pop(id(person))
    return [(student, found.get(student.line)) for student in students], unsure


def _match_ids(
    students: Sequence[Student],
    kept: Sequence[Person],
    free: dict[int, Person],
    found: dict[int, Person],
) -> set[str]:
    """Match by lasting ids, the most agreeing first, then the same name.

    Returns: The kinds of ids that have matched any student.
    """
    roster = Roster(tuple(kept))
    pairs = []
    known: set[str] = set()
    for order, student in enumerate(students):
        hits: dict[int, int] = {}
        for key in _lasting(_keys(student)):
            for person in roster.numbered(key):
                hits[id(person)] = hits.get(id(person), 0) + 1
                known.add(kind_and_id(key)[0])
        for person in free.values():
            if count := hits.get(id(person), 0):
                is_same = same_name(person.person, student.name)
                pairs.append((-count, not is_same, order, student, person))
    for *_, student, person in sorted(pairs, key=lambda each: each[:3]):
        if student.line not in found and id(person) in free:
            found[student.line] = free.pop(id(person))
    return known - {""}


def _plain(name: str) -> str:
    return " ".join(name.split()).lstrip(FORMULAS + " ")


def _clashing(students: Sequence[Student]) -> frozenset[str]:
    """Return the values that are ids of two students, of different kinds."""
    owners: dict[str, set[int]] = {}
    for student in students:
        for each in student.ids:
            owners.setdefault(folded(each), set()).add(student.line)
    return frozenset(value for value, lines in owners.items() if len(lines) > 1)


def _ids_of(student: Student, clashing: Collection[str]) -> tuple[str, ...]:
    """Return the ids of a student for a roster; a kind is added if the value is ambiguous."""
    return tuple(
        dict.fromkeys(
            f"{kind}:{each}" if kind == PARTICIPANT or folded(each) in clashing else each
            for kind, each in zip(student.kinds, student.ids, strict=True)
        )
    )


def _renewed(
    person: Person,
    student: Student | None,
    students: Sequence[Student],
    kept: Sequence[Person],
    clashing: Collection[str],
) -> Person:
    """Return a student's line, updated from the export."""
    if student is None:
        return person if person.excluded else replace(person, excluded=LEFT)
    back = "" if person.excluded == LEFT else person.excluded
    ids = list(person.ids)
    for each in _ids_of(student, clashing):
        plain = [own for own in ids if id_key(own) == id_key(kind_and_id(each)[1])]
        if id_key(each) in map(id_key, ids):
            continue
        if plain and kind_and_id(each)[0]:  # it was the only one of its value before
            ids[ids.index(plain[0])] = each
        elif not any(same_id(each, own) for own in ids):
            ids.append(each)
    name = _plain(student.name)
    former = person.person
    if not name or _is_called(person, name):
        name = former
    elif not any(_is_called(each, former) for each in kept if each is not person) and not any(
        same_name(each.name, former) for each in students
    ):
        ids.append(former)  # submissions and rejected files mention it
    return replace(
        person,
        person=name,
        ids=tuple(ids),
        email=student.email or person.email,
        groups=_groups(student) or person.groups,
        excluded=back,
    )


def _is_called(person: Person, name: str) -> bool:
    """Report whether a name is one of a student's, in any order of its words."""
    known = Roster((person,)).all_called(name)
    return bool(known) or same_name(person.person, name)


def _person(student: Student, name: str, clashing: Collection[str]) -> Person:
    """Return the line of a new student."""
    person = student.name.lstrip(FORMULAS + " ") or name
    return Person(
        person, (name,), _ids_of(student, clashing), None, student.email, _groups(student)
    )


def _groups(student: Student) -> tuple[str, ...]:
    """Return groups without the sign that separates them in a roster."""
    return tuple(dict.fromkeys(" ".join(each.replace(";", " ").split()) for each in student.groups))


def _unclear(people: Sequence[Person]) -> tuple[Person, ...]:
    """Return students who have the name of another student, and no id."""
    named: dict[str, list[Person]] = {}
    for person in people:
        named.setdefault(squeezed(person.person) or folded(person.person), []).append(person)
    return tuple(
        each for those in named.values() if len(those) > 1 for each in those if not each.own_keys
    )
