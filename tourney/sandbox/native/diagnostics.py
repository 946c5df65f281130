"""Translating the output of compilers, linkers and binary tools to lines of the author's files."""

import re
from collections.abc import Collection, Iterator
from functools import lru_cache

from tourney.errors import ConfinementError
from tourney.game.asking.printable_text import printable
from tourney.sandbox.native.tools import Done, run_tool, workshop

ADDRESSES = re.compile(r"(?:0x[0-9a-f]{1,16} ?){1,50}\Z")
ENDED = re.compile(r"\n@ended (\w+)((?: [0-9a-f]{1,16})*)(?:\n|\Z)")
"""The last output of a program whose signals faults.cpp has caught."""
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
"""First characters of file names that are not the author's; see `compilation.HERE`."""


def told_by(printed: str) -> tuple[str, str, str]:
    r"""Separate a program's output from the report of its end.

    Returns: The output; the reason for its end, empty if not reported; and addresses.
    >>> told_by("seen\n@ended division 40b1 40b2\n")
    ('seen', 'a division by zero', '0x40b1 0x40b2')
    """
    found = None
    for found in ENDED.finditer(printed):  # noqa: B007 - keeps the last one
        pass
    if found is None or found[1] not in WHY:
        return printed, "", ""
    rest = printed[: found.start()] + printed[found.end() :]
    return rest, WHY[found[1]], " ".join(f"0x{each}" for each in found[2].split())


@lru_cache(maxsize=1_000)
def place_in(program: bytes, addresses: str) -> str:
    """Return "file:line" of the innermost address in an author's file; empty if there is none.

    Args:
        program: The program.
        addresses: Innermost first, such as "0x401234 0x401300"; other text has no place.
    """
    if not ADDRESSES.match(addresses):
        return ""
    try:
        with workshop() as folder:
            (folder / "program").write_bytes(program)
            command = ("addr2line", "-i", "-e", "program", *addresses.split())
            done = run_tool(folder, ".", command)
    except ConfinementError:
        return ""  # the place is only shown with a verdict
    for line in done.told.splitlines() if not done.status else ():
        place = line.partition(" (")[0].replace("./", "")
        if re.fullmatch(r"[^:]+:\d+", place) and not place.startswith(NOT_AUTHORS):
            return printable(place)
    return ""


MOST_PLACE = 200
"""Characters of a place that are shown."""
MOST_OPEN = 4
"""Missing functions that are shown at most."""
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
"""Errors of the assembler, and errors without a line."""
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
"""Messages of tools that were stopped by a limit."""


ABSTRACT = re.compile(
    r"^(?P<place>[^\s:][^:\n]*:\d+)(?::\d+)?: note:\s+because the following virtual functions are "
    r"pure within '(?P<name>[^'\n]+)':$",
    re.MULTILINE,
)
PURE = re.compile(r"note:\s+'virtual ([^'\n]+)'")
"""The functions that a class derived from a contract does not define."""
LIBRARY = "names of the library begin with std::"
REMEDIES = {
    "multiple definition": "define it in one file, and declare it in a header",
    "undefined reference": "define it in one of your files",
    "expected initializer": "look at the end of what stands before it: a class ends with };",
    "expected ';'": "end the statement before it with ;",
    "expected '}'": "close every { with }",
    "expected ')'": "close every ( with )",
    "expected unqualified-id": "look for a brace or a semicolon that is too many or missing",
    ": expected ": "correct this line or the one before it",
    "no match for 'operator<<'": "print its members, such as a number, one by one",
    "no match for 'operator": "use a member that is a number, not the whole object",
    "no match for call": "it is no function: leave out the parentheses, or call one of its methods",
    "no matching function": "give it the arguments that its declaration asks for",
    "few arguments": "give it the arguments that its declaration asks for",
    "many arguments": "give it the arguments that its declaration asks for",
    "cannot convert": "use a value of the expected type, such as a member of the object",
    "could not convert": "use a value of the expected type, such as a member of the object",
    "invalid conversion": "use a value of the expected type",
    "does not override": "write its name and its parameters as the header has them",
    "redefinition of": "delete one of the two, or give it another name",
    "redeclar": "delete one of the two, or give it another name",
    "with no value": "return a value",
    "discards qualifiers": "change a copy of it, because it is constant",
    "read-only": "change a copy of it, because it is constant",
    "is private within": "use what its class declares as public",
    "is ambiguous": "call it otherwise, or leave out: using namespace std",
    "not declared": f"check its spelling, or declare it, or include its header; {LIBRARY}",
    "not been declared": f"check its spelling, or include its header; {LIBRARY}",
    "does not name a type": f"check its spelling, or include its header; {LIBRARY}",
    "Hand' has no member": "cards and hands have what the course's headers say, and no more",
    "Card' has no member": "cards and hands have what the course's headers say, and no more",
    "HandValue' has no member": "cards and hands have what the course's headers say, and no more",
    "has no member named": "look up how its class spells it",
    "No such file": "hand that file in, too, or leave the line out",
}
"""Remedies by the message of the compiler or linker; there is none for others."""
SYNTAX = re.compile(r"expected (?!identifier in )|stray |missing terminating |unterminated ")
"""The beginning of an error after which the compiler has lost what follows, such as methods."""
PLAIN = str.maketrans("\u2018\u2019", "''")
"""Quotes as people type them."""
LINE = re.compile(r":\d+")
PART_OF_NAME = re.compile(r"[\w./-]")


