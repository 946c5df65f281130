"""The command line in a process of its own: terminals, pipes, interrupts and full disks."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Cli = Callable[..., Any]
Write = Callable[[str, str], Path]

PATIENCE = 60
"""Seconds after which a process is taken for stuck."""

needs_a_terminal = pytest.mark.skipif(
    not hasattr(os, "openpty"), reason="this system has no pseudo-terminals"
)


def command(*arguments: object) -> list[str]:
    """Give the command line of a process."""
    return [sys.executable, "-m", "tourney", *map(str, arguments)]


def run_on_a_terminal(
    arguments: list[str], folder: Path, environment: dict[str, str]
) -> tuple[int, str, str]:
    """Run a command whose standard error is a terminal; give its status, output and messages."""
    mine, its = os.openpty()
    process = subprocess.Popen(
        arguments,
        cwd=folder,
        env={**environment, "TERM": "xterm", "COLUMNS": "100", "LINES": "30"},
        stdout=subprocess.PIPE,
        stderr=its,
        text=True,
    )
    os.close(its)
    shown = bytearray()
    while True:
        try:
            chunk = os.read(mine, 65536)
        except OSError:  # so Linux says that nobody writes to the terminal any more
            chunk = b""
        if not chunk:
            break
        shown += chunk
    os.close(mine)
    out, _ = process.communicate(timeout=PATIENCE)
    return process.returncode, out, shown.decode()


@needs_a_terminal
def test_progress_is_shown_on_a_terminal(small: Path, environment: dict[str, str]) -> None:
    """Batches, time and the standings so far; names with brackets are shown as they are."""
    text = small.read_text(encoding="utf-8")
    text = text.replace("name: Small", "name: '[/red] cup'").replace("group: staff", "as: '[/b]'")
    small.write_text(text, encoding="utf-8")
    arguments = command("run", small.name, "--workers", 1)
    status, out, shown = run_on_a_terminal(arguments, small.parent, environment)
    assert status == 0
    assert "\x1b[" in shown
    assert "6/6" in shown
    assert "batches" in shown
    assert "[/red] cup" in shown
    assert "Mean final bankroll so far" in shown
    assert "on the floor: " in shown
    assert "\x1b" not in out
    assert {line.split()[2] for line in out.splitlines()[4:]} == {"simple", "counting", "[/b]"}


@pytest.mark.parametrize("forced", [{}, {"FORCE_COLOR": "1"}], ids=["plain", "forced"])
def test_progress_is_not_shown_where_nobody_watches(
    small: Path, environment: dict[str, str], forced: dict[str, str]
) -> None:
    """Messages in a file are five lines without control sequences, whatever colours are forced."""
    done = subprocess.run(
        command("run", small.name, "--workers", 1),
        cwd=small.parent,
        env=environment | forced,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0
    assert len(done.stderr.splitlines()) == 5
    assert "\x1b" not in done.stderr + done.stdout


@pytest.mark.parametrize("arguments", [("list", "strategies"), ("--help",)], ids=" ".join)
def test_a_reader_that_has_seen_enough_is_no_failure(
    environment: dict[str, str], arguments: tuple[str, ...]
) -> None:
    """As with `tourney list strategies | head -1`, but surely too late to write a word."""
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            command(*arguments),
            env=environment,
            stdout=writing,
            stderr=subprocess.PIPE,
            timeout=PATIENCE,
            check=False,
        )
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full device")
def test_output_that_cannot_be_written_is_told(environment: dict[str, str]) -> None:
    """A full disk is one line and status 1."""
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            command("list", "games"),
            env=environment,
            stdout=full,
            stderr=subprocess.PIPE,
            timeout=PATIENCE,
            check=False,
        )
    assert done.returncode == 1
    assert done.stderr == b"the output cannot be written (No space left on device)\n"


def test_letters_a_terminal_has_not_are_shown_by_their_code(
    small: Path, environment: dict[str, str]
) -> None:
    """A board with a Greek name can be read on a Latin terminal."""
    text = small.read_text(encoding="utf-8").replace("group: staff", "as: λ")
    small.write_text(text, encoding="utf-8")
    done = subprocess.run(
        command("run", small.name, "--workers", 1),
        cwd=small.parent,
        env=environment | {"PYTHONIOENCODING": "latin-1"},
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0
    assert rb"\u03bb" in done.stdout
    assert b"Traceback" not in done.stderr


WAITING = """\
import time
from pathlib import Path

from tourney import Player


