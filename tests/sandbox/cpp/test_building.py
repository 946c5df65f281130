"""Building competitors in C++: what is built and refused, and what no compiler is made to do."""

import shutil
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.sandbox.cpp.written import COUNTING, one
from tests.support.cpp_build import build
from tourney.errors import ConfinementError
from tourney.sandbox.levels import Level, probe
from tourney.sandbox.native import compilation, tools
from tourney.sandbox.native.compilation import BuildError

pytestmark = pytest.mark.skipif(
    probe() is not Level.FULL or not shutil.which("g++"), reason="nothing can be compiled here"
)


@pytest.fixture
def no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep no programs."""
    monkeypatch.setattr(compilation, "cache_folder", lambda: None)


def refusal(*files: tuple[str, str]) -> BuildError:
    """Give why files are no program."""
    with pytest.raises(BuildError) as caught:
        build(tuple(sorted(files)))
    assert "tourney-build" not in str(caught.value) + caught.value.told
    assert "../" not in caught.value.told
    return caught.value


@pytest.mark.usefixtures("no_cache")
def test_the_same_source_gives_the_same_program() -> None:
    """In another folder, by another process, byte by byte."""
    files = (("player.cpp", COUNTING),)
    first = build(files)
    compilation.build.cache_clear()
    compilation._ours.cache_clear()
    assert build(files) == first
    assert first.words.startswith("g++ ")
    assert first.program[:4] == b"\x7fELF"


def test_a_kept_program_that_was_damaged_is_built_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is kept has a seal."""
    monkeypatch.setattr(compilation, "cache_folder", lambda: tmp_path)
    files = (("player.cpp", one("return minimum + 1;")),)
    compilation.build.cache_clear()
    first = build(files)
    kept = list(tmp_path.glob("*.program"))
    assert kept
    for path in kept:
        data = path.read_bytes()
        path.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    compilation.build.cache_clear()
    assert build(files).program == first.program


def test_mistakes_are_shown_with_the_authors_line() -> None:
    """The first error, as the compiler says it."""
    error = refusal(("player.cpp", one("return wager;")))
    assert error.place == "player.cpp:13"
    assert "expected C++ that compiles, got: 'wager' was not declared" in str(error)


def test_what_is_not_defined_is_shown_with_its_line() -> None:
    """The linker names lines, too."""
    error = refusal(("player.cpp", one("return missing();", top="int missing();")))
    assert error.place == "player.cpp:13"
    assert "undefined reference to `missing()'" in str(error)


def test_warnings_are_kept_for_the_author() -> None:
    """As the course has them shown, by -Wall."""
    built = build((("player.cpp", one("int unused = 3; return minimum;")),))
    assert "player.cpp:13:" in built.warnings
    assert "unused variable" in built.warnings
    assert "tourney-build" not in built.warnings


def test_a_file_without_a_player_says_what_to_add() -> None:
    """The functions of the documents."""
    assert "Player *get_Competitor()" in str(refusal(("player.cpp", "int x; // get_Simple() {\n")))


def test_a_main_in_the_players_file_is_named() -> None:
    """With its line."""
    error = refusal(("player.cpp", one() + "\nint main() { return 0; }\n"))
    assert error.place == "player.cpp:23"


def test_a_project_is_built_without_what_is_ours_and_without_its_driver() -> None:
    """Of a folder as it is handed in, only the players' files count."""
    files = {
        "player.cpp": one("return chips(minimum);", top='#include "chips.h"'),
        "chips.h": "int chips(int minimum);\n",
        "chips.cpp": '#include "chips.h"\nint chips(int minimum) { return minimum; }\n',
        "card.h": "#error ours\n",
        "hand.cpp": "#error ours\n",
        "deck.cpp": "#error ours\n",
        "blackjack.cpp": "#error a driver\nint main(int argc, char *argv[]) { return 0; }\n",
        "player.case.0.cpp": "#error a test\nint main() { return 0; }\n",
    }
    built = build(tuple(sorted(files.items())))
    expected = ("blackjack.cpp", "card.h", "deck.cpp", "hand.cpp", "player.case.0.cpp")
    assert built.set_aside == expected


def test_a_tool_has_no_network_and_writes_in_its_folder_only(tmp_path: Path) -> None:
    """The shell stands for a compiler that was taken over."""
    target = tmp_path / "left"
    target.touch(mode=0o666)
    tmp_path.chmod(0o777)
    with tools.workshop() as folder:
        done = tools.run_tool(folder, ".", ("bash", "-c", f"echo x > {target}"))
        assert "Permission denied" in done.told
        done = tools.run_tool(folder, ".", ("bash", "-c", "echo x > /dev/tcp/127.0.0.1/9"))
        assert "Permission denied" in done.told
        done = tools.run_tool(folder, ".", ("bash", "-c", "kill -9 1"))
        assert "Permission denied" in done.told
        assert tools.run_tool(folder, ".", ("bash", "-c", "echo x > here; cat here")).told == "x\n"
    assert not target.read_text()


