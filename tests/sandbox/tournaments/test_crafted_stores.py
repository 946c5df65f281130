"""A store from a stranger is data: nothing it says lets its code run with rights.

Every command of the command line is tried on every crafted store; `crafted` makes them.
"""

import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.proving import with_more
from tourney.cli import main
from tourney.cli.commands import command_names
from tourney.sandbox.levels import Level, probe

from . import crafted
from .crafted import ADA, BESIDE, CRAFTS, PLAYING, READING, Marks, claim, interrupt, marking, swap

pytestmark = pytest.mark.skipif(
    probe() is not Level.FULL, reason="this machine cannot confine players fully"
)

Ran = tuple[int, str, str]
Run = Callable[..., Ran]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Play the tournament once, as it should be."""
    folder = tmp_path_factory.mktemp("played")
    config, store = crafted.write_cup(folder), folder / "tourney.db"
    assert main(["run", str(config), "--store", str(store), "--workers", "1"]) == 0
    return store


@pytest.fixture
def store(tmp_path: Path, played: Path) -> Path:
    """Lay the store into the folder of the test, with what commands read beside it."""
    for file in played.parent.glob("tourney.db*"):
        shutil.copy(file, tmp_path)
    for name, text in BESIDE.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path / "tourney.db"


@pytest.fixture
def marks(tmp_path: Path) -> Marks:
    """Give where sources leave marks: a folder that everybody may write to."""
    tmp_path.chmod(0o777)
    return Marks(tmp_path)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Give what runs a command in the folder of the test, in this process."""
    monkeypatch.chdir(tmp_path)

    def called(*arguments: str) -> Ran:
        capsys.readouterr()
        modules = dict(sys.modules)
        status = main(list(arguments))
        changed = {name for name in modules if sys.modules.get(name) is not modules[name]}
        assert not {name for name in changed if not name.startswith("_competitor")}
        seen = capsys.readouterr()
        return status, seen.out, seen.err

    return called


@pytest.mark.parametrize("name", CRAFTS)
def test_no_command_runs_what_a_store_brings(
    name: str, store: Path, marks: Marks, run: Run
) -> None:
    """It is confined or refused, in one message; and so is what is left to play of it."""
    CRAFTS[name](store, marks.path)
    untouched = store.with_name("crafted.db")
    shutil.copy(store, untouched)
    for command, arguments in {**READING, **PLAYING}.items():
        shutil.copy(untouched, store)
        if command == "resume":
            interrupt(store)
        status, _, err = run(*arguments)
        assert not marks.take(), f"{command} has run it"
        assert "Traceback" not in err, command
        assert status in {0, 1, 2}, command
        assert "\x1b" not in err, command


@pytest.mark.parametrize("level", with_more(["unsafe"], [""]))
@pytest.mark.parametrize("command", PLAYING)
def test_whoever_trusts_it_says_so_every_time(
    command: str, level: str, store: Path, marks: Marks, run: Run
) -> None:
    """There is one way around, for every command that plays; and then the marks are found."""
    crafted.bring_marks(store, marks.path)
    claim(store, level)
    if command == "resume":
        interrupt(store)
    status, _, err = run(*PLAYING[command], "--no-sandbox")
    assert (status, marks.take()) == (0, True), err


@pytest.mark.parametrize("command", PLAYING)
def test_trust_makes_nothing_less_of_a_run_that_was_confined(
    command: str, store: Path, marks: Marks, run: Run
) -> None:
    """What is said to have been confined plays confined."""
    crafted.bring_marks(store, marks.path)
    if command == "resume":
        interrupt(store)
    run(*PLAYING[command], "--no-sandbox")
    assert not marks.take()


