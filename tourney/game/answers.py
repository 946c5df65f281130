"""Reading a person's keyboard input for the interactive programs of games.

Control-C always interrupts the wait. Python only notes an interrupt that arrives between a
question and the wait for its answer, so a plain read would wait for the next key. Therefore the
wait is for two things: a line, or the byte that every signal writes to a pipe.
"""

import os
import select
import signal
import sys
from io import BufferedReader, RawIOBase
from typing import TYPE_CHECKING, BinaryIO, cast

import click

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

LONGEST_LINE = 4096  # bytes; the rest of a longer line is ignored


def read_line(stream: BinaryIO | None) -> str | None:
    """Read one line.

    Args:
        stream: Input; `None` if the program was started without any.
    Returns: The line without surrounding white space, or `None` at the end of the input.
    """
    line = _read(stream)
    if line is None or (len(line) == LONGEST_LINE and not line.endswith("\n")):
        return line  # too long to be typed, so do not strip it into a valid answer
    return line.strip()


def read_letter(stream: BinaryIO | None) -> str | None:
    """Read a line and return its first letter; the rest is ignored.

    Args:
        stream: Input; `None` if the program was started without any.
    Returns: The first character as a capital, a line end for an empty line, or `None` at the
        end of the input.
    """
    line = _read(stream)
    return None if line is None else line[:1].upper()


def _read(stream: BinaryIO | None) -> str | None:
    """Read a line with its end; `None` if there is no more input."""
    if stream is None:
        return None
    try:
        line = piece = stream.readline(LONGEST_LINE)
        while len(piece) == LONGEST_LINE and not piece.endswith(b"\n"):
            piece = stream.readline(LONGEST_LINE)
    except OSError:  # the stream is write-only, or the terminal is gone
        return None
    return line.decode("ascii", "replace") or None


def typed_answers() -> BinaryIO | None:
    """Return the standard input for a program that asks questions.

    Returns: A stream of bytes, or `None` if the program was started without any. On a terminal,
        Control-C interrupts a read immediately.
    """
    if sys.stdin is None:
        return None
    if os.name != "posix" or not sys.stdin.isatty():
        return sys.stdin.buffer
    return cast("BinaryIO", BufferedReader(_Terminal(sys.stdin.fileno())))


class _Terminal(RawIOBase):
    """The bytes of a terminal; every signal interrupts the wait for them."""

    def __init__(self, line: int) -> None:
        self._line = line
        self._woken, wake = os.pipe()
        os.set_blocking(wake, False)
        signal.set_wakeup_fd(wake, warn_on_full_buffer=False)

    def readable(self) -> bool:
        return True

    def readinto(self, space: "WriteableBuffer") -> int:
        """Wait for bytes and copy them into the buffer; signal handlers run first."""
        view = memoryview(space)
        ready: list[int] = []
        while self._line not in ready:
            ready, _, _ = select.select([self._line, self._woken], [], [])
            if self._woken in ready:
                os.read(self._woken, len(view))
        piece = os.read(self._line, len(view))
        view[: len(piece)] = piece
        return len(piece)


class AsTyped(click.Command):
    """A command that receives its arguments as they were typed, dashes and `--help` included."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Pass all arguments to the program."""
        super().parse_args(ctx, [])
        ctx.args = args
        return args
