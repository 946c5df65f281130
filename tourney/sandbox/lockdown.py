"""A process shuts itself in, for good: after this it can compute and answer, nothing else.

Layer by layer, so that one with a hole is backed by the others. Leaves out what the parent does
before the process starts: fixed addresses and hash seed, and only the descriptors it needs.
"""

import ctypes
import os
import struct
import sys
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from tourney.sandbox import landlock
from tourney.sandbox.kernel import (
    PR_SET_DUMPABLE,
    PR_SET_NO_NEW_PRIVS,
    PR_SET_PDEATHSIG,
    control_process,
    system_call,
)
from tourney.sandbox.syscall_filter import HOST, INSTRUCTION, NATIVE, Then, assembled, instructions
from tourney.sandbox.syscalls import Machine, this_machine

if sys.platform != "win32":
    import resource

SIGKILL = 9
NOBODY = 65534
SET_MODE_FILTER, NEW_LISTENER = 1, 8
MOST_DESCRIPTORS = 512
"""Far more than a host has. An ordinary user's listener is handed over only while all processes of
that user together have fewer on their way, such as a browser's."""
STACK_BYTES = 8 << 20
ROBUST_BYTES = 24  # struct robust_list_head

LAYERS = ("limits", "landlock", "filter")


class Limits(NamedTuple):
    """What a confined process may use, and which layers hold it."""

    memory: int = 512 << 20  # bytes of addresses
    cpu_seconds: int = 3_600  # if the referee, whose budget is tighter, does not stop it
    output: int = 64 << 10  # bytes it may print
    user: int = 0  # to become, if it is root now; 0 stays as it is
    layers: tuple[str, ...] = LAYERS


class Report(NamedTuple):
    """What holds a process that shut itself in."""

    landlock: int = 0  # its version; 0 for none
    is_filtered: int = 0
    listener: int = -1  # tells of forbidden calls; -1 if they only kill
    user: int = 0


class SandboxSetupError(Exception):
    """This process cannot be shut in."""


def die_with_parent(parent: int) -> None:
    """Ask to be killed when the parent ends, and end if it has ended already."""
    control_process(PR_SET_PDEATHSIG, SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def confine(limits: Limits, parent: int) -> Report:
    """Shut this process in.

    Args:
        limits: What it may use.
        parent: Its parent, with which it ends.
    Raises: SandboxSetupError, if it has other threads or the machine is not known; OSError, if the
        kernel refuses a layer.
    """
    machine = this_machine()
    if machine is None:
        raise SandboxSetupError("expected Linux on x86-64 or aarch64")
    threads = len(os.listdir("/proc/self/task"))  # noqa: PTH208 - pathlib is slow to import
    if threads != 1:
        # Landlock and the filter hold the calling thread, not those that exist already.
        raise SandboxSetupError(f"expected one thread, got {threads}")
    if limits.user and os.geteuid() == 0:
        become(limits.user)
        die_with_parent(parent)  # a change of user cancels it
    control_process(PR_SET_NO_NEW_PRIVS, 1)
    control_process(PR_SET_DUMPABLE, 0)
    version = landlock.deny_everything(machine) if "landlock" in limits.layers else 0
    limit(limits)
    leave_no_words(machine)
    user, is_filtered = os.geteuid(), "filter" in limits.layers
    listener = _filter() if is_filtered else -1
    return Report(version, int(is_filtered), listener, user)


def leave_no_words(machine: Machine) -> None:
    """Have the kernel write and wake nothing when this process ends.

    Else it would do so at addresses that it finds in this process's memory, and whoever has loaded
    the same file could wait for that: the C library leaves it a list of locks, and a word in which
    to say that the thread is gone.
    """
    system_call(machine.numbers["set_robust_list"], 0, ROBUST_BYTES)
    system_call(machine.numbers["set_tid_address"], 0)


def user_to_become() -> int:
    """Say whom a process becomes as it is shut in: nobody, if it is root; 0 stays who it is."""
    return NOBODY if os.getuid() == 0 else 0


def become(user: int) -> None:
    """Be another user from now on."""
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)


def limit(limits: Limits) -> None:
    """Take no more than this from now on."""
    for kind, most in most_of(limits):
        resource.setrlimit(kind, (most, most))


def most_of(limits: Limits) -> Iterator[tuple[int, int]]:
    """Give the kernel's limits and their values: none is above what holds this process now."""
    if "limits" not in limits.layers:
        return
    for kind, most in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_MEMLOCK, 0),
        (resource.RLIMIT_MSGQUEUE, 0),
        (resource.RLIMIT_NPROC, 0),
        (resource.RLIMIT_NOFILE, MOST_DESCRIPTORS),
        (resource.RLIMIT_FSIZE, limits.output),
        (resource.RLIMIT_STACK, STACK_BYTES),
        (resource.RLIMIT_CPU, limits.cpu_seconds),
        (resource.RLIMIT_AS, limits.memory),
    ):
        now = resource.getrlimit(kind)[1]
        yield kind, most if now == resource.RLIM_INFINITY else min(most, now)


def _filter() -> int:
    """Install the filter; give its listener, or -1 where the kernel gives none."""
    try:
        return install(filter_code(Then.REPORT), NEW_LISTENER)
    except OSError:
        # An older kernel, or an outer filter that listens already.
        install(filter_code(Then.KILL), 0)
        return -1


@cache
def filter_code(forbidden: Then, *, is_native: bool = False) -> bytes:
    """Write a filter; a fork server has done so before it forks, as each host would do it again."""
    machine = this_machine()
    assert machine, "only what can be confined has a filter"
    return assembled(instructions(machine, forbidden, NATIVE if is_native else HOST))


def install(code: bytes, flags: int = 0) -> int:
    """Have the kernel run a filter on every call of this thread from now on.

    Args:
        code: As `syscall_filter.assembled` gives it.
        flags: SECCOMP_FILTER_FLAG_….
    Returns: Its listener, if `flags` ask for one.
    Raises: OSError, as the kernel says.
    """
    machine = this_machine()
    assert machine
    buffer = ctypes.create_string_buffer(code, len(code))
    program = struct.pack("<HxxxxxxQ", len(code) // INSTRUCTION.size, ctypes.addressof(buffer))
    held = ctypes.create_string_buffer(program, len(program))
    return system_call(machine.numbers["seccomp"], SET_MODE_FILTER, flags, ctypes.addressof(held))
