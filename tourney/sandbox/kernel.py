"""System calls and process options that Python's library does not offer."""

import ctypes
import os

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_NO_NEW_PRIVS = 1, 4, 38
ADDR_NO_RANDOMIZE = 0x0040000

_LIBRARY = ctypes.CDLL(None, use_errno=True)
_LIBRARY.syscall.restype = ctypes.c_long


def system_call(number: int, *arguments: int) -> int:
    """Make a system call.

    Args:
        number: The number of the call on this machine.
        arguments: Numbers and addresses.
    Raises: OSError, with the kernel's error.
    """
    words = [ctypes.c_ulong(argument & (1 << 64) - 1) for argument in arguments]
    result = int(_LIBRARY.syscall(ctypes.c_long(number), *words))
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))
    return result


def control_process(option: int, value: int) -> None:
    """Set an option of this process, PR_SET_….

    Raises: OSError, with the kernel's error.
    """
    zero = ctypes.c_ulong(0)
    if _LIBRARY.prctl(option, ctypes.c_ulong(value), zero, zero, zero) != 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))


def fix_addresses() -> int:
    """Disable address randomisation for the programs that this thread starts.

    Returns: The state for `restore_personality`.
    """
    now = int(_LIBRARY.personality(ctypes.c_ulong(0xFFFFFFFF)))
    _LIBRARY.personality(ctypes.c_ulong(now | ADDR_NO_RANDOMIZE))
    return now


def restore_personality(personality: int) -> None:
    """Restore the state before `fix_addresses`."""
    _LIBRARY.personality(ctypes.c_ulong(personality))
