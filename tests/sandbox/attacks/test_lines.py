"""Lines between players, and to the world outside: those that are closed carry nothing."""

import ctypes
import os
import shutil

import pytest

from tourney.sandbox.kernel import system_call
from tourney.sandbox.levels import Level, probe
from tourney.sandbox.lockdown import leave_no_words
from tourney.sandbox.syscalls import X86_64, this_machine

from .lines import LINES, OPEN, measured

pytestmark = pytest.mark.skipif(
    probe() is Level.UNSAFE or this_machine() is not X86_64,
    reason="expected a machine that can confine players, and system calls by the numbers of x86-64",
)

WITHOUT_VERDICT = {"a list of locks, at the end"}
"""What is no system call: it is allowed, and has no effect."""
PR_GET_TID_ADDRESS = 40


@pytest.mark.parametrize("name", [name for name in LINES if name not in OPEN])
def test_a_closed_line_carries_nothing(name: str) -> None:
    """Not one bit; and whoever uses it has a verdict."""
    came = measured(name)
    assert came.heard == ""
    assert bool(came.causes) is (name not in WITHOUT_VERDICT)
    assert set(came.causes) <= {"syscall", "raised"}


def test_a_measure_hears_what_is_there() -> None:
    """The pair that uses an open line hears something, whether or not it is what was said."""
    came = measured("contention", 8)
    assert (len(came.heard), came.causes) == (8, ())


@pytest.mark.skipif(not shutil.which("g++"), reason="nothing can be compiled here")
def test_the_processor_can_be_read_in_cpp() -> None:
    """As long as it can, this line is among those that are open."""
    came = measured("the processor's number, in C++", 4)
    assert (len(came.heard), came.causes) == (4, ())


def test_nothing_is_written_or_woken_at_the_end() -> None:
    """Both addresses that the kernel keeps for a thread's end are gone."""
    process = os.fork()
    if not process:
        leave_no_words(X86_64)
        os._exit(sum(map(bool, (_list_of_locks(), _word_of_thread()))))
    assert os.waitpid(process, 0)[1] == 0
    assert _list_of_locks()  # so it does tell


def _list_of_locks() -> int:
    found, size = ctypes.c_uint64(), ctypes.c_uint64()
    at, at_size = map(ctypes.addressof, (found, size))
    system_call(X86_64.numbers["get_robust_list"], 0, at, at_size)
    return found.value


def _word_of_thread() -> int:
    found = ctypes.c_uint64()
    try:
        system_call(X86_64.numbers["prctl"], PR_GET_TID_ADDRESS, ctypes.addressof(found))
    except OSError:
        return 0  # a kernel that does not tell
    return found.value
