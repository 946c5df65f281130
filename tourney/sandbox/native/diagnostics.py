"""Translating the output of compilers, linkers and binary tools to lines of the author's files."""

import re
from collections.abc import Collection, Iterator, Mapping
from difflib import get_close_matches
from functools import lru_cache
from itertools import islice
from os.path import normpath
from pathlib import PurePosixPath, PureWindowsPath
from typing import NamedTuple

from tourney.config.words import joined
from tourney.errors import BuildError, ConfinementError
from tourney.game.asking.printable_text import printable
from tourney.sandbox.native.source_selection import (
    HEADERS,
    file_of_player,
    is_player,
    is_source,
    methods_of,
)
from tourney.sandbox.native.tools import Done, run_tool, workshop

ADDRESSES = re.compile(r"(?:0x[0-9a-f]{1,16} ?){1,50}\Z")
ENDED = re.compile(r"\n@ended (\w+)((?: [0-9a-f]{1,16})*)(?:\n|\Z)")
"""The last output of a program whose signals faults.cpp has caught."""
DAMAGED = "damaged memory, as after a write past the end of an array or a second delete"
HEAP = re.compile(
    r"(?:\w*(?:alloc|free|consolidate|chunk|unlink)\w*\(\): .+|corrupted (?:size|double-linked) .*"
    r"|double free or corruption.*|\*\*\* stack smashing .*)"
)
"""Messages with which the library ends a program that has damaged its memory."""
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
    r"""Separate a program's output from the reports of its end.

    Returns: The output; the reason for its end, empty if not reported; and addresses.
    >>> told_by("seen\n@ended division 40b1\n\n@ended division 40b1 40b2\n")
    ('seen', 'a division by zero', '0x40b1 0x40b2')
    >>> told_by("free(): invalid pointer\n\n@ended abort 40b1\n")[1].partition(": ")[2]
    'free(): invalid pointer'
    """
    reports = [each for each in ENDED.finditer(printed) if each[1] in WHY]
    if not reports:
        return printed, "", ""
    rest = ENDED.sub(lambda each: "" if each[1] in WHY else each[0], printed)
    heap = HEAP.search(rest)
    why = f"{DAMAGED}: {printable(heap[0])}" if heap else WHY[reports[-1][1]]
    return rest, why, " ".join(f"0x{each}" for each in reports[-1][2].split())


