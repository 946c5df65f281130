"""The way of a class by the commands of `docs/how-to/run-a-class.md`, and what has to hold then."""

import csv
import io
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from tests.e2e.course.generated import (
    BECOMES,
    COLUMNS,
    DEADLINE,
    Student,
    gradebook,
    write_download,
)
from tourney.cli import main

COMMENTS = "Feedback comments"
BOOK, DOWNLOAD, MISSING = "book.csv", "download.zip", "missing.csv"
STEPS = (
    "submit --zip download.zip --to autumn",
    "submissions autumn --missing --csv",
    "submissions autumn --copies --csv",
    "run autumn/tournament.yaml --seed 1",
    "publish --output site",
    "feedback --submissions autumn --site site --output answers --comments book.csv",
)


class Step(NamedTuple):
    """A command that ran."""

    command: str
    out: str
    seconds: float  # by the clock on the wall
    processor: float  # seconds of it and its children


Runner = Callable[[Path, Sequence[str]], tuple[int, str, str]]
"""Runs a command in a folder; gives its status, what it says, and its errors."""


def as_program(folder: Path, words: Sequence[str]) -> tuple[int, str, str]:
    """Run a command as people do."""
    ran = subprocess.run(
        [sys.executable, "-m", "tourney", *words],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    return ran.returncode, ran.stdout, ran.stderr


def in_here(folder: Path, words: Sequence[str]) -> tuple[int, str, str]:
    """Run a command in this process, which saves its start."""
    out, errors = io.StringIO(), io.StringIO()
    with chdir(folder), redirect_stdout(out), redirect_stderr(errors):
        status = main(words)
    return status, out.getvalue(), errors.getvalue()


def walk(
    folder: Path,
    students: Sequence[Student],
    platform: str,
    tables: int = 10,
    rounds: int = 20,
    *,
    run: Runner = as_program,
) -> Iterator[Step]:
    """Go from the gradebook to the marks.

    Args:
        folder: An empty one.
        students: The class.
        platform: Whose files it has.
        tables: Of the tournament.
        rounds: At a table.
        run: What runs a command.
    Raises: AssertionError, if a command fails.
    """
    (folder / BOOK).write_bytes(gradebook(students, platform).encode())
    write_download(folder / DOWNLOAD, students, platform)
    yield _run(run, folder, "class new autumn --gradebook book.csv --yes")
    _settle(folder / "autumn", students, tables, rounds)
    for step in STEPS:
        ran = _run(run, folder, step)
        if "--missing" in step:
            (folder / MISSING).write_text(ran.out, encoding="utf-8")
        yield ran
    column = COLUMNS[platform]
    words = (
        "grades --gradebook book.csv --roster autumn --marks-by rank "
        "--absent 0 --write --fill-column"
    )
    yield _run(run, folder, words, column)


def _run(run: Runner, folder: Path, words: str, *more: str) -> Step:
    began, before = perf_counter(), os.times()
    command = [*words.split(), *more]
    status, out, errors = run(folder, command)
    # Some of what is handed in does not play, which status 1 says.
    assert status in {0, 1}, errors
    assert "Traceback" not in errors, errors
    after = os.times()
    processor = after.children_user + after.children_system
    processor -= before.children_user + before.children_system
    return Step(" ".join(command), out, perf_counter() - began, processor)


def _settle(autumn: Path, students: Sequence[Student], tables: int, rounds: int) -> None:
    """Write the terms, as an organiser does: a deadline, a team and who is excluded."""
    with (autumn / "submissions.yaml").open("a", encoding="utf-8") as terms:
        terms.write(f"deadline: '{DEADLINE}'\n")
    tournament = (autumn / "tournament.yaml").read_text(encoding="utf-8")
    sizes = f"tables: {tables}, rounds: {rounds}"
    (autumn / "tournament.yaml").write_text(
        tournament.replace("tables: 200, rounds: 100", sizes), encoding="utf-8"
    )
    roster = autumn / "roster.csv"
    rows = list(csv.DictReader(io.StringIO(roster.read_text(encoding="utf-8"))))
    assert len(rows) == len(students)
    for row, student in zip(rows, students, strict=True):
        row["team"] = student.team
        row["excluded"] = "only listens" if student.fault == "excluded" else ""
    with roster.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)


def check(folder: Path, students: Sequence[Student], platform: str) -> None:
    """See that everybody was answered, and that nothing but marks and comments changed.

    Raises: AssertionError, if not.
    """
    _check_answers(folder, students, platform)
    missing = _rows((folder / MISSING).read_text(encoding="utf-8"))
    states = [_state(each, platform) for each in students]
    assert len(missing) == sum(state != "played" for state in states)
    marks = _cells(folder / "book-grades.csv", COLUMNS[platform], students)
    for student, state in zip(students, states, strict=True):
        mark = marks[student.number]
        assert (mark == "") == (state == "excluded"), (student, mark)
        assert state == "played" or mark in {"", "0"}, (student, mark)
    assert (folder / "book-grades.csv").read_bytes().decode() == gradebook(
        students, platform, marks
    )
    filled = folder / "answers" / "book-feedback.csv"
    comments = _cells(filled, COMMENTS, students)
    assert all(comments.values())
    assert filled.read_bytes().decode() == gradebook(students, platform, comments=comments)


def _state(student: Student, platform: str) -> str:
    """Say what has to become of somebody; Moodle does not tell who is late."""
    is_in_time = student.fault == "late" and platform == "Moodle"
    return "played" if is_in_time else BECOMES[student.fault]


def _check_answers(folder: Path, students: Sequence[Student], platform: str) -> None:
    told = _rows((folder / "answers" / "feedback.csv").read_text(encoding="utf-8"))
    became = [(row["Name"], row["Result"]) for row in told]
    assert became == [(" ".join(each.name.split()), _state(each, platform)) for each in students]
    pages = {row["Page"] for row in told}
    assert len(pages) == len(students)
    assert all((folder / "answers" / page).is_file() for page in pages)
    board = (folder / "site" / "index.html").read_text(encoding="utf-8")
    assert re.search("Ada Lovelace", board)


def _rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


def _cells(path: Path, column: str, students: Sequence[Student]) -> dict[int, str]:
    """Give what stands in a column, by the number of the student."""
    rows = _rows(path.read_bytes().decode("utf-8-sig"))
    emails = {each.email: each.number for each in students}
    found = {
        emails[email]: row[column]
        for row in rows
        if (email := row.get("SIS Login ID") or row.get("Email address") or row.get("Email"))
    }
    assert len(found) == len(students)
    return found
