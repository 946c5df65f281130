"""From a competitor's files in C++ to the program that plays it.

The same files and the same compiler give the same program, byte by byte. What goes wrong is said of
the author's line. Leaves out how the compiler is shut in; see `tools`.
"""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from hashlib import blake2b
from pathlib import Path, PurePosixPath
from shlex import join
from typing import NamedTuple

from tourney.errors import ConfinementError, SubmissionError
from tourney.game.asking.wording import printable
from tourney.game.machine.kept import folder as cache_folder
from tourney.jail.native.tools import Done, run_tool, workshop

COMPILER = "g++"
FLAGS = (
    *(
        "-std=c++17",
        "-O2",
        "-g1",
        "-Wall",
        "-fno-pie",
        "-fno-common",
        "-fno-tree-loop-distribute-patterns",
    ),
    *("-frandom-seed=tourney", "-fmax-errors=20", "-fdiagnostics-color=never"),
    "-gno-record-gcc-switches",
    *("-ffile-prefix-map=../platform/=", "-ffile-prefix-map=./="),
)
"""How every file is compiled; the last ones are what makes it the same every time."""
REPLACED = (
    *("rand", "srand", "random", "srandom", "_ZNSt13random_device9_M_getvalEv"),
    *("time", "clock", "clock_gettime", "gettimeofday"),
    *("abort", "__cxa_throw", "__cxa_atexit", "atexit"),
)
"""What host.cpp has in the place of the library's: chance, clocks and ends."""
SOURCES = Path(__file__).parent / "cpp"
OURS = frozenset(
    {
        "card.h",
        "card.cpp",
        "deck.h",
        "deck.cpp",
        "hand.h",
        "hand.cpp",
        "player.h",
        "rand.h",
        "rand.cpp",
    }
)
"""Files that every competitor has alike, whatever a project brings under their names."""
MOST_STATE = 64 << 10
"""Bytes that a competitor's global variables may have: each seat keeps a copy of them."""
SUFFIXES = (".cpp", ".cc", ".cxx")
GIVES = re.compile(r"\bget_(?:Competitor|Counting|Simple)\s*\(\s*(?:void)?\s*\)\s*\{")
DRIVES = re.compile(r"^[ \t]*(?:int|auto|signed)\s+main\s*\(", re.MULTILINE)
REMARKS = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)
ERROR = re.compile(
    r"^(?P<place>[^\s:][^:\n]*:\d+)(?::\d+)?: (?:fatal )?error: (?P<what>.*)$", re.MULTILINE
)
UNDEFINED = re.compile(
    r"(?P<place>[^\s:]+:\d+): (?P<what>undefined reference to .*)$", re.MULTILINE
)
TWICE = re.compile(
    r"(?P<place>[^\s:]+:\d+): (?P<what>multiple definition of .*?)(?:; .*)?$", re.MULTILINE
)
LIMITS = {
    "CPU time limit": ("less computing to compile it", "10 s of it"),
    "out of memory": ("less memory to compile it", "1 GiB of it"),
    "virtual memory exhausted": ("less memory to compile it", "1 GiB of it"),
    "annot allocate memory": ("less memory to compile it", "1 GiB of it"),
    "emory exhausted": ("less memory to compile it", "1 GiB of it"),
    "File size limit": ("a program of at most 32 MiB", "more"),
    "File too large": ("a program of at most 32 MiB", "more"),
    "Bus error": ("a program that can be compiled", "one too large"),
}
"""What tools say when a limit stops them."""


PLAIN = str.maketrans("\u2018\u2019", "''")
"""Quotes as people type them."""


class BuildError(SubmissionError):
    """A competitor's files that give no program; says where and why."""

    def __init__(self, what: str, place: str = "", remedy: str = "", told: str = "") -> None:
        """Keep the parts.

        Args:
            what: What was expected, and what was found.
            place: "file:line"; empty if there is none.
            remedy: What to do about it.
            told: All that the compiler said, for the author alone.
        """
        self.what, self.place, self.remedy, self.told = what, place, remedy, told
        words = f"{place}: {what}" if place else what
        super().__init__(f"{words}; {remedy}" if remedy else words)


