"""Files of tests that were handed in, and what they catch, as pages show them.

Each is a job of the kind `tests`, whose result says what it catches; what was handed in is kept
beside it. Leaves out how they are graded; see `mutants`.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tourney.sqlite.database import Database

KIND = "tests"
"""Of job."""
Files = Sequence[tuple[str, str]]
"""Names and texts."""


@dataclass(frozen=True, slots=True)
class GradedTests:
    """What somebody's tests were good for."""

    job: int
    name: str  # that their author plays under
    title: str  # of the file
    received: str  # as `database.now` gives times
    caught: int  # bugs
    bugs: int  # that there are
    faulty: int  # tests that do not count

    @property
    def share(self) -> str:
        """How many bugs are caught, in words."""
        return f"{self.caught} of {self.bugs}"


def keep(database: Database, job: int, files: Files) -> None:
    """Keep what was handed in."""
    database.execute("INSERT OR REPLACE INTO tests VALUES (?, ?)", (job, json.dumps(files)))


def files_of(database: Database, job: int) -> Files:
    """Give what was handed in; nothing, if it could not be graded."""
    row = database.first("SELECT files FROM tests WHERE job = ?", (job,))
    return [(name, text) for name, text in json.loads(row[0])] if row else []


def graded_of(database: Database, course: int, name: str | None = None) -> tuple[GradedTests, ...]:
    """Give the graded tests of a name, or of everybody in a course, by name and the last first."""
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
    """Give the last graded tests of everybody, by name: those that count."""
    return {each.name: each for each in reversed(graded_of(database, course))}
