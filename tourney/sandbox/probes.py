"""Pools that try forbidden actions, to test the sandbox before it is used."""

import os
from collections.abc import Callable, Sequence
from typing import Any

from tourney.game.asking.exchange import SeatReply
from tourney.sandbox.kernel import system_call
from tourney.sandbox.syscalls import this_machine

MACHINE = this_machine()  # asked here, because the filter forbids the system call
AF_UNIX, SOCK_STREAM = 1, 1
MEMORY_BYTES = 8 << 20


class _Probing:
    def __init__(self, make_player: Callable[[], Any]) -> None:
        """Keep the function that makes players, like any pool."""
        self._make_player = make_player

    def sit(self, seat_requests: Sequence[Any]) -> list[SeatReply]:
        """Do an allowed action, then try a forbidden one; seats act only if that was stopped."""
        assert len(bytes(MEMORY_BYTES)) == MEMORY_BYTES
        try:
            self.attempt()
        except PermissionError:
            return [SeatReply(acts=True, watches=False) for _ in seat_requests]
        return [SeatReply(acts=False, watches=True) for _ in seat_requests]

    def attempt(self) -> None:
        """Try a forbidden action."""
        raise NotImplementedError


class OpensSocket(_Probing):
    """Asks the kernel for a socket, which the filter must report."""

    def attempt(self) -> None:
        """Ask for a socket."""
        assert MACHINE is not None
        system_call(MACHINE.numbers["socket"], AF_UNIX, SOCK_STREAM, 0)


class OpensFolder(_Probing):
    """Opens a folder that all users may read, which Landlock must refuse."""

    def attempt(self) -> None:
        """Open the folder."""
        os.close(os.open("/", os.O_RDONLY))
