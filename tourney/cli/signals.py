"""Signals and keys that end a command: each one acts once like Ctrl-C.

Code cleans up while a KeyboardInterrupt passes through it, so other signals that end a program
raise it, too: batch systems send SIGTERM, and a lost connection SIGHUP.
"""

import _thread
import os
import select
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import sleep
from types import FrameType
from typing import Any, Self

NAMES = ("SIGINT", "SIGTERM", "SIGHUP")
SECONDS_TO_GET_OUT = 0.05
"""Time for a callback into Python to finish."""


class ReportedInterrupt(KeyboardInterrupt):
    """An interrupt after which the command prints no other line."""


class Ending:
    """Handles the signals that end a command."""

    def __init__(self) -> None:
        self.number: int | None = None
        """Of the signal that ends the command, if one does."""
        self.is_over = False
        """Whether the command has ended, so that there is nothing to interrupt any more."""
        self._raised: KeyboardInterrupt | None = None
        self._before: dict[int, Any] = {}
        self._hook = sys.unraisablehook

    def __enter__(self) -> Self:
        """Begin to listen. Signals that were ignored at the start stay ignored, as under nohup."""
        if threading.current_thread() is not threading.main_thread():
            return self  # other threads receive no signals
        for name in NAMES:
            number = getattr(signal, name, None)  # some systems lack some signals
            if number is not None and signal.getsignal(number) != signal.SIG_IGN:
                self._before[number] = signal.signal(number, self._end)
        self._hook, sys.unraisablehook = sys.unraisablehook, self._look_at_what_is_lost
        return self

    def __exit__(self, *_: object) -> None:
        """Stop listening; if the program is about to end, ignore further signals."""
        sys.unraisablehook = self._hook
        for number, handler in self._before.items():
            signal.signal(number, handler if self.number is None else signal.SIG_IGN)

    def _end(self, number: int, frame: FrameType | None) -> None:
        """Interrupt the program, but not its cleanup after an interrupt."""
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
        """Interrupt again, if an exception was lost in code that cannot raise it, such as a
        compiler.
        """
        if self.number is None or lost.exc_value is not self._raised:
            self._hook(lost)
            return
        again = threading.Timer(SECONDS_TO_GET_OUT, _interrupt, (self.number,))
        again.daemon = True
        again.start()


def _interrupt(number: int) -> None:
    """Send the main thread a signal, which wakes it while it waits."""
    main = threading.main_thread().ident
    if sys.platform == "win32" or main is None:
        _thread.interrupt_main(signal.Signals(number))  # handled after the wait
    else:
        signal.pthread_kill(main, number)


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Postpone a signal that would end the command until this context ends."""
    heard: list[int] = []
    handlers: dict[int, Any] = {}
    if threading.current_thread() is threading.main_thread():  # other threads receive no signals
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
