"""The filter of system calls, run step by step as the kernel does."""

import struct

import pytest

from tourney.sandbox.syscall_filter import (
    CLOCKS,
    HANDOVER,
    HOST,
    JUMP_AT_LEAST,
    JUMP_EQUAL,
    JUMP_IF_SET,
    LOAD,
    NATIVE,
    PROBES,
    RETURN,
    X32,
    ZEROS,
    Listed,
    Then,
    assembled,
    instructions,
)
from tourney.sandbox.syscalls import AARCH64, X86_64, Machine

MACHINES = pytest.mark.parametrize("machine", [X86_64, AARCH64], ids=lambda each: each.name)
LONGEST = 4096  # instructions the kernel takes


def run(
    machine: Machine,
    number: int,
    *arguments: int,
    audit: int | None = None,
    listed: Listed = HOST,
) -> Then:
    """Run the filter on a call."""
    words = (*arguments, *(0,) * (6 - len(arguments)))
    data = struct.pack("<IIQ6Q", number, machine.audit if audit is None else audit, 0, *words)
    held = at = 0
    program = instructions(machine, Then.REPORT, listed)
    while True:
        step = program[at]
        at += 1
        if step.code == RETURN:
            return Then(step.value)
        if step.code == LOAD:
            (held,) = struct.unpack_from("<I", data, step.value)
            continue
        holds = {
            JUMP_EQUAL: held == step.value,
            JUMP_AT_LEAST: held >= step.value,
            JUMP_IF_SET: bool(held & step.value),
        }[step.code]
        at += step.if_true if holds else step.if_false


NO_FILE = (1 << 64) - 1
USUAL = {
    "mmap": (0, 4096, 3, 0x22, NO_FILE),
    "madvise": (0, 4096, 4),
    "futex": (4096, 0x81, 1),
    "sendmsg": (HANDOVER,),
}
"""What an honest process calls with; others are allowed with nothing but zeros."""


@MACHINES
def test_what_is_not_listed_is_reported(machine: Machine) -> None:
    """Every call that the machine knows, and some that it does not."""
    listed = {*HOST.allowed.split(), *PROBES.split(), *ZEROS.split()}
    for name, number in machine.numbers.items():
        if name not in listed:
            assert run(machine, number) is Then.REPORT, name
    assert run(machine, 5000) is Then.REPORT


@MACHINES
def test_computing_is_allowed_numbers_are_zero_and_looking_for_files_is_refused(
    machine: Machine,
) -> None:
    """Without arguments that make more of it."""
    for name in set(HOST.allowed.split()) & set(machine.numbers):
        assert run(machine, machine.numbers[name], *USUAL.get(name, ())) is Then.ALLOW, name
    for name in ZEROS.split():
        assert run(machine, machine.numbers[name]) is Then.ZERO, name
    for name in set(PROBES.split()) & set(machine.numbers):
        assert run(machine, machine.numbers[name]) is Then.REFUSE, name


@MACHINES
def test_a_program_has_no_clock(machine: Machine) -> None:
    """What Python needs of them is reported of a program."""
    assert {*CLOCKS.split()} == {*HOST.allowed.split()} - {*NATIVE.allowed.split()}
    for name in set(CLOCKS.split()) & set(machine.numbers):
        assert run(machine, machine.numbers[name]) is Then.ALLOW, name
        assert run(machine, machine.numbers[name], listed=NATIVE) is Then.REPORT, name


@MACHINES
@pytest.mark.parametrize("flags", [0o1, 0o2, 0o100, 0o1000, 0o2101])
def test_opening_to_write_is_reported(machine: Machine, flags: int) -> None:
    """A look is refused in silence; writing is no accident."""
    assert run(machine, machine.numbers["openat"], 0, 0, flags) is Then.REPORT
    assert run(machine, machine.numbers["openat"], 0, 0, 0o2000000) is Then.REFUSE


@MACHINES
def test_memory_never_runs(machine: Machine) -> None:
    """Neither from the start nor later."""
    for name in ("mmap", "mprotect"):
        for protection, then in ((3, Then.ALLOW), (4, Then.REPORT), (7, Then.REPORT)):
            assert run(machine, machine.numbers[name], 0, 4096, protection, 0x22, NO_FILE) is then


@MACHINES
@pytest.mark.parametrize(
    ("flags", "file"),
    [
        (0x21, NO_FILE),  # shared
        (0x23, NO_FILE),  # shared, by the other word
        (0x28, NO_FILE),  # gone when others want memory
        (0x40022, NO_FILE),  # huge pages, of which there are few
        (0x2022, NO_FILE),  # locked
        (0x02, 1),  # a file's
        (0x22, 0),
    ],
)
def test_memory_is_its_own(machine: Machine, flags: int, file: int) -> None:
    """It is neither shared, nor a file's, nor from what all draw on."""
    assert run(machine, machine.numbers["mmap"], 0, 4096, 3, flags, file) is Then.REPORT


