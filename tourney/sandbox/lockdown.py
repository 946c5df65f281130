"""Locking down the current process permanently, so that it can only compute and answer.

Several layers back each other up. Before the process starts, its parent fixes the addresses and the
hash seed, and passes only the necessary descriptors.
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
"""Far more than a host needs. An ordinary user's listener can be handed over only while all
processes of that user together have fewer descriptors in transit."""
STACK_BYTES = 8 << 20
ROBUST_BYTES = 24  # struct robust_list_head

LAYERS = ("limits", "landlock", "filter")


class Limits(NamedTuple):
    """The resources and layers of a sandboxed process."""

    memory: int = 512 << 20  # bytes of addresses
    cpu_seconds: int = 3_600  # a fallback: the limit of the referee is lower
    output: int = 64 << 10  # bytes it may print
    user: int = 0  # to switch to, if it is root now; 0 for no switch
    layers: tuple[str, ...] = LAYERS


class Report(NamedTuple):
    """The restrictions of a process that locked itself down."""

    landlock: int = 0  # its version; 0 without Landlock
    is_filtered: int = 0
    listener: int = -1  # reports forbidden calls; -1 if they only kill
    user: int = 0


class SandboxSetupError(Exception):
    """This process cannot be locked down."""


def die_with_parent(parent: int) -> None:
    """Ask the kernel to kill this process when the parent ends; exit if it already has."""
    control_process(PR_SET_PDEATHSIG, SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def confine(limits: Limits, parent: int) -> Report:
    """Lock this process down.

    Args:
        limits: Its resources and layers.
        parent: Its parent, with which it ends.
    Raises: SandboxSetupError, if it has other threads or the machine is not supported; OSError, if
        the kernel refuses a layer.
    """
    machine = this_machine()
    if machine is None:
        raise SandboxSetupError("the sandbox needs Linux on x86-64 or aarch64")
    threads = len(os.listdir("/proc/self/task"))  # noqa: PTH208 - pathlib is slow to import
    if threads != 1:
        # Landlock and the filter apply to the calling thread, not to threads that already exist.
        raise SandboxSetupError(f"the sandbox needs a process with one thread, not {threads}")
    if limits.user and os.geteuid() == 0:
        become(limits.user)
        die_with_parent(parent)  # a change of user cancels the request
    control_process(PR_SET_NO_NEW_PRIVS, 1)
    control_process(PR_SET_DUMPABLE, 0)
    version = landlock.allow_only(machine, {}) if "landlock" in limits.layers else 0
    limit(limits)
    leave_no_words(machine)
    user, is_filtered = os.geteuid(), "filter" in limits.layers
    listener = _filter() if is_filtered else -1
    return Report(version, int(is_filtered), listener, user)


def leave_no_words(machine: Machine) -> None:
    """Keep the kernel from writing to memory and waking waiters when this process ends.

    The C library registers a list of locks and an address that the kernel would clear. Processes
    that have loaded the same file could wait for that.
    """
    system_call(machine.numbers["set_robust_list"], 0, ROBUST_BYTES)
    system_call(machine.numbers["set_tid_address"], 0)


def user_to_become() -> int:
    """Return the unprivileged user to switch to if this is root; otherwise 0 for no switch."""
    return NOBODY if os.getuid() == 0 else 0


def become(user: int) -> None:
    """Switch to another user."""
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)


def limit(limits: Limits) -> None:
    """Apply the resource limits."""
    for kind, most in most_of(limits):
        resource.setrlimit(kind, (most, most))


def most_of(limits: Limits) -> Iterator[tuple[int, int]]:
    """Yield the kernel's limits and their values, each at most the current limit."""
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
    """Install the filter; return its listener, or -1 if the kernel has no listeners."""
    try:
        return install(filter_code(Then.REPORT), NEW_LISTENER)
    except OSError:
        # The kernel is old, or an outer filter already has a listener.
        install(filter_code(Then.KILL), 0)
        return -1


@cache
def filter_code(forbidden: Then, *, is_native: bool = False) -> bytes:
    """Return a filter as bytes; cached, so that fork servers compute it before they fork."""
    machine = this_machine()
    assert machine, "only supported machines have a filter"
    return assembled(instructions(machine, forbidden, NATIVE if is_native else HOST))


def install(code: bytes, flags: int = 0) -> int:
    """Install a filter for all further calls of this thread.

    Args:
        code: The result of `syscall_filter.assembled`.
        flags: SECCOMP_FILTER_FLAG_….
    Returns: Its listener, if requested by `flags`.
    Raises: OSError, with the kernel's error.
    """
    machine = this_machine()
    assert machine
    buffer = ctypes.create_string_buffer(code, len(code))
    program = struct.pack("<HxxxxxxQ", len(code) // INSTRUCTION.size, ctypes.addressof(buffer))
    held = ctypes.create_string_buffer(program, len(program))
    return system_call(machine.numbers["seccomp"], SET_MODE_FILTER, flags, ctypes.addressof(held))
