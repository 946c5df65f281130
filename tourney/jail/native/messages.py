"""What compilers and linkers say, read for whoever wrote the files.

All of it is shaped by a stranger's file: it is shown, and nothing else follows from it.
"""

import re
from collections.abc import Container, Iterator

from tourney.game.asking.wording import printable
from tourney.jail.native.tools import Done

MOST_PLACE = 200
"""Characters of a place that are shown."""
ERROR = re.compile(
    r"^(?P<place>[^\s:][^:\n]*:\d+)(?::\d+)?: (?:fatal )?error: (?P<what>.*)$", re.MULTILINE
)
UNDEFINED = re.compile(
    r"(?P<place>[^\s:]+:\d+): (?P<what>undefined reference to .*)$", re.MULTILINE
)
TWICE = re.compile(
    r"(?P<place>[^\s:]+:\d+): (?P<what>multiple definition of .*?)(?:; .*)?$", re.MULTILINE
)
UNPLACED = re.compile(
    r"^.*?(?:fatal error|[Ee]rror): (?P<what>(?!ld returned).*)$"
    r"|(?P<link>multiple definition of [^;\n]*)",
    re.MULTILINE,
)
"""Of the assembler, and of what has no line."""
LIMITS = {
    "CPU time limit": ("less computing to compile it", "10 s of it"),
    "out of memory": ("less memory to compile it", "1 GiB of it"),
    "virtual memory exhausted": ("less memory to compile it", "1 GiB of it"),
    "annot allocate memory": ("less memory to compile it", "1 GiB of it"),
    "emory exhausted": ("less memory to compile it", "1 GiB of it"),
    "File size limit": ("a program of at most 32 MiB", "more"),
    "File too large": ("a program of at most 32 MiB", "more"),
    "Segmentation fault": ("a program that can be compiled", "one nested too deeply"),
    "Bus error": ("a program that can be compiled", "one too large"),
}
"""What tools say when a limit stops them."""


PLAIN = str.maketrans("\u2018\u2019", "''")
"""Quotes as people type them."""
PLACE = re.compile(r"(?P<place>[^\s:]+:\d+)")


def complaint(done: Done, names: Container[str]) -> tuple[str, str, str, str]:
    """Say why a tool has failed.

    Args:
        done: How it ended.
        names: Of the files that a place can be in; a file may claim to be any other one.
    Returns: What was expected and found, "file:line" or nothing, a remedy or nothing, and all that
        the tool said.
    """
    told = clean(done.told)
    for words, (expected, got) in LIMITS.items():
        if words in told:
            return f"expected {expected}, got {got}", "", "make it simpler", told
    if done.status < 0:
        return "expected it to compile in time, got no end", "", "make it simpler", told
    for pattern in (ERROR, UNDEFINED, TWICE):
        if found := pattern.search(told):
            what = f"expected C++ that compiles, got: {printable(found['what'])}"
            place = next(_places(found["place"] + told[found.start() :], names), "")
            return what, place, "mend the line" if place else "", told
    *_, last = told.strip().splitlines() or ["no word"]
    if found := UNPLACED.search(told):
        last = found["link"] or found["what"]
    return f"expected C++ that compiles, got: {printable(last)}", "", "", told


def _places(told: str, names: Container[str]) -> Iterator[str]:
    """Find the places in some files, in the order in which a tool names them."""
    for found in PLACE.finditer(told):
        if found["place"].rpartition(":")[0] in names:
            yield printable(found["place"], most=MOST_PLACE)


def clean(told: str) -> str:
    """Leave out of a tool's words where the files lie on this machine."""
    found = told.replace("../platform/", "").replace("./", "").translate(PLAIN)
    found = re.sub(r"/(?:usr/bin/)?ld: ", "", found)
    found = re.sub(r"\bcc\w{6}\.(?:s|o): ?", "", re.sub(r"\bcc\w{6}\.s:\d+: ", "", found))
    found = re.sub(r"/\S*?tourney-build-\w+/", "", found)
    return printable(re.sub(r"\.\./out/\w+\.o: ", "", found), keep="\n\t", most=len(found) + 1)
