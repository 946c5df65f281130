"""Selects the files of a competitor in C++ to build, and the game's contract that they follow.

As in the course documents, these are `player.cpp` and the sources in its folder. A tokenizer cannot
know everything; the compiler and the linker decide the rest.
"""

import re
from collections.abc import Collection, Container, Mapping, Sequence
from difflib import get_close_matches
from os.path import normpath
from pathlib import PurePosixPath, PureWindowsPath
from typing import NamedTuple

from tourney.config.words import joined
from tourney.errors import BuildError
from tourney.game.accelerators import (
    INCLUDE,
    NativeContract,
    first_missing,
    written_to,
)

MOST_NAME = 200
"""Characters of a file's name."""
SUFFIXES = (".cpp", ".cc", ".cxx", ".c++", ".cp")
"""Suffixes of sources in any case; also `.C`, while `.c` is C."""
HEADERS = (".h", ".hpp", ".hh", ".hxx", ".h++", ".tpp", ".tcc", ".ipp", ".inl", ".inc")
"""Suffixes of files that sources include."""
REMARKS = re.compile(
    r'(?P<raw>R"(?P<mark>[^()\\\s]{0,16})\(.*?\)(?P=mark)")'
    r'|(?P<word>"(?:\\.|[^"\\\n])*"|\B\'(?:\\.|[^\'\\\n])+\')'
    r"|//(?:\\\n|[^\n])*|/\*.*?\*/",
    re.DOTALL,
)
"""Remarks, and quoted text that may look like one."""
CONDITION = re.compile(r"^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|else|endif)\b(.*)$")
NEVER, ALWAYS = ("0", "false"), ("1", "true")
"""Conditions that need no preprocessor."""
PARAMETERS = r"\s*\((?:[^(){};]|\([^(){};]*\))*\)"
GIVER = re.compile(r"\b\w+\s*\*\s*(\w+)\s*\(([^(){};]*)\)\s*\{")
"""A function that returns a pointer, such as one with nearly the right name."""
MAIN = re.compile(r"\bmain\b")
"""A header with this name may give a `main` to its sources, as frameworks for tests do."""
EXPLAINED = (
    *("undefined reference", "not declared", "not been declared", "does not name a type"),
    *("no member", "not a member", "incomplete type"),
)
"""Errors that a missing file can cause."""
NO_FUNCTION = "expected a function that gives your player, got none"


def contract_of(
    files: Sequence[tuple[str, str]], contracts: Sequence[NativeContract]
) -> NativeContract:
    """Return the contract that a competitor's files implement, without compiling them.

    Args:
        files: (name, text).
        contracts: Contracts of one game or of several; the default one last.
    Raises: BuildError, if they include headers of several contracts, or no such header.
    """
    if not contracts:
        what = "players of this game cannot be written in C++: it has no header"
        raise BuildError(what, files[0][0] if files else "", "write the player in Python")
    files = [(name, code_of(text)) for name, text in files]
    found = written_to(files, contracts)
    root = file_of_player([name for name, _ in files])
    missing = first_missing(sorted(files, key=lambda each: each[0] != root))
    if len(found) == 1 or not missing:  # without headers the default; the build shows any fault
        return (found or contracts)[-1]
    place, got = missing
    if found:
        both = joined([f'#include "{each.header}"' for each in found], "and")
        raise BuildError(f"{both} belong to different contracts", place, "include only one of them")
    check_year(dict(files), contracts)
    if fault := _lacking_header(missing, dict(files), contracts):
        raise fault
    headers = joined([f'#include "{each.header}"' for each in contracts])
    games = joined([*dict.fromkeys(each.game for each in contracts)])
    what = f"expected {headers}, as players of {games} begin, got {got}"
    raise BuildError(what, place, "enter it where its game is played, or begin it so")


def _lacking_header(
    missing: tuple[str, str], codes: Mapping[str, str], contracts: Sequence[NativeContract]
) -> BuildError | None:
    """Return the fault of a player whose own header is not there, if it gives a known player."""
    place, line = missing
    functions = {name for each in contracts for name in each.functions}
    included = INCLUDE.match(line)
    header = PureWindowsPath(included[1] if included else line).name
    stem = PurePosixPath(header.casefold()).stem
    stems = [PurePosixPath(each.header.casefold()).stem for each in contracts]
    gives = any(defines(code, each) for code in codes.values() for each in functions)
    if not gives or get_close_matches(stem, stems, 1):
        return None
    file, _, _ = place.rpartition(":")
    what = f"{header}, which {file} includes, is not in the folder"
    return BuildError(what, place, "hand that file in, too")


