"""Packages that nobody has installed: loaded from their texts, each by itself."""

import sys
from typing import Any

import pytest

from tourney.competitors.packages import load_package
from tourney.errors import PluginError

PROJECT = '[project]\nname = "bold"\n[project.entry-points.tourney]\nbold = "bold_player"\n'
PLAYER = """\
import bold_help
from tourney import Player, hookimpl

class Bold(Player):
    def bet(self, bankroll, minimum):
        return minimum

    def draw(self, dealer, player):
        return player.total < bold_help.LIMIT
"""
HOOK = """
@hookimpl
def tourney_strategies():
    return {"bold": Bold}
"""


Texts = tuple[tuple[str, str], ...]


def package(limit: int = 17, player: str = PLAYER + HOOK, folder: str = "") -> Texts:
    """Give a package of two modules."""
    return (
        (f"{folder}bold_help.py", f"LIMIT = {limit}\n"),
        (f"{folder}bold_player.py", player),
        ("pyproject.toml", PROJECT),
    )


def limit_of(kind: Any) -> int:
    """Look behind a class at the module that it uses."""
    limit: int = kind.draw.__globals__["bold_help"].LIMIT
    return limit


@pytest.mark.parametrize("folder", ["", "src/"])
@pytest.mark.parametrize("player", [PLAYER, PLAYER + HOOK])
def test_a_package_offers_its_player(folder: str, player: str) -> None:
    """By its hook, or as the only class of its module; modules find each other."""
    made = load_package(package(15, player, folder), "Ada")
    assert made.__name__ == "Bold"
    assert limit_of(made) == 15


def test_packages_with_modules_of_the_same_names_keep_apart() -> None:
    """Two students may both call a file bold_help.py; nothing of it stays behind."""
    before = set(sys.modules)
    one, other = (load_package(package(limit), "Ada") for limit in (15, 16))
    assert (limit_of(one), limit_of(other)) == (15, 16)
    assert set(sys.modules) == before


def test_a_module_of_the_same_name_that_is_installed_stays(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A package takes nobody's place."""
    installed = type(sys)("bold_help")
    monkeypatch.setitem(sys.modules, "bold_help", installed)
    assert limit_of(load_package(package(15), "Ada")) == 15
    assert sys.modules["bold_help"] is installed


def test_modules_within_packages_import_each_other() -> None:
    """With dots and without."""
    inner = PLAYER.replace("import bold_help", "from . import help as bold_help")
    files = (
        ("bold/__init__.py", ""),
        ("bold/help.py", "LIMIT = 14\n"),
        ("bold/play.py", inner),
        ("pyproject.toml", PROJECT.replace("bold_player", "bold.play")),
    )
    assert limit_of(load_package(files, "Ada")) == 14


SAME = """\
from tourney import Player

class {}(Player):
    def bet(self, bankroll, minimum):
        return minimum

    def draw(self, dealer, player):
        return False
"""


@pytest.mark.parametrize(
    ("entry", "front", "made"),
    [
        ("bold", "from .play import Bold", "Bold"),
        ("bold:Bold", "from .play import Bold", "Bold"),
        ("bold:play.Bold", "from . import play", "Bold"),
        ("bold.play:Bolder", "", "Bolder"),
        ("bold", f"from .play import Bold\n{SAME.format('Own')}", "Own"),
    ],
)
def test_the_entry_point_names_its_class(entry: str, front: str, made: str) -> None:
    """Of another module, too, as the front page of a package offers it."""
    files = (
        ("bold/__init__.py", front),
        ("bold/play.py", SAME.format("Bold") + SAME.format("Bolder")),
        ("pyproject.toml", PROJECT.replace("bold_player", entry)),
    )
    assert load_package(files, "Ada").__name__ == made


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ("bold_player:Bald", "module 'bold_player' has no attribute 'Bald'; name a class of bold_"),
        ("bold_player:PLAYER", "PLAYER: expected a subclass of tourney.Player"),
        ("bold_player:a b", "'a b' is not the name of a class; write: name = \"module:Class\""),
    ],
)
def test_a_class_that_the_module_lacks_is_named(entry: str, said: str) -> None:
    """With the entry point, where the slip is."""
    player = f"{PLAYER}\nPLAYER = 3\n"
    *files, _ = package(player=player)
    with pytest.raises(PluginError) as caught:
        load_package((*files, ("pyproject.toml", PROJECT.replace("bold_player", entry))), "Ada")
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("player", "said"),
    [
        ("x = 1 / 0\n", "Ada: bold_player.py:1: expected Python that runs, got ZeroDivisionError"),
        ("\nclass X(\n", "Ada: bold_player.py:2: expected Python that runs, got SyntaxError"),
        ("import nowhere\n", "got ModuleNotFoundError: No module named 'nowhere'"),
        ("import sys\nsys.exit()\n", "Ada: bold_player.py:2: expected Python that runs, got Sys"),
        ("x = 1\n", "expected a subclass of tourney.Player"),
        (PLAYER + HOOK.replace("{", '{"a": Bold, '), "tourney_strategies returns 2 strategies"),
        (PLAYER + HOOK.replace('{"bold": Bold}', "3"), "expected a mapping from names to strat"),
        (PLAYER + HOOK.replace('{"bold": Bold}', "{}[0]"), "tourney_strategies failed: KeyError"),
        (PLAYER.replace("draw", "hit"), "Bold lacks draw"),
    ],
)
def test_a_fault_has_its_name_and_line(player: str, said: str) -> None:
    """As that of a single file; and nothing stays behind."""
    before, finders = set(sys.modules), list(sys.meta_path)
    with pytest.raises(PluginError) as caught:
        load_package(package(player=player), "Ada")
    assert said in str(caught.value)
    assert set(sys.modules) - before <= set(sys.stdlib_module_names)
    assert sys.meta_path == finders