def test_without_a_compiler_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """And nothing is tried."""
    monkeypatch.setattr(tools, "which", lambda *_, **__: None)
    tools.place_of.cache_clear()
    with pytest.raises(ConfinementError, match="apt-get install g\\+\\+"):
        tools.place_of("g++")
    tools.place_of.cache_clear()


MANY = 12
TRIVIAL = "#include <iostream>\nint part{}() {{ return {}; }}\n"


def test_all_files_of_a_build_have_one_limit_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hundred files, each within the limit of one, do not take a hundred times as long."""
    monkeypatch.setattr(tools, "BUILD_CPU_SECONDS", 0.01)
    files = [(f"part{at}.cpp", TRIVIAL.format(at, at)) for at in range(MANY)]
    error = refusal(("player.cpp", one()), *files)
    assert str(error) == (
        "expected a build that takes at most 0.01 s of computing, got more after 1 of 13 files; "
        "make it simpler, or divide it into fewer files"
    )


@pytest.mark.usefixtures("no_cache")
def test_a_build_that_sleeps_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit on the wall is one for all files, too."""
    monkeypatch.setattr(tools, "BUILD_SECONDS", 0.0)
    error = refusal(("player.cpp", one("return minimum + 54;")))
    assert "expected a build that takes at most 0 s, got more after 0 of 1 files" in str(error)


@pytest.mark.usefixtures("no_cache")
def test_a_test_case_has_the_limit_of_a_build(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiling it and linking it with everything it is tried on."""
    made = compilation.build_object("a.case.1.cpp", b"int main() { return 0; }", {})
    monkeypatch.setattr(tools, "BUILD_CPU_SECONDS", 0.0)
    with pytest.raises(BuildError, match="at most 0 s of computing, got more"):
        compilation.build_object("a.case.2.cpp", b"int main() { return 0; }", {})
    with pytest.raises(BuildError, match="at most 0 s of computing, got more"):
        compilation.link_objects([[made]], ())


def test_what_is_left_of_a_build() -> None:
    """Every tool takes from one sum."""
    budget = tools.BuildBudget(cpu_seconds=2.5, seconds=1_000)
    assert (budget.left, budget.overrun) == (2.5, "")
    budget.use(1.5)
    assert (budget.left, budget.overrun) == (1.0, "")
    budget.use(1.0)
    assert budget.left == 0
    told = "expected a build that takes at most 2.5 s of computing, got more"
    assert budget.overrun == told
    told = "expected a build that takes at most 0 s, got more"
    assert tools.BuildBudget(seconds=0).overrun == told


def test_several_builds_may_have_one_limit_together() -> None:
    """Each takes from its own and from the common one, whichever ends first."""
    both = tools.BuildBudget(3.0, 1_000, title="cases that take")
    first, second = (tools.BuildBudget(2.0, 1_000, within=both) for _ in range(2))
    first.use(1.5)
    assert (first.left, second.left, both.left) == (0.5, 1.5, 1.5)
    second.use(1.5)
    told = "expected cases that take at most 3 s of computing, got more"
    assert {first.overrun, second.overrun} == {told}


def test_a_tool_is_charged_with_what_its_processes_compute() -> None:
    """The shell's child computes, and the shell waits for it."""
    budget = tools.BuildBudget()
    with tools.workshop() as folder:
        loop = "i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done"
        tools.run_tool(folder, ".", ("bash", "-c", f"bash -c '{loop}'; true"), budget=budget)
    assert 0.01 < budget.cpu_seconds - budget.left < tools.CPU_SECONDS


def test_objects_have_one_limit_of_size_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of them is small enough for itself."""
    monkeypatch.setattr(compilation, "FILE_BYTES", 100_000)
    text = "extern const char part{0}[] = {{{1}}};\n"
    files = [(f"part{at}.cpp", text.format(at, "7, " * 30_000)) for at in range(4)]
    error = refusal(("player.cpp", one()), *files)
    assert "expected a program of at most 0 MiB, got more" in str(error)


@pytest.mark.usefixtures("no_cache")
def test_warnings_have_one_limit_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of all files, not of each."""
    monkeypatch.setattr(compilation, "TOLD_BYTES", 300)
    compilation.build.cache_clear()
    unused = [(f"part{at}.cpp", "static int unused() { return 1; }\n") for at in range(3)]
    built = build(tuple(sorted([("player.cpp", one()), *unused])))
    assert 0 < len(built.warnings) <= 300
    compilation.build.cache_clear()


def test_a_tool_leaves_no_process_behind() -> None:
    """Not even one that would leave its group; the shell stands for a compiler taken over."""
    with tools.workshop() as folder:
        done = tools.run_tool(
            folder, ".", ("bash", "-c", "setsid sleep 54.5 & sleep 54.5 & (setsid true || echo no)")
        )
        assert "no\n" in done.told
    until = time.monotonic() + 10  # the kernel may take a moment to end them
    while (left := b"sleep\x0054.5\0" in set(_command_lines())) and time.monotonic() < until:
        time.sleep(0.01)
    assert not left


def _command_lines() -> Iterator[bytes]:
    for folder in Path("/proc").iterdir():
        with suppress(OSError):  # it has ended meanwhile, or is no process
            yield (folder / "cmdline").read_bytes()
