"""The source a strategy's behaviour comes from, and the digest that names it."""

from __future__ import annotations

import importlib
import py_compile
import sys
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tourney.competitors.files import load_competitor
from tourney.competitors.sources import digest_of, reload, sources_of
from tourney.errors import PluginError
from tourney.games.blackjack.action import Action
from tourney.games.blackjack.players import chart_player, write_chart
from tourney.games.blackjack.players.chart import always

if TYPE_CHECKING:
    from pathlib import Path

    from tests.unit.plugins.conftest import Shelf
    from tourney.games.blackjack.players import Player


def bold_of(module: str) -> type[Player]:
    """Import the strategy of a module."""
    kind: type[Player] = importlib.import_module(module).Bold
    return kind


def names_of(kind: type) -> list[str]:
    """Give the names of a class's sources."""
    return [name for name, _ in sources_of(kind)]


def test_a_strategy_in_one_module_is_that_module(shelf: Shelf) -> None:
    """The platform and Python's own modules are not part of a strategy."""
    text = "import json, tourney.errors\n" + shelf.player
    shelf.write("single.py", text)
    assert sources_of(bold_of("single")) == (("single.py", text),)


def test_modules_that_are_imported_belong_to_it(shelf: Shelf) -> None:
    """Charts, helpers and bases count, however they are imported; neighbours do not."""
    lines = (
        "from club import charts",
        "from .numbers import HALF",
        "import club.deep.odds",
        "from .deep import *",
        "from club.base import Base",
        "from club import NAME",
    )
    shelf.write("club/__init__.py", "NAME = 'club'\n")
    shelf.write("club/neighbour.py", shelf.player)
    shelf.write("club/charts.py", "def chart():\n    from club import lazily\n")
    shelf.write("club/lazily.py", "x = 1\n")
    shelf.write("club/numbers.py", "HALF = 2\n")
    shelf.write("club/deep/__init__.py", "from . import inner\n")
    shelf.write("club/deep/inner.py", "x = 1\n")
    shelf.write("club/deep/odds.py", "x = 1\n")
    shelf.write("club/base.py", "class Base: pass\n")
    shelf.write(
        "club/bold.py", "\n".join(lines) + shelf.player.replace("(Player)", "(Base, Player)")
    )
    importlib.import_module("club.neighbour")
    inside = ("__init__", "base", "bold", "charts", "deep/__init__", "deep/inner", "deep/odds")
    expected = [f"club/{name}.py" for name in (*inside, "lazily", "numbers")]
    assert names_of(bold_of("club.bold")) == expected


def test_sources_do_not_depend_on_what_has_been_imported(shelf: Shelf) -> None:
    """A worker that has not run a function finds what that function would import."""
    text = shelf.player.replace("return max", "import second; return max")
    shelf.write(
        "club/__init__.py", shelf.player.replace("return max", "from . import late; return max")
    )
    shelf.write("club/late.py", "x = 1\n")
    shelf.write("club/other.py", "x = 1\n")
    shelf.write("first.py", text)
    shelf.write("second.py", "x = 1\n")
    for module in ("first", "club"):
        kind = bold_of(module)
        before = sources_of(kind)
        kind().bet(10, 1)
        importlib.import_module("club.other")
        assert sources_of(kind) == before
    assert names_of(bold_of("first")) == ["first.py", "second.py"]
    assert names_of(bold_of("club")) == ["club/__init__.py", "club/late.py"]


def test_an_imported_module_that_is_not_there_is_left_out(shelf: Shelf) -> None:
    """An import that is allowed to fail does not decide anything."""
    shelf.write("club/__init__.py", "")
    tried = "\n".join(
        f"try:\n    {line}\nexcept ImportError:\n    pass"
        for line in (
            "import club.gone",
            "from . import missing",
            "from ... import far",
            "import broken",
        )
    )
    shelf.write("broken.py", "raise ImportError\n")
    shelf.write("club/bold.py", f"{tried}\n{shelf.player}")
    assert names_of(bold_of("club.bold")) == ["club/__init__.py", "club/bold.py"]


