"""A store that is not as it was: every command either shows the truth or says what is wrong."""

import io
import linecache
import shutil
import sqlite3
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from random import Random
from unittest.mock import patch

from tourney.cli import main
from tourney.plugins.loading import load_plugins

CONFIG = """\
name: Fuzzed
seed: 7
game: {preset: ve280, shuffle: uniform}
bankroll: 100
minimum: 5
maximum: 50
format: {kind: duplicate, tables: 4, rounds: 30, batch_tables: 1}
entrants:
  - strategy: simple
  - strategy: counting
  - file: late.py
"""
LATE = """\
from tourney import Player


class Late(Player):
    def bet(self, bankroll, minimum):
        return minimum if bankroll < 110 else 1 // 0

    def draw(self, dealer, hand):
        return hand.hand_value() < 17
"""
COMMANDS = (
    "runs",
    "runs 1",
    "leaderboard",
    "leaderboard --format csv",
    "leaderboard --format json",
    "verdicts",
    "verify --full --workers 1 --no-sandbox",
    "replay --entrant simple --table 2 --no-sandbox",
    "publish --output site --samples 1 --show-tables 1 --no-sandbox",
    "extend 1 --tables 5 --workers 1 --no-sandbox",
)
"""The last one changes the store."""

CRASHED = 99
"""Status of a command that ended in a traceback."""

WRONG = "wrong, and not a word"

EXPLANATIONS = (
    "damaged",
    "changed",
    "not a store",
    "another program",
    "has version",
    "is not in",
    "has no runs",
    "got",
)
"""A message about a damaged store has one of these."""

BOARD = {"simple", "counting", "late"}
"""Words of which a board is made."""

Change = Callable[[Path, Random], str]
"""Damages a store, and says how."""


@dataclass(frozen=True)
class Ran:
    """What a command gave."""

    out: str  # standard output, and what was published
    err: str
    status: int


class Damage:
    """A store that was played once, and is damaged again and again."""

    def __init__(self, folder: Path) -> None:
        """Play it.

        Args:
            folder: An empty one, in which to work.
        """
        self.folder, self._sound = folder, folder / "sound.db"
        (folder / "late.py").write_text(LATE, encoding="utf-8")
        (folder / "fuzzed.yaml").write_text(CONFIG, encoding="utf-8")
        played = self._run(f"run {folder / 'fuzzed.yaml'} --workers 1 --no-sandbox", "sound")
        assert played.status == 1, played  # somebody has a verdict
        with closing(sqlite3.connect(self._sound)) as database:
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self.truth = [each for _, each in self.attempt(lambda _path, _random: "", 0)[1]]
        assert all(each.out for each in self.truth), self.truth

    def faults(self, change: Change, seed: int) -> tuple[str, list[str], bool]:
        """Damage the store and run every command.

        Args:
            change: What damages it.
            seed: Of what it draws.
        Returns: How it was damaged, what went wrong then, and whether any command was changed.
        """
        how, ran = self.attempt(change, seed)
        pairs = list(zip(ran, self.truth, strict=True))
        wrong = [
            f"{how}: {command}: {fault}: {got.err or got.out}"
            for (command, got), truth in pairs
            if (fault := _fault(got, truth))
        ]
        # Who seals a store again tells its own story; a board that does not follow from play is
        # found by playing again, or by whoever knows the digest.
        if how.endswith("sealed"):
            is_told = _is_told(ran, self.truth)
            wrong = [
                each
                for each in wrong
                if WRONG not in each or ("leaderboard" in each and not is_told)
            ]
        return how, wrong, any(got.out != truth.out for (_, got), truth in pairs)

    def attempt(self, change: Change, seed: int) -> tuple[str, list[tuple[str, Ran]]]:
        """Damage the store and run every command; give how, and what each gave."""
        path = self.folder / "store.db"
        for old in self.folder.glob("store.db*"):
            old.unlink()
        shutil.copyfile(self._sound, path)
        how = change(path, Random(seed))
        return how, [(command, self._run(command, "store")) for command in COMMANDS]

    def run(self, command: str) -> Ran:
        """Run a command on the store as it is now."""
        return self._run(command, "store")

    def _run(self, command: str, store: str) -> Ran:
        site = self.folder / "site"
        shutil.rmtree(site, ignore_errors=True)
        words = [str(site) if word == "site" else word for word in command.split()]
        out, err = io.StringIO(), io.StringIO()
        linecache.clearcache()
        with redirect_stdout(out), redirect_stderr(err):
            try:
                status = main([*words, "--store", str(self.folder / f"{store}.db")])
            except Exception:  # noqa: BLE001 - this is what is looked for
                traceback.print_exc(file=err)
                status = CRASHED
        parts = sorted(site.rglob("*.json"))
        told = "".join(path.read_text(encoding="utf-8") for path in parts)
        return Ran(out.getvalue() + told, err.getvalue(), status)


@contextmanager
def plugins_looked_for_once() -> Iterator[None]:
    """Look for plugins once: they are the same for every command, and take most of its time."""
    found = load_plugins()
    with ExitStack() as stack:
        for name, module in tuple(sys.modules.items()):
            if name.startswith("tourney.cli.") and hasattr(module, "load_plugins"):
                stack.enter_context(patch.object(module, "load_plugins", lambda **_: found))
        yield


def _fault(got: Ran, truth: Ran) -> str:
    """Say what is wrong with an answer; nothing if it is true, or says that it cannot be given."""
    if got.status == CRASHED:
        return "a traceback"
    if "please report it" in got.err:
        return "blames tourney"
    if got.out == truth.out:
        return ""
    # A board that is not the true one is wrong whatever is said beside it.
    is_told = got.status != 0 and any(words in got.err for words in EXPLANATIONS)
    return "" if is_told and not set(got.out.split()) & BOARD else WRONG


def _is_told(ran: list[tuple[str, Ran]], truth: list[Ran]) -> bool:
    """Say whether a replay fails, or the digest is another than that of the true run."""
    return any(
        command.startswith("verify") and (got.status != 0 or got.out != true.out)
        for (command, got), true in zip(ran, truth, strict=True)
    )


def flip(path: Path, random: Random) -> str:
    """Flip a bit."""
    content = bytearray(path.read_bytes())
    place, bit = random.randrange(len(content)), random.randrange(8)
    content[place] ^= 1 << bit
    path.write_bytes(content)
    return f"bit {bit} of byte {place}"


def cut(path: Path, random: Random) -> str:
    """Cut the file off."""
    size = random.randrange(path.stat().st_size)
    with path.open("r+b") as file:
        file.truncate(size)
    return f"cut to {size} bytes"
