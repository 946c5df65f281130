"""Assignments of a course: creation, titles, and the state of each for its members.

An assignment is a row of `courses` with its own folder, rules, runs and boards. The first one has
the members and codes of the course. The view `memberships` has them for each assignment, so roles
are stored once and are the same in all of them.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from tourney.errors import PortalError
from tourney.portal.accounts import (
    Account,
    Course,
    assignments_of,
    check_slug,
    check_title,
    courses,
)
from tourney.portal.class_overview import status_of
from tourney.portal.database import now
from tourney.portal.personal_rules import PersonalRules, rules_of
from tourney.portal.versions import playing_names
from tourney.sqlite.database import Database


@dataclass(frozen=True, slots=True)
class AssignmentState:
    """An assignment as a list shows it to one member of its course."""

    course: Course
    rules: PersonalRules | None  # of a student
    competes: bool = False  # whether a submission of the student competes
    reason: str = ""  # why none does
    competing: int = 0  # students with a competing submission, for staff
    students: int = 0  # on the roster, for staff

    @property
    def title(self) -> str:
        """The title within the course."""
        return self.course.assignment or self.course.title


@dataclass(frozen=True, slots=True)
class OwnCourse:
    """A course of an account, with its assignments in the order of their creation."""

    title: str
    slug: str  # of the first assignment
    is_archived: bool
    assignments: tuple[AssignmentState, ...]


def courses_of(database: Database, account: Account, moment: datetime) -> tuple[OwnCourse, ...]:
    """Give the courses of an account, the newest first and archived ones last.

    Its students see the rules that apply to them at a time, and no assignment that is not set up.
    """
    own = sorted(
        (each for each in courses(database) if account.role_in(each.id)),
        key=lambda each: (each.is_archived, -each.home, each.id),
    )
    found = []
    for _, group in groupby(own, key=lambda each: each.home):
        first, *others = group
        is_student = account.role_in(first.id) == "student"
        states = (
            AssignmentState(each, own_rules_in(database, account, each, moment))
            if is_student
            else AssignmentState(each, None)
            for each in (first, *others)
            if each.told or each.is_first or not is_student
        )
        found.append(OwnCourse(first.course_title, first.slug, first.is_archived, tuple(states)))
    return tuple(found)


def add_assignment(
    database: Database, course: Course, short: str, title: str, first_title: str
) -> int:
    """Add an assignment to a course, in a transaction of the caller; give its number.

    Args:
        database: The portal's.
        course: Any assignment of the course.
        short: End of its short name, after that of the first assignment.
        title: Within the course.
        first_title: Of the first assignment, if it has none yet.
    Raises: PortalError, if a title or the short name is not possible, or the course has no roster.
    """
    first, *others = assignments_of(database, course)
    if not first.told:
        raise PortalError("assignment: the course has no roster yet; upload it first")
    if not first.assignment:
        _set_assignment_title(database, first, first_title, others)
    if not short:
        raise PortalError("short name: enter one, such as project-2")
    check_slug(database, slug := f"{first.slug}-{short}")
    number = database.insert(
        "INSERT INTO courses (slug, title, home, made) VALUES (?, '', ?, ?)",
        (slug, first.id, now()),
    )
    made = next(each for each in assignments_of(database, course) if each.id == number)
    _set_assignment_title(database, made, title, assignments_of(database, course))
    return number


def set_titles(database: Database, course: Course, title: str, assignment: str) -> None:
    """Change the title of a course, and that of one assignment, in a transaction of the caller.

    Args:
        database: The portal's.
        course: The assignment.
        title: Of the course.
        assignment: Of the assignment; may be empty if it is the only one.
    Raises: PortalError, if a title is not possible.
    """
    check_title(title)
    database.execute("UPDATE courses SET title = ? WHERE id = ?", (title.strip(), course.home))
    others = [each for each in assignments_of(database, course) if each.id != course.id]
    if others or assignment.strip():
        _set_assignment_title(database, course, assignment, others)
    else:
        database.execute("UPDATE courses SET assignment = '' WHERE id = ?", (course.id,))


def _set_assignment_title(
    database: Database, course: Course, title: str, others: Iterable[Course]
) -> None:
    if not title.strip():
        raise PortalError(
            "title: each assignment of a course with several needs a title; enter one, such as "
            "Project 2"
        )
    check_title(title)
    if title.strip().casefold() in {each.assignment.casefold() for each in others}:
        raise PortalError(f"title: another assignment is called {title.strip()!r}; choose another")
    sql = "UPDATE courses SET assignment = ? WHERE id = ?"
    database.execute(sql, (title.strip(), course.id))


def states_for_student(
    database: Database, account: Account, found: Iterable[Course], moment: datetime
) -> tuple[AssignmentState, ...]:
    """Give the state of assignments for a student at a time, without those that are not set up."""
    return tuple(_state_for_student(database, account, each, moment) for each in found if each.told)


def _state_for_student(
    database: Database, account: Account, course: Course, moment: datetime
) -> AssignmentState:
    own = account.memberships[course.id]
    status = status_of(database, course, own.person, own.name)
    return AssignmentState(
        course,
        own_rules_in(database, account, course, moment),
        competes=status.competing is not None,
        reason=status.reason,
    )


def own_rules_in(
    database: Database, account: Account, course: Course, moment: datetime
) -> PersonalRules:
    """Give the rules of an assignment that apply to a student at a time."""
    own = account.memberships[course.id]
    return rules_of(database, course, own.person or account.name, own.name, moment)


def states_for_others(database: Database, found: Iterable[Course]) -> tuple[AssignmentState, ...]:
    """Give the state of assignments for staff and spectators."""
    return tuple(_state_for_others(database, each) for each in found)


def _state_for_others(database: Database, course: Course) -> AssignmentState:
    playing, students = playing_names(database, course.id), course.students
    competing = sum(each["name"] in playing for each in students)
    return AssignmentState(course, None, competing=competing, students=len(students))


def why_game_stays(database: Database, course: int) -> str:
    """Give the reason why the game of an assignment cannot change; empty if it can."""
    submitted = database.first(
        "SELECT 1 FROM jobs WHERE course = :course AND kind IN ('check', 'tests') "
        "AND state IN ('queued', 'running') "
        "UNION SELECT 1 FROM versions WHERE course = :course "
        "UNION SELECT 1 FROM tests JOIN jobs ON jobs.id = tests.job WHERE jobs.course = :course "
        "UNION SELECT 1 FROM runs WHERE course = :course",
        {"course": course},
    )
    return "students have submitted already. Make another assignment" if submitted else ""