class Built(NamedTuple):
    """A program, and what it was built with."""

    program: bytes
    compiler: str  # its name and version
    warnings: str  # what it said although all is well
    set_aside: tuple[str, ...]  # names of files that are ours, or drive a game of the author's own

    @property
    def digest(self) -> str:
        """Name the program; 32 hex digits."""
        return _hex(self.program)

    @property
    def words(self) -> str:
        """Say what it was built with, as it is recorded."""
        return f"{self.compiler}, {' '.join(FLAGS[:4])}, program {self.digest[:12]}"


@cache
def compiler() -> str:
    """Give name and version of the compiler.

    Raises: ConfinementError, if there is none, or it cannot be confined.
    """
    with workshop() as folder:
        done = run_tool(folder, ".", (COMPILER, "--version"))
    first, *_ = done.told.splitlines() or [""]
    if done.status or not first:
        raise ConfinementError(f"{COMPILER}: expected its version, got {done.told[:200]!r}")
    return first


@lru_cache(maxsize=256)
def build(files: tuple[tuple[str, str], ...]) -> Built:
    """Build the program of a competitor.

    Args:
        files: (name, text), sorted by name; names are relative paths with '/'.
    Raises: BuildError, with what is wrong; ConfinementError, if nothing can be compiled here.
    """
    kept, set_aside = sorted_out(files)
    key = _hex(repr((kept, _platform(), compiler(), FLAGS)).encode())
    found = _from_cache(key)
    if found is None:
        found = _built(kept)
        _to_cache(key, found)
    warnings, program = found.split(b"\0", 1)
    return Built(program, compiler(), warnings.decode(), set_aside)


def sorted_out(
    files: Sequence[tuple[str, str]],
) -> tuple[tuple[tuple[str, str], ...], tuple[str, ...]]:
    """Part a competitor's files from those that have no place in it.

    Returns: The files, and the names of those that are set aside.
    Raises: BuildError, if no competitor is left.
    """
    aside = {name for name, text in files if _is_aside(name, text, len(files))}
    kept = tuple((name, text) for name, text in files if name not in aside)
    compiled = [(name, text) for name, text in kept if name.lower().endswith(SUFFIXES)]
    if not any(GIVES.search(_code(text)) for _, text in compiled):
        name = compiled[0][0] if compiled else "player.cpp"
        raise BuildError(
            "expected a function that gives your player, got none",
            f"{name}:1",
            "add at the end: Player *get_Competitor() { return &competitor; }",
        )
    for name, text in compiled:
        if found := DRIVES.search(_code(text)):
            line = _code(text).count("\n", 0, found.start()) + 1
            what = "expected a player without a program around it, got a main"
            raise BuildError(what, f"{name}:{line}", "move main to another file")
    return kept, tuple(sorted(aside))


def _is_aside(name: str, text: str, count: int) -> bool:
    if PurePosixPath(name).name in OURS or ".case." in name:
        return count > 1
    is_source = name.lower().endswith(SUFFIXES)
    return is_source and count > 1 and bool(DRIVES.search(_code(text))) and not GIVES.search(text)


def _code(text: str) -> str:
    """Give a text with its remarks and words blanked; lines stay where they are."""
    return REMARKS.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)


