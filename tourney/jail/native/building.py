"""From a competitor's files in C++ to the program that plays it.

The same files and the same compiler give the same program, byte by byte. What goes wrong is said of
the author's line. Leaves out how the compiler is shut in; see `tools`.
"""

import os
import re
from collections.abc import Callable, Container, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from functools import cache, lru_cache, partial
from hashlib import blake2b
from pathlib import Path, PurePosixPath
from threading import get_ident
from typing import NamedTuple

from tourney.errors import ConfinementError, SubmissionError
from tourney.game.machine.kept import folder as cache_folder
from tourney.jail.native.messages import clean, complaint
from tourney.jail.native.sections import wrong_section
from tourney.jail.native.tools import FILE_BYTES, TOLD_BYTES, run_tool, workshop

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
    *("abort", "exit", "__cxa_throw", "__cxa_atexit", "atexit"),
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
MOST_NAME = 200
"""Characters of a file's name."""
SUFFIXES = (".cpp", ".cc", ".cxx")
GIVES = re.compile(r"\bget_(?:Competitor|Counting|Simple)\s*\(\s*(?:void)?\s*\)\s*\{")
DRIVES = re.compile(r"^[ \t]*(?:int|auto|signed)\s+main\s*\(", re.MULTILINE)
Files = tuple[tuple[str, str], ...]
"""(name, text) of each file of a competitor, sorted by name; names are relative paths with '/'."""
REMARKS = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)


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
def build(files: Files) -> Built:
    """Build the program of a competitor.

    Args:
        files: All of its files.
    Raises: BuildError, with what is wrong; ConfinementError, if nothing can be compiled here.
    """
    _check_names([name for name, _ in files])
    kept, set_aside = sorted_out(files)
    key = _hex(repr((kept, _platform(), compiler(), FLAGS)).encode())
    found = _from_cache(key)
    if found is None:
        found = _built(kept)
        _to_cache(key, found)
    warnings, program = found.split(b"\0", 1)
    return Built(program, compiler(), warnings.decode(), set_aside)


def build_all(
    sources: Sequence[Files],
    tell: Callable[[int, int], None] | None = None,
    workers: int = 0,
) -> list[Built | BuildError]:
    """Build the programs of many competitors at once.

    Args:
        sources: The files of each, as `build` takes them.
        tell: Told whenever one more is done: how many are, and of how many.
        workers: How many are built at a time; one for each processor, if left out.
    Returns: In the order of the sources, a program or why there is none.
    Raises: ConfinementError, if nothing can be compiled here.
    """
    _ours()  # once, and not by each of them
    with ThreadPoolExecutor(workers or len(os.sched_getaffinity(0))) as pool:
        under_way = [pool.submit(_built_or_not, files) for files in sources]
        try:
            for done, each in enumerate(as_completed(under_way), 1):
                each.result()
                if tell:
                    tell(done, len(sources))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
        return [each.result() for each in under_way]


def _built_or_not(files: Files) -> Built | BuildError:
    try:
        return build(files)
    except BuildError as error:
        return error


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


def _check_names(names: Sequence[str]) -> None:
    """Refuse names that lead out of the folder, or of which one is the other's folder."""
    folders = {str(each) for name in names for each in PurePosixPath(name).parents}
    for name in names:
        path = PurePosixPath(name)
        is_plain = str(path) == name and not path.is_absolute() and ".." not in path.parts
        if not (is_plain and name.isprintable() and len(name) <= MOST_NAME) or name in folders:
            what = f"expected the name of a file in its folder, got {name[:MOST_NAME]!r}"
            raise BuildError(what, "", "give it a plain name, such as player.cpp")


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
        run = partial(_run, folder, OURS.union(name for name, _ in files))
        warnings = [
            run((*_compile(folder, "code"), "-c", f"./{name}", "-o", f"../out/{at}.o"))
            for at, name in enumerate(compiled)
        ]
        objects = [f"../out/{at}.o" for at in range(len(compiled))]
        joined = ("ld", "-r", "--force-group-allocation", "-T", "../platform/seat.ld")
        run((*joined, *objects, "-o", "../out/seat.o"))
        what, remedy = wrong_section(run(("objdump", "-h", "../out/seat.o"), FILE_BYTES))
        if what:
            raise BuildError(what, "", remedy)
        wraps = [f"-Wl,--wrap={name}" for name in REPLACED]
        linked = (COMPILER, "-static", "-no-pie", "-Wl,--build-id=none,-z,noexecstack", *wraps)
        ours = [f"../platform/{name}" for name in ("host.o", "cards.o")]
        run((*linked, *ours, "../out/seat.o", "-o", "../out/program"))
        return b"\0".join((clean("".join(warnings)).encode(), _read(folder / "out" / "program")))


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


def _run(
    folder: Path, names: Container[str], command: Sequence[str], most: int = TOLD_BYTES
) -> str:
    """Run a tool in the folder of the author's files.

    Raises: BuildError, if it fails.
    """
    done = run_tool(folder, "code", command, most)
    if done.status:
        raise BuildError(*complaint(done, names))
    return done.told


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
        written = place / f"{key}.{os.getpid()}.{get_ident()}"
        written.write_bytes(blake2b(data, digest_size=16).digest() + data)
        written.replace(place / f"{key}.program")


def _hex(data: bytes) -> str:
    return blake2b(data, digest_size=16).hexdigest()
