"""From addresses in a program to lines of its author's files, as it tells of its own faults.

What a program says is its author's word; so nothing follows from it but which line a verdict shows.
"""

import re
from functools import lru_cache

from tourney.errors import ConfinementError
from tourney.game.asking.wording import printable
from tourney.sandbox.native.tools import run_tool, workshop

ADDRESSES = re.compile(r"(?:0x[0-9a-f]{1,16} ?){1,50}\Z")
ENDED = re.compile(r"\n@ended (\w+)((?: [0-9a-f]{1,16})*)(?:\n|\Z)")
"""What a program prints as it ends, whose own signals faults.cpp has caught."""
WHY = {
    "division": "a division by zero",
    "instruction": "an instruction that the processor does not know, as where no return is",
    "pointer": "a pointer that leads nowhere",
    "stack": "a full stack, as after endless recursion",
    "clock": "a look at the processor's own clock",
    "virtual": "a call of a virtual function that has no body",
    "exit": "exit(), which ends its program",
    "loop": "a sign that it has computed too much",
    "abort": "abort(), as after a failed assert or an exception that nobody may catch",
}
NOT_AUTHORS = ("/", "?")
"""What the names of files begin with that are no author's, such as ours; see `building.HERE`."""


def told_by(printed: str) -> tuple[str, str, str]:
    r"""Part what a program printed from what it says of its end.

    Returns: What it printed; why it ended, empty if it does not say; and addresses.

    >>> told_by("seen\n@ended division 40b1 40b2\n")
    ('seen', 'a division by zero', '0x40b1 0x40b2')
    """
    found = None
    for found in ENDED.finditer(printed):  # noqa: B007 - the last one is meant
        pass
    if found is None or found[1] not in WHY:
        return printed, "", ""
    rest = printed[: found.start()] + printed[found.end() :]
    return rest, WHY[found[1]], " ".join(f"0x{each}" for each in found[2].split())


@lru_cache(maxsize=1_000)
def place_in(program: bytes, addresses: str) -> str:
    """Give "file:line" of the innermost of some addresses that lies in an author's file.

    Args:
        program: As it was built.
        addresses: Innermost first, "0x401234 0x401300"; anything else has no place.
    Returns: Empty, if there is none.
    """
    if not ADDRESSES.match(addresses):
        return ""
    try:
        with workshop() as folder:
            (folder / "program").write_bytes(program)
            command = ("addr2line", "-i", "-e", "program", *addresses.split())
            done = run_tool(folder, ".", command)
    except ConfinementError:
        return ""  # only what a verdict shows depends on it
    for line in done.told.splitlines() if not done.status else ():
        place = line.partition(" (")[0].replace("./", "")
        if re.fullmatch(r"[^:]+:\d+", place) and not place.startswith(NOT_AUTHORS):
            return printable(place)
    return ""