@pytest.mark.parametrize("level", ["", "unsafe"])
def test_even_who_trusts_runs_nothing_of_another_digest(
    level: str, store: Path, marks: Marks, run: Run
) -> None:
    """Digests are compared before anything is loaded."""
    crafted.bring_marks(store, marks.path, has_right_digest=False)
    claim(store, level)
    untouched = store.with_name("crafted.db")
    shutil.copy(store, untouched)
    for command, arguments in PLAYING.items():
        shutil.copy(untouched, store)
        if command == "resume":
            interrupt(store)
        status, _, err = run(*arguments, "--no-sandbox")
        assert (status, marks.take()) == (2, False), command
        assert "is not the one that the run began with" in err, command


def test_a_run_without_a_level_is_verified_confined(store: Path, run: Run) -> None:
    """A missing level is no reason to refuse what can be confined here."""
    claim(store, "")
    status, out, err = run(*PLAYING["verify --full"])
    first = "run 1: 6 of 6 replayed batches give the stored digests (6 stored)"
    assert (status, out.splitlines()[0]) == (0, first)
    assert "sandbox full: the code of 2 entrants ran in sandboxed processes" in err


def test_a_run_that_began_with_trust_is_refused_without_it(store: Path, run: Run) -> None:
    """With the reason, and what to do."""
    claim(store, "unsafe")
    status, out, err = run(*PLAYING["verify"])
    assert (status, out) == (2, "")
    assert err.endswith(
        "2 entrants bring their own code (ada.py and Leo), which would run with all your "
        "permissions, because the run began without a sandbox. Read the code, then add "
        "--no-sandbox\n"
    )


def test_a_refused_run_is_not_extended(store: Path, run: Run) -> None:
    """It stays as it was: finished."""
    claim(store, "unsafe")
    assert run(*PLAYING["extend"])[0] == 2
    assert "finished" in run("runs")[1]
    claim(store, "FULL")
    assert run(*PLAYING["extend"])[0] == 1
    claim(store, "unsafe")
    assert "finished" in run("runs")[1]


def test_no_command_suggests_trust_because_a_store_says_so(store: Path, run: Run) -> None:
    """Who has not trusted it is not told to."""
    claim(store, "unsafe")
    interrupt(store)
    for command, arguments in READING.items():
        _, out, err = run(*arguments)
        assert "--no-sandbox" not in out + err, command


def test_no_command_of_the_list_is_left_out() -> None:
    """Whoever adds one says here whether it reads a store."""
    named = {arguments[0] for arguments in (*PLAYING.values(), *READING.values())}
    reads_none = {
        "run", "compare", "list", "schema", "play", "ev", "solve", "new", "check", "mutants",
        "class", "commit", "serve", "submit", "submissions", "demo",
    }  # fmt: skip
    assert named | reads_none == set(command_names())
    assert not named & reads_none


def test_an_unknown_level_is_one_clear_message(store: Path, run: Run) -> None:
    """Whichever command reads it."""
    claim(store, "FULL")
    for arguments in (PLAYING["verify"], ("leaderboard", "1"), ("runs",)):
        status, out, err = run(*arguments)
        assert (status, out) == (1, "")
        assert err.endswith(
            "run 1: the sandbox level is wrong: 'FULL'. The file was damaged or changed; restore "
            "it from a backup\n"
        )


def test_what_a_store_says_of_confinement_is_shown_as_its_word(store: Path, run: Run) -> None:
    """Nobody here has seen how the code ran then."""
    words = "sandbox full according to the store: the code of 2 entrants ran in sandboxed processes"
    assert words in run("leaderboard", "1")[2]
    assert words in run("verdicts", "1")[2]
    assert words.partition(" ")[2] in run("runs", "1")[1]


def test_an_entrant_of_no_kind_is_one_clear_message(store: Path, marks: Marks, run: Run) -> None:
    """Whatever is done with its run."""
    swap(store, ADA, [("ada.py", marking(marks.path))], kind="plugin")
    status, out, err = run(*PLAYING["verify"])
    assert (status, out) == (1, "")
    assert err == (
        "run 1: entrant ada: unknown kind 'plugin', not a strategy, a file, a program in C++, "
        "a chart, a package, a class of this program, a program or a command: the store is "
        "damaged, or was not written by tourney\n"
    )
