"""Boards as their audiences see them, made of standings by the policy of their run.

What is sealed does not get here: who is sealed from results is shown what they saw before.
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
    """What there is to show of a run, and on which terms."""

    columns: Sequence[Column]
    standings: Sequence[Standing]  # best first
    policy: Policy = OPEN
    finished: str | None = None  # as ISO time; None while it goes on
    pseudonyms: Pseudonyms | None = None
    withheld: Pseudonyms = field(default_factory=dict)  # of who is called by no name any more

    @classmethod
    def of(
        cls,
        tournament: Tournament,
        standings: Sequence[Standing],
        policy: Policy = OPEN,
        finished: str | None = None,
        withheld: Pseudonyms | None = None,
    ) -> "Showing":
        """Take the columns that the organiser chose, and everybody's handles."""
        columns, known = columns_of(tournament, registry().columns), withheld or {}
        rows = [
            replace(nameless_row(row), name=known[row.name]) if row.name in known else row
            for row in standings
        ]
        called = {**pseudonyms_of(tournament.records), **{each: each for each in known.values()}}
        return cls(columns, rows, policy, finished, called, known)

    def told(self, now: datetime) -> tuple[Standing, ...]:
        """Give the rows that may be told; none while they are sealed."""
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
        """Give everybody's own row, by name."""
        return {
            row.name: [column.show(row) for column in self.columns]
            for row in self.standings
            if row.name not in self.withheld.values()
        }

    def _column(self, column: Column) -> Mapping[str, object]:
        values = (column.cell(row) for row in self.standings)
        is_number = any(isinstance(value, int | float) for value in values)
        return {"name": column.name, "title": column.title, "is_number": is_number}

    def _row(self, row: Standing) -> Mapping[str, object]:
        return {
            "cells": [
                {"text": column.show(row), "value": column.cell(row)} for column in self.columns
            ],
            "group": row.group or "",
        }


def groups_of(rows: Sequence[Standing]) -> list[str]:
    """Give the groups that rows belong to, each once, in order."""
    return sorted({group for row in rows for group in groups_in(row.group)})
