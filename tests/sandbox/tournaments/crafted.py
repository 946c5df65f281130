"""Stores as a stranger would write them: a played run, and whatever its rows can be made to say.

Whatever an entrant brings here tries to leave a mark outside. Who plays it with rights finds one.
"""

import json
import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

from tests.resilience.damage.crafted import seal_as_it_is
from tourney.checks.report import CheckReport
from tourney.checks.source import source_of
from tourney.competitors.sources import digest_of
from tourney.course.folder import Submissions

CUP = """
name: cup
seed: 7
game: {preset: ve280}
bankroll: 1000
minimum: 5
format: {kind: duplicate, tables: 4, rounds: 10, batch_tables: 2}
entrants:
  - strategy: simple
  - file: ada.py
  - submissions: class
"""
PLAYER = """
from tourney import Player


class Player_(Player):
    def bet(self, bankroll, minimum):
        return minimum

    def draw(self, dealer, player):
        return player.total < 15
"""
MARKING = """
import os

try:
    with open({mark!r}, "w") as file:
        file.write("somebody has run this with rights")
except BaseException:
    pass
"""
PROJECT = """
[project]
name = "leo"
version = "1.0"

[project.entry-points.tourney]
leo = "leo.playing"
"""
PACKAGE = {"pyproject.toml": PROJECT, "src/leo/__init__.py": "", "src/leo/playing.py": PLAYER}
ADA, LEO = 1, 2
"""Numbers of the entrants: a file's and a package's."""


def write_cup(folder: Path) -> Path:
    """Write a tournament of an installed strategy, a file and a package; give its configuration."""
    (folder / "ada.py").write_text(PLAYER, encoding="utf-8")
    Submissions(folder / "class").take(
        source_of({name: text.encode() for name, text in PACKAGE.items()}),
        "Leo",
        author="leo",
        now=datetime(2026, 11, 20, 12, tzinfo=UTC),
        check=lambda _: CheckReport(passed=True),
    )
    config = folder / "cup.yaml"
    config.write_text(CUP, encoding="utf-8")
    return config


def marking(mark: Path, player: str = PLAYER) -> str:
    """Give the source of a player that leaves a mark where it can, and plays on."""
    return MARKING.format(mark=str(mark)) + player


@contextmanager
def opened(store: Path) -> Iterator[sqlite3.Connection]:
    """Open a store as anybody can, past all that the platform takes care of, and seal it again."""
    with closing(sqlite3.connect(store)) as connection, connection:
        yield connection
    seal_as_it_is(store)


def claim(store: Path, level: str) -> None:
    """Have the store say how well code was confined."""
    with opened(store) as rows:
        rows.execute("UPDATE runs SET confinement = ?", (level,))


def interrupt(store: Path) -> None:
    """Have the last batch still to be played."""
    with opened(store) as rows:
        rows.execute("PRAGMA foreign_keys = ON")
        rows.execute("DELETE FROM batches WHERE number = (SELECT max(number) FROM batches)")
        rows.execute("UPDATE runs SET status = 'running', finished = NULL")


def swap(
    store: Path,
    number: int,
    sources: Sequence[tuple[str, str]],
    *,
    has_right_digest: bool = True,
    **columns: object,
) -> None:
    """Put other sources in the place of an entrant's, and other things into its row.

    Args:
        store: The store.
        number: That of the entrant.
        sources: Its files.
        has_right_digest: Whether the digest in the store is that of these sources.
        columns: What else its row says, such as its kind.
    """
    with opened(store) as rows:
        ((digest,),) = rows.execute("SELECT digest FROM entrants WHERE number = ?", (number,))
        files = json.dumps(sources)
        if has_right_digest:
            digest = digest_of(sources, ())
            rows.execute(
                "INSERT OR REPLACE INTO sources (digest, files) VALUES (?, ?)", (digest, files)
            )
        else:
            rows.execute("UPDATE sources SET files = ? WHERE digest = ?", (files, digest))
        for column, value in {"digest": digest, **columns}.items():
            rows.execute(f"UPDATE entrants SET {column} = ? WHERE number = ?", (value, number))  # noqa: S608 - a name of this file


