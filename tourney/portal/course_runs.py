"""Shared parts of the processes that play: a course's tournament, entrants and boards.

The tournament of a course is `tournament.yaml` in its folder, as `tourney class` makes it.

No board is made of sealed results: audiences keep the board that they saw before the freeze.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any

from tourney.config.documents import plain_data
from tourney.config.model import TournamentConfig
from tourney.config.settings import LONGEST_NAME
from tourney.config.tournament import loads
from tourney.course.class_folder import TOURNAMENT
from tourney.course.folder import Submissions
from tourney.errors import PortalError
from tourney.plugins.fault_text import printable
from tourney.plugins.loading import load_plugins
from tourney.portal import jobs
from tourney.portal.accounts import Course
from tourney.portal.worker import Context, JobTakenError
from tourney.report.redaction import (
    OPEN,
    Policy,
    Pseudonyms,
    nameless_row,
    pseudonyms_of,
    told_rows,
)
from tourney.report.text import columns_of
from tourney.standings.columns import Column
from tourney.standings.standing import Standing, groups_in
from tourney.store.records import RunRecord
from tourney.store.store import Store
from tourney.tournament.catalog import catalog_of
from tourney.tournament.loading import Tournament
from tourney.tournament.tournament import Play

SHOWN_DIGITS = 8
"""Digits of a version's digest in the names of practice runs."""


class NoEntrantsError(PortalError):
    """The course has no submission that may compete yet."""


def tournament_of(context: Context) -> Path:
    """Give the tournament file of a job's course.

    Raises: PortalError, if it does not exist yet.
    """
    path = context.folder / TOURNAMENT
    if not path.is_file():
        title = context.course.title
        raise PortalError(f"{title}: the course has no tournament yet; upload its roster first")
    return path


@dataclass(frozen=True, slots=True)
class Playing:
    """A course whose players are to compete."""

    course: Course
    folder: Path
    own: TournamentConfig  # as its organiser wrote it, without submissions

    @classmethod
    def of(cls, context: Context) -> "Playing":
        """Give the course of a job.

        Raises: PortalError, if its folder has no tournament yet; ConfigError, with its faults.
        """
        course, folder, path = context.course, context.folder, tournament_of(context)
        if not Submissions(folder).current():
            raise NoEntrantsError(f"{course.title}: no submission can compete yet")
        text = path.read_text(encoding="utf-8")
        own = loads(text, catalog_of(load_plugins()), TOURNAMENT, folder=None)
        return cls(course, folder, own)

    def config(self, source: str, *, name: str, **changes: Any) -> TournamentConfig:
        """Read the course's tournament with some settings changed.

        Args:
            source: Name of the configuration in messages and in the store.
            name: Of the tournament; cut if it is too long.
            **changes: New settings; `None` removes a setting.
        Raises: ConfigError, with all faults.
        """
        called = printable(printable(name), LONGEST_NAME)
        data = {**plain_data(self.own.text), "name": called, **changes}
        kept = {key: each for key, each in data.items() if each is not None}
        text = json.dumps(kept, indent=1, ensure_ascii=False)  # YAML can read JSON
        return loads(text, catalog_of(load_plugins()), source, folder=self.folder)

    def known_format(self, tables: int, rounds: int) -> Mapping[str, Any]:
        """Give a format for any number of players: common shoes for games of one, else a ladder."""
        if 1 in self.own.game.rules.seats:
            return {"kind": "duplicate", "tables": tables, "rounds": rounds}
        return {"kind": "ladder", "waves": tables, "rounds": rounds}

    def digests(self) -> Mapping[str, str]:
        """Give the digest of each competing version, by name."""
        return {each.name: each.digest for each in Submissions(self.folder).current()}


def run_called(store: Store, source: str) -> RunRecord | None:
    """Find the run whose configuration has a name; `None` if there is no such run."""
    for summary in store.runs():
        run = store.run(summary.number, checks_digest=False)
        if run.config_source == source:
            return run
    return None


def record_progress(context: Context, play: Play) -> None:
    """Record how much of a run its job has played; a job with progress is never given up.

    Raises: JobTakenError, if the job was stopped or taken from its worker.
    """
    lines = progress_lines(play.batches_done, play.batches, play.seconds_left)
    if not jobs.gets_on(context.database, context.job.id, *lines):
        raise JobTakenError


