"""The sandbox levels, and testing which one this machine supports.

The test starts processes in which allowed actions must succeed and forbidden ones must fail.
"""

from __future__ import annotations

from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING

from tourney import lazy
from tourney.errors import ConfinementError
from tourney.game.asking.exchange import SeatRequest
from tourney.sandbox.budgets import Budget
from tourney.sandbox.wire import Opening, ProtocolError, Report

if TYPE_CHECKING:
    from tourney.sandbox import exchange, host_process, lockdown, syscalls
else:  # reading a level starts no process
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
    """How well players are isolated."""

    FULL = "full"  # all layers
    REDUCED = "reduced"  # without Landlock, the second barrier after the filter of system calls
    UNSAFE = "unsafe"  # no sandbox, for trusted code

    def is_below(self, other: Level) -> bool:
        """Return whether players are isolated less well than at another level."""
        order = tuple(Level)
        return order.index(self) > order.index(other)

    @property
    def layers(self) -> tuple[str, ...]:
        """The names of the layers of this level."""
        if self is Level.UNSAFE:
            return ()
        return tuple(
            layer for layer in lockdown.LAYERS if self is Level.FULL or layer != "landlock"
        )


@cache
def probe() -> Level:
    """Return the highest level at which forbidden actions fail and allowed ones work."""
    if syscalls.this_machine() is None or not _is_stopped("OpensSocket", ("limits", "filter")):
        return Level.UNSAFE
    # Without the filter, which would hide the effect of Landlock.
    return Level.FULL if _is_stopped("OpensFolder", ("limits", "landlock")) else Level.REDUCED


def setup_for(level: Level, setup: host_process.Setup | None = None) -> host_process.Setup:
    """Return the settings for hosts at a level."""
    setup = setup or host_process.Setup()
    limits = setup.limits._replace(layers=level.layers)
    return setup._replace(limits=limits, is_confined=level is not Level.UNSAFE)


def _is_stopped(attempt: str, layers: tuple[str, ...]) -> bool:
    """Return whether a process works within some layers, and is stopped at a forbidden action."""
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
        # Without a listener, the forbidden call is not named.
        is_named = held is not None and (not held.has_listener or " socket(" in str(ended))
        return is_named and ended.cause == "syscall"
    except ProtocolError:
        return False
    finally:
        host.end()
    return bool(flags[0] & 1) and not faults