def test_of_neighbours_in_a_shared_folder_only_those_installed_together_count(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Among installed packages the same folder says nothing; the list of files does."""
    shared = type(shelf)(shelf.folder / "site-packages")
    shared.folder.mkdir()
    monkeypatch.syspath_prepend(shared.folder)
    shared.write("mine.py", "import my_charts, library\n" + shelf.player)
    shared.write("my_charts.py", "x = 1\n")
    shared.write("library.py", "x = 1\n")
    shared.register("mine", "")
    shared.write("mine-1.0.dist-info/RECORD", "mine.py,sha256=x,1\nmy_charts.py,,\n")
    shared.register("library", "", module="library")
    assert names_of(bold_of("mine")) == ["mine.py", "my_charts.py"]


def test_a_base_from_elsewhere_belongs_to_a_file(shelf: Shelf) -> None:
    """A competitor's file is its own text, and the strategy it builds on."""
    shelf.write("base.py", shelf.player)
    text = "from base import Bold\nclass Bolder(Bold): pass\n"
    sources = sources_of(load_competitor(text, "somewhere/bolder.py"))
    assert [name for name, _ in sources] == ["base.py", "bolder.py"]
    assert sources[1][1] == text


def test_a_file_is_its_own_text(shelf: Shelf) -> None:
    """What workers check a file's digest against is the file."""
    assert sources_of(load_competitor(shelf.player, "bold.py")) == (("bold.py", shelf.player),)


def test_a_module_without_source_is_refused(shelf: Shelf) -> None:
    """What cannot be archived cannot be shown again."""
    source = shelf.write("hidden.py", shelf.player)
    py_compile.compile(str(source), cfile=str(shelf.folder / "hidden.pyc"))
    source.unlink()
    message = "Bold: cannot read the source of its module 'hidden': it is missing; install the dist"
    with pytest.raises(PluginError, match=message):
        sources_of(bold_of("hidden"))


def test_a_class_whose_module_is_not_known_is_refused() -> None:
    """A class made by hand has no file."""
    kind = type("Made", (), {"__module__": "nowhere_at_all"})
    with pytest.raises(PluginError, match="Made: its module 'nowhere_at_all' cannot be imported"):
        sources_of(kind)


def test_no_source_is_named_by_a_place_on_the_machine(shelf: Shelf, tmp_path: Path) -> None:
    """Names are those of modules."""
    shelf.write("single.py", shelf.player)
    assert all(str(tmp_path) not in name for name in names_of(bold_of("single")))


def test_a_digest_depends_on_names_texts_and_options() -> None:
    """Each of them makes another strategy."""
    sources = (("a.py", "x = 1\n"), ("b.py", ""))
    same = digest_of(sources, {"units": 2, "ramp": [1, 2]})
    assert len(same) == 16
    assert same == digest_of(sources[::-1], (("ramp", (1, 2)), ("units", 2)))
    assert same == digest_of((("a.py", "x = 1\r\n"), ("b.py", "")), {"ramp": [1, 2], "units": 2})
    others = {
        digest_of(sources, {}),
        digest_of(sources, {"units": 3, "ramp": [1, 2]}),
        digest_of((("a.py", "x = 2\n"), ("b.py", "")), {"units": 2, "ramp": [1, 2]}),
        digest_of((("c.py", "x = 1\n"), ("b.py", "")), {"units": 2, "ramp": [1, 2]}),
        digest_of(sources[:1], {"units": 2, "ramp": [1, 2]}),
    }
    assert len(others | {same}) == 6


FILES = st.lists(st.tuples(st.text(max_size=3), st.text(max_size=3)), max_size=3, unique=True)


@given(FILES, FILES)
def test_only_equal_sources_have_equal_digests(
    first: list[tuple[str, str]], second: list[tuple[str, str]]
) -> None:
    """No text can run over into the next."""
    plain = [
        sorted((_with_plain_newlines(name), _with_plain_newlines(text)) for name, text in files)
        for files in (first, second)
    ]
    assert (digest_of(plain[0], {}) == digest_of(plain[1], {})) == (plain[0] == plain[1])


def _with_plain_newlines(text: str) -> str:
    return text.replace("\r", "\n")


@pytest.mark.parametrize("value", [float("nan"), object(), {1, 2}])
def test_options_must_be_writable_as_json(value: object) -> None:
    """What the store cannot keep is refused."""
    with pytest.raises(PluginError, match="options: expected numbers, text, lists and mappings"):
        digest_of((), {"x": value})


def test_a_chart_belongs_to_who_plays_by_it(shelf: Shelf) -> None:
    """Its text counts by itself, wherever it came from; a path on this machine is left out."""
    text = (
        "from pathlib import Path\n"
        "from tourney import ChartPlayer, read_chart\n"
        "FILE = Path(__file__).with_name('mine.txt')\n"
        "class Bold(ChartPlayer):\n"
        "    chart = read_chart(FILE.read_text(), str(FILE))\n"
    )
    chart = write_chart(always(Action.STAND))
    shelf.write("charted.py", text)
    (shelf.folder / "mine.txt").write_text(chart)
    before = sources_of(bold_of("charted"))
    assert before == (("charted.py", text), ("mine.txt", chart))
    (shelf.folder / "mine.txt").write_text(chart.replace("S", "H", 1))
    del sys.modules["charted"]
    after = sources_of(bold_of("charted"))
    assert digest_of(before, ()) != digest_of(after, ())


def test_a_class_that_is_made_of_a_chart_is_its_chart() -> None:
    """It has no module of an author; it is loaded as it is."""
    chart = write_chart(always(Action.HIT))
    kind = chart_player(chart, "folder/hits.txt")
    assert sources_of(kind) == (("hits.txt", chart),)
    assert reload(kind) is kind