def progress_lines(done: int, expected: int | None, seconds: float | None) -> tuple[str, ...]:
    """Describe progress: the played batches, and the time left if it is known.

    >>> progress_lines(10, 40, 180.0)
    ('10 of 40 batches played', 'about 3 minutes left')
    >>> progress_lines(1, None, None)
    ('1 batch played',)
    """
    of, unit = (
        f" of {expected}" if expected else "",
        "batch" if (expected or done) == 1 else "batches",
    )
    far = f"{done}{of} {unit} played"
    return (far,) if seconds is None else (far, f"{jobs.words_for(seconds)} left")


def free_strategies(playing: Playing, taken: Collection[str], wanted: int) -> list[str]:
    """Give strategies of a course's game with unused names, to fill seats of a table."""
    free = (each for each in fitting_strategies(playing) if each not in taken)
    return list(islice(free, max(0, wanted)))


def fitting_strategies(playing: Playing) -> list[str]:
    """Give the strategies that can play by the rules of a course's game."""
    return load_plugins().strategies_for(playing.own.game.rules)


Shown = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Showing:
    """The results of a run with its visibility policy."""

    columns: Sequence[Column]
    standings: Sequence[Standing]  # best first
    policy: Policy = OPEN
    finished: str | None = None  # ISO time; None while the run is not finished
    pseudonyms: Pseudonyms | None = None
    # Of entrants that lost their name, such as erased students.
    withheld: Pseudonyms = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        tournament: Tournament,
        standings: Sequence[Standing],
        policy: Policy = OPEN,
        finished: str | None = None,
        withheld: Pseudonyms | None = None,
    ) -> "Showing":
        """Take the columns that the organiser chose, and the pseudonyms of entrants."""
        columns, known = columns_of(tournament, load_plugins().columns), withheld or {}
        rows = [
            replace(nameless_row(row), name=known[row.name]) if row.name in known else row
            for row in standings
        ]
        called = {**pseudonyms_of(tournament.records), **{each: each for each in known.values()}}
        return cls(columns, rows, policy, finished, called, known)

    def opened(self) -> "Showing":
        """Give the same results without a freeze."""
        return replace(self, policy=replace(self.policy, freeze=None, reveal=None))

    def told(self, now: datetime) -> tuple[Standing, ...]:
        """Give the rows that may be shown; no rows while results are sealed."""
        return told_rows(self.policy, self.standings, self.finished, now, self.pseudonyms or {})

    def shown(self, rows: Sequence[Standing], **more: object) -> Shown:
        """Give rows as a page shows them."""
        return {
            **more,
            "groups": groups_of(rows),
            "columns": [self._column(column) for column in self.columns],
            "rows": [self._row(row) for row in rows],
        }

    def own(self) -> Mapping[str, list[str]]:
        """Give each entrant's own row, by name."""
        return {
            row.name: [column.show(row) for column in self.columns]
            for row in self.standings
            if row.name not in self.withheld.values()
        }

    def pseudonyms_at(self, now: datetime) -> Mapping[str, str]:
        """Give the pseudonyms of the rows that may be shown, by the names of their entrants."""
        pairs = zip(self.standings, self.told(now), strict=False)  # the first rows, in order
        return {row.name: shown.name for row, shown in pairs if row.name != shown.name}

    def _column(self, column: Column) -> Mapping[str, object]:
        values = (column.cell(row) for row in self.standings)
        is_number = any(isinstance(value, int | float) for value in values)
        return {
            "name": column.name,
            "title": column.title,
            "is_number": is_number,
            "hint": column.meaning,
        }

    def _row(self, row: Standing) -> Mapping[str, object]:
        return {
            "cells": [
                {"text": column.show(row), "value": column.cell(row)} for column in self.columns
            ],
            "group": row.group or "",
        }


def groups_of(rows: Sequence[Standing]) -> list[str]:
    """Give the distinct groups of rows, in order."""
    return sorted({group for row in rows for group in groups_in(row.group)})
