"""Landlock: denying access to files, the network and other processes.

It still holds if the filter of system calls has a hole. Files that are already open stay usable.
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
"""All rights on plain files and folders except executing; no devices, no sockets."""

FILE_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15}
"""Number of rights on files, by version."""
NEWEST_FILE_RIGHTS = 16  # from version 5

NET_RIGHTS = 0b11  # to bind and to connect, from version 4
SCOPES = 0b11  # abstract sockets and signals, from version 6
FIRST_WITH_NET, FIRST_WITH_SCOPES = 4, 6


def version(machine: Machine) -> int:
    """Return the kernel's version of Landlock; 0 without Landlock."""
    try:
        return system_call(machine.numbers["landlock_create_ruleset"], 0, 0, ASK_VERSION)
    except OSError:
        return 0


def allow_only(machine: Machine, rights: Mapping[str, int]) -> int:
    """Restrict this thread and its future children to some rights on files.

    Args:
        machine: This machine.
        rights: Rights by the path of a file, or of a folder with all its contents; without any,
            everything is denied.
    Returns: The version of Landlock.
    Raises: OSError, without Landlock, or if a path does not exist.
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
    """Return the rule set that handles every right of a version, and allows none.

    >>> len(ruleset(1)), len(ruleset(4)), len(ruleset(7))
    (8, 16, 24)
    """
    words = [(1 << FILE_RIGHTS.get(newest, NEWEST_FILE_RIGHTS)) - 1]
    if newest >= FIRST_WITH_NET:
        words.append(NET_RIGHTS)
    if newest >= FIRST_WITH_SCOPES:
        words.append(SCOPES)
    return struct.pack(f"<{len(words)}Q", *words)
