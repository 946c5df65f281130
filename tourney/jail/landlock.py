"""No file, no network, no signal to others: Landlock's answer to everything it knows.

It holds even if the filter of system calls had a hole. What is open already stays open.
Source: the kernel's Documentation/userspace-api/landlock.rst.
"""

import ctypes
import struct

from tourney.jail.kernel import system_call
from tourney.jail.syscalls import Machine

ASK_VERSION = 1

FILE_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15}
"""How many rights concerning files there are, by version."""
NEWEST_FILE_RIGHTS = 16  # from version 5

NET_RIGHTS = 0b11  # to bind and to connect, from version 4
SCOPES = 0b11  # abstract sockets and signals, from version 6
FIRST_WITH_NET, FIRST_WITH_SCOPES = 4, 6


def version(machine: Machine) -> int:
    """Ask which version of Landlock the kernel has; 0 for none."""
    try:
        return system_call(machine.numbers["landlock_create_ruleset"], 0, 0, ASK_VERSION)
    except OSError:
        return 0


def deny_everything(machine: Machine) -> int:
    """Take every right from this thread and from all it may start.

    Returns: The version of Landlock.
    Raises: OSError, if the kernel has none.
    """
    newest = version(machine)
    rules = ruleset(newest)
    buffer = ctypes.create_string_buffer(rules, len(rules))
    ruled = system_call(
        machine.numbers["landlock_create_ruleset"], ctypes.addressof(buffer), len(rules), 0
    )
    system_call(machine.numbers["landlock_restrict_self"], ruled, 0)
    system_call(machine.numbers["close"], ruled)
    return newest


def ruleset(newest: int) -> bytes:
    """Give the rules that handle every right of a version, and allow none.

    >>> len(ruleset(1)), len(ruleset(4)), len(ruleset(7))
    (8, 16, 24)
    """
    words = [(1 << FILE_RIGHTS.get(newest, NEWEST_FILE_RIGHTS)) - 1]
    if newest >= FIRST_WITH_NET:
        words.append(NET_RIGHTS)
    if newest >= FIRST_WITH_SCOPES:
        words.append(SCOPES)
    return struct.pack(f"<{len(words)}Q", *words)
