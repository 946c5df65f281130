"""Graded files of tests, as pages show them.

Each file is a job of the kind `tests`, whose result lists the caught bugs. The files are stored
beside it. See `tourney.portal.mutants` for the grading.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass

from tourney.portal.versions import Files
from tourney.sqlite.database import Database

KIND = "tests"
"""Kind of job."""


@dataclass(frozen=True, slots=True)
class GradedTests:
    """The grades of one test submission."""

    job: int
    name: str  # player name of their author
    title: str  # of the file
    received: str  # in the format of `database.now`
    caught: int  # bugs
    bugs: int  # all bugs of the game
    faulty: int  # tests that do not count

    @property
    def share(self) -> str:
        """The number of caught bugs, in words."""
        return f"{self.caught} of {self.bugs}"


def keep(database: Database, job: int, files: Files) -> None:
    """Store submitted test files."""
    database.execute("INSERT OR REPLACE INTO tests VALUES (?, ?)", (job, json.dumps(files)))


def files_of(database: Database, job: int) -> Files:
    """Give submitted test files; empty, if they could not be graded."""
    row = database.first("SELECT files FROM tests WHERE job = ?", (job,))
    return [(name, text) for name, text in json.loads(row[0])] if row else []


def graded_of(database: Database, course: int, name: str | None = None) -> tuple[GradedTests, ...]:
    """Give the graded tests of a name, or of a whole course by name; newest first."""
    rows = database.read(
        iter,
        "SELECT jobs.id, name, json_extract(payload, '$.title'), received, "
        "json_extract(result, '$.caught'), json_extract(result, '$.bugs'), "
        "json_extract(result, '$.faulty') FROM jobs JOIN tests ON tests.job = jobs.id "
        "WHERE course = :course AND kind = :kind AND state = 'done' "
        "AND (:name IS NULL OR name = :name) ORDER BY name, received DESC, jobs.id DESC",
        {"course": course, "kind": KIND, "name": name},
    )
    return tuple(GradedTests(*row) for row in rows)


def latest_of(database: Database, course: int) -> Mapping[str, GradedTests]:
    """Give the last graded tests of each name, which count."""
    return {each.name: each for each in reversed(graded_of(database, course))}
