"""No file, no network, no signal to others: Landlock's answer to everything it knows.

It holds even if the filter of system calls had a hole. What is open already stays open.
Source: the kernel's Documentation/userspace-api/landlock.rst.
"""

import ctypes
import os
import struct
from collections.abc import Mapping

from tourney.sandbox.kernel import system_call
from tourney.sandbox.syscalls import Machine

ASK_VERSION = 1

PATH_BENEATH = 1
EXECUTE, WRITE_FILE, READ_FILE, READ_FOLDER = 1, 2, 4, 8
TO_RUN = EXECUTE | READ_FILE | READ_FOLDER
TO_USE = 0x41BE
"""All that can be done to plain files and folders but to execute them; no devices, no sockets."""

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
    return allow_only(machine, {})


def allow_only(machine: Machine, rights: Mapping[str, int]) -> int:
    """Leave this thread, and all it may start, some rights concerning files and no others.

    Args:
        machine: This one.
        rights: By the path of a file or a folder, below which they hold.
    Returns: The version of Landlock.
    Raises: OSError, if the kernel has none, or there is nothing of that name.
    """
    newest = version(machine)
    rules = ruleset(newest)
    buffer = ctypes.create_string_buffer(rules, len(rules))
    ruled = system_call(
        machine.numbers["landlock_create_ruleset"], ctypes.addressof(buffer), len(rules), 0
    )
    handled = (1 << FILE_RIGHTS.get(newest, NEWEST_FILE_RIGHTS)) - 1
    for path, bits in rights.items():
        below = os.open(path, os.O_PATH | os.O_CLOEXEC)
        rule = struct.pack("<Qi", bits & handled, below)
        held = ctypes.create_string_buffer(rule, len(rule))
        system_call(
            machine.numbers["landlock_add_rule"], ruled, PATH_BENEATH, ctypes.addressof(held), 0
        )
        os.close(below)
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
