"""Where a competitor's files have put what they keep, as `objdump` lists it.

What they can write is swapped for every seat, and nothing that they can write is executed. Leaves
out who gathers it; see seat.ld.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from tourney.game.asking.wording import printable

MOST_STATE = 64 << 10
"""Bytes that a competitor's global variables may have: each seat keeps a copy of them."""
STATE, THREAD = "seat_state", "thread_state"
WRITTEN = frozenset(
    {STATE, THREAD, "seat_init", ".data.rel.ro", ".preinit_array", ".fini_array", ".tm_clone_table"}
)
"""Sections that a program may write as it begins; the first is swapped, the others never change."""
LINE = re.compile(r" *\d+ (?P<name>\S+) +(?P<size>[0-9a-f]{8,16})(?: +[0-9a-f]+){3} +2\*\*\d+")
FLAGS = re.compile(r" +(?P<flags>[A-Z_]+(?:, [A-Z_]+)*)")
LARGE = "every seat has its own copy of them; make large arrays with new, or make them const"
HEAD = 5
"""Lines before the first section."""
OWN = "leave `section` out: every seat has its own copy only of what the compiler places"


class Section(NamedTuple):
    """A line of the list."""

    name: str
    size: int  # in bytes
    flags: frozenset[str]


def wrong_section(told: str) -> tuple[str, str]:
    """Look for what could not be kept for every seat, or could be changed while it is executed.

    Args:
        told: What `objdump -h` says, all of it.
    Returns: What was expected and found, and a remedy; empty if all is well.
    """
    for section in _listed(told):
        if section is None:
            return "expected sections with plain names, got another one", OWN
        name, size, flags = section
        shown = printable(name, most=60)
        if name == THREAD and size:
            return "expected global variables, got one that is thread_local", "leave that word out"
        if name == STATE and size > MOST_STATE:
            return (
                f"expected at most {MOST_STATE:,} bytes of global variables, got {size:,}",
                LARGE,
            )
        is_loaded = "ALLOC" in flags and size > 0
        if is_loaded and (name == ".interp" or ("READONLY" not in flags and name not in WRITTEN)):
            return f"expected variables in no section of their own, got one in {shown}", OWN
    return "", ""


def _listed(told: str) -> Iterator[Section | None]:
    """Give the sections of a list; None for lines that are none, however they came there."""
    lines = told.splitlines()[HEAD:]
    for first, second in zip(lines[::2], [*lines[1::2], ""], strict=False):
        line, flags = LINE.fullmatch(first), FLAGS.fullmatch(second)
        if not line or not flags:
            yield None
            return
        yield Section(line["name"], int(line["size"], 16), frozenset(flags["flags"].split(", ")))
