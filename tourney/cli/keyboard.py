"""Keys that end a display."""

import os
import select
import sys
from time import sleep
from typing import Any, Self

LEAVING = b"qQ"


class Keys:
    """The keyboard of a terminal: receives every key immediately, without echo.

    Control-C still interrupts.
    """

    def __init__(self) -> None:
        self._before: list[Any] | None = None
        self._hears = False

    def __enter__(self) -> Self:
        """Begin to listen, if standard input is a terminal."""
        try:
            import termios  # noqa: PLC0415 - not every system has it
            import tty  # noqa: PLC0415 - see above
        except ImportError:
            return self
        if sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty():
            self._before = termios.tcgetattr(sys.stdin)
            tty.setcbreak(sys.stdin)
            self._hears = True
        return self

    def __exit__(self, *_: object) -> None:
        """Restore the terminal."""
        if self._before is not None:
            import termios  # noqa: PLC0415 - see above

            termios.tcsetattr(sys.stdin, termios.TCSADRAIN, self._before)

    def want_to_leave(self, seconds: float) -> bool:
        """Wait some seconds; return whether the user pressed q meanwhile."""
        if not self._hears:
            if seconds:
                sleep(seconds)
            return False
        if not select.select([sys.stdin], [], [], seconds)[0]:
            return False
        pressed = os.read(sys.stdin.fileno(), 64)
        self._hears = bool(pressed)  # false at the end of input
        return any(key in LEAVING for key in pressed)
