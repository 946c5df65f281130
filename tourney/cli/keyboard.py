"""Keys that end a show."""

import os
import select
import sys
from time import sleep
from typing import Any, Self

LEAVING = b"qQ"


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
