"""The example package: a student copies two files, installs them, and competes.

Everything happens in a fresh environment with the platform installed from this repository,
so what is tested is what a student gets.
"""

import json
import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from textwrap import dedent

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "competitor-package"


class Environment:
    """A fresh environment, and what is run in it."""

    def __init__(self, folder: Path) -> None:
        """Make it, without anything from the environment the tests run in."""
        self.folder = folder
        self._pip: tuple[str | Path, ...]
        self.python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
        # To install pip into it takes as long as half of the rest, so ours does the work.
        if find_spec("pip"):
            _run(sys.executable, "-m", "venv", "--without-pip", folder)
            self._pip = (sys.executable, "-m", "pip", "--python", self.python)
        else:
            _run(sys.executable, "-m", "venv", folder)
            self._pip = (self.python, "-m", "pip")

    def install(self, *packages: Path) -> None:
        """Install packages from their folders, and what they need from the index."""
        options = ("--quiet", "--disable-pip-version-check", "--no-compile")
        _run(*self._pip, "install", *options, *packages)

    def answer(self, program: str) -> object:
        """Run a program, and read the JSON it prints."""
        # Isolated: neither this repository nor PYTHONPATH stands in for what is installed.
        return json.loads(_run(self.python, "-I", "-c", dedent(program), cwd=self.folder))


def _run(*command: str | Path, cwd: Path | None = None) -> str:
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr or done.stdout
    return done.stdout


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """Install the platform and a copy of the example."""
    folder = tmp_path_factory.mktemp("student")
    copy = shutil.copytree(
        EXAMPLE, folder / "copy", ignore=shutil.ignore_patterns("__pycache__", "build", "dist")
    )
    fresh = Environment(folder / "environment")
    fresh.install(ROOT, copy)
    return fresh


def test_the_example_is_two_files() -> None:
    """There is nothing more to copy."""
    files = {path.name for path in EXAMPLE.iterdir() if path.name != "__pycache__"}
    assert files == {"pyproject.toml", "bold_player.py"}


@pytest.mark.prove
def test_the_installed_strategy_is_registered(environment: Environment) -> None:
    """The platform finds it by itself, and knows where it comes from."""
    program = """
        import json
        from tourney.plugins.loading import load_plugins
        from tourney.competitors.sources import sources_of

        bold = load_plugins(strict=True).strategy("bold")
        sources = [name for name, _ in sources_of(bold.make)]
        print(json.dumps([bold.distribution, bold.version, bold.summary, sources]))
    """
    assert environment.answer(program) == [
        "tourney-bold",
        "1.0",
        "Wagers the minimum, and part of its winnings once it has some.",
        ["bold_player.py"],
    ]


def play(environment: Environment, rounds: int) -> object:
    """Let the installed strategy play at a table of its own.

    Returns: Rounds it played, whether it always wagered the minimum, and its verdict, if any.
    """
    program = f"""
        import json
        from tourney.game.seats import play_block
        from tourney.games.blackjack.rules import EECS280
        from tourney.game.ledger import BlockKey
        from tourney.plugins.loading import load_plugins
        from tourney.game.blocks import Block, Seat

        block = Block(
            key=BlockKey(stage=0, heat=0, table=0, seating=0, first_round=1),
            rules=EECS280,
            seats=(Seat(entrant=0, bankroll=1000, random_key=bytes(16)),),
            minimum=5,
            maximum=1000,
            rounds={rounds},
            shoe_key=bytes(16),
        )
        bold = load_plugins().strategy("bold")
        (seat,) = play_block(block, lambda entrant: bold.make()).seats
        verdict = seat.verdict and seat.verdict.message
        print(json.dumps([seat.rounds, seat.handle >= 5 * seat.rounds, verdict]))
    """
    return environment.answer(program)


@pytest.mark.prove
def test_the_installed_strategy_plays(environment: Environment) -> None:
    """Fifty rounds, each with at least the minimum wager, and no verdict."""
    assert play(environment, 50) == [50, True, None]
