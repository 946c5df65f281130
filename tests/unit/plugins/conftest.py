"""Distributions that are installed for one test: modules and real metadata in a folder."""

import linecache
import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint, PathDistribution
from pathlib import Path
from textwrap import dedent

import pytest

from tourney.plugins.loading import installed_plugins, load_plugins
from tourney.plugins.registry import Plugin, Registry

PLAYER = """
from tourney import Player, hookimpl

class Bold(Player):
    '''Bets half.

    And more.
    '''

    def bet(self, bankroll, minimum):
        return max(minimum, bankroll // 2)

    def draw(self, dealer, player):
        return player.total < 17
"""

OFFER = """
@hookimpl
def tourney_strategies():
    return {"bold": Bold}
"""


class Shelf:
    """A folder on the path into which tests install distributions."""

    player = PLAYER
    offer = OFFER

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.installed: list[Path] = []

    def write(self, name: str, text: str) -> Path:
        """Write a file of a distribution."""
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(dedent(text), encoding="utf-8")
        return file

    def install(
        self,
        distribution: str,
        text: str,
        entry_point: str = "",
        module: str = "",
        version: str = "1.0",
    ) -> None:
        """Install one module with one entry point, named after the distribution."""
        plain = distribution.replace("-", "_").lower()
        entry_point, module = entry_point or plain, module or f"{plain}_module"
        self.write(f"{module}.py", text)
        self.register(distribution, f"[tourney]\n{entry_point} = {module}\n", version, module)

    def register(
        self, distribution: str, entry_points: str, version: str = "1.0", module: str = ""
    ) -> None:
        """Write the metadata that pip would."""
        info = f"{distribution.replace('-', '_')}-{version}.dist-info"
        metadata = f"Metadata-Version: 2.1\nName: {distribution}\nVersion: {version}\n"
        self.write(f"{info}/METADATA", metadata)
        self.write(f"{info}/entry_points.txt", entry_points)
        self.write(
            f"{info}/RECORD", f"{info}/METADATA,,\n" + (f"{module}.py,,\n" if module else "")
        )
        self.installed.append(self.folder / info)

    def entry_points(self) -> list[EntryPoint]:
        """Give the entry points of this folder only."""
        return [
            entry_point
            for info in self.installed
            for entry_point in PathDistribution(info).entry_points.select(group="tourney")
        ]

    def load(self) -> Registry:
        """Load what is installed in this folder and nothing else."""
        return load_plugins(entry_points=self.entry_points())

    def only(self) -> Plugin:
        """Load the only plugin."""
        (plugin,) = self.load().plugins
        return plugin


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shelf:
    """Put an empty folder on the path."""
    folder = tmp_path / "installed"
    folder.mkdir()
    monkeypatch.syspath_prepend(folder)
    return Shelf(folder)


@pytest.fixture(autouse=True)
def _forget_modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Forget the modules and lines a test has loaded, whose files are about to go."""
    # Empty, for a namesake that another test has loaded would change the names of files.
    monkeypatch.setattr(linecache, "cache", {})
    before = set(sys.modules)
    installed_plugins.cache_clear()
    yield
    installed_plugins.cache_clear()
    for name in set(sys.modules) - before:
        # Not a library's that was loaded meanwhile: there must not be two of one.
        file = Path(getattr(sys.modules[name], "__file__", None) or tmp_path)
        is_here = file.is_relative_to(tmp_path) or not file.is_file()
        if is_here and name not in sys.builtin_module_names:
            del sys.modules[name]