class Selection(NamedTuple):
    """A competitor's files by their use."""

    files: tuple[tuple[str, str], ...]  # the author's files that the compiler sees
    compiled: tuple[str, ...]  # sources of the folder that the player is in
    doubtful: tuple[str, ...]  # of these, those that may have a `main`, also from a header
    spare: tuple[str, ...]  # sources in subfolders, used if the others lack a function
    aside: tuple[str, ...]  # not part of the player, such as our headers and other players


def sorted_out(files: Sequence[tuple[str, str]], contract: NativeContract) -> Selection:
    """Separate a competitor's files from files that do not belong to it.

    Args:
        files: (name, text).
        contract: Their contract, from `contract_of`.
    """
    codes = {name: code_of(text) for name, text in files}
    if len(files) == 1:
        return Selection(tuple(files), tuple(codes), (), (), ())
    aside = {name for name in codes if is_ours(name, contract)}
    sources = [name for name in codes if is_source(name) and name not in aside]
    root = file_of_player(sources)
    home = PurePosixPath(root).parent
    given = {each for each in contract.functions if defines(codes.get(root, ""), each)}
    for name in sources:
        if name != root and any(defines(codes[name], each) for each in given):
            aside.add(name)  # another version of the same player
    others = [name for name in sources if name != root and name not in aside]
    doubtful = [name for name in others if defines(codes[name], "main")]
    starting = _including(codes, [n for n in codes if not is_source(n) and MAIN.search(codes[n])])
    seen = [name for name in codes if name not in {*aside, *doubtful, *starting}]
    included = {PurePosixPath(each).name for name in seen for each in INCLUDE.findall(codes[name])}
    parts = [
        name
        for name in sources
        if name not in aside and (name == root or PurePosixPath(name).name not in included)
    ]
    top = [name for name in parts if PurePosixPath(name).parent == home]
    stems = {PurePosixPath(name).stem.casefold() for name in top}
    spare = [
        name
        for name in parts
        if name not in {*top, *doubtful} and PurePosixPath(name).stem.casefold() not in stems
    ]
    aside.update(name for name in parts if name not in {*top, *spare})
    kept = tuple((name, text) for name, text in files if name not in aside)
    tried = tuple(name for name in others if name in top and name in {*doubtful, *starting})
    return Selection(kept, tuple(top), tried, tuple(spare), tuple(sorted(aside)))


def _including(codes: Mapping[str, str], headers: Collection[str]) -> set[str]:
    """Return the files that include one of some headers, also through others."""
    included = {
        name: {PurePosixPath(each).name for each in INCLUDE.findall(code)}
        for name, code in codes.items()
    }
    found, names = set[str](), {PurePosixPath(name).name for name in headers}
    while more := {name for name in codes if name not in found and included[name] & names}:
        found |= more
        names |= {PurePosixPath(name).name for name in more}
    return found


def with_plain_includes(text: str, headers: Collection[str]) -> str:
    r"""Return a text that includes the platform's headers by their names alone.

    Projects keep the starter files in any folder, and some systems ignore case.

    >>> with_plain_includes('#include "../../starter/Player.h"\n', ["player.h"])
    '#include "player.h"\n'
    """
    known = {name.casefold(): name for name in headers}
    lines = text.split("\n")
    for at, line in enumerate(code_of(text).split("\n")):
        if found := INCLUDE.match(line):
            ours = known.get(PureWindowsPath(found[1]).name.casefold(), found[1])
            lines[at] = lines[at].replace(found[1], ours, 1)
    return "\n".join(lines)


def include_folders(files: Sequence[tuple[str, str]], headers: Container[str]) -> tuple[str, ...]:
    """Return the folders of the headers that files include from other folders by their names alone.

    A name that several files have is left for the compiler to report.

    Args:
        files: (name, text).
        headers: Names of the platform's headers.
    >>> files = [("include/util/a.h", ""), ("src/player.cpp", '#include "util/a.h"')]
    >>> include_folders(files, ["player.h"])
    ('include',)
    """
    names = [name for name, _ in files]
    folders = dict[str, None]()
    for name, text in files:
        for included in INCLUDE.findall(code_of(text)):
            place = normpath(PurePosixPath(name).parent / included)
            found = [each for each in names if f"/{each}".endswith(f"/{included}")]
            if included not in headers and place not in names and len(found) == 1:
                folders[normpath(f"./{found[0].removesuffix(included)}")] = None
    return tuple(folders)


def is_source(name: str) -> bool:
    """Return whether a file's name is that of a C++ source, by the compiler's rules.

    >>> is_source("Player.CPP"), is_source("player.C"), is_source("player.c")
    (True, True, False)
    """
    return name.lower().endswith(SUFFIXES) or name.endswith(".C")


