"""Languages as objects: what each reads, refuses and promises, and how one comes in by a hook."""

from pathlib import Path

import pytest

from tests.unit.plugins.conftest import Shelf
from tourney import Player
from tourney.competitors.languages import Package, PythonFile
from tourney.config.entrants import entrant_model
from tourney.errors import PluginError, SubmissionError
from tourney.plugins.loading import installed_languages, language_of, load_plugins
from tourney.plugins.validation import NO_LANGUAGES, PluginFaultError, check_strategy
from tourney.tournament.catalog import catalog_of

LANGUAGE = """
from tourney import hookimpl
from tourney.plugins.language import OneFile

class Tiny(OneFile):
    title = "a tiny player"
    suffix = ".tiny"

    def load(self, name, files):
        raise NotImplementedError

    def sandboxed(self, name, files, options="", place=""):
        raise NotImplementedError

@hookimpl
def tourney_languages():
    return ANSWER
"""


def test_trust_is_a_matter_of_the_language() -> None:
    """Who brings code is confined; installed programs are trusted, and data is no program."""
    told = {
        name: (each.runs_code, each.brings_code) for name, each in installed_languages().items()
    }
    assert told == {
        "strategy": (True, False),
        "file": (True, True),
        "cpp": (True, True),
        "chart": (False, False),
        "package": (True, True),
        "class": (True, False),
        "program": (True, True),
        "command": (True, True),
    }
    assert [name for name, each in installed_languages().items() if not each.is_confinable] == [
        "command"
    ]


def test_a_file_is_read_with_or_without_a_mark_and_with_any_newlines(tmp_path: Path) -> None:
    """What editors on other systems write is read as it is meant."""
    path = tmp_path / "bold.py"
    path.write_bytes(b"\xef\xbb\xbfx = 1\r\ny = 2\r")
    assert PythonFile().read_path(path) == (("bold.py", "x = 1\ny = 2\n"),)


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    """Each way to have no text has its own words."""
    (tmp_path / "latin.py").write_bytes(b"# one\n# caf\xe9\n")
    (tmp_path / "big.py").write_bytes(b"#" * 1_000_001)
    cases = {
        ".": "expected the text of 1 file, got 2|more than 1,000,000 bytes",
        "none.py": "none.py does not exist",
        "big.py": "big.py has more than 1,000,000 bytes",
        "latin.py": "latin.py:2: the byte 0xe9 is not UTF-8 text; save the file as UTF-8",
    }
    for name, message in cases.items():
        with pytest.raises(SubmissionError, match=message):
            PythonFile().read_path(tmp_path / name)


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    """And the other way round."""
    for name in ("a.py", "b.py"):
        (tmp_path / name).write_text("x = 1\n", encoding="utf-8")
    with pytest.raises(SubmissionError, match="expected the text of 1 file, got 2"):
        PythonFile().read_path(tmp_path)
    with pytest.raises(SubmissionError, match="must have one entry, not 0"):
        Package().read_path(tmp_path / "a.py")


@pytest.mark.parametrize(
    ("names", "language"),
    [
        (["bold.py"], "file"),
        (["BOLD.PY"], "file"),
        (["bold.txt"], "chart"),
        (["pyproject.toml", "bold.py"], "package"),
        (["bold.py", "other.py"], None),
        (["bold"], None),
        ([], None),
    ],
)
def test_files_are_of_one_language_at_most(names: list[str], language: str | None) -> None:
    """So that the order in which plugins are loaded decides nothing."""
    found = [name for name, each in installed_languages().items() if each.recognises(names)]
    assert found == ([language] if language else [])


def test_only_code_is_loaded_to_be_known() -> None:
    """A file's class is not known before it runs; a chart's is."""
    files = (("bold.py", "raise SystemExit"),)
    assert PythonFile().known("bold.py", files) is None
    assert language_of("strategy").known("simple", ()) is not None
    assert language_of("strategy").known("nobody", ()) is None
    assert language_of("chart").promises("any.txt")


def test_no_language_takes_the_name_of_another_setting() -> None:
    """Its name is a key of an entrant."""
    catalog = catalog_of(load_plugins())
    keys = {each.alias for each in entrant_model(catalog).model_fields.values()}
    assert keys - set(catalog.files) - {"strategy"} == NO_LANGUAGES


def test_a_language_comes_in_by_the_hook(shelf: Shelf) -> None:
    """Under the name that a run keeps."""
    shelf.install("tiny", LANGUAGE.replace("ANSWER", '{"tiny": Tiny()}'))
    registry = shelf.load()
    assert registry.plugins[0].languages == ("tiny",)
    assert registry.language("tiny").title == "a tiny player"
    with pytest.raises(PluginError, match="there is no language 'file'; choose 'tiny'"):
        registry.language("file")


@pytest.mark.parametrize(
    ("answer", "reason", "remedy"),
    [
        (
            '{"tiny": Tiny}',
            "expected a tourney.plugins.language.Language, got the class Tiny",
            "Tiny()",
        ),
        (
            '{"tiny": 3}',
            "language 'tiny': expected a tourney.plugins.language.Language, got 3, an int",
            "",
        ),
        ('{"options": Tiny()}', "this is already the name of another setting of entrants", "anoth"),
        (
            '{"no name": Tiny()}',
            "language: 'no name' is not a name of 1 to 60 letters",
            "another name",
        ),
        ("[Tiny()]", "expected a mapping from names to languages, got", "return"),
    ],
)
def test_what_is_no_language_is_in_quarantine(
    shelf: Shelf, answer: str, reason: str, remedy: str
) -> None:
    """With the reason, and what to do."""
    shelf.install("tiny", LANGUAGE.replace("ANSWER", answer))
    plugin = shelf.only()
    assert plugin.status == "quarantined"
    assert reason in plugin.reason
    assert remedy in plugin.remedy


def test_a_player_stands_beside_its_game_and_not_in_it() -> None:
    """Or its author's module would be loaded anew with the game's actions, and none were legal."""
    kind = type("Odd", (Player,), {"__module__": Player.__module__, "bet": min, "draw": min})
    with pytest.raises(PluginFaultError, match="Odd is in the module of its game"):
        check_strategy("strategy 'odd'", kind)


def test_a_class_that_seems_to_mean_another_contract_is_told() -> None:
    """A narrower one of its game, or that of another game."""
    acting = type("Bold", (Player,), {"act": min})
    playing = type("Bold", (Player,), {"play": min})
    for kind, remedy in (
        (acting, "write: class Bold(ActPlayer)"),
        (playing, "write: class Bold(StraightsPlayer), if it is for Straights"),
    ):
        with pytest.raises(PluginFaultError) as caught:
            check_strategy("strategy 'bold'", kind)
        assert caught.value.remedy == remedy
