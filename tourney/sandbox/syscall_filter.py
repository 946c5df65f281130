"""The system calls that a sandboxed process may make, as a program for the kernel's filter.

All calls that are not listed are forbidden: each is reported to the referee and ends the process.
"""

from collections.abc import Mapping
from enum import Enum, IntEnum
from errno import EACCES, ETIMEDOUT
from struct import Struct
from typing import NamedTuple

from tourney.sandbox.syscalls import Machine

HANDOVER = 5
"""The descriptor on which a host hands over its listener; closed before a competitor is read."""

PROT_EXEC = 4
WRITES = 0o1 | 0o2 | 0o100 | 0o1000
"""Flags that open a file for more than reading: O_WRONLY, O_RDWR, O_CREAT and O_TRUNC."""

WORD = 0xFFFFFFFF
"""All bits of half an argument; also the descriptor -1, as the kernel reads it."""

OWN_MEMORY = 0x2 | 0x10 | 0x20 | 0x4000 | 0x8000 | 0x20000 | 0x100000
"""MAP_PRIVATE, _FIXED, _ANONYMOUS, _NORESERVE, _POPULATE, _STACK and _FIXED_NOREPLACE. Sharable
memory uses a counter that other processes can follow, and huge pages come from a common store."""

ADVICE = (4, 14, 15)
"""MADV_DONTNEED, _HUGEPAGE and _NOHUGEPAGE, as allocators use. Other advice moves pages of
other processes, or reveals that pages were moved."""

WAKE, *WAITS = 0x81, 0x80, 0x89, 0x189
"""The operations of locks on `futex`: FUTEX_WAKE, _WAIT and both kinds of _WAIT_BITSET, each with
FUTEX_PRIVATE_FLAG. Without the flag, a word in a shared file is common to all processes that have
loaded it. Operations that lock or requeue can name any thread of the machine, with the flag too."""

OWN_CLOCKS = (0, 1, 2, 3, 4, 5, 6, 7, 11)
"""Clocks of the machine and of this process; other numbers may be clocks of other processes."""

ALLOWED = """
read write futex mmap munmap brk mprotect mremap madvise close lseek readv
writev rt_sigaction rt_sigprocmask rt_sigreturn sigaltstack restart_syscall
getrandom exit exit_group sendmsg
"""
"""Computing, memory, and descriptors that are already open; no call that takes a name."""

CLOCKS = "gettimeofday time times clock_gettime clock_getres"
"""Calls that Python needs. Programs may not use them; see decision 0059."""

ZEROS = """
getpid getppid gettid getuid geteuid getgid getegid sched_yield
"""
"""Answered with 0 by the filter: numbers that differ from run to run."""

PROBES = """
open openat stat lstat newfstatat statx access faccessat faccessat2 readlink
readlinkat getdents64 getcwd pread64 ioctl fcntl fstat getrusage sched_getaffinity
"""
"""Looking for files, as Python does for a traceback or an import. These calls fail with a
permission error, and an honest player continues. Calls on open files reveal a number that counts
all files of the machine, and page faults reveal which libraries other processes use, so they fail,
too. So does the number of processors, which differs between machines."""


class Then(IntEnum):
    """The kernel's action for a call; SECCOMP_RET_… of linux/seccomp.h."""

    KILL = 0x80000000
    REFUSE = 0x00050000 | EACCES
    TIME_OUT = 0x00050000 | ETIMEDOUT
    ZERO = 0x00050000
    REPORT = 0x7FC00000
    ALLOW = 0x7FFF0000


class When(Enum):
    """The condition of a check on an argument."""

    IS_NOT = "not one of some numbers"
    IS = "one number"
    HAS = "any of some bits, as one number"


class Check(NamedTuple):
    """A condition on an argument of a listed call; the first that is met decides."""

    argument: int  # from 0
    when: When
    values: tuple[int, ...]
    then: Then | None = None  # None for the action of forbidden calls
    is_upper: bool = False  # the upper half of the argument


CHECKS = {
    "mmap": (
        Check(2, When.HAS, (PROT_EXEC,)),
        Check(3, When.HAS, (WORD & ~OWN_MEMORY,)),
        Check(4, When.IS_NOT, (WORD,)),
    ),
    "mprotect": (Check(2, When.HAS, (PROT_EXEC,)),),
    "madvise": (Check(2, When.IS_NOT, ADVICE),),
    "open": (Check(1, When.HAS, (WRITES,)),),
    "openat": (Check(2, When.HAS, (WRITES,)),),
    "sendmsg": (Check(0, When.IS_NOT, (HANDOVER,)),),
    "sched_getaffinity": (Check(0, When.IS_NOT, (0,)),),
    "clock_gettime": (Check(0, When.IS_NOT, OWN_CLOCKS),),
    "clock_getres": (Check(0, When.IS_NOT, OWN_CLOCKS),),
    "futex": (
        Check(1, When.IS, (WAKE,), Then.ALLOW),
        Check(1, When.IS_NOT, tuple(WAITS)),
        # No other thread could wake a waiting one. So a wait with a time limit ends immediately,
        # like `time.sleep`, and a wait without a limit counts as a stall.
        Check(3, When.HAS, (WORD,), Then.TIME_OUT),
        Check(3, When.HAS, (WORD,), Then.TIME_OUT, is_upper=True),
    ),
}


