"""Programs as a person meets them: on a terminal that echoes, edits lines and interrupts.

A test starts one with `program = terminal("play", "straights", 42)`, waits for what it shows
with `program.wait_for(">")`, answers with `program.type(...)` and looks at `program.end()`.
"""

import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

PATIENCE = 60.0
"""Seconds after which a program is taken for stuck; far more than anything here takes."""
INTERRUPT, END_OF_INPUT = "\x03", "\x04"
"""What Control-C and Control-D send; the latter ends the input at the start of a line."""

TAKE_TERMINAL = """\
import fcntl, os, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execv(sys.executable, [sys.executable, "-m", "tourney", *sys.argv[1:]])
"""
"""Makes the terminal the one that Control-C of this program comes from, then becomes it."""


@dataclass(frozen=True, slots=True)
class Shown:
    """How a program ended, and all that stood on its screen, echo included."""

    status: int  # negative: the number of the signal it died of
    text: str


class OnTerminal:
    """A command of the platform on a pseudo-terminal of its own."""

    def __init__(self, arguments: list[str], folder: Path) -> None:
        self._screen, line = os.openpty()
        self._seen = bytearray()
        self._process = subprocess.Popen(
            [sys.executable, "-c", TAKE_TERMINAL, *arguments],
            cwd=folder,
            stdin=line,
            stdout=line,
            stderr=line,
            start_new_session=True,
        )
        os.close(line)

    @property
    def text(self) -> str:
        """What the screen has shown so far, with plain line ends."""
        return self._seen.decode("utf-8", "replace").replace("\r\n", "\n")

    def wait_for(self, text: str, times: int = 1) -> str:
        """Wait until a text has been shown so often in all, and give the whole screen."""
        deadline = time.monotonic() + PATIENCE
        while self.text.count(text) < times:
            if not self._read(deadline):
                pytest.fail(f"expected {text!r} {times} times, got the end after:\n{self.text}")
        return self.text

    def type(self, text: str) -> None:
        """Send what a person types; a line ends in a newline."""
        rest = text.encode()
        deadline = time.monotonic() + PATIENCE
        while rest:
            # A full line or a full screen must not hold both sides up for ever.
            readable, writable, _ = select.select([self._screen], [self._screen], [], 1.0)
            if readable and not self._read(deadline):
                return
            if writable:
                rest = rest[os.write(self._screen, rest[:1024]) :]
            if time.monotonic() > deadline:
                pytest.fail(f"expected a program that reads, got none after:\n{self.text[-500:]}")

    def interrupt(self) -> None:
        """Press Control-C."""
        self.type(INTERRUPT)

    def send(self, number: signal.Signals) -> None:
        """Send the program a signal."""
        self._process.send_signal(number)

    def end_input(self) -> None:
        """Press Control-D."""
        self.type(END_OF_INPUT)

    def end(self) -> Shown:
        """Wait until the program has ended."""
        deadline = time.monotonic() + PATIENCE
        while self._read(deadline):
            pass
        status = self._process.wait(max(0.1, deadline - time.monotonic()))
        return Shown(status, self.text)

    def clear_up(self) -> None:
        """Let nothing live on after the test."""
        if self._process.poll() is None:
            with suppress(ProcessLookupError):
                self._process.send_signal(signal.SIGKILL)
            self._process.wait(PATIENCE)
        os.close(self._screen)

    def _read(self, deadline: float) -> bool:
        """Read what there is, waiting for it; say whether there may be more."""
        patience = max(0.0, deadline - time.monotonic())
        readable, _, _ = select.select([self._screen], [], [], patience)
        if not readable:
            pytest.fail(f"expected an end within {PATIENCE} s, got none after:\n{self.text[-500:]}")
        try:
            piece = os.read(self._screen, 65_536)
        except OSError:  # how Linux says that nobody is left on the other side
            return False
        self._seen += piece
        return bool(piece)


Start = Callable[..., OnTerminal]


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Start]:
    """Give what starts `tourney` with some arguments on a terminal, in an empty folder."""
    if not hasattr(os, "openpty"):
        pytest.skip("this system has no pseudo-terminals")
    started: list[OnTerminal] = []

    def start(*arguments: object) -> OnTerminal:
        started.append(OnTerminal([str(argument) for argument in arguments], tmp_path))
        return started[-1]

    yield start
    for program in started:
        program.clear_up()
