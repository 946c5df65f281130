"""Pools that try what a confined process must not do, before any competitor is let in."""

import os
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from tourney.sandbox.kernel import system_call
from tourney.sandbox.syscalls import this_machine

MACHINE = this_machine()  # to ask is a system call that the filter forbids
AF_UNIX, SOCK_STREAM = 1, 1
MEMORY_BYTES = 8 << 20


class Finding:
    """What a table is told of a seat, used to say how an attempt went."""

    verdict = None

    def __init__(self, *, is_stopped: bool) -> None:
        """Keep how it went."""
        self.acts, self.watches = is_stopped, not is_stopped


class _Probing:
    def __init__(self, make_player: Callable[[], Any]) -> None:
        """Take what any pool is given."""
        self._make_player = make_player

    def sit(self, seat_requests: Sequence[Any]) -> list[Finding]:
        """Do what must work, then try what must not."""
        assert len(bytes(MEMORY_BYTES)) == MEMORY_BYTES
        try:
            self.attempt()
        except PermissionError:
            return [Finding(is_stopped=True) for _ in seat_requests]
        return [Finding(is_stopped=False) for _ in seat_requests]

    def attempt(self) -> None:
        """Try."""
        raise NotImplementedError

    def decide(self, questions: Any) -> NoReturn:
        """Refuse: nobody is asked."""
        raise NotImplementedError(questions)


class OpensSocket(_Probing):
    """Asks the kernel for a socket: the filter must report it."""

    def attempt(self) -> None:
        """Try."""
        assert MACHINE is not None
        system_call(MACHINE.numbers["socket"], AF_UNIX, SOCK_STREAM, 0)


class OpensFolder(_Probing):
    """Opens the folder that everybody may read: Landlock must refuse."""

    def attempt(self) -> None:
        """Try."""
        os.close(os.open("/", os.O_RDONLY))