class Listed(NamedTuple):
    """The calls that a filter knows; all others are forbidden."""

    allowed: str = f"{ALLOWED} {CLOCKS}"
    zeros: str = ZEROS
    probes: str = PROBES
    checks: Mapping[str, tuple[Check, ...]] = CHECKS


HOST = Listed()
"""The calls that Python needs to play a competitor in Python."""

PROGRAM = 6
"""The descriptor of the program that a host runs; the kernel closes it at the start."""
SET_FS = 0x1002  # ARCH_SET_FS: sets the address of thread-local data

NATIVE = Listed(
    allowed=f"{ALLOWED} execveat arch_prctl",
    zeros=f"{ZEROS} set_tid_address",  # the kernel would otherwise write there at the end
    probes=f"{PROBES} set_robust_list prlimit64 uname rseq",
    checks={
        **CHECKS,
        "execveat": (Check(0, When.IS_NOT, (PROGRAM,)),),
        "arch_prctl": (Check(0, When.IS_NOT, (SET_FS,)),),
    },
)
"""The calls of a statically linked program: the same, and those it needs once to start."""

NO_COMPILER_NEEDS = """
socket socketpair connect bind listen accept accept4 sendto recvfrom sendmsg recvmsg sendmmsg
recvmmsg ptrace process_vm_readv process_vm_writev kcmp pidfd_getfd bpf perf_event_open userfaultfd
io_uring_setup io_uring_enter io_uring_register add_key request_key keyctl unshare setns mount
umount2 pivot_root chroot move_mount open_tree fsopen fsconfig fsmount shmget shmat semget msgget
mq_open memfd_create memfd_secret personality kill tkill tgkill rt_sigqueueinfo pidfd_send_signal
setpriority sched_setaffinity quotactl setsid setpgid
"""
"""A compiler needs many calls; these are refused, whatever source code it compiles: the network,
other processes and shared resources. The last two would let a process leave the group that is
killed together with its tool."""


class Instruction(NamedTuple):
    """A step of the kernel's filter machine."""

    code: int
    if_true: int  # instructions to skip
    if_false: int
    value: int


INSTRUCTION = Struct("<HBBI")
LOAD, JUMP_EQUAL, JUMP_AT_LEAST, JUMP_IF_SET, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
NUMBER, AUDIT, ARGUMENTS = 0, 4, 16
"""Offsets in `struct seccomp_data`."""

X32 = 0x40000000
"""From here on, x86-64 numbers its calls a second time, for 32-bit pointers."""


def instructions(machine: Machine, forbidden: Then, listed: Listed = HOST) -> list[Instruction]:
    """Return the filter.

    Args:
        machine: The machine whose numbers count; calls in any other convention kill.
        forbidden: The action for calls that are not listed, REPORT or KILL.
        listed: The listed calls.
    """
    program = _opening(machine)
    allowed, zeros, probes, checks = listed
    for names, then in ((allowed, Then.ALLOW), (zeros, Then.ZERO), (probes, Then.REFUSE)):
        for name in names.split():
            # The newer processor has no `open`, only `openat`.
            if name in machine.numbers:
                steps = [
                    *_checked(checks.get(name, ()), forbidden),
                    Instruction(RETURN, 0, 0, then),
                ]
                program += [Instruction(JUMP_EQUAL, 0, len(steps), machine.numbers[name]), *steps]
    return [*program, Instruction(RETURN, 0, 0, forbidden)]


def compiler_instructions(machine: Machine) -> list[Instruction]:
    """Return the filter of compilers, which refuses calls that they never need."""
    program = _opening(machine)
    for name in NO_COMPILER_NEEDS.split():
        if name in machine.numbers:
            program.append(Instruction(JUMP_EQUAL, 0, 1, machine.numbers[name]))
            program.append(Instruction(RETURN, 0, 0, Then.REFUSE))
    return [*program, Instruction(RETURN, 0, 0, Then.ALLOW)]


def _opening(machine: Machine) -> list[Instruction]:
    """Return the first steps of every filter: calls of another convention kill."""
    return [
        Instruction(LOAD, 0, 0, AUDIT),
        Instruction(JUMP_EQUAL, 1, 0, machine.audit),
        Instruction(RETURN, 0, 0, Then.KILL),
        Instruction(LOAD, 0, 0, NUMBER),
        Instruction(JUMP_AT_LEAST, 0, 1, X32),
        Instruction(RETURN, 0, 0, Then.KILL),
    ]


def _checked(checks: tuple[Check, ...], forbidden: Then) -> list[Instruction]:
    """Return the checks of a call; the steps continue behind them if none is met."""
    steps = []
    for argument, when, values, then, is_upper in checks:
        # Except for addresses, the kernel uses the lower half, or refuses any upper one.
        steps.append(Instruction(LOAD, 0, 0, ARGUMENTS + 8 * argument + 4 * is_upper))
        if when is When.IS_NOT:
            beyond = range(len(values), 0, -1)  # instructions from each to the next check
            pairs = zip(beyond, values, strict=True)
            steps += [Instruction(JUMP_EQUAL, skipped, 0, value) for skipped, value in pairs]
        else:
            jump = JUMP_EQUAL if when is When.IS else JUMP_IF_SET
            steps.append(Instruction(jump, 0, 1, *values))
        steps.append(Instruction(RETURN, 0, 0, forbidden if then is None else then))
    return steps


def assembled(program: list[Instruction]) -> bytes:
    """Return a filter as the kernel reads it."""
    return b"".join(INSTRUCTION.pack(*step) for step in program)
