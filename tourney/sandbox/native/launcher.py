"""Orders for the launcher of programs, with all restrictions in the form that the kernel takes.

The launcher (`launcher.cpp`) is the fork server of hosts that run programs. It works without
Python: forking copies little, so a program starts in a third of the time. Its limits, ruleset and
filters are those of every host; see `lockdown`.
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
"""The user to switch to, whether to disable the processor's clock, and the length of each part."""
LIMIT = struct.Struct("<QQ")

MFD_EXEC = 0x10
ALL_SEALS = 0xF  # F_SEAL_SEAL, _SHRINK, _GROW and _WRITE


@lru_cache(maxsize=8)
def launch_order(limits: Limits) -> bytes:
    """Return the order to start a program in a sandbox.

    Args:
        limits: Its resources and layers.
    """
    machine = this_machine()
    assert machine, "programs only run on machines with a sandbox"
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
    """Return a file in memory with a program that cannot be read or changed.

    Raises: OSError, if this machine cannot run such files.
    """
    try:
        file = os.memfd_create("player", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING | MFD_EXEC)
    except OSError:  # before Linux 6.3 all such files are executable
        file = os.memfd_create("player", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    rest = memoryview(program)
    while rest:
        rest = rest[os.write(file, rest) :]
    # A process that may not read its program cannot be dumped, or be read by similar processes.
    os.fchmod(file, 0o111)
    fcntl.fcntl(file, fcntl.F_ADD_SEALS, ALL_SEALS)
    return file