def _built(files: Sequence[tuple[str, str]]) -> bytes:
    """Compile and link; give what was warned of, a zero byte, and the program."""
    with workshop() as folder:
        compiled = _lay_out(folder, files)
        warnings = [
            _run(folder, (*_compile(folder, "code"), "-c", f"./{name}", "-o", f"../out/{at}.o"))
            for at, name in enumerate(compiled)
        ]
        objects = [f"../out/{at}.o" for at in range(len(compiled))]
        joined = ("ld", "-r", "--force-group-allocation", "-T", "../platform/seat.ld")
        _run(folder, (*joined, *objects, "-o", "../out/seat.o"))
        _check_sections(_run(folder, ("size", "-A", "../out/seat.o")))
        wraps = [f"-Wl,--wrap={name}" for name in REPLACED]
        linked = (COMPILER, "-static", "-no-pie", "-Wl,--build-id=none", *wraps)
        ours = [f"../platform/{name}" for name in ("host.o", "cards.o")]
        _run(folder, (*linked, *ours, "../out/seat.o", "-o", "../out/program"))
        return b"\0".join((_clean("".join(warnings)).encode(), _read(folder / "out" / "program")))


def _lay_out(folder: Path, files: Sequence[tuple[str, str]]) -> list[str]:
    """Write the files for the compiler; give the names of those to compile."""
    for name in ("code", "platform", "out"):
        (folder / name).mkdir()
    for name, text in files:
        path = folder / "code" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    for path in SOURCES.iterdir():
        (folder / "platform" / path.name).write_bytes(path.read_bytes())
    for name, data in _ours().items():
        (folder / "platform" / name).write_bytes(data)
    return [name for name, _ in files if name.lower().endswith(SUFFIXES)]


@cache
def _ours() -> dict[str, bytes]:
    """Compile what every program has in common."""
    key = _hex(repr((_platform(), compiler(), FLAGS)).encode())
    objects = {}
    for name in ("host", "cards"):
        data = _from_cache(f"{key}-{name}")
        if data is None:
            data = _compiled(name)
            _to_cache(f"{key}-{name}", data)
        objects[f"{name}.o"] = data
    return objects


def _compiled(name: str) -> bytes:
    with workshop() as folder:
        (folder / "platform").mkdir()
        for path in SOURCES.iterdir():
            (folder / "platform" / path.name).write_bytes(path.read_bytes())
        command = (*_compile(folder, "platform"), "-c", f"{name}.cpp", "-o", f"{name}.o")
        done = run_tool(folder, "platform", command)
        assert not done.status, done.told
        return _read(folder / "platform" / f"{name}.o")


def _compile(folder: Path, place: str) -> Sequence[str]:
    """Begin a command that compiles; where the folder lies must not show in what comes of it."""
    return (COMPILER, *FLAGS, f"-ffile-prefix-map={folder / place}=.", "-I../platform")


@cache
def _platform() -> tuple[bytes, ...]:
    return tuple(path.read_bytes() for path in sorted(SOURCES.iterdir()))


def _run(folder: Path, command: Sequence[str]) -> str:
    """Run a tool in the folder of the author's files.

    Raises: BuildError, if it fails.
    """
    done = run_tool(folder, "code", command)
    if done.status:
        raise _failed(done)
    return done.told


def _failed(done: Done) -> BuildError:
    told = _clean(done.told)
    for words, (expected, got) in LIMITS.items():
        if words in told:
            return BuildError(f"expected {expected}, got {got}", "", "make it simpler", told)
    if done.status < 0:
        return BuildError("expected it to compile in time, got no end", "", "make it simpler", told)
    for pattern in (ERROR, UNDEFINED, TWICE):
        if found := pattern.search(told):
            what = f"expected C++ that compiles, got: {printable(found['what'])}"
            return BuildError(what, found["place"], "mend the line", told)
    *_, last = told.strip().splitlines() or ["no word"]
    return BuildError(f"expected C++ that compiles, got: {printable(last)}", "", "", told)


def _clean(told: str) -> str:
    """Leave out of a tool's words where the files lie on this machine."""
    found = told.replace("../platform/", "").replace("./", "").translate(PLAIN)
    found = re.sub(r"/(?:usr/bin/)?ld: ", "", found)
    found = re.sub(r"/\S*?tourney-build-\w+/", "", found)
    return printable(re.sub(r"\.\./out/\w+\.o: ", "", found), keep="\n\t", most=len(found) + 1)


