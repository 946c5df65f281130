"""What the launcher of programs is told: all that holds a process, as the kernel takes it.

The launcher (`launcher.cpp`) is the fork server of hosts that become programs, without Python: its
fork copies little, so that a program starts in a third of the time. It decides nothing; the limits,
the ruleset and the filters are those of every host, see `lockdown`. Leaves out who builds it.
"""

import os
import struct
import sys
from functools import lru_cache

from tourney.sandbox import landlock, wire
from tourney.sandbox.lockdown import Limits, filter_code, most_of
from tourney.sandbox.syscall_filter import Then
from tourney.sandbox.syscalls import this_machine

if sys.platform != "win32":
    import fcntl

NUMBERS = struct.Struct("<2I6I")
"""The user to become, whether the processor's counter is taken away, and how long each part is."""
LIMIT = struct.Struct("<QQ")

MFD_EXEC = 0x10
ALL_SEALS = 0xF  # F_SEAL_SEAL, _SHRINK, _GROW and _WRITE


@lru_cache(maxsize=8)
def launch_order(limits: Limits) -> bytes:
    """Say how a program is to be shut in.

    Args:
        limits: What it may use, and which layers hold it.
    """
    machine = this_machine()
    assert machine, "only what can be confined becomes a program"
    has_landlock, is_filtered = "landlock" in limits.layers, "filter" in limits.layers
    version = landlock.version(machine) if has_landlock else 0
    user = limits.user or os.geteuid()
    told = [
        wire.frame(wire.Kind.READY, 0, wire.write_report(report))
        for report in (
            wire.Report(version, int(is_filtered), has_listener, user) for has_listener in (1, 0)
        )
    ]
    parts = (
        b"".join(LIMIT.pack(*each) for each in most_of(limits)),
        landlock.ruleset(version) if has_landlock else b"",
        *(
            filter_code(then, is_native=True) if is_filtered else b""
            for then in (Then.REPORT, Then.KILL)
        ),
        *told,
    )
    sizes = map(len, parts)
    return NUMBERS.pack(limits.user, machine.has_counter, *sizes) + b"".join(parts)


def sealed(program: bytes) -> int:
    """Give a file in memory with a program, which nobody can read or change any more.

    Raises: OSError, if this machine runs no such files.
    """
    try:
        file = os.memfd_create("player", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING | MFD_EXEC)
    except OSError:  # a kernel before 6.3 knows no others
        file = os.memfd_create("player", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    rest = memoryview(program)
    while rest:
        rest = rest[os.write(file, rest) :]
    # Who may not read a program that it runs cannot be dumped, nor read by its likes.
    os.fchmod(file, 0o111)
    fcntl.fcntl(file, fcntl.F_ADD_SEALS, ALL_SEALS)
    return file
