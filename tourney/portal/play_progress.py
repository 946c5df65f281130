"""Runs of a course that play now, as the viewer may know them: finals and practice.

A final's progress is read from the board of the viewer's audience, so it stands still while results
are sealed.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tourney.portal import boards, jobs
from tourney.portal.boards import Audience
from tourney.sqlite.database import Database

PLAYS = frozenset({"ready", "playing"})
"""States of a board whose run plays."""


@dataclass(frozen=True, slots=True)
class PlayingRun:
    """A run that plays, and its progress."""

    title: str
    run: int  # in the portal; 0 for practice
    said: Sequence[str]  # such as the batches played, and the time left


def playing_runs(database: Database, course: int, audience: Audience) -> Iterator[PlayingRun]:
    """Give the runs of a course that play now."""
    for run in boards.runs_of(database, course, "final"):
        board = None if run.finished else boards.board_of(database, run.id, audience)
        shown = json.loads(board.shown) if board else {}
        if shown.get("state") in PLAYS:
            yield PlayingRun(run.title, run.id, shown["said"])
    for job in jobs.of_course(database, course, ["practice", "shoes"]):
        if job.state == "running":
            yield PlayingRun("Practice", 0, jobs.said(database, job.id))
