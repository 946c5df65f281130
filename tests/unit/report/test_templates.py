"""Templates of pages are compiled once for all commands."""

from pathlib import Path

import pytest
from jinja2 import Environment

from tourney.game.machine import compile_cache
from tourney.report.site.pages import templates


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep what is compiled in the folder of the test."""
    monkeypatch.setattr(compile_cache, "folder", lambda: tmp_path)
    return tmp_path


def test_templates_are_compiled_once(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next process loads them."""
    templates().get_template("board.html")
    assert list(place.glob("*.template"))
    monkeypatch.delattr(Environment, "compile")
    assert templates().get_template("board.html").name == "board.html"


def test_they_are_compiled_again_where_the_code_around_them_is_another(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Filters are applied to constants as a template is compiled."""
    templates().get_template("board.html")
    before = set(place.iterdir())
    monkeypatch.setattr(compile_cache, "state_of", lambda module: f"other-{module}")
    templates().get_template("board.html")
    assert set(place.iterdir()) > before


def test_where_nothing_can_be_kept_they_are_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Such as where neither the package nor the user has a folder to write to."""
    monkeypatch.setattr(compile_cache, "folder", lambda: None)
    assert templates().get_template("board.html").name == "board.html"