def is_player(name: str) -> bool:
    """Return whether a file is the `player.cpp` of the course documents.

    >>> is_player("Player.cc"), is_player("old/player.cpp")
    (True, False)
    """
    path = PurePosixPath(name)
    return is_source(name) and path.stem.casefold() == "player" and path.name == name


def has_one_folder(names: Sequence[str]) -> bool:
    """Return whether one folder has a `player.cpp`, apart from folders inside it.

    >>> has_one_folder(["p/src/main.cpp", "p/src/player.cpp", "p/src/old/player.cpp"])
    True
    >>> has_one_folder(["a/player.cpp", "b/player.cpp"])
    False
    """
    paths = map(PurePosixPath, names)
    homes = {path.parent for path in paths if is_player(path.name)}
    return sum(homes.isdisjoint(each.parents) for each in homes) == 1


def file_of_player(names: Sequence[str]) -> str:
    """Return the source that most likely contains the player; empty without sources.

    >>> file_of_player(["old/player.cpp", "Player.cc", "hand.cpp"])
    'Player.cc'
    """

    def rank(name: str) -> tuple[object, ...]:
        path = PurePosixPath(name)
        return not is_player(path.name), len(path.parts), path.name != "player.cpp", name

    return min(filter(is_source, names), key=rank, default="")


def defines(code: str, function: str) -> bool:
    """Return whether code without remarks has the body of a function.

    >>> defines("extern auto get_Simple() -> Player * { return &simple; }", "get_Simple")
    True
    >>> defines("int main(int argc, char *argv[]);", "main")
    False
    """
    body = re.compile(rf"\b{re.escape(function)}{PARAMETERS}[^(){{}};=,]*\{{")
    return bool(body.search(REMARKS.sub(lambda found: _blank(found[0]), code)))


def methods_of(kind: str, code: str) -> set[str]:
    """Return the methods of a class whose bodies are outside of it.

    >>> sorted(methods_of("A", "int A::f() { } A::~A() { } int A::g(); int B::h() { }"))
    ['f', '~A']
    """
    body = re.compile(rf"\b{re.escape(kind)}\s*::\s*(~?\w+){PARAMETERS}[^(){{}};=,]*\{{")
    return set(body.findall(code))


def code_of(text: str) -> str:
    r"""Return a text with blanks in place of remarks and disabled code; lines stay the same.

    >>> code_of('#if 0\nint x;\n#else\nint y; /* z */\n#endif')
    '\n      \n\nint y;        \n'
    """
    plain = REMARKS.sub(lambda found: found[0] if found["word"] else _blank(found[0]), text)
    lines = plain.split("\n")
    levels: list[tuple[bool, bool]] = []  # whether a branch is disabled, and all others then
    for at, line in enumerate(lines):
        if found := CONDITION.match(line):
            kind, condition = found[1], found[2].strip()
            if kind.startswith("if"):
                off = kind == "if" and condition in NEVER
                levels.append((off, kind == "if" and condition in ALWAYS))
            elif levels and kind == "endif":
                levels.pop()
            elif levels:
                _, is_done = levels[-1]
                levels[-1] = (is_done or (kind == "elif" and condition in NEVER), is_done)
            lines[at] = ""
        elif any(off for off, _ in levels):
            lines[at] = _blank(line)
    return "\n".join(lines)


def words_of(code: str) -> frozenset[str]:
    """Return the names in code without remarks."""
    return frozenset(re.findall(r"[^\W\d]\w*", code))


def check_names(names: Sequence[str]) -> None:
    """Reject names that lead out of the folder, or that are also the folder of another file."""
    folders = {str(each) for name in names for each in PurePosixPath(name).parents}
    for name in names:
        path = PurePosixPath(name)
        is_plain = str(path) == name and not path.is_absolute() and ".." not in path.parts
        if not (is_plain and name.isprintable() and len(name) <= MOST_NAME) or name in folders:
            what = f"expected the name of a file in its folder, got {name[:MOST_NAME]!r}"
            raise BuildError(what, "", "give it a plain name, such as player.cpp")


def check_attempt(files: Sequence[tuple[str, str]], contracts: Sequence[NativeContract]) -> None:
    """Reject files that name neither a player's class nor a function that gives a player.

    All other faults are left to the build, which reports them together.

    Raises: BuildError.
    """
    codes = [code_of(text) for _, text in files]
    known = {name for each in contracts for name in (each.player, *each.functions)}
    if any("##" in code or words_of(code) & known for code in codes):
        return
    if fault := missing_function(files, contract_of(files, contracts)):
        raise fault


