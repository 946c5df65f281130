"""Sources that attack their compiler: as root and as a user, and with layers off in turn."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.sandbox.cpp.compiling import told_of
from tests.sandbox.cpp.sources import BOMBS, BUILDS, MAKE, READ, SHAPES, Source
from tests.sandbox.cpp.written import one
from tests.support.cpp_build import build
from tests.support.proving import with_more
from tourney.errors import BuildError, PluginError
from tourney.sandbox.levels import Level, probe
from tourney.sandbox.lockdown import LAYERS
from tourney.sandbox.native import compilation, tools
from tourney.tournament import entrant_specs

pytestmark = pytest.mark.skipif(
    probe() is not Level.FULL or not shutil.which("g++"), reason="nothing can be compiled here"
)

ROOT = Path(__file__).parents[3]
LEFT = Path("/tmp/left-by-a-compiler")  # noqa: S108 - where it would be
USERS = {"root": 0, "user": 54_321} if os.getuid() == 0 else {"user": os.getuid()}
ALL = (*READ, *SHAPES, *MAKE, *BOMBS)
BY_NAME = {each.name: each for each in ALL}
CORE = "init_flags ctors thread_common ifunc malloc "
CORE += (
    "include incbin zero large section writable_code interpreter main forged_line escapes macros"
)
WITHOUT_LIMITS = [
    each.name for each in (*READ, *SHAPES, *MAKE) if each.name not in {"large", "skip"}
]
"""What could be tried where nothing limits a file: the others would fill the disk."""


def check(source: Source, refusal: str, told: str) -> None:
    """Make sure that a source got its due, and its author one line that is safe to show."""
    if source.told == BUILDS:
        assert not refusal
    else:
        assert source.told in refusal
        assert refusal.isprintable()
        assert len(refusal) < 2_500
    assert "root:" not in told
    assert "\x1b" not in told
    assert not LEFT.exists()


@pytest.mark.parametrize(
    "name", with_more(CORE.split(), [name for name in BY_NAME if name not in CORE.split()])
)
def test_a_source_is_refused_in_one_line(name: str) -> None:
    """It reads nothing, leaves nothing, and comes to an end."""
    check(BY_NAME[name], *told_of(BY_NAME[name]))


def test_there_are_many() -> None:
    """Of each kind."""
    assert len(BY_NAME) == len(ALL) >= 80


def tried(user: int, layers: Sequence[str], names: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Compile in another process; inside bubblewrap, if as somebody else."""
    order = {"user": user, "layers": layers, "names": names}
    command = [sys.executable, "-m", "tests.sandbox.cpp.compiling", json.dumps(order)]
    if user != os.getuid():
        from benchmarks.attacks import sandboxed

        command = sandboxed(order, "tests.sandbox.cpp.compiling")
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    return {name: (refusal, told) for name, refusal, told in lines}


WAYS = [(user, off) for user in USERS for off in ("", *LAYERS)]


@pytest.mark.skipif(not shutil.which("bwrap"), reason="nothing keeps somebody else apart here")
@pytest.mark.parametrize(
    ("user", "off", "is_core"),
    with_more([("user", "filter", True)], [(*each, False) for each in WAYS]),
)
def test_layers_of_a_compiler_back_each_other(user: str, off: str, *, is_core: bool) -> None:
    """Only Landlock hides files that everybody may read; nothing else depends on one layer."""
    named = {"": [*BY_NAME], "landlock": [each.name for each in (*SHAPES, *MAKE)]}
    names = named.get(off, WITHOUT_LIMITS)
    if is_core:
        names = [name for name in names if name in CORE.split()]
    found = tried(USERS[user], [each for each in LAYERS if each != off], names)
    assert len(found) == len(names)
    for name, came in found.items():
        check(BY_NAME[name], *came)


def test_no_memory_is_written_and_executed() -> None:
    """Whatever a source asks of the linker."""
    top = BY_NAME["stack"].top
    program = build((("player.cpp", one(top=top)),)).program
    with tools.workshop() as folder:
        (folder / "program").write_bytes(program)
        done = tools.run_tool(folder, ".", ("readelf", "-lW", "program"))
    assert "GNU_STACK" in done.told
    assert "RWE" not in done.told
    assert "INTERP" not in done.told


@pytest.mark.parametrize(
    "name",
    [
        "../x.cpp",
        str(LEFT),
        "a/../b.cpp",
        "a\n.cpp",
        "x\x1b.cpp",
        "",
        ".",
        "a//b.h",
    ],
)
def test_a_name_leads_nowhere_else(name: str) -> None:
    """Files are written in their folder only."""
    with pytest.raises(BuildError, match="expected the name of a file in its folder"):
        build(tuple(sorted([(name, "int x;"), ("player.cpp", one())])))
    assert not LEFT.exists()


def test_a_file_is_no_folder() -> None:
    """And a folder is no file."""
    with pytest.raises(BuildError, match=r"got 'a\.cpp'"):
        build((("a.cpp", one()), ("a.cpp/b.h", "")))


@pytest.mark.parametrize("name", ["-o.cpp", "@x.cpp", "-include.cpp", "--help.cpp", "a b;c.cpp"])
def test_a_name_is_no_option(name: str) -> None:
    """Of a compiler or a shell."""
    assert build(((name, one()),)).program[:4] == b"\x7fELF"


def test_a_forged_place_is_not_shown() -> None:
    """Only files that were handed in, or are ours, have places."""
    with pytest.raises(BuildError) as caught:
        build((("player.cpp", one(top='#line 7 "/etc/shadow"\nint x = y;')),))
    assert caught.value.place == ""


def test_an_error_in_a_library_is_shown_at_the_authors_line() -> None:
    """Not in the library's file, which the author has not written."""
    with pytest.raises(BuildError) as caught:
        build((("player.cpp", one("std::vector<void> v; return minimum;")),))
    assert caught.value.place.startswith("player.cpp:")


def test_a_class_is_built_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """On all cores, told how far it is; two with the same files are built once."""
    compilation.build.cache_clear()
    monkeypatch.setattr(compilation, "cache_folder", lambda: None)
    monkeypatch.setattr(entrant_specs, "TOLD_EVERY", 1)
    right = (("player.cpp", one("return minimum + 3;")),)
    other = (("player.cpp", one("return minimum + 4;")),)
    wrong = (("player.cpp", one("return wager;")),)
    told: list[str] = []
    class_ = [("Ada", "cpp", right), ("Eve", "cpp", other), ("Ida", "cpp", right)]
    entrant_specs.build_all(class_, told.append)
    assert told == ["built 1 of 2 programs", "built 2 of 2 programs"]
    assert compilation.build.cache_info().currsize == len(told)
    with pytest.raises(PluginError, match=r"^entrant Joe: player\.cpp:13: expected C\+\+ that"):
        entrant_specs.build_all([*class_, ("Joe", "cpp", wrong)])
