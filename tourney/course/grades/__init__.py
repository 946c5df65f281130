"""What a place on the board is worth in a course, and the gradebook that it goes into."""

from typing import TYPE_CHECKING

from tourney.lazy import exports

if TYPE_CHECKING:
    from tourney.course.grades.book import Gradebook, read_gradebook
    from tourney.course.grades.filling import ABSENT, Line, alike, changes, fill, idle, with_absent
    from tourney.course.grades.marking import Marks, mark, points_text
    from tourney.course.grades.people import find, people_of
    from tourney.course.grades.rules import RULES, Rule, rule_of
    from tourney.course.grades.students import Student
else:
    __getattr__ = exports(__name__)
