"""What a person types, read so that Control-C is never missed.

An interrupt that falls between a question and the wait for its answer is only noted by
Python, and the wait would go on until the next key. So the wait is for two things: a line,
or the byte that every signal leaves in a pipe.
"""

import os
import select
import signal
import sys
from io import BufferedReader, RawIOBase
from typing import TYPE_CHECKING, BinaryIO, cast

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer


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
