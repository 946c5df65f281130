"""The filter of system calls, run step by step as the kernel does."""

import struct

import pytest

from tourney.confine.filters import (
    ALLOWED,
    HANDOVER,
    JUMP_AT_LEAST,
    JUMP_EQUAL,
    JUMP_IF_SET,
    LOAD,
    PROBES,
    RETURN,
    X32,
    Then,
    assembled,
    instructions,
)
from tourney.confine.syscalls import AARCH64, X86_64, Machine

MACHINES = pytest.mark.parametrize("machine", [X86_64, AARCH64], ids=lambda each: each.name)
LONGEST = 4096  # instructions the kernel takes


def run(machine: Machine, number: int, *arguments: int, audit: int | None = None) -> Then:
    """Run the filter on a call."""
    words = (*arguments, *(0,) * (6 - len(arguments)))
    data = struct.pack("<IIQ6Q", number, machine.audit if audit is None else audit, 0, *words)
    held = at = 0
    program = instructions(machine, Then.REPORT)
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


@MACHINES
def test_what_is_not_listed_is_reported(machine: Machine) -> None:
    """Every call that the machine knows, and some that it does not."""
    listed = {*ALLOWED.split(), *PROBES.split()}
    for name, number in machine.numbers.items():
        if name not in listed:
            assert run(machine, number) is Then.REPORT, name
    assert run(machine, 5000) is Then.REPORT


@MACHINES
def test_computing_is_allowed_and_looking_for_files_refused(machine: Machine) -> None:
    """Without arguments that make more of it."""
    for name in set(ALLOWED.split()) & set(machine.numbers):
        assert run(machine, machine.numbers[name], HANDOVER) is Then.ALLOW, name
    for name in set(PROBES.split()) & set(machine.numbers):
        assert run(machine, machine.numbers[name]) is Then.REFUSE, name


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
        assert run(machine, machine.numbers[name], 0, 4096, 3) is Then.ALLOW
        assert run(machine, machine.numbers[name], 0, 4096, 4) is Then.REPORT
        assert run(machine, machine.numbers[name], 0, 4096, 7) is Then.REPORT


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
        (X86_64, "io_uring_setup", 425),
        (X86_64, "landlock_restrict_self", 446),
        (AARCH64, "openat", 56),
        (AARCH64, "newfstatat", 79),
        (AARCH64, "mmap", 222),
        (AARCH64, "rseq", 293),
        (AARCH64, "seccomp", 277),
        (AARCH64, "landlock_restrict_self", 446),
    ],
)
def test_system_calls_have_the_numbers_of_the_kernel(
    machine: Machine, name: str, number: int
) -> None:
    """Some of each table, the last among them, so that no line is missing."""
    assert machine.numbers[name] == number
    assert machine.name_of(number) == name
