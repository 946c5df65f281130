"""From a competitor's files in C++ to the program that plays it.

The same files and the same compiler give the same program, byte by byte. What goes wrong is said of
the author's line. Leaves out how the compiler is shut in, see `tools`; and what a competitor may
include and is asked, which its game says.
"""

import os
import re
from collections.abc import Container, Mapping, Sequence
from functools import cache, lru_cache, partial
from hashlib import blake2b
from importlib import import_module
from pathlib import Path, PurePosixPath
from shlex import join
from threading import get_ident
from typing import NamedTuple

from tourney.config.words import joined
from tourney.errors import BuildError, ConfinementError
from tourney.game.machine.kept import folder as cache_folder
from tourney.game.native import NativeContract, first_missing, written_to
from tourney.jail.native.messages import clean, complaint
from tourney.jail.native.sections import wrong_section
from tourney.jail.native.tools import FILE_BYTES, TOLD_BYTES, run_tool, workshop

COMPILER = "g++"
HERE = "/tourney"
"""Where our files lie, as a program names them: nowhere that an author's could."""
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
    *(f"-ffile-prefix-map=../platform/={HERE}/", "-ffile-prefix-map=./="),
)
"""How every file is compiled; the last ones are what makes it the same every time."""
REPLACED = (
    *("rand", "srand", "random", "srandom", "_ZNSt13random_device9_M_getvalEv"),
    *("time", "clock", "clock_gettime", "gettimeofday"),
    *("abort", "exit", "__cxa_throw", "__cxa_atexit", "atexit"),
)
"""What chance.cpp and faults.cpp have in the place of the library's: chance, clocks and ends."""
SOURCES = Path(__file__).parent / "cpp"
"""What every program has, whatever its game."""
LAUNCHER = Path(__file__).parent / "launcher.cpp"
MOST_NAME = 200
"""Characters of a file's name."""
SUFFIXES = (".cpp", ".cc", ".cxx")
DRIVES = re.compile(r"^[ \t]*(?:int|auto|signed)\s+main\s*\(", re.MULTILINE)
Files = tuple[tuple[str, str], ...]
"""(name, text) of each file of a competitor, sorted by name; names are relative paths with '/'."""
GIVER = re.compile(r"^[ \t]*\w+\s*\*\s*(\w+)\s*\(\s*(?:void)?\s*\)\s*\{", re.MULTILINE)
"""A function without parameters that gives a pointer, such as one with nearly the right name."""
REMARKS = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)


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
def build(files: Files, contracts: tuple[NativeContract, ...] | None = None) -> Built:
    """Build the program of a competitor.

    Args:
        files: All of its files.
        contracts: Of the game, as it gives them; left out, those of the course documents.
    Raises: BuildError, with what is wrong; ConfinementError, if nothing can be compiled here.
    """
    _check_names([name for name, _ in files])
    contract = contract_of(files, usual() if contracts is None else contracts)
    kept, set_aside = sorted_out(files, contract)
    key = _hex(repr((kept, _platform(), contract.texts(), compiler(), FLAGS)).encode())
    found = _from_cache(key)
    if found is None:
        found = _built(kept, contract)
        _to_cache(key, found)
    warnings, program = found.split(b"\0", 1)
    return Built(program, compiler(), warnings.decode(), set_aside)


def usual() -> tuple[NativeContract, ...]:
    """Give the contracts of whoever names no game: those of blackjack, found by their place."""
    found: tuple[NativeContract, ...] = import_module("tourney.games.blackjack.native").CONTRACTS
    return found


def contract_of(
    files: Sequence[tuple[str, str]], contracts: Sequence[NativeContract]
) -> NativeContract:
    """Say which contract a competitor's files are written to, without compiling them.

    Args:
        files: (name, text).
        contracts: Of the game that they are to play, or of several; the usual one last.
    Raises: BuildError, if they include headers of several, or one that is no contract's.
    """
    if not contracts:
        what = "expected a game whose players can be written in C++, got one that has no header"
        raise BuildError(what, files[0][0] if files else "", "write the player in Python")
    found = written_to(files, contracts)
    missing = first_missing(files)
    if len(found) == 1 or not missing:  # without any the usual one; what is wrong will be seen
        return (found or contracts)[-1]
    place, got = missing
    if found:
        both = joined([f'#include "{each.header}"' for each in found], "and")
        raise BuildError(
            f"expected a header of one contract, got {both}", place, "leave others out"
        )
    headers = joined([f'#include "{each.header}"' for each in contracts])
    games = joined([*dict.fromkeys(each.game for each in contracts)])
    what = f"expected {headers}, as players of {games} begin, got {got}"
    raise BuildError(what, place, "enter it where its game is played, or begin it so")


def sorted_out(
    files: Sequence[tuple[str, str]], contract: NativeContract | None = None
) -> tuple[tuple[tuple[str, str], ...], tuple[str, ...]]:
    """Part a competitor's files from those that have no place in it.

    Args:
        files: (name, text).
        contract: That they are written to; left out, it is looked for as `build` does.
    Returns: The files, and the names of those that are set aside.
    Raises: BuildError, if no competitor is left.
    """
    contract = contract or contract_of(files, usual())
    gives = re.compile(rf"\b(?:{'|'.join(contract.functions)})\s*\(\s*(?:void)?\s*\)\s*\{{")
    aside = {
        name
        for name, text in files
        if len(files) > 1 and (_is_ours(name, contract) or _is_driver(name, text, gives))
    }
    kept = tuple((name, text) for name, text in files if name not in aside)
    compiled = [(name, text) for name, text in kept if name.lower().endswith(SUFFIXES)]
    if not any(gives.search(_code(text)) for _, text in compiled):
        name = compiled[0][0] if compiled else "player.cpp"
        what = "expected a function that gives your player, got none"
        for nearly, text in compiled:
            if found := GIVER.search(_code(text)):
                line = _code(text).count("\n", 0, found.start()) + 1
                meant = contract.functions[0]
                raise BuildError(f"{what} but {found[1]}", f"{nearly}:{line}", f"call it {meant}")
        raise BuildError(what, f"{name}:1", contract.remedy)
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


