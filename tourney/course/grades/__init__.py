"""What a place on the board is worth in a course, and the gradebook that it goes into."""

from typing import TYPE_CHECKING

from tourney.lazy import exports

if TYPE_CHECKING:
    from tourney.course.grades.book import Gradebook, read_gradebook
    from tourney.course.grades.filling import ABSENT, Line, alike, changes, fill, idle, with_absent
    from tourney.course.grades.people import people_of
    from tourney.course.grades.rules import RULES, Rule, rule_of
    from tourney.course.grades.students import Student
else:
    __getattr__ = exports(__name__)

__all__ = [
    "ABSENT",
    "RULES",
    "Gradebook",
    "Line",
    "Rule",
    "Student",
    "alike",
    "changes",
    "fill",
    "idle",
    "people_of",
    "read_gradebook",
    "rule_of",
    "with_absent",
]
