"""What a person types: answers to a program, keys that end a show, and a program's own arguments.

Answers are read so that Control-C is never missed. An interrupt that falls between a question and
the wait for its answer is only noted by Python, and the wait would go on until the next key. So
the wait is for two things: a line, or the byte that every signal leaves in a pipe.
"""

import os
import select
import signal
import sys
from io import BufferedReader, RawIOBase
from time import sleep
from typing import TYPE_CHECKING, Any, BinaryIO, Self, cast

import click

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

LEAVING = b"qQ"


def typed_answers() -> BinaryIO | None:
    """Give the standard input for a program that asks questions.

    Returns: A stream of bytes, or None if the program was started without any. On a terminal
        it ends a read at once when Control-C is pressed, whenever that is.
    """
    if sys.stdin is None:
        return None
    if os.name != "posix" or not sys.stdin.isatty():
        return sys.stdin.buffer
    return cast("BinaryIO", BufferedReader(_Terminal(sys.stdin.fileno())))


class _Terminal(RawIOBase):
    """The bytes of a terminal; waiting for them ends with any signal."""

    def __init__(self, line: int) -> None:
        self._line = line
        self._woken, wake = os.pipe()
        os.set_blocking(wake, False)
        signal.set_wakeup_fd(wake, warn_on_full_buffer=False)

    def readable(self) -> bool:
        return True

    def readinto(self, space: "WriteableBuffer") -> int:
        """Wait for bytes and put them into the space; a signal's handler runs before that."""
        view = memoryview(space)
        ready: list[int] = []
        while self._line not in ready:
            ready, _, _ = select.select([self._line, self._woken], [], [])
            if self._woken in ready:
                os.read(self._woken, len(view))
        piece = os.read(self._line, len(view))
        view[: len(piece)] = piece
        return len(piece)


class Keys:
    """The keyboard while it is listened to: every key at once, and without showing it.

    Control-C goes on to interrupt.
    """

    def __init__(self) -> None:
        self._before: list[Any] | None = None
        self._hears = False

    def __enter__(self) -> Self:
        """Begin to listen, if somebody sits there."""
        try:
            import termios  # noqa: PLC0415 - not every system has it
            import tty  # noqa: PLC0415 - likewise
        except ImportError:
            return self
        if sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty():
            self._before = termios.tcgetattr(sys.stdin)
            tty.setcbreak(sys.stdin)
            self._hears = True
        return self

    def __exit__(self, *_: object) -> None:
        """Leave the terminal as it was."""
        if self._before is not None:
            import termios  # noqa: PLC0415 - it was there before

            termios.tcsetattr(sys.stdin, termios.TCSADRAIN, self._before)

    def want_to_leave(self, seconds: float) -> bool:
        """Wait so long, and say whether somebody has pressed q meanwhile."""
        if not self._hears:
            if seconds:
                sleep(seconds)
            return False
        if not select.select([sys.stdin], [], [], seconds)[0]:
            return False
        pressed = os.read(sys.stdin.fileno(), 64)
        self._hears = bool(pressed)  # nobody is there any more
        return any(key in LEAVING for key in pressed)


class AsTyped(click.Command):
    """A command that gets its arguments as they were typed, dashes and `--help` included."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Keep all arguments for the program."""
        super().parse_args(ctx, [])
        ctx.args = args
        return args