def _is_ours(name: str, contract: NativeContract) -> bool:
    return PurePosixPath(name).name in contract.ours or ".case." in name


def _is_driver(name: str, text: str, gives: re.Pattern[str]) -> bool:
    is_source = name.lower().endswith(SUFFIXES)
    return is_source and bool(DRIVES.search(_code(text))) and not gives.search(text)


def _code(text: str) -> str:
    """Give a text with its remarks and words blanked; lines stay where they are."""
    return REMARKS.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)


def _built(files: Sequence[tuple[str, str]], contract: NativeContract) -> bytes:
    """Compile and link; give what was warned of, a zero byte, and the program."""
    with workshop() as folder:
        compiled = _lay_out(folder, files, contract)
        run = partial(_run, folder, contract.ours.union(name for name, _ in files))
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
        ours = [f"../platform/{name}" for name in _ours(contract)]
        run((*linked, *ours, "../out/seat.o", "-o", "../out/program"))
        return b"\0".join((clean("".join(warnings)).encode(), _read(folder / "out" / "program")))


def _lay_out(folder: Path, files: Sequence[tuple[str, str]], contract: NativeContract) -> list[str]:
    """Write the files for the compiler; give the names of those to compile."""
    for name in ("code", "platform", "out"):
        (folder / name).mkdir()
    for name, text in files:
        path = folder / "code" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    headers = {path.name: path.read_bytes() for path in (*contract.headers, SOURCES / "seat.ld")}
    for name, data in {**headers, **_ours(contract)}.items():
        (folder / "platform" / name).write_bytes(data)
    return [name for name, _ in files if name.lower().endswith(SUFFIXES)]


@cache
def _ours(contract: NativeContract) -> dict[str, bytes]:
    """Compile what every program of a contract has in common."""
    platform, game = dict(_platform()), contract.texts()
    assert not platform.keys() & game.keys(), "a game's file has the name of one of ours"
    return {**_objects(platform, platform), **_objects(game, {**platform, **game})}


def _objects(texts: Mapping[str, bytes], seen: Mapping[str, bytes]) -> dict[str, bytes]:
    """Compile the sources among some files, which may include what is seen."""
    key = _hex(repr((sorted(seen.items()), compiler(), FLAGS)).encode())
    objects = {}
    for name in sorted(each for each in texts if each.endswith(SUFFIXES)):
        data = _from_cache(f"{key}-{name}")
        if data is None:
            data = _compiled(name, seen)
            _to_cache(f"{key}-{name}", data)
        objects[f"{name}.o"] = data
    return objects


def _compiled(name: str, seen: Mapping[str, bytes]) -> bytes:
    with workshop() as folder:
        (folder / "platform").mkdir()
        for each, data in seen.items():
            (folder / "platform" / each).write_bytes(data)
        command = (*_compile(folder, "platform", HERE), "-c", name, "-o", f"{name}.o")
        done = run_tool(folder, "platform", command)
        assert not done.status, done.told
        return _read(folder / "platform" / f"{name}.o")


@cache
def launcher() -> bytes:
    """Give the program that programs are forked from; see `launching`.

    Raises: ConfinementError, if nothing can be compiled here.
    """
    text = LAUNCHER.read_bytes()
    key = f"{_hex(repr((text, compiler(), FLAGS)).encode())}-launcher"
    found = _from_cache(key)
    if found is None:
        with workshop() as folder:
            (folder / LAUNCHER.name).write_bytes(text)
            command = (*_compile(folder, "."), "-static", "-no-pie", LAUNCHER.name, "-o", "built")
            done = run_tool(folder, ".", command)
            assert not done.status, done.told
            found = _read(folder / "built")
        _to_cache(key, found)
    return found


def _compile(folder: Path, place: str, told: str = ".") -> Sequence[str]:
    """Begin a command that compiles; where the folder lies must not show in what comes of it."""
    return (COMPILER, *FLAGS, f"-ffile-prefix-map={folder / place}={told}", "-I../platform")


@cache
def _platform() -> tuple[tuple[str, bytes], ...]:
    return tuple((path.name, path.read_bytes()) for path in sorted(SOURCES.iterdir()))


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
            _run(folder, {name, *beside}, command)
            found = _read(folder / "out" / "0.o")
        _to_cache(key, found)
    return found


def link_objects(programs: Sequence[Sequence[bytes]], sources: Container[str]) -> list[bytes]:
    """Link programs, one after the other in one jail, for each jail costs as much as a link.

    Args:
        programs: The objects of each, as `build_object` gives them.
        sources: Names of the files that a fault can be in.
    Returns: The programs.
    Raises: BuildError, with what is wrong.
    """
    # The library ends by `exit` what begins with an author's `main`.
    wraps = [f"-Wl,--wrap={name}" for name in REPLACED if name != "exit"]
    flags = "-Wl,--build-id=none,--gc-sections,-z,noexecstack"
    linked = (COMPILER, "-static", "-no-pie", flags, *wraps)
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
        _run(folder, sources, ("sh", "link.sh"))
        return [_read(code / f"{at}.program") for at in range(len(programs))]
