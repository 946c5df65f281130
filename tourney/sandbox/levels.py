"""How well this machine can confine a player: tried, not guessed.

What has to work and what has to fail is put to the proof in processes of their own. Leaves out
what to do about a low level.
"""

from __future__ import annotations

from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING

from tourney import lazy
from tourney.errors import ConfinementError
from tourney.game.asking.seat_request import SeatRequest
from tourney.sandbox.budgets import Budget
from tourney.sandbox.wire import Opening, ProtocolError, Report

if TYPE_CHECKING:
    from tourney.sandbox import exchange, host_process, lockdown, syscalls
else:  # who reads of a level starts no process
    exchange = lazy.Module("tourney.sandbox.exchange")
    lockdown = lazy.Module("tourney.sandbox.lockdown")
    host_process = lazy.Module("tourney.sandbox.host_process")
    syscalls = lazy.Module("tourney.sandbox.syscalls")

ANYBODY = Opening(
    "probe.py",
    b"def tourney_strategies():\n    return {'anybody': object}\n",
    strategy="",
    seat_requests=[SeatRequest(1, b"")],
)


class Level(StrEnum):
    """How well players are confined."""

    FULL = "full"  # nothing is missing
    REDUCED = "reduced"  # without Landlock, which backs the filter of system calls
    UNSAFE = "unsafe"  # not at all: for those whose code is trusted

    def is_below(self, other: Level) -> bool:
        """Say whether players are confined less well than at another level."""
        order = tuple(Level)
        return order.index(self) > order.index(other)

    @property
    def layers(self) -> tuple[str, ...]:
        """Name the layers that hold a process."""
        if self is Level.UNSAFE:
            return ()
        return tuple(
            layer for layer in lockdown.LAYERS if self is Level.FULL or layer != "landlock"
        )


@cache
def probe() -> Level:
    """Find the highest level at which everything forbidden fails and what is allowed works."""
    if syscalls.this_machine() is None or not _is_stopped("OpensSocket", ("limits", "filter")):
        return Level.UNSAFE
    # Without the filter, which would hide whether Landlock does anything.
    return Level.FULL if _is_stopped("OpensFolder", ("limits", "landlock")) else Level.REDUCED


def setup_for(level: Level, setup: host_process.Setup | None = None) -> host_process.Setup:
    """Give how hosts are started at a level."""
    setup = setup or host_process.Setup()
    limits = setup.limits._replace(layers=level.layers)
    return setup._replace(limits=limits, is_confined=level is not Level.UNSAFE)


def _is_stopped(attempt: str, layers: tuple[str, ...]) -> bool:
    """Say whether a process can work within some layers, and is stopped at an attempt."""
    player = f"tourney.sandbox.probes:{attempt}"
    setup = host_process.Setup(player, lockdown.Limits(layers=layers), has_numpy=False)
    try:
        host = host_process.HostProcess(setup)
    except (ConfinementError, OSError):
        return False
    held: Report | None = None
    try:
        held = exchange.wait_until_held(host)
        flags, faults = exchange.load(host, ANYBODY, Budget())
    except host_process.HostEndedError as ended:
        # Without a listener nobody says which call it was.
        is_told = held is not None and (not held.has_listener or " socket(" in str(ended))
        return is_told and ended.cause == "syscall"
    except ProtocolError:
        return False
    finally:
        host.end()
    return bool(flags[0] & 1) and not faults
