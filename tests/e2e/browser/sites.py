"""Small runs of several kinds, published."""

from pathlib import Path
from textwrap import dedent
from typing import Any

from tourney.cli import main
from tourney.report.site.model import ColumnData, EntrantData
from tourney.report.site.site_files import read_data, write_site

RUNS = {
    "duplicate": """
        name: Duplicate
        seed: 1
        game: {preset: ve280, shuffle: uniform}
        bankroll: 300
        minimum: 5
        format: {kind: duplicate, tables: 12, rounds: 40}
        entrants:
          - strategy: simple
          - {strategy: counting, group: staff}
          - strategy: never-bust
        """,
    "charts": """
        name: Charts & "quotes" </script>
        seed: 2
        game: easybj
        bankroll: 100
        minimum: 2
        format: {kind: duplicate, tables: 4, rounds: 20}
        entrants:
          - strategy: easybj-chart
          - strategy: simple
        """,
    "casino": """
        name: Casino
        seed: 3
        game: six-decks-h17
        bankroll: 500
        minimum: 10
        format: {kind: duplicate, tables: 6, rounds: 60}
        entrants:
          - strategy: basic-six-decks-h17
          - strategy: simple
        """,
    "straights": """
        name: Straights
        seed: 4
        game: straights
        format: {kind: duplicate, tables: 4, rounds: 2}
        entrants: [{strategy: first-legal}, {strategy: thrifty}, {strategy: blocker},
                   {strategy: salvager}]
        """,
    "levels": """
        name: Levels
        seed: 5
        game: {preset: ve280, shuffle: uniform}
        bankroll: 100
        minimum: 5
        format: {kind: multi-table, seats: 4, level_rounds: 10}
        entrants: [{strategy: simple}, {strategy: counting}, {strategy: mimic},
                   {strategy: never-bust}, {strategy: sharp}, {strategy: ramp}]
        """,
}


def make_site(folder: Path, name: str) -> Path:
    """Play a run and publish it; give the folder of its pages."""
    config, store = folder / f"{name}.yaml", folder / f"{name}.db"
    config.write_text(dedent(RUNS[name]), encoding="utf-8")
    assert main(["run", str(config), "--store", str(store), "--workers", "1"]) == 0
    assert main(["publish", "--store", str(store), "--output", str(folder / name)]) == 0
    return folder / name


class Sites(dict[str, Path]):
    """Folders of published runs, each of which is played when it is first asked for."""

    def __init__(self, folder: Path) -> None:
        """Begin without runs."""
        super().__init__()
        self._folder = folder

    def __missing__(self, name: str) -> Path:
        """Make a site."""
        self[name] = make_site(self._folder, name)
        return self[name]


LARGE = 250
SECTIONS = 6
OUTLIER = 17
"""Number of the row whose interval is far from all others."""


def make_large_board(small: Path, folder: Path, count: int = LARGE) -> Path:
    """Make the board of a class from the site of a few: one row for each of many people."""
    data = read_data(small / "data.json")
    told = [
        _student(data.entrants[number % len(data.entrants)], data.columns, number)
        for number in range(1, count + 1)
    ]
    policy = data.policy.model_copy(update={"entrants": count})
    write_site(data.model_copy(update={"entrants": told, "policy": policy}), folder)
    return folder


def _student(like: EntrantData, columns: list[ColumnData], number: int) -> EntrantData:
    name, group = f"Student {number:03}", f"Section {1 + number % SECTIONS}"
    said: dict[str, Any] = {"rank": number, "entrant": f"{name} [{group}]"}
    cells = [
        cell.model_copy(update={"value": said[column.name], "text": str(said[column.name])})
        if column.name in said
        else cell
        for column, cell in zip(columns, like.cells, strict=True)
    ]
    mean = -40.0 if number == OUTLIER else -0.1 - number / 10_000
    assert like.interval
    interval = like.interval.model_copy(update={"mean": mean, "half_width": 0.02})
    told = {"name": name, "group": group, "number": number, "cells": cells, "interval": interval}
    return like.model_copy(update={**told, "duels": [], "tables": []})