def missing_function(
    files: Sequence[tuple[str, str]], contract: NativeContract
) -> BuildError | None:
    """Return the fault of files that do not even name a function that returns a player.

    The linker finds out later whether the function has a body.

    Raises: BuildError, if they are written for another interface.
    """
    codes = {name: code_of(text) for name, text in files}
    everything = "\n".join(codes.values())
    if "##" in everything or words_of(everything) & {*contract.functions}:
        return None
    check_year(codes, (contract,))
    sources = {name: code for name, code in codes.items() if is_source(name)}
    for name, code in sources.items():
        if (found := GIVER.search(code)) and found[2].strip() in {"", "void"}:
            line = code.count("\n", 0, found.start()) + 1
            remedy = f"call it {contract.functions[0]}"
            return BuildError(f"{NO_FUNCTION} but {found[1]}", f"{name}:{line}", remedy)
    place = f"{file_of_player([*sources]) or 'player.cpp'}:1"
    objects = [each for code in sources.values() for each in _players(code, contract.player)]
    remedy = contract.remedy_for(objects[0]) if len(objects) == 1 else contract.remedy
    return BuildError(NO_FUNCTION, place, remedy)


def _players(code: str, player: str) -> list[str]:
    """Return the names of the global objects of classes that inherit a player's class.

    >>> code = "class A : public Player { int bet() { A one; } } first; static A second(2), third;"
    >>> _players(code, "Player")
    ['first', 'second', 'third']
    """
    code = outermost(code)
    head = r"\b(?:class|struct)\s+(\w+)[^;:]{0,99}:[^;]{0,99}?"  # short: code may be hostile
    classes = {found[1] for found in re.finditer(rf"{head}\b{player}\b", code)}
    objects = re.finditer(r"\b(\w+)\s+(\w+(?:\s*,\s*\w+)*)\s*[;=]", code)
    lists = [found[2] for found in objects if found[1] in classes]
    last = re.findall(rf"{head}\b{player}\s+(\w+)\s*;", code)
    every = [*(name for _, name in last), *re.split(r"\s*,\s*", ",".join(lists))]
    return list(dict.fromkeys(filter(None, every)))


def outermost(code: str) -> str:
    """Return code without the contents of braces and parentheses."""
    kept, depth, last = [], 0, 0
    for found in re.finditer(r"[{}()]", code):
        if not depth:
            kept.append(code[last : found.start()])
        depth = max(depth + (1 if found[0] in "{(" else -1), 0)
        last = found.end()
    return " ".join([*kept, "" if depth else code[last:]])


def check_year(codes: Mapping[str, str], contracts: Sequence[NativeContract]) -> None:
    """Reject files for a known interface that is not one of the contracts."""
    known = {name: title for each in contracts for name, title in each.others}
    for name, code in codes.items():
        for found in GIVER.finditer(code):
            if title := known.get(found[1]):
                got = f"{found[1]}({' '.join(found[2].split())})"
                functions = joined([f"{each}()" for each in contracts[-1].functions])
                raise BuildError(
                    f"{got} is the interface of {title}; here it is {functions}",
                    f"{name}:{code.count(chr(10), 0, found.start()) + 1}",
                    contracts[-1].remedy,
                )


def is_ours(name: str, contract: NativeContract) -> bool:
    """Return whether a file is named like one that the platform has itself."""
    path = PurePosixPath(name)
    ours = {each.casefold() for each in contract.ours}
    stem = f"{path.stem}.cpp" if is_source(name) else path.name
    return stem.casefold() in ours or ".case." in name


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


def with_aside(
    error: BuildError,
    files: Sequence[tuple[str, str]],
    aside: Container[str],
    contract: NativeContract,
    texts: Mapping[str, bytes],
) -> BuildError:
    """Name the files of a project that an error may come from, although they are set aside.

    Args:
        error: The error.
        files: All files of the project.
        aside: Names of the files that are set aside.
        contract: The contract of the player.
        texts: Its own files.
    """
    if not any(words in error.what for words in EXPLAINED):
        return error
    ours = {name.lower(): words_of(code_of(each.decode())) for name, each in texts.items()}
    own = {
        name: words_of(outermost(code_of(text)) if is_source(name) else code_of(text))
        - ours.get(PurePosixPath(name).name.lower(), frozenset())
        for name, text in files
        if name in aside
    }
    quoted = words_of(" ".join(re.findall(r"[`']([^`']*)'", error.what)))
    quoted = quoted.difference(
        *(ours.get(each.name.lower(), frozenset()) for each in contract.headers)
    )
    named = [name for name, words in own.items() if words & quoted]
    if not named:
        return error
    ours_too = all(is_ours(name, contract) for name in named)
    why = "the platform plays with files of its own" if ours_too else "it is no part of the player"
    remedy = (
        f"your {joined(named, 'and')} is set aside, as {why}: move your parts of it to another file"
    )
    return BuildError(error.what, error.place, remedy, error.told)
