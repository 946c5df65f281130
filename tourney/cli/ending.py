"""Signals that end a command: each of them does what Ctrl-C does, once.

What is interrupted cleans up while a KeyboardInterrupt passes through it, so whoever ends a program
otherwise raises that as well: batch systems with SIGTERM, and a lost connection with SIGHUP.
"""

import signal
import sys
import threading
from types import FrameType
from typing import Any, Self

NAMES = ("SIGINT", "SIGTERM", "SIGHUP")


class Ending:
    """Hears the signals that end a command, while it is entered."""

    def __init__(self) -> None:
        self.number: int | None = None
        """Of the signal that ends the command, if one does."""
        self._raised: KeyboardInterrupt | None = None
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Self:
        """Begin to listen. What was ignored when the program began stays so, as under nohup."""
        if threading.current_thread() is not threading.main_thread():
            return self  # nothing can be heard there
        for name in NAMES:
            number = getattr(signal, name, None)  # not every system has each of them
            if number is not None and signal.getsignal(number) != signal.SIG_IGN:
                self._before[number] = signal.signal(number, self._end)
        return self

    def __exit__(self, *_: object) -> None:
        """Listen no more; if the program is about to end, nobody else ends it meanwhile."""
        for number, handler in self._before.items():
            signal.signal(number, handler if self.number is None else signal.SIG_IGN)

    def _end(self, number: int, frame: FrameType | None) -> None:
        """Interrupt whatever goes on, but for what goes on because it was interrupted."""
        del frame
        error = sys.exc_info()[1]
        while error is not None:
            if error is self._raised:
                return
            error = error.__cause__ or error.__context__
        self.number = self.number or number
        self._raised = KeyboardInterrupt()
        raise self._raised