def bring_marks(store: Path, mark: Path, *, has_right_digest: bool = True) -> None:
    """Swap what everybody brings for sources that leave marks, and otherwise play the same."""
    swap(store, ADA, [("ada.py", marking(mark))], has_right_digest=has_right_digest)
    package = {**PACKAGE, "src/leo/playing.py": marking(mark)}
    swap(store, LEO, sorted(package.items()), has_right_digest=has_right_digest)


GRADES = ("grades", "--gradebook", "people.csv", "--fill-column", "cup", "--marks-by", "place")
SEASON = "name: Season\nstore: tourney.db\nruns:\n  - run: 1\n"

PLAYING: dict[str, tuple[str, ...]] = {
    "verify": ("verify", "1", "--workers", "1"),
    "verify --full": ("verify", "1", "--full", "--workers", "2"),
    "replay ada": ("replay", "1", "--entrant", "ada", "--table", "1"),
    "replay leo": ("replay", "1", "--entrant", "Leo", "--table", "1", "--as-seen"),
    "export": ("export", "1", "--output", "data"),
    "mistakes": ("mistakes", "1", "--entrant", "ada"),
    "publish": ("publish", "1", "--output", "site"),
    "resume": ("resume", "1", "--workers", "1"),
    "extend": ("extend", "1", "--tables", "6", "--workers", "1"),
    "season": ("season", "season.yaml", "--output", "season"),
}
"""Commands that play what a store brings."""

READING: dict[str, tuple[str, ...]] = {
    "runs": ("runs",),
    "runs 1": ("runs", "1"),
    "leaderboard": ("leaderboard", "1"),
    "leaderboard --per-table": ("leaderboard", "1", "--per-table"),
    "leaderboard --format json": ("leaderboard", "1", "--format", "json"),
    "verdicts": ("verdicts", "1", "--every-fault"),
    "floor": ("floor", "1"),
    "watch": ("watch", "1", "--no-wait"),
    "grades": (*GRADES, "1"),
    "exclude": ("exclude", "1", "--entrant", "ada", "--reason", "copied"),
    "plan": ("plan", "plan.yaml", "--rates-from", "1", "--replications", "2"),
    "publish nothing": ("publish", "1", "--output", "bare", "--show-tables", "0", "--samples", "0"),
    "season without pages": ("season", "season.yaml"),
    "feedback": ("feedback", "1", "--submissions", "handed_in", "--output", "answers"),
}
"""Commands that read a store and play nobody."""

BESIDE = {
    "season.yaml": SEASON,
    "people.csv": "Student,ID,cup (4711)\n    Points Possible,,10\nada,1,\n",
    "plan.yaml": CUP.partition("  - file")[0],
    "handed_in/submissions.yaml": "roster: roster.csv\n",
    "handed_in/roster.csv": "person,as\nAda Lovelace,ada\n",
}
"""Files that some of the commands read."""


class Marks:
    """Where sources leave marks, and whether some did."""

    def __init__(self, folder: Path) -> None:
        """Begin without one."""
        self.path = folder / "mark"

    def take(self) -> bool:
        """Say whether there is one, and remove it."""
        found = self.path.exists()
        self.path.unlink(missing_ok=True)
        return found


Craft = Callable[[Path, Path], None]
"""Makes something of a store; told where to leave marks."""


def _both(*crafts: Craft) -> Craft:
    def craft(store: Path, mark: Path) -> None:
        for each in crafts:
            each(store, mark)

    return craft


def _claimed(level: str) -> Craft:
    return lambda store, _: claim(store, level)


def _brought(*, has_right_digest: bool = True) -> Craft:
    return lambda store, mark: bring_marks(store, mark, has_right_digest=has_right_digest)


def _called(kind: str, strategy: str, *, files: Sequence[str] = ("ada.py",)) -> Craft:
    """Have a file that leaves marks called something else."""

    def craft(store: Path, mark: Path) -> None:
        sources = [(name, marking(mark)) for name in files]
        swap(store, ADA, sources, kind=kind, strategy=strategy, distribution="tourney 0.1.0")

    return craft


def _commands(store: Path, mark: Path) -> None:
    """Have a script that leaves a mark be a command, which a run would start with all rights."""
    script = f"#!/bin/sh\ntouch {mark}\n"
    swap(store, ADA, [("ada", script)], kind="command", strategy="ada")


