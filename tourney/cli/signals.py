"""Signals that end a command: each of them does what Ctrl-C does, once.

What is interrupted cleans up while a KeyboardInterrupt passes through it, so whoever ends a program
otherwise raises that as well: batch systems with SIGTERM, and a lost connection with SIGHUP.
"""

import _thread
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, Self

NAMES = ("SIGINT", "SIGTERM", "SIGHUP")
SECONDS_TO_GET_OUT = 0.05
"""Until what calls back into Python has gone on."""


class Ending:
    """Hears the signals that end a command, while it is entered."""

    def __init__(self) -> None:
        self.number: int | None = None
        """Of the signal that ends the command, if one does."""
        self.is_over = False
        """Whether the command has ended, so that there is nothing to interrupt any more."""
        self._raised: KeyboardInterrupt | None = None
        self._before: dict[int, Any] = {}
        self._hook = sys.unraisablehook

    def __enter__(self) -> Self:
        """Begin to listen. What was ignored when the program began stays so, as under nohup."""
        if threading.current_thread() is not threading.main_thread():
            return self  # nothing can be heard there
        for name in NAMES:
            number = getattr(signal, name, None)  # not every system has each of them
            if number is not None and signal.getsignal(number) != signal.SIG_IGN:
                self._before[number] = signal.signal(number, self._end)
        self._hook, sys.unraisablehook = sys.unraisablehook, self._look_at_what_is_lost
        return self

    def __exit__(self, *_: object) -> None:
        """Listen no more; if the program is about to end, nobody else ends it meanwhile."""
        sys.unraisablehook = self._hook
        for number, handler in self._before.items():
            signal.signal(number, handler if self.number is None else signal.SIG_IGN)

    def _end(self, number: int, frame: FrameType | None) -> None:
        """Interrupt whatever goes on, but for what goes on because it was interrupted."""
        del frame
        if self.is_over:
            return
        error = sys.exc_info()[1]
        while error is not None:
            if error is self._raised:
                return
            error = error.__cause__ or error.__context__
        self.number = self.number or number
        self._raised = KeyboardInterrupt()
        raise self._raised

    def _look_at_what_is_lost(self, lost: "sys.UnraisableHookArgs") -> None:
        """Interrupt once more, if it was done where no exception can pass, as in a compiler."""
        if self.number is None or lost.exc_value is not self._raised:
            self._hook(lost)
            return
        again = threading.Timer(SECONDS_TO_GET_OUT, _interrupt, (self.number,))
        again.daemon = True
        again.start()


def _interrupt(number: int) -> None:
    """Send the main thread a signal, which wakes it where it waits."""
    main = threading.main_thread().ident
    if sys.platform == "win32" or main is None:
        _thread.interrupt_main(signal.Signals(number))  # heard when the wait is over
    else:
        signal.pthread_kill(main, number)


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Put off a signal that would end the command here, until this is left."""
    heard: list[int] = []
    handlers: dict[int, Any] = {}
    if threading.current_thread() is threading.main_thread():  # nothing is heard elsewhere
        for name in NAMES:
            number = getattr(signal, name, None)
            if number is not None and callable(signal.getsignal(number)):
                handlers[number] = signal.signal(number, lambda number, _: heard.append(number))
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        for number in heard[:1]:
            signal.raise_signal(number)
