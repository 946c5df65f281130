"""Who of a gradebook plays as which entrant.

People are found by what the learning platform calls them and by name; never by half a name. A
roster or a folder of submissions knows who plays under which name; without one, entrants have to
be called as the students are.
"""

from collections.abc import Sequence
from pathlib import Path

from tourney.course.folder import Submissions
from tourney.course.grades.students import Student
from tourney.course.places import fault_of_folder
from tourney.course.roster import Person, Roster
from tourney.course.roster_file import read_roster
from tourney.errors import GradebookError


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
