"""Machine code is kept by the code that it was made of, and by nothing else."""

import json
from collections.abc import Callable, Iterator
from errno import ENOSPC
from pathlib import Path
from types import SimpleNamespace

import pytest

from tourney.game.machine import compile_cache
from tourney.game.machine.compile_cache import CodeUnit, is_kept, is_made, note_made, state_of

FILES = {
    "__init__.py": "",
    "kernels/__init__.py": "",
    "kernels/rounds.py": '''"""Plays."""
from tourney.games import rules
from tourney.games.limits import MOST
from tourney.games.page import LEAST

# A comment.
def play(rounds):
    """Play rounds."""
    return max(LEAST, min(rounds, MOST, rules.SEATS))
''',
    "games/__init__.py": '"""Games."""\n',
    "games/rules.py": "SEATS = 4\n",
    "games/limits.py": "from tourney.games.deep import DEPTH\n\nMOST = 2 * DEPTH\n",
    "games/deep.py": "DEPTH = 3\n",
    "games/other.py": "OTHER = 1\n",
    "games/page/__init__.py": """from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tourney.games.page.most import LARGEST
    from tourney.games.page.small import LEAST
""",
    "games/page/small.py": """from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tourney.games.other import OTHER

LEAST = 1

def told():
    from tourney.games.page.most import LARGEST
""",
    "games/page/most.py": "LARGEST = 9\n",
}
ROUNDS = "tourney.kernels.rounds"

Change = Callable[[str, str], str]


@pytest.fixture
def anew() -> Iterator[Callable[[], None]]:
    """Forget what was read of modules, as a new process would."""

    def forget() -> None:
        for function in (
            compile_cache.state_of,
            compile_cache._source_of,
            compile_cache._sources,
            compile_cache._file_of,
        ):
            function.cache_clear()
        for function in (compile_cache._mark, compile_cache.folder):
            function.cache_clear()

    forget()
    yield forget
    forget()


@pytest.fixture
def change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, anew: Callable[[], None]
) -> Iterator[Change]:
    """Write a file of a small package anew, and give the state of what plays rounds there."""
    monkeypatch.setattr(compile_cache, "ROOT", tmp_path)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    for name, text in FILES.items():
        file = tmp_path / "tourney" / name
        file.parent.mkdir(exist_ok=True, parents=True)
        file.write_text(text, encoding="utf-8")

    def write(name: str, text: str) -> str:
        (tmp_path / "tourney" / name).write_text(text, encoding="utf-8")
        anew()
        return state_of(ROUNDS)

    yield write
    anew()


@pytest.mark.parametrize(
    "name", ["kernels/rounds.py", "games/limits.py", "games/deep.py", "games/page/small.py"]
)
def test_code_counts_with_all_that_it_imports(change: Change, name: str) -> None:
    """Its constants come from there, be it by way of others."""
    before = change("games/other.py", FILES["games/other.py"])
    assert change(name, FILES[name] + "\nMORE = 1\n") != before


def test_a_module_that_is_imported_by_its_package_counts(change: Change) -> None:
    """Such as `from tourney.games import rules`."""
    before = change("games/rules.py", FILES["games/rules.py"])
    assert change("games/rules.py", "SEATS = 5\n") != before


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("games/other.py", "OTHER = 2\n"),
        ("games/new.py", "NEW = 1\n"),
        ("kernels/other.py", "OTHER = 2\n"),
        ("games/page/most.py", "LARGEST = 8\n"),  # a function imports it, and a page offers it
        ("games/deep.py", '"""Says how deep."""\n\n# Not deep.\n\nDEPTH = 3\n"""In rounds."""\n'),
        (
            "kernels/rounds.py",
            FILES["kernels/rounds.py"].replace("Play rounds", "Play several"),
        ),
        (
            "kernels/rounds.py",
            FILES["kernels/rounds.py"].replace("# A comment.", "# 1\n# 2"),
        ),
    ],
)
def test_nothing_else_counts(change: Change, name: str, text: str) -> None:
    """Whoever adds a file or explains one waits for no compiler."""
    before = change("games/rules.py", FILES["games/rules.py"])
    assert change(name, text) == before


def test_the_time_of_a_file_does_not_count(change: Change, tmp_path: Path) -> None:
    """A fresh checkout has other times."""
    before = change("games/rules.py", FILES["games/rules.py"])
    import os

    os.utime(tmp_path / "tourney" / "games" / "rules.py", (1, 1))
    assert change("games/other.py", FILES["games/other.py"]) == before


def test_what_was_read_is_kept_for_the_next_process(
    change: Change, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To read all files anew would take each command a fifth of a second."""
    before = change("games/rules.py", FILES["games/rules.py"])
    monkeypatch.delattr(compile_cache.ast, "parse")
    assert change("games/other.py", "OTHER = 2\n") == before
    with pytest.raises(AttributeError, match="parse"):
        change("games/deep.py", "DEPTH = 4\n")


def test_what_another_version_of_the_reader_kept_is_read_again(
    change: Change, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may have taken something else out of the same file."""
    change("games/rules.py", FILES["games/rules.py"])
    monkeypatch.setattr(compile_cache, "platform", SimpleNamespace(python_version=lambda: "3.99"))
    monkeypatch.delattr(compile_cache.ast, "parse")
    with pytest.raises(AttributeError, match="parse"):
        change("games/other.py", "OTHER = 2\n")


@pytest.mark.parametrize("damaged", ["", '{"tourney.games": ["'])
def test_a_damaged_record_counts_as_none(change: Change, tmp_path: Path, damaged: str) -> None:
    """It is written again."""
    before = change("games/rules.py", FILES["games/rules.py"])
    record = tmp_path / "machine-code" / compile_cache.SOURCES
    whole = record.read_text("utf-8")
    record.write_text(damaged, encoding="utf-8")
    assert change("games/rules.py", FILES["games/rules.py"]) == before
    assert json.loads(record.read_text("utf-8")) == json.loads(whole)


def test_where_the_record_cannot_be_written_all_else_works(
    change: Change, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only speed depends on it, and nothing half written is left."""
    before = change("games/rules.py", FILES["games/rules.py"])
    (tmp_path / "machine-code" / compile_cache.SOURCES).unlink()

    def refuse(*_: object) -> None:
        raise OSError(ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "replace", refuse)
    assert change("games/rules.py", FILES["games/rules.py"]) == before
    assert not list((tmp_path / "machine-code").iterdir())


def test_a_part_is_made_once_it_is_noted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, anew: Callable[[], None]
) -> None:
    """In the folder that numba is told of."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    anew()
    part, other = (
        CodeUnit("some", "tourney.games.straights.kernels.declared_blocks"),
        CodeUnit("other", "tourney.game.machine.philox"),
    )
    assert not is_made(part)
    note_made(part)
    assert (is_made(part), is_made(other)) == (True, False)
    (made,) = (tmp_path / "machine-code").glob("*.made")
    assert made.name.startswith("some-")


def test_where_nothing_is_compiled_nothing_is_waited_for(
    monkeypatch: pytest.MonkeyPatch, anew: Callable[[], None]
) -> None:
    """Numba can be told to compile nothing."""
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    anew()
    assert is_made(CodeUnit("some", "tourney.games.straights.kernels.declared_blocks"))
    assert not is_kept("tourney.games.straights.kernels.declared_blocks")


def test_only_code_of_this_package_is_kept() -> None:
    """What others compile by it may change without a trace here."""
    assert is_kept("tourney.games.straights.kernels.declared_blocks")
    assert not is_kept("somebody.elses")
