"""Which system calls a confined process may make, as a program for the kernel's filter.

Everything that is not listed is forbidden. No list says which forbidden calls are worse than
others: each is reported to the referee and ends the process.
"""

from enum import IntEnum
from errno import EACCES
from struct import Struct
from typing import NamedTuple

from tourney.confine.syscalls import Machine

HANDOVER = 5
"""The descriptor on which a host hands its listener over; closed before a competitor is read."""

PROT_EXEC = 4
WRITES = 0o1 | 0o2 | 0o100 | 0o1000
"""What makes opening more than a look: O_WRONLY, O_RDWR, O_CREAT and O_TRUNC."""

ALLOWED = """
read write futex mmap munmap brk mprotect mremap madvise close fstat lseek readv
writev rt_sigaction rt_sigprocmask rt_sigreturn sigaltstack restart_syscall
sched_yield rseq sched_getaffinity getpid getppid gettid getuid geteuid getgid
getegid gettimeofday time times getrusage clock_gettime clock_getres getrandom
exit exit_group sendmsg
"""
"""Computing, memory, and what is open already; never a name of anything else."""

PROBES = """
open openat stat lstat newfstatat statx access faccessat faccessat2 readlink
readlinkat getdents64 getcwd pread64 ioctl fcntl
"""
"""Looking for files, as Python does for a traceback or an import. There are none: the call fails
as if they were somebody else's, and an honest player goes on."""


class Then(IntEnum):
    """What the kernel does about a call; SECCOMP_RET_… of linux/seccomp.h."""

    KILL = 0x80000000
    REFUSE = 0x00050000 | EACCES
    REPORT = 0x7FC00000
    ALLOW = 0x7FFF0000


class Check(NamedTuple):
    """An argument that makes a call forbidden although it is listed."""

    argument: int  # from 0
    bits: int  # forbidden, if any of them is set
    equals: int | None = None  # forbidden, if the argument is anything else


CHECKS = {
    "mmap": Check(2, PROT_EXEC),
    "mprotect": Check(2, PROT_EXEC),
    "open": Check(1, WRITES),
    "openat": Check(2, WRITES),
    "sendmsg": Check(0, 0, equals=HANDOVER),
}


class Instruction(NamedTuple):
    """One step of the kernel's filter machine."""

    code: int
    if_true: int  # instructions to skip
    if_false: int
    value: int


INSTRUCTION = Struct("<HBBI")
LOAD, JUMP_EQUAL, JUMP_AT_LEAST, JUMP_IF_SET, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
NUMBER, AUDIT, ARGUMENTS = 0, 4, 16
"""Where `struct seccomp_data` holds them."""

X32 = 0x40000000
"""From here on, x86-64 numbers its calls a second time, for another width of pointers."""


def instructions(machine: Machine, forbidden: Then) -> list[Instruction]:
    """Write the filter.

    Args:
        machine: Whose numbers count; calls in any other convention kill.
        forbidden: What to do about a call that is not listed, REPORT or KILL.
    """
    program = [
        Instruction(LOAD, 0, 0, AUDIT),
        Instruction(JUMP_EQUAL, 1, 0, machine.audit),
        Instruction(RETURN, 0, 0, Then.KILL),
        Instruction(LOAD, 0, 0, NUMBER),
        Instruction(JUMP_AT_LEAST, 0, 1, X32),
        Instruction(RETURN, 0, 0, Then.KILL),
    ]
    for names, then in ((ALLOWED, Then.ALLOW), (PROBES, Then.REFUSE)):
        for name in names.split():
            # The newer processor has no `open`, only `openat`.
            if name in machine.numbers:
                program += _rule(machine.numbers[name], then, forbidden, CHECKS.get(name))
    return [*program, Instruction(RETURN, 0, 0, forbidden)]


def _rule(number: int, then: Then, forbidden: Then, check: Check | None) -> list[Instruction]:
    if check is None:
        return [Instruction(JUMP_EQUAL, 0, 1, number), Instruction(RETURN, 0, 0, then)]
    if check.equals is None:
        test = Instruction(JUMP_IF_SET, 1, 0, check.bits)
    else:
        test = Instruction(JUMP_EQUAL, 0, 1, check.equals)
    return [
        Instruction(JUMP_EQUAL, 0, 4, number),
        # The low half: the kernel takes these arguments as 32 bits, or refuses any higher one.
        Instruction(LOAD, 0, 0, ARGUMENTS + 8 * check.argument),
        test,
        Instruction(RETURN, 0, 0, then),
        Instruction(RETURN, 0, 0, forbidden),
    ]


def assembled(program: list[Instruction]) -> bytes:
    """Give a filter as the kernel reads it."""
    return b"".join(INSTRUCTION.pack(*step) for step in program)