def _packed(*files: str, entry: str = "leo.playing") -> Craft:
    """Have a package with these names of files, each of which leaves marks."""

    def craft(store: Path, mark: Path) -> None:
        project = PROJECT.replace("leo.playing", entry)
        names = ("src/leo/__init__.py", "src/leo/playing.py", *files)
        swap(store, LEO, [("pyproject.toml", project), *((name, marking(mark)) for name in names)])

    return craft


def _set(column: str, value: str) -> Craft:
    """Have the run say something else."""

    def craft(store: Path, mark: Path) -> None:
        with opened(store) as rows:
            told = value.replace("MARK", str(mark))
            rows.execute(f"UPDATE runs SET {column} = ?", (told,))  # noqa: S608 - a name of this file

    return craft


def _lures(store: Path, mark: Path) -> None:
    """Have the configuration name files and folders of this machine that leave marks."""
    lure = store.parent / "lure"
    lure.mkdir(exist_ok=True)
    (lure / "lure.py").write_text(marking(mark), encoding="utf-8")
    entries = [f"  - file: {lure}/lure.py", f"  - files: {lure}/*.py", f"  - submissions: {lure}"]
    lured = CUP.partition("  - strategy")[0] + "\n".join(entries) + "\n"
    _set("config", lured)(store, mark)


CRAFTS: dict[str, Craft] = {
    "no level": _both(_claimed(""), _brought()),
    "no level, wrong digests": _both(_claimed(""), _brought(has_right_digest=False)),
    "unsafe": _both(_claimed("unsafe"), _brought()),
    "unsafe, wrong digests": _both(_claimed("unsafe"), _brought(has_right_digest=False)),
    "reduced": _both(_claimed("reduced"), _brought()),
    "full": _brought(),
    "no such level": _both(_claimed("FULL\x1b[2J"), _brought()),
    "a file called a strategy": _both(_claimed(""), _called("strategy", "ada.py")),
    "a file called an installed strategy": _both(_claimed(""), _called("strategy", "simple")),
    "a file called a strategy by its place": _both(_claimed(""), _called("strategy", "os:system")),
    "a file called a strategy, all confined": _both(
        _set("settings", '{"confine": "all"}'), _called("strategy", "ada.py")
    ),
    "a file called an installed strategy, all confined": _both(
        _set("settings", '{"confine": "all"}'), _called("strategy", "simple")
    ),
    "a file called a chart": _both(_claimed(""), _called("chart", "ada.txt")),
    "a file called a package": _both(_claimed(""), _called("package", "ada")),
    "a command": _both(_claimed(""), _commands),
    "a command, unsafe": _both(_claimed("unsafe"), _commands),
    "a command, reduced": _both(_claimed("reduced"), _commands),
    "a command, full": _commands,
    "a file called a program": _both(_claimed(""), _called("program", "ada.py")),
    "a file of no kind": _both(_claimed(""), _called("plugin", "ada.py")),
    "a file of no kind, unsafe": _both(_claimed("unsafe"), _called("", "ada.py")),
    "no file at all": _both(_claimed(""), _called("file", "ada.py", files=())),
    "a package called a file": _both(
        _claimed(""),
        lambda store, mark: swap(store, LEO, [("x.py", marking(mark))] * 2, kind="file"),
    ),
    "a package that lies outside": _both(_claimed(""), _packed("../../out.py", "/srv/out.py")),
    "a package that hides Python's modules": _both(
        _claimed(""), _packed("json.py", "os.py", "src/tourney/__init__.py", "sitecustomize.py")
    ),
    "a package that begins elsewhere": _both(_claimed(""), _packed(entry="os")),
    "settings that say nothing": _both(_set("settings", "{}"), _claimed(""), _brought()),
    "settings that trust": _both(
        _set("settings", '{"confine": "none", "trust-submissions": true, "trusts_files": true}'),
        _claimed(""),
        _brought(),
    ),
    "a configuration that names files": _both(_claimed(""), _lures),
}
"""What a stranger may write, by what it is."""

assert os.sep == "/", "confined players need Linux"
