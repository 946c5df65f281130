"""The command line as a test calls it: in this process, in a folder of its own."""

import linecache
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from importlib.util import module_from_spec, spec_from_file_location
from io import StringIO
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from tourney.cli import main

SMALL = """\
name: Small
seed: 7
game: {preset: ve280, shuffle: uniform}
bankroll: 100
minimum: 5
maximum: 50
format: {kind: duplicate, tables: 8, rounds: 60, batch_tables: 4}
floor: {tables: 2}
entrants:
  - strategy: simple
  - strategy: counting
  - strategy: mimic
    group: staff
"""
"""A tournament that is played in a tenth of a second."""

AIM = (
    "benchmark: optimal play loses 0.0884 chips per round from a full shoe at the minimum wager "
    "of 5 (exact); higher wagers change this, and so does a card count\n"
)
"""What is said below its board."""

HIDDEN = (
    "Columns not shown: Mean final bankroll (95 %), 5th percentile, 95th percentile, Ruin, Rounds. "
    "--wide shows them with a legend.\n"
)
"""What its board says of the columns that do not fit."""

UNSEEN = (
    "with 8 tables, a loss that happens at 1 table in 3 or more often would have shown with 95 % "
    "probability; ranks cannot allow for rarer losses\n"
)
"""What its 8 tables have shown."""


@dataclass(frozen=True, slots=True)
class Ran:
    """What a command left behind."""

    status: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        """Lines of standard output."""
        return self.out.splitlines()


Cli = Callable[..., Ran]
PLAYING = frozenset({"run", "resume", "extend", "verify", "compare", "ev"})


def _alone(arguments: tuple[object, ...]) -> list[str]:
    """Have one process play, this one, unless the test says how many; the results are the same."""
    words = [str(argument) for argument in arguments]
    says = {"--workers", "--cluster", "--help"}
    if words and words[0] in PLAYING and not says.intersection(words):
        words += ["--workers", "1"]
    return words


@pytest.fixture
def cli(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Cli:
    """Give what runs a command in an empty folder, in this process."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: object) -> Ran:
        capsys.readouterr()
        status = main(_alone(arguments))
        seen = capsys.readouterr()
        return Ran(status, seen.out, seen.err)

    return run


@pytest.fixture(scope="session")
def cli_in() -> Callable[[Path], Cli]:
    """Give what runs commands in a folder that several tests have copies of; see `copy_of`."""

    def choose(folder: Path) -> Cli:
        def run(*arguments: object) -> Ran:
            out, err = StringIO(), StringIO()
            with _forgetting_files(), chdir(folder), redirect_stdout(out), redirect_stderr(err):
                status = main(_alone(arguments))
            return Ran(status, out.getvalue(), err.getvalue())

        return run

    return choose


@pytest.fixture
def copy_of(tmp_path: Path) -> Callable[[Path], Path]:
    """Give what lays a copy of a folder into that of the test: what took long is done once."""
    return lambda folder: Path(shutil.copytree(folder, tmp_path, dirs_exist_ok=True))


@pytest.fixture(autouse=True)
def _forget_files() -> Iterator[None]:
    """Forget competitors' files and their lines, which other tests have under the same names."""
    with _forgetting_files():
        yield


@contextmanager
def _forgetting_files() -> Iterator[None]:
    modules = set(sys.modules)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(linecache, "cache", {})
        yield
    for name in set(sys.modules) - modules:
        if name.startswith("_competitor"):
            del sys.modules[name]


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str], Path]:
    """Give what writes a file into the folder of the test."""

    def write(name: str, text: str) -> Path:
        file = tmp_path / name
        file.write_text(dedent(text), encoding="utf-8")
        return file

    return write


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """Write the small tournament."""
    file = tmp_path / "small.yaml"
    file.write_text(SMALL, encoding="utf-8")
    return file


@pytest.fixture(scope="session")
def _small_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Play the small tournament once."""
    folder = tmp_path_factory.mktemp("small")
    config, store = folder / "small.yaml", folder / "tourney.db"
    config.write_text(SMALL, encoding="utf-8")
    assert main(["run", str(config), "--store", str(store), "--workers", "1"]) == 0
    return store


@pytest.fixture
def store(tmp_path: Path, _small_store: Path) -> Path:
    """Lay a store with the small tournament, played as run 1, into the folder of the test."""
    for file in _small_store.parent.glob("tourney.db*"):
        shutil.copy(file, tmp_path)
    return tmp_path / "tourney.db"


@pytest.fixture
def short_pilot(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten pilots of dry runs and plans to a tenth; the same tournaments have one."""
    monkeypatch.setattr("tourney.planning.pilot.CHIP_ROUNDS", 30_000)
    monkeypatch.setattr("tourney.planning.pilot.POINT_ROUNDS", 3_000)
    monkeypatch.setattr("tourney.planning.pilot.TOO_LONG", 100)
    monkeypatch.setattr("tourney.planning.pilot.FEWEST_TABLES", 2)


@pytest.fixture
def environment() -> dict[str, str]:
    """Give the environment of a process of its own, without what would change its words."""
    changing = ("FORCE_COLOR", "NO_COLOR", "COLUMNS", "TTY_COMPATIBLE", "PYTHONIOENCODING")
    return {name: value for name, value in os.environ.items() if name not in changing}


@pytest.fixture(scope="session")
def make_authority() -> Any:
    """Give the class of time stamp authorities."""
    spec = spec_from_file_location("authority", Path(__file__).with_name("authority.py"))
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.Authority


@pytest.fixture(scope="session")
def authority(make_authority: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Serve a time stamp authority on loopback."""
    with make_authority(tmp_path_factory.mktemp("authority") / "ca").serving() as serving:
        yield serving
