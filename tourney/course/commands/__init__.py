"""The commands of a course, which `tourney` finds by an entry point.

Each command has a module here. This one names them without importing them, so that help is fast.
"""

from collections.abc import Mapping

COMMANDS: Mapping[str, Mapping[str, tuple[str, str]]] = {
    "Courses": {
        "class": ("tourney.course.commands.course", "Set up a class from a gradebook export."),
        "submit": ("tourney.course.commands.submit", "Submit a competitor."),
        "submissions": ("tourney.course.commands.submissions", "List the submissions."),
        "grades": ("tourney.course.commands.grades", "Fill a gradebook column with marks."),
        "feedback": (
            "tourney.course.commands.feedback",
            "Write a feedback page for every student.",
        ),
    },
}