class Waiting(Player):
    def __init__(self):
        while not Path("go").exists():
            Path("waits").touch()
            time.sleep(0.05)

    def bet(self, bankroll, minimum):
        return minimum

    def draw(self, dealer, player):
        return player.total < 16
"""


@pytest.mark.prove
@pytest.mark.parametrize("workers", [1, 2])
def test_an_interrupted_run_is_gone_on_with(
    cli: Cli, small: Path, write: Write, environment: dict[str, str], workers: int
) -> None:
    """Status 130 and the command that resumes; the end is that of a run nobody interrupted."""
    folder = small.parent
    write("waiting.py", WAITING)
    with small.open("a", encoding="utf-8") as config:
        config.write("  - file: waiting.py\n")
    arguments = command("run", small.name, "--workers", workers, "--no-sandbox")
    with subprocess.Popen(
        arguments,
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        end = time.monotonic() + PATIENCE
        while not (folder / "waits").exists():
            assert process.poll() is None
            assert time.monotonic() < end
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out) == (130, "")
    assert "Traceback" not in err
    assert err.rstrip().splitlines()[-2:] == [
        "interrupted; every finished batch is kept",
        "to resume: tourney resume 1 --store tourney.db --no-sandbox",
    ]
    (folder / "go").touch()
    resumed = cli("resume", 1, "--store", "tourney.db", "--no-sandbox", "--workers", 1)
    whole = cli("run", small, "--store", "other.db", "--no-sandbox", "--workers", 1)
    assert (resumed.status, resumed.out) == (0, whole.out)
    assert cli("verify", "--full", "--no-sandbox", "--workers", 1).status == 0


@pytest.mark.parametrize(
    ("arguments", "place", "words"),
    [
        (("check", "bold.py"), "tourney.cli.check.check", "interrupted"),
        (("run", "small.yaml"), "tourney.cli.run.enter", "interrupted; nothing was stored"),
    ],
)
def test_an_interrupt_is_reported_once(
    cli: Cli,
    small: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    place: str,
    words: str,
) -> None:
    """Of any command; the empty line ends that of the terminal's ^C."""

    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(place, interrupt)
    ran = cli(*arguments)
    assert (ran.status, ran.out, ran.err.strip("\n")) == (130, "", words)
    assert small.exists()
    assert not Path("tourney.db").exists()


def test_a_competitor_that_reads_finds_the_end_of_input(
    write: Write, small: Path, environment: dict[str, str]
) -> None:
    """With nothing to read, it gets a verdict; nobody waits for a keyboard."""
    write("asking.py", WAITING.replace("return minimum", "return int(input())"))
    write("go", "")
    with small.open("a", encoding="utf-8") as config:
        config.write("  - file: asking.py\n")
    done = subprocess.run(
        command("run", small.name, "--workers", 1, "--no-sandbox"),
        cwd=small.parent,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 1
    assert "asking.py:14: bet: expected an answer, got EOFError: " in done.stderr


def test_what_competitors_print_in_workers_does_not_mix_with_results(
    write: Write, small: Path, environment: dict[str, str]
) -> None:
    """Workers are processes of their own; their standard output is not that of the results."""
    write("talking.py", WAITING.replace("return minimum", "print('hello'); return minimum"))
    write("go", "")
    with small.open("a", encoding="utf-8") as config:
        config.write("  - file: talking.py\n")
    done = subprocess.run(
        command("run", small.name, "--workers", 2, "--no-sandbox", "--format", "csv"),
        cwd=small.parent,
        env=environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0
    assert len(done.stdout.splitlines()) == 5
    assert "hello" in done.stderr


@pytest.mark.parametrize(
    ("closed", "arguments"),
    [
        (">&-", ("leaderboard",)),
        (">&-", ("watch", "--no-wait")),
        ("2>&-", ("run", "small.yaml", "--workers", 1)),
        ("2>&-", ("publish", "--output", "site", "--samples", 0)),
        ("<&- >&- 2>&-", ("run", "small.yaml", "--workers", 2)),
    ],
)
def test_a_closed_stream_is_no_fault(
    store: Path,
    small: Path,
    environment: dict[str, str],
    closed: str,
    arguments: tuple[object, ...],
) -> None:
    """The command does all the same, and nobody hears of it."""
    done = subprocess.run(
        ["sh", "-c", f'exec "$@" {closed}', "sh", *command(*arguments)],
        check=False,
        cwd=store.parent,
        env=environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert (done.returncode, "Traceback" in done.stderr) == (0, False)