def _check_sections(told: str) -> None:
    """Refuse what could not be kept for every seat.

    Args:
        told: What `size -A` says: a line for each section, with its name and its bytes.
    """
    sizes = dict(_sizes(told))
    if sizes.get("thread_state"):
        raise BuildError(
            "expected global variables, got one that is thread_local", "", "leave that word out"
        )
    if (state := sizes.get("seat_state", 0)) > MOST_STATE:
        raise BuildError(
            f"expected at most {MOST_STATE:,} bytes of global variables, got {state:,}",
            "",
            "every seat has its own copy of them; make large arrays with new, or make them const",
        )


def _sizes(told: str) -> Iterator[tuple[str, int]]:
    for line in told.splitlines():
        words = line.split()
        if len(words) >= 2 and words[1].isdigit():  # noqa: PLR2004 - a name and its bytes
            yield words[0], int(words[1])


def _read(path: Path) -> bytes:
    """Read what a tool wrote; it is nobody's link."""
    file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
    with os.fdopen(file, "rb") as stream:
        return stream.read()


def _from_cache(key: str) -> bytes | None:
    place = cache_folder()
    try:
        data = (place / f"{key}.program").read_bytes() if place else b""
    except OSError:
        return None
    seal, rest = data[:16], data[16:]
    return rest if rest and blake2b(rest, digest_size=16).digest() == seal else None


def _to_cache(key: str, data: bytes) -> None:
    if place := cache_folder():
        written = place / f"{key}.{os.getpid()}"
        written.write_bytes(blake2b(data, digest_size=16).digest() + data)
        written.replace(place / f"{key}.program")


def _hex(data: bytes) -> str:
    return blake2b(data, digest_size=16).hexdigest()


def build_object(name: str, text: bytes, beside: Mapping[str, bytes], *options: str) -> bytes:
    """Compile one file alone, or give what came of it before.

    Args:
        name: Of the file, as messages call it.
        text: What is in it.
        beside: Files that it may include, by their names.
        options: Of the compiler, besides the usual ones.
    Raises: BuildError, with what is wrong; ConfinementError, if nothing can be compiled here.
    """
    key = _hex(repr((name, text, sorted(beside.items()), compiler(), FLAGS, options)).encode())
    found = _from_cache(key)
    if found is None:
        with workshop() as folder:
            for place, files in {"code": {name: text}, "platform": beside, "out": {}}.items():
                (folder / place).mkdir()
                for each, data in files.items():
                    (folder / place / each).write_bytes(data)
            command = (*_compile(folder, "code"), *options, "-c", f"./{name}", "-o", "../out/0.o")
            _run(folder, command)
            found = _read(folder / "out" / "0.o")
        _to_cache(key, found)
    return found


def link_objects(programs: Sequence[Sequence[bytes]]) -> list[bytes]:
    """Link programs, one after the other in one jail, for each jail costs as much as a link.

    Args:
        programs: The objects of each, as `build_object` gives them.
    Returns: The programs.
    Raises: BuildError, with what is wrong.
    """
    wraps = [f"-Wl,--wrap={name}" for name in REPLACED]
    linked = (COMPILER, "-static", "-no-pie", "-Wl,--build-id=none,--gc-sections", *wraps)
    objects = list(dict.fromkeys(each for program in programs for each in program))
    names = {each: f"{at}.o" for at, each in enumerate(objects)}
    lines = [
        join((*linked, *(names[each] for each in program), "-o", f"{at}.program"))
        for at, program in enumerate(programs)
    ]
    with workshop() as folder:
        code = folder / "code"
        code.mkdir()
        for each, name in names.items():
            (code / name).write_bytes(each)
        (code / "link.sh").write_text("\n".join(("set -e", *lines)))
        _run(folder, ("sh", "link.sh"))
        return [_read(code / f"{at}.program") for at in range(len(programs))]