@lru_cache(maxsize=1_000)
def place_in(program: bytes, addresses: str) -> str:
    """Return "file:line" of the innermost address in an author's file; empty without one.

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
        name, _, number = line.partition(" (")[0].rpartition(":")
        place = f"{normpath(name)}:{number}"
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
    r"|(?P<link>(?:multiple definition of|undefined reference to) [^;\n]*)",
    re.MULTILINE,
)
"""Errors of the assembler, and errors without a line."""
LIMITS = {
    "CPU time limit": ("less computing to compile it", "10 s of it"),
    "out of memory": ("less memory to compile it", "1 GiB of it"),
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
OVERRIDE = re.compile(
    r"^(?P<place>[^\s:][^:\n]*:\d+)(?::\d+)?: error: (?P<what>'[^'\n(]*::(?P<method>\w+)\([^'\n]*'"
    r" marked 'override', but does not override)$",
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
    "rvalue as lvalue": "compare with ==, as = sets a value; otherwise set a variable of your own",
    "lvalue required": "compare with ==, as = sets a value; otherwise set a variable of your own",
    "call to 'max(": "give it two numbers of one type, as in std::max<int>(a, b)",
    "call to 'min(": "give it two numbers of one type, as in std::min<int>(a, b)",
    "no matching function": "give it the arguments that its declaration asks for",
    "few arguments": "give it the arguments that its declaration asks for",
    "many arguments": "give it the arguments that its declaration asks for",
    "*' in return": "return the address of an object, as in: return &name;",
    "abstract": "write a pointer, as in Player *: only classes that inherit it have objects",
    "not a static data member": "declare it in the class, as in: static int name;",
    "unterminated #": "add #endif at the end of the file",
    "void value": "call the function in a statement of its own, as it returns no value",
    "not within loop": "write it inside a loop or a switch",
    "different types": "give both values the same type",
    "used as a function": "leave out the parentheses, or rename a variable that hides the function",
    "non-scalar type": "use a value of the expected type; a text has double quotes",
    "extended character": "type this character again: code has plain quotes and signs",
    "stray '": "type this character again: code has plain quotes and signs",
    "missing terminating": "close the text in this line",
    "jump to case label": "write { } around the statements of each case that declares a variable",
    "base operand of '->'": "write . in place of ->, as it is no pointer",
    "is of pointer type": "write -> in place of ., as it is a pointer",
    "without object": "call it on an object, as in: name.function()",
    "a function-definition is not allowed": "close the function before it with }",
    "without a previous 'if'": "look for a semicolon after the if, or write { } around its part",
    "cannot convert": "use a value of the expected type, such as a member of the object",
    "could not convert": "use a value of the expected type, such as a member of the object",
    "invalid conversion": "use a value of the expected type",
    "does not override": "write its name and its parameters as the header has them",
    "redefinition of": "delete one of the two, or give it another name",
    "redeclar": "delete one of the two, or give it another name",
    "with no value": "return a value",
    "discards qualifiers": "change a copy of it, because it is constant",
    "read-only": "change a copy of it, because it is constant",
    "conflict marker": "keep one of the two versions, and delete the lines of <<<, === and >>>",
    "is private within": "use what its class declares as public",
    "is ambiguous": "call it otherwise, or leave out: using namespace std",
    "not declared": f"check its spelling, or declare it, or include its header; {LIBRARY}",
    "not been declared": f"check its spelling, or include its header; {LIBRARY}",
    "does not name a type": f"check its spelling, or include its header; {LIBRARY}",
    "Hand' has no member": "cards and hands have what the course's headers say, and no more",
    "Card' has no member": "cards and hands have what the course's headers say, and no more",
    "HandValue' has no member": "cards and hands have what the course's headers say, and no more",
    "is not a member of 'std'": "check its spelling, or include its header",
    "has no member named": "look up how its class spells it",
    "No such file": "hand that file in, too, or leave the line out",
}
"""Remedies by the message of the compiler or linker; there is none for others."""
INACCESSIBLE = re.compile(r"'([\w:]+)' is an inaccessible base of '(?:[\w:]*::)?(\w+)'")
LATER = re.compile(
    r"'std::(?:ranges|views|numbers)\b|is only available from C\+\+2\d onwards"
    r"|'(?:bit_cast|expected|format|jthread|midpoint|popcount|print|println|source_location|span"
    r"|ssize)' (?:is not a member of|in namespace) 'std'"
)
"""A message about a part of the library that came after C++17."""
NEAR = 0.8
"""Least likeness, from 0 to 1, of a wrong name of a file and the meant one."""
LACKING_FILE = re.compile(r"(?P<name>\S.*): No such file or directory")
SYNTAX = re.compile(
    r"expected (?!identifier in )|stray |missing terminating |unterminated |version control "
)
"""The beginning of an error after which the compiler has lost what follows, such as methods."""
PLAIN = str.maketrans("\u2018\u2019", "''")
"""Quotes as people type them."""
UP = re.compile(r"(?<![\w./-])((?:[\w-][\w.-]*/)*?)[\w-][\w.-]*/\.\./")
"""A folder that a path enters and leaves, as in src/../include/strategy.h."""
MOST_UP = 4
"""Such folders in one path that are left out."""
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
    if not syntax and (fault := _misspelt_override(told, names) or _unfinished_class(told, names)):
        return fault
    for pattern in (ERROR, UNDEFINED, TWICE):
        if found := syntax or pattern.search(told):
            what = f"expected C++ that compiles, got: {printable(found['what'])}"
            place, *others = [*places(found["place"] + told[found.start() :], names), ""]
            if pattern is TWICE and (other := next((each for each in others if each != place), "")):
                what += f", which is in {other}, too"
            rest = told[found.start() :]
            return what, place, _remedy(what, place, rest, names) if place else "", told
    *_, last = told.strip().splitlines() or ["no word"]
    if found := UNPLACED.search(told):
        last = found["link"] or found["what"]
    return f"expected C++ that compiles, got: {printable(last)}", "", "", told


def _misspelt_override(told: str, names: Collection[str]) -> tuple[str, str, str, str] | None:
    """Return the fault of a method whose name is nearly that of a contract, if there is one."""
    open_ = [each.partition("(")[0].split("::")[-1] for each in PURE.findall(told)]
    for found in islice(OVERRIDE.finditer(told), MOST_LOOKED_FOR):
        near = get_close_matches(found["method"], open_, 1)
        place = printable(found["place"])
        if near and near[0] != found["method"] and place.rpartition(":")[0] in names:
            what = f"expected C++ that compiles, got: {printable(found['what'])}"
            return what, place, f"write {near[0]} instead of {found['method']}", told
    return None


def _unfinished_class(told: str, names: Collection[str]) -> tuple[str, str, str, str] | None:
    """Return the fault of a class that lacks functions of its contract, if there is one."""
    found = ABSTRACT.search(told)
    open_ = PURE.findall(told, found.end()) if found else []
    if not found or found["place"].rpartition(":")[0] not in names:
        return None
    if any(f" {found['name']}::" in each for each in open_[:1]):
        return None  # an object of the contract itself, such as Player
    lacking = ", ".join(re.sub(r"\w+::", "", each) for each in open_[:MOST_OPEN])
    what = f"expected a class that answers all questions, got {found['name']} without {lacking}"
    remedy = "write its name and its parameters as the header has them"
    place = printable(found["place"])
    return printable(f"{what}, or with another spelling of it"), place, remedy, told


def _remedy(what: str, place: str, told: str, names: Collection[str]) -> str:
    """Return the remedy for a problem, from the output that begins with it."""
    if base := INACCESSIBLE.search(what):
        return f"write: class {base[2]} : public {base[1]}"
    following = ERROR.search(told, told.find("\n") + 1)
    if LATER.search(told, 0, following.start() if following else len(told)):
        return "the build is C++17, which does not have it: write it without"
    if lacking := LACKING_FILE.search(what.partition("got: ")[2]):
        return _remedy_for_file(lacking["name"], place.rpartition(":")[0], told, names)
    return next((remedy for words, remedy in REMEDIES.items() if words in what), "")


def _remedy_for_file(name: str, includer: str, output: str, names: Collection[str]) -> str:
    """Return the remedy for a file that is included and is not there.

    Args:
        name: The name of the file.
        includer: The file that includes it.
        output: That of the compiler, which quotes the line.
        names: Names of the files that are there.
    """
    last = PureWindowsPath(name).name
    alike = [each for each in names if PurePosixPath(each).name.casefold() == last.casefold()]
    if alike:
        remedy = f"write the name and the folder of your {joined(sorted(alike))} as they are"
    elif near := get_close_matches(last, [PurePosixPath(each).name for each in names], 1, NEAR):
        remedy = f"write {near[0]} instead of {last}"
    elif f"<{name}>" in output:
        remedy = "only the library of C++17 is available here: leave the line out"
    elif not is_source(name) and not name.lower().endswith(HEADERS):
        inc = PurePosixPath(last).with_suffix(".inc")
        remedy = f"rename it to {inc}, here and in your folder: only sources and headers are read"
    else:
        remedy = REMEDIES["No such file"]
    player = file_of_player([*names])
    if is_source(includer) and is_player(PurePosixPath(player).name) and includer != player:
        remedy += f"; if your player does not need {includer}, leave that file out"
    return remedy


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


NO_BODY = re.compile(r"undefined reference to `(?P<table>vtable for )?(?P<name>[^'\n]+)'")
DECLARED = re.compile(
    r"(?<![\w:~])(?P<type>(?:[\w:<>,]{1,80}[ \t&*]+){0,6})(?P<method>~?\w+)\s*"
    r"\((?P<parameters>[^(){};]*)\)(?P<ends>(?:\s|const\b|override\b|final\b|noexcept\b)*);"
)
"""A method in a class that is declared without its body."""
NOT_BEFORE_BODY = {"virtual", "static", "explicit", "inline"}
MOST_LOOKED_FOR = 8
"""Functions without a body, and classes of one name in a file, that are looked at: code may be
hostile."""


UNMATCHED = re.compile(
    r"no declaration matches '(?:[^'\n(]*[\s*&])?(?P<kind>\w+)::(?P<method>~?\w+)\("
)
"""A body of a method that its class does not declare."""
PRIVATE = re.compile(r"'[^'\n(]{0,99}?(?P<kind>\w+)::~?\w+[^'\n]{0,99}' is private within")


class Declared(NamedTuple):
    """A method that a class declares without its body."""

    method: str
    place: str
    head: str  # of its body


def with_remedy(error: BuildError, codes: Mapping[str, str]) -> BuildError:
    """Return an error of the compiler with a remedy that depends on how a class is written.

    Args:
        error: The error of the build.
        codes: The files' code without remarks, by name.
    """
    remedy = error.remedy
    if found := UNMATCHED.search(error.what):
        kind, method = found["kind"], found["method"]
        declared = {each.method: each.head for each in _declared(kind, codes)}
        near = get_close_matches(method, declared, 1)
        remedy = f"declare {method} in the class {kind}"
        if method in declared:
            remedy = f"write it as the class declares it: {declared[method]} {{ ... }}"
        elif near:
            remedy = f"write {kind}::{near[0]}, or declare {method} in the class"
    elif found := PRIVATE.search(error.what):
        label = re.compile(r"\bpublic\s*:(?!:)")
        bodies = [body for _, body in _bodies(found["kind"], codes)]
        if bodies and not any(label.search(each) for each in bodies):
            remedy = f"write `public:` before the methods of {found['kind']}"
    return BuildError(error.what, error.place, printable(remedy), error.told)


def without_body(error: BuildError, codes: Mapping[str, str]) -> BuildError | None:
    """Return the fault of methods that are declared and have no body, if the linker misses one.

    Args:
        error: The error of the build.
        codes: The files' code without remarks, by name.
    """
    for found in islice(NO_BODY.finditer(error.told), MOST_LOOKED_FOR):
        plain = found["name"].replace("(anonymous namespace)::", "").partition("(")[0]
        *_, kind, method = ["", *re.sub(r"<[^<>]*>", "", plain).split("::")]
        if found["table"]:
            kind, method = method, ""
        defined = {kind}.union(*(methods_of(kind, code) for code in codes.values()))
        declared = [
            each
            for each in _declared(kind, codes)
            if each.method in {method, method or each.method} and each.method not in defined
        ]
        if declared:
            return _without_body(kind, declared, codes, error.told)
    return None


def _without_body(
    kind: str, declared: list[Declared], codes: Mapping[str, str], told: str
) -> BuildError:
    first = declared[0]
    names = joined([f"{each.method}()" for each in declared][:MOST_OPEN], "and")
    remedy = f"write {first.head} {{ ... }}"
    for name, code in codes.items():
        alone = rf"(?<![\w:~.>]){re.escape(first.method)}\s*\([^(){{}};]*\)[\w\s]*\}}"
        if found := re.search(alone, _shallow(f"{code}\n}}", 0)):
            line = code.count("\n", 0, found.start()) + 1
            remedy = f"begin the body in {name}:{line} with {first.head}"
    what = f"{kind} declares {names}, and no file has the body"
    return BuildError(printable(what), first.place, printable(remedy), told)


def _declared(kind: str, codes: Mapping[str, str]) -> Iterator[Declared]:
    """Yield the methods that a class declares without their bodies."""
    for (name, first), body in _bodies(kind, codes):
        for each in DECLARED.finditer(body):
            words = [word for word in each["type"].split() if not word.endswith(":")]
            kept = " ".join(word for word in words if word not in NOT_BEFORE_BODY)
            if "friend" in words or not (kept or each["method"].startswith("~")):
                continue
            line = first + body.count("\n", 0, each.start("method"))
            ends = " const" if "const" in each["ends"] else ""
            parameters = " ".join(each["parameters"].split())
            whole = f"{kept} {kind}::{each['method']}({parameters}){ends}".strip()
            yield Declared(each["method"], f"{name}:{line}", whole)


def _bodies(kind: str, codes: Mapping[str, str]) -> Iterator[tuple[tuple[str, int], str]]:
    """Yield where the body of a class begins, as file and line, and the body without others."""
    for name, code in codes.items():
        heads = re.finditer(rf"\b(?:class|struct)\s+{re.escape(kind)}\b[^;{{}}()]{{0,99}}\{{", code)
        for head in islice(heads, MOST_LOOKED_FOR):
            line = code.count("\n", 0, head.end()) + 1
            yield (name, line), _shallow(code, head.end())


def _shallow(code: str, start: int) -> str:
    """Return the code inside a brace, with blanks in place of the contents of inner braces.

    >>> _shallow("{ int f() { return 1; } int n; }", 1)
    ' int f()             } int n; '
    """
    kept, depth, last = list[str](), 0, start
    for found in re.compile(r"[{}]").finditer(code, start):
        if not depth:
            kept.append(code[last : found.start()])
            last = found.start()
        depth += 1 if found[0] == "{" else -1
        if depth < 0:
            break
        if not depth:
            kept.append(re.sub(r"[^\n]", " ", code[last : found.start()]))
            last = found.start()
    return "".join(kept)


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
    for _ in range(MOST_UP):
        found = UP.sub(r"\1", found)
    found = re.sub(r"\bcc\w{6}\.(?:s|o): ?", "", re.sub(r"\bcc\w{6}\.s:\d+: ", "", found))
    found = re.sub(r"/\S*?tourney-build-\w+/", "", found)
    return printable(found, keep="\n\t", most=len(found) + 1)