@MACHINES
@pytest.mark.parametrize("advice", [3, 8, 9, 12, 20, 21, 22, 23, 25])
def test_advice_that_others_notice_is_reported(machine: Machine, advice: int) -> None:
    """Pages fetched, put out, merged or counted."""
    assert run(machine, machine.numbers["madvise"], 0, 4096, advice) is Then.REPORT


@MACHINES
@pytest.mark.parametrize("word", [0, 1, 3, 5, 6, 7, 8, 9, 11, 13, 0x83, 0x85, 0x86, 0x87, 0x8D])
def test_locks_that_others_could_share_are_reported(machine: Machine, word: int) -> None:
    """All without the flag for private ones, and all that name a thread, with it or without."""
    assert run(machine, machine.numbers["futex"], 4096, word) is Then.REPORT
    assert run(machine, machine.numbers["futex"], 4096, word | 0x100) is Then.REPORT


@MACHINES
@pytest.mark.parametrize("word", [0x80, 0x89, 0x189])
def test_a_wait_that_has_an_end_is_over_at_once(machine: Machine, word: int) -> None:
    """Wherever in memory its time stands; one without an end is a deadlock of its own."""
    futex = machine.numbers["futex"]
    assert run(machine, futex, 4096, word, 0, 8192) is Then.TIME_OUT
    assert run(machine, futex, 4096, word, 0, 1 << 32) is Then.TIME_OUT
    assert run(machine, futex, 4096, word, 0, 0) is Then.ALLOW


@MACHINES
def test_waking_has_no_time(machine: Machine) -> None:
    """What stands where another call has its time is nothing there."""
    assert run(machine, machine.numbers["futex"], 4096, 0x81, 1, 8192) is Then.ALLOW


@MACHINES
@pytest.mark.parametrize("name", ["clock_gettime", "clock_getres"])
def test_only_clocks_that_are_nobody_elses_are_read(machine: Machine, name: str) -> None:
    """Those of other processes have a number that is made of the process's."""
    for clock in (0, 1, 2, 3, 4, 5, 6, 7, 11):
        assert run(machine, machine.numbers[name], clock) is Then.ALLOW
    for clock in (8, 9, 10, 12, 16, *(~process << 3 | 2 for process in (0, 1, 77, 2**22))):
        assert run(machine, machine.numbers[name], clock & 0xFFFFFFFF) is Then.REPORT


@MACHINES
def test_where_others_may_run_is_not_told(machine: Machine) -> None:
    """Nor whether they exist."""
    assert run(machine, machine.numbers["sched_getaffinity"], 1) is Then.REPORT


@MACHINES
def test_how_many_processors_there_are_is_not_told(machine: Machine) -> None:
    """It differs from machine to machine, and from worker to worker."""
    assert run(machine, machine.numbers["sched_getaffinity"], 0) is Then.REFUSE


@MACHINES
def test_only_the_line_of_the_handover_is_for_sending(machine: Machine) -> None:
    """It is closed before a competitor runs, and nothing can be opened in its place."""
    assert run(machine, machine.numbers["sendmsg"], HANDOVER) is Then.ALLOW
    assert run(machine, machine.numbers["sendmsg"], HANDOVER - 1) is Then.REPORT


@MACHINES
def test_calls_by_other_numbers_kill(machine: Machine) -> None:
    """Those of x32, and those of another kind of processor."""
    assert run(machine, X32 | machine.numbers["read"]) is Then.KILL
    assert run(machine, machine.numbers["read"], audit=0x40000003) is Then.KILL


@MACHINES
def test_the_kernel_takes_a_program_of_that_length(machine: Machine) -> None:
    """And jumps stay within it."""
    program = instructions(machine, Then.KILL)
    assert len(program) < LONGEST
    assert len(assembled(program)) == 8 * len(program)
    assert program[-1].value == Then.KILL


@pytest.mark.parametrize(
    ("machine", "name", "number"),
    [
        (X86_64, "socket", 41),
        (X86_64, "rseq", 334),
        (X86_64, "uretprobe", 335),
        (X86_64, "uprobe", 336),
        (X86_64, "io_uring_setup", 425),
        (X86_64, "landlock_restrict_self", 446),
        (X86_64, "set_mempolicy_home_node", 450),
        (X86_64, "cachestat", 451),
        (X86_64, "mseal", 462),
        (X86_64, "file_setattr", 469),
        (AARCH64, "openat", 56),
        (AARCH64, "newfstatat", 79),
        (AARCH64, "mmap", 222),
        (AARCH64, "rseq", 293),
        (AARCH64, "seccomp", 277),
        (AARCH64, "landlock_restrict_self", 446),
        (AARCH64, "cachestat", 451),
        (AARCH64, "file_setattr", 469),
    ],
)
def test_system_calls_have_the_numbers_of_the_kernel(
    machine: Machine, name: str, number: int
) -> None:
    """Some of each table, the last among them, so that no line is missing."""
    assert machine.numbers[name] == number
    assert machine.name_of(number) == name
