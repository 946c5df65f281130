"""What compilers and linkers say, read for whoever wrote the files.

All of it is shaped by a stranger's file: it is shown, and nothing else follows from it.
"""

import re
from collections.abc import Container, Iterator

from tourney.game.asking.wording import printable
from tourney.sandbox.native.tools import Done

MOST_PLACE = 200
"""Characters of a place that are shown."""
MOST_OPEN = 4
"""Questions without an answer that are shown."""
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


ABSTRACT = re.compile(
    r"^(?P<place>[^\s:][^:\n]*:\d+)(?::\d+)?: note:\s+because the following virtual functions are "
    r"pure within '(?P<name>[^'\n]+)':$",
    re.MULTILINE,
)
PURE = re.compile(r"note:\s+'virtual ([^'\n]+)'")
"""What a class lacks that inherits from one of a contract, and so cannot have objects."""
REMEDIES = {
    "multiple definition": "define it in one file, and declare it in a header",
    "undefined reference": "define it in one of your files",
    "expected initializer": "look at the end of what stands before it: a class ends with };",
    "expected ';'": "end the statement before it with ;",
    "is ambiguous": "call it otherwise, or leave out: using namespace std",
    "not declared": "declare it, or include its header; names of the library begin with std::",
    "does not name a type": "include its header; names of the library begin with std::",
    "Hand' has no member": "cards and hands have what the course's headers say, and no more",
    "Card' has no member": "cards and hands have what the course's headers say, and no more",
    "HandValue' has no member": "cards and hands have what the course's headers say, and no more",
    "has no member named": "look up how its class spells it",
    "No such file": "hand that file in, too, or leave the line out",
}
"""What to do, by what the compiler or the linker says; without one of these, to mend the line."""
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
    if (found := ABSTRACT.search(told)) and found["place"].rpartition(":")[0] in names:
        open_ = [re.sub(r"\w+::", "", each) for each in PURE.findall(told, found.end())]
        what = f"expected a class that answers all questions, got {found['name']} without "
        lacking = f"{', '.join(open_[:MOST_OPEN])}, or with another spelling of it"
        remedy = "write its name and its parameters as the header has them"
        return printable(what + lacking), printable(found["place"]), remedy, told
    for pattern in (ERROR, UNDEFINED, TWICE):
        if found := pattern.search(told):
            what = f"expected C++ that compiles, got: {printable(found['what'])}"
            place, *others = [*places(found["place"] + told[found.start() :], names), ""]
            if pattern is TWICE and (other := next((each for each in others if each != place), "")):
                what += f", which is in {other}, too"
            known = (remedy for words, remedy in REMEDIES.items() if words in what)
            return what, place, next(known, "mend the line") if place else "", told
    *_, last = told.strip().splitlines() or ["no word"]
    if found := UNPLACED.search(told):
        last = found["link"] or found["what"]
    return f"expected C++ that compiles, got: {printable(last)}", "", "", told


def places(told: str, names: Container[str]) -> Iterator[str]:
    """Find the places in some files, in the order in which a tool names them."""
    for found in PLACE.finditer(told):
        if found["place"].rpartition(":")[0] in names:
            yield printable(found["place"], most=MOST_PLACE)


def clean(told: str) -> str:
    """Leave out of a tool's words where the files lie on this machine."""
    found = re.sub(r"\.\./out/\w+\.o: ?", "", told.translate(PLAIN))
    found = found.replace("../platform/", "").replace("./", "")
    found = re.sub(r"/(?:usr/bin/)?ld: ", "", found)
    found = re.sub(r"\bcc\w{6}\.(?:s|o): ?", "", re.sub(r"\bcc\w{6}\.s:\d+: ", "", found))
    found = re.sub(r"/\S*?tourney-build-\w+/", "", found)
    return printable(found, keep="\n\t", most=len(found) + 1)
