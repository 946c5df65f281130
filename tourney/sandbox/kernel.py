"""Asking the kernel for what Python's library has no word for.

Leaves out what is asked: see `lockdown` and `landlock`.
"""

import ctypes
import os

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_NO_NEW_PRIVS = 1, 4, 38
ADDR_NO_RANDOMIZE = 0x0040000

_LIBRARY = ctypes.CDLL(None, use_errno=True)
_LIBRARY.syscall.restype = ctypes.c_long


def system_call(number: int, *arguments: int) -> int:
    """Make a system call.

    Args:
        number: On this machine.
        arguments: Numbers and addresses.
    Raises: OSError, as the kernel says.
    """
    words = [ctypes.c_ulong(argument & (1 << 64) - 1) for argument in arguments]
    result = int(_LIBRARY.syscall(ctypes.c_long(number), *words))
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))
    return result


def control_process(option: int, value: int) -> None:
    """Set an option of this process, PR_SET_….

    Raises: OSError, as the kernel says.
    """
    zero = ctypes.c_ulong(0)
    if _LIBRARY.prctl(option, ctypes.c_ulong(value), zero, zero, zero) != 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))


def fix_addresses() -> int:
    """Let the programs this thread starts lie at the same addresses every time.

    Returns: What to hand to `restore_personality` when they are started.
    """
    now = int(_LIBRARY.personality(ctypes.c_ulong(0xFFFFFFFF)))
    _LIBRARY.personality(ctypes.c_ulong(now | ADDR_NO_RANDOMIZE))
    return now


def restore_personality(personality: int) -> None:
    """Go back to what `fix_addresses` found."""
    _LIBRARY.personality(ctypes.c_ulong(personality))
