"""Entrants as arguments of commands: a strategy, a file, or the folder of a project."""

from pathlib import Path

import pytest

from tourney.errors import PluginError
from tourney.tournament.entrant_specs import entrant_as_typed


def test_the_folder_of_a_project_in_cpp_is_an_entrant(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Named like the folder, also from within it; hidden folders and builds do not matter."""
    project = tmp_path / "bold.v2"
    for name in ("player.cpp", "shoe.cpp", "shoe.h", ".git/old.cpp", "build/player.cpp"):
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text("")
    entrant = entrant_as_typed(str(project))
    assert (entrant.name, entrant.kind, entrant.source) == ("bold.v2", "cpp", project)
    monkeypatch.chdir(project)
    assert entrant_as_typed(".") == entrant


def test_a_folder_that_no_language_enters_is_named(tmp_path: Path) -> None:
    """Python is entered by its file."""
    (tmp_path / "bold.py").write_text("")
    with pytest.raises(PluginError, match="is a folder; name the file of the competitor in it"):
        entrant_as_typed(str(tmp_path))


def test_a_folder_does_not_hide_a_strategy_of_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever lies in the working folder."""
    (tmp_path / "simple").mkdir()
    monkeypatch.chdir(tmp_path)
    assert entrant_as_typed("simple").strategy == "simple"