def complaint(done: Done, names: Collection[str]) -> tuple[str, str, str, str]:
    """Describe why a tool has failed.

    Args:
        done: How it ended.
        names: Names of the files that a place can be in, because a file may claim any other name.
    Returns: The problem, "file:line" or empty, a remedy or empty, and the complete output.
    """
    told = clean(done.told)
    for words, (expected, got) in LIMITS.items():
        if words in told:
            return f"expected {expected}, got {got}", "", "make it simpler", told
    if done.status < 0:
        return "expected it to compile in time, got no end", "", "make it simpler", told
    syntax = _error_with_syntax(told)
    found = None if syntax else ABSTRACT.search(told)
    if found and found["place"].rpartition(":")[0] in names:
        open_ = [re.sub(r"\w+::", "", each) for each in PURE.findall(told, found.end())]
        what = f"expected a class that answers all questions, got {found['name']} without "
        lacking = f"{', '.join(open_[:MOST_OPEN])}, or with another spelling of it"
        remedy = "write its name and its parameters as the header has them"
        return printable(what + lacking), printable(found["place"]), remedy, told
    for pattern in (ERROR, UNDEFINED, TWICE):
        if found := syntax or pattern.search(told):
            what = f"expected C++ that compiles, got: {printable(found['what'])}"
            place, *others = [*places(found["place"] + told[found.start() :], names), ""]
            if pattern is TWICE and (other := next((each for each in others if each != place), "")):
                what += f", which is in {other}, too"
            known = (remedy for words, remedy in REMEDIES.items() if words in what)
            return what, place, next(known, "") if place else "", told
    *_, last = told.strip().splitlines() or ["no word"]
    if found := UNPLACED.search(told):
        last = found["link"] or found["what"]
    return f"expected C++ that compiles, got: {printable(last)}", "", "", told


def _error_with_syntax(told: str) -> re.Match[str] | None:
    """Return the error to fix first, if the compiler found an error of syntax.

    The first error may be a consequence of another one above it, but only if both are of syntax.
    """
    errors = list(ERROR.finditer(told))
    syntax = [each for each in errors if SYNTAX.match(each["what"])]
    if not syntax or syntax[0] is not errors[0]:
        return errors[0] if syntax else None
    file, _, _ = errors[0]["place"].rpartition(":")
    alike = [each for each in syntax if each["place"].rpartition(":")[0] == file]
    return min(alike, key=lambda each: int(each["place"].rpartition(":")[2]))


def places(told: str, names: Collection[str]) -> Iterator[str]:
    """Find the places in some files, in the order in which a tool names them."""
    longest_first = sorted(names, key=len, reverse=True)
    for found in LINE.finditer(told):
        end = found.start()
        name = next((each for each in longest_first if told.endswith(each, 0, end)), "")
        if name and not PART_OF_NAME.match(told[: end - len(name)][-1:]):
            yield printable(name + found[0], most=MOST_PLACE)


def clean(told: str) -> str:
    """Remove paths of this machine from a tool's output."""
    found = re.sub(r"\.\./out/\w+\.o: ?", "", told.translate(PLAIN))
    found = re.sub(r"(?<![\w.])\./", "", found.replace("../platform/", ""))
    found = re.sub(r"/(?:usr/bin/)?ld: ", "", found)
    found = re.sub(r"\bcc\w{6}\.(?:s|o): ?", "", re.sub(r"\bcc\w{6}\.s:\d+: ", "", found))
    found = re.sub(r"/\S*?tourney-build-\w+/", "", found)
    return printable(found, keep="\n\t", most=len(found) + 1)
