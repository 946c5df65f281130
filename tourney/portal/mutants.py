"""Grading of students' tests on the mutants of a game, done by the checker.

Uses the functions of `tourney mutants`, so a file catches the same bugs. The course's submission
rules name the game. A job that runs twice stores one result.
"""

import errno
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tourney.config.model import Catalog
from tourney.course.submission_rules import SubmissionRules, read_terms
from tourney.course.zips import read_zip
from tourney.errors import GradingError, PortalError
from tourney.plugins.fault_text import printable
from tourney.portal import graded_tests
from tourney.portal.jobs import sweep
from tourney.portal.personal_rules import lifted
from tourney.portal.worker import Context, of_course
from tourney.testing.grading import Grade, grade_tests
from tourney.testing.student_tests import read_tests

MOST_SECONDS = 120.0
"""Limit in seconds for a file with all implementations, because others wait behind it."""
MOST_UNPACKED = 8_000_000
LONGEST_LINE = 1000
ODD = re.compile(r"[^\w.-]", re.ASCII)
"""Characters that no file name needs."""
STRANGE = frozenset({errno.ENAMETOOLONG, errno.ENOTDIR, errno.EISDIR, errno.EEXIST})
"""Errors of writing files with impossible names."""


def try_tests(context: Context, catalog: Catalog) -> Mapping[str, Any]:
    """Run a file of tests on all mutants; payload: file (in the inbox), title and author.

    Returns: tests (name, line, caught bugs, reason for not counting), classes (caught and missed
        bugs by class), and the numbers of caught bugs, of all bugs, and of tests that do not count.
    """
    sweep(context.places, context.database)
    with of_course(context):
        terms = read_terms(context.folder, catalog)
    if terms.tests is None:
        title = context.course.title
        raise PortalError(f"{title}: this course takes no tests; ask your lecturer")
    _check(context, terms)

    def tell(line: str) -> None:
        context.say(printable(line, LONGEST_LINE))

    with _laid_out(context, tell) as path:
        tell(f"read: {context.job.payload['title']}, tried on the mutants of {terms.tests.preset}")
        grade = grade_tests(
            read_tests(path),
            printable(str(context.job.payload["title"])),
            game=terms.tests.rules.game,
            most_seconds=MOST_SECONDS,
            tell=tell,
        )
        graded_tests.keep(context.database, context.job.id, _files(path, context))
    for line in _lines(grade):
        tell(line)
    return {"status": "graded", "reason": "", **_result(grade)}


def _check(context: Context, terms: SubmissionRules) -> None:
    """Reject an unauthorised or late submission.

    Raises: SubmissionError, with the reason.
    """
    job, author = context.job, str(context.job.payload["author"])
    terms.check_author(author, job.name)
    limits, _ = lifted(context.database, context.course.id, author, job.name, job.received)
    if "deadline" not in limits:
        late = terms.late_days_at(datetime.fromisoformat(job.received), author, job.name)
        terms.check_time(author, job.name, late)


@contextmanager
def _laid_out(context: Context, tell: Callable[[str], None]) -> Iterator[Path]:
    """Unpack an upload: a file, or a folder in a zip.

    Raises: PortalError, if this is not possible; a GradingError of the caller's block names no path
        of the server.
    """
    title = str(context.job.payload["title"])
    with TemporaryDirectory(prefix="tourney-tests-") as home:
        try:
            if title.lower().endswith(".zip"):
                place = Path(home)
                _unpack(context.upload, place, title, tell)
            else:
                # The reader of tests may use the file name, so it is kept.
                place = Path(home) / (ODD.sub("_", title).strip(".") or "tests")
                place.write_bytes(context.upload.read_bytes())
        except OSError as error:
            if error.errno not in STRANGE:
                raise  # a fault of the machine, which uses up no attempt
            raise PortalError(
                f"{title}: its files cannot be written ({error.strerror}); give them plain names"
            ) from error
        try:
            yield place
        except GradingError as error:
            fault = str(error).replace(str(place), title).replace(f"{home}/", "")
            raise PortalError(fault) from error


def _unpack(upload: Path, home: Path, title: str, tell: Callable[[str], None]) -> None:
    for each in read_zip(upload, most_in_all=MOST_UNPACKED, title=title):
        if each.refused:
            tell(f"left out: {each.path}: {each.refused}")
        elif not each.is_junk:
            path = home / each.path
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(each.content)


def _files(path: Path, context: Context) -> list[tuple[str, str]]:
    """Give the unpacked files as texts."""
    if path.is_file():
        return [(str(context.job.payload["title"]), path.read_text("utf-8", "replace"))]
    found = sorted(each for each in path.rglob("*") if each.is_file())
    return [(str(each.relative_to(path)), each.read_text("utf-8", "replace")) for each in found]


def _lines(grade: Grade) -> Iterator[str]:
    """Describe the result, line by line."""
    for test in grade.tests:
        effect = f"catches {', '.join(test.catches)}" if test.catches else "catches nothing"
        yield test.fault or f"{test.name}, line {test.line}: {effect}"
    for of, (caught, missed) in _classes(grade).items():
        yield f"{of}: {len(caught)} of {len(caught) + len(missed)} bugs are caught"


def _classes(grade: Grade) -> dict[str, tuple[list[str], list[str]]]:
    return {
        of: ([bug.name for bug in grade.caught(of)], [bug.name for bug in grade.missed(of)])
        for of in grade.mutants.homes
    }


def _result(grade: Grade) -> dict[str, Any]:
    classes = _classes(grade)
    return {
        "tests": [[each.name, each.line, each.catches, each.fault] for each in grade.tests],
        "classes": classes,
        "caught": sum(len(caught) for caught, _ in classes.values()),
        "bugs": sum(len(caught) + len(missed) for caught, missed in classes.values()),
        "faulty": len(grade.faults),
    }
