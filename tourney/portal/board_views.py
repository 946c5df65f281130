"""Boards as each audience sees them, made of standings by the visibility policy of the run.

Sealed results do not get here: audiences keep the board that they saw before the freeze.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from tourney.portal.course_runs import registry
from tourney.report.disclosure import (
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
from tourney.tournament.loading import Tournament

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
        columns, known = columns_of(tournament, registry().columns), withheld or {}
        rows = [
            replace(nameless_row(row), name=known[row.name]) if row.name in known else row
            for row in standings
        ]
        called = {**pseudonyms_of(tournament.records), **{each: each for each in known.values()}}
        return cls(columns, rows, policy, finished, called, known)

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
