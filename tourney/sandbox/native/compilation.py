"""From a competitor's files in C++ to the program that plays it.

The same files and the same compiler give the same program, byte by byte. Errors name the
author's line. `source_selection` decides which files are built, `tools` confines the compiler, and
the game says what a competitor may include and is asked.
"""

import os
from collections.abc import Callable, Container, Mapping, Sequence
from functools import cache, lru_cache, partial
from hashlib import blake2b
from pathlib import Path
from shlex import join
from threading import get_ident
from typing import NamedTuple

from tourney.errors import BuildError, ConfinementError
from tourney.game.machine.compile_cache import folder as cache_folder
from tourney.game.native import NativeContract
from tourney.sandbox.native import checks
from tourney.sandbox.native.diagnostics import clean, complaint, places
from tourney.sandbox.native.source_selection import (
    SUFFIXES,
    check_names,
    contract_of,
    sorted_out,
    usual,
)
from tourney.sandbox.native.tools import FILE_BYTES, TOLD_BYTES, BuildBudget, run_tool, workshop

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
    "-fno-gnu-unique",  # else names of the author's would not become its own; see `_join`
    *("-frandom-seed=tourney", "-fmax-errors=20", "-fdiagnostics-color=never"),
    "-gno-record-gcc-switches",
    *(f"-ffile-prefix-map=../platform/={HERE}/", "-ffile-prefix-map=./="),
)
"""How every file is compiled; the last ones are what makes it the same every time."""
ALLOCATION = ("_Zn[wa]*", "_Zd[la]*")
"""`operator new` and `operator delete`: a program may replace them, so they stay known to all."""
REPLACED = (
    *("rand", "srand", "random", "srandom", "_ZNSt13random_device9_M_getvalEv"),
    *("getrandom", "getentropy", "time", "clock", "clock_gettime", "clock_getres"),
    *("gettimeofday", "timespec_get", "times"),
    *("abort", "exit", "__cxa_throw", "__cxa_atexit", "atexit"),
)
"""What chance.cpp and faults.cpp have in the place of the library's: chance, clocks and ends."""
LINKED = (
    *("-static", "-no-pie", "-fno-lto", "-fno-use-linker-plugin"),
    f"-Wl,--build-id=none,-z,noexecstack,-z,relro,-e,{checks.ENTRY}",
)
"""How every program is linked. Code for the linker's plugin would not have been checked."""
SOURCES = Path(__file__).parent / "cpp"
"""What every program has, whatever its game."""
LAUNCHER = Path(__file__).parent / "launcher.cpp"
Files = tuple[tuple[str, str], ...]
"""(name, text) of each file of a competitor, sorted by name; names are relative paths with '/'."""


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
    check_names([name for name, _ in files])
    contract = contract_of(files, usual() if contracts is None else contracts)
    kept, set_aside = sorted_out(files, contract)
    rules = LINKED, REPLACED, Path(checks.__file__).read_bytes()
    key = _hex(repr((kept, _platform(), contract.texts(), compiler(), FLAGS, rules)).encode())
    warnings, program = _kept(key, lambda: _built(kept, contract)).split(b"\0", 1)
    return Built(program, compiler(), warnings.decode(), set_aside)


def _built(files: Sequence[tuple[str, str]], contract: NativeContract) -> bytes:
    """Compile and link; give what was warned of, a zero byte, and the program."""
    with workshop() as folder:
        compiled = _lay_out(folder, files, contract)
        run = _Runs(folder, contract.ours.union(name for name, _ in files))
        warnings, size = "", 0
        for at, name in enumerate(compiled):
            run.files = f"{at} of {len(compiled)} files"
            command = (*_compile(folder, "code"), "-c", f"./{name}", "-o", f"../out/{at}.o")
            warnings += run(command)[: TOLD_BYTES - len(warnings)]
            size += (folder / "out" / f"{at}.o").lstat().st_size
            if size > FILE_BYTES:
                what = f"expected a program of at most {FILE_BYTES >> 20} MiB, got more"
                raise BuildError(what, "", "make it simpler")
        run.files = f"all {len(compiled)} files"
        _join(run, len(compiled), contract)
        wraps = [f"-Wl,--wrap={name}" for name in REPLACED]
        ours = [f"../platform/{name}" for name in _ours(contract)]
        run((COMPILER, *LINKED, *wraps, *ours, "../out/seat.o", "-o", "../out/program"))
        program = _read(folder / "out" / "program")
        run.refuse(checks.wrong_program(program))
        return b"\0".join((clean(warnings).encode(), program))


def _join(run: "_Runs", count: int, contract: NativeContract) -> None:
    """Link an author's files to one object, whose names are its own but for those that are asked.

    So no name of the author's takes the place of one of the platform's or of the library's.
    """
    seat = run.folder / "out" / "seat.o"
    objects = [f"../out/{at}.o" for at in range(count)]
    joined = ("ld", "-r", "-d", "--force-group-allocation", "-T", "../platform/seat.ld")
    run((*joined, *objects, "-o", "../out/seat.o"))
    run.refuse(checks.reserved_symbol(_read(seat)))
    given = {f"_Z{len(name)}{name}v" for name in contract.functions}
    kept = [f"--keep-global-symbol={name}" for name in (*sorted(given), *ALLOCATION)]
    run(("objcopy", "--wildcard", *kept, "../out/seat.o"))
    run.refuse(checks.wrong_object(_read(seat), given))


def _lay_out(folder: Path, files: Sequence[tuple[str, str]], contract: NativeContract) -> list[str]:
    """Write the files for the compiler; give the names of those to compile."""
    for name in ("code", "platform", "out"):
        (folder / name).mkdir()
    for name, text in files:
        path = folder / "code" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        _write(path, text.encode())
    headers = {path.name: path.read_bytes() for path in (*contract.headers, SOURCES / "seat.ld")}
    for name, data in {**headers, **_ours(contract)}.items():
        _write(folder / "platform" / name, data)
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
    names = sorted(each for each in texts if each.endswith(SUFFIXES))
    return {f"{name}.o": _kept(f"{key}-{name}", partial(_compiled, name, seen)) for name in names}


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
    """Give the program that programs are forked from; see `launcher`.

    Raises: ConfinementError, if nothing can be compiled here.
    """
    text = LAUNCHER.read_bytes()

    def make() -> bytes:
        with workshop() as folder:
            (folder / LAUNCHER.name).write_bytes(text)
            command = (*_compile(folder, "."), "-static", "-no-pie", LAUNCHER.name, "-o", "built")
            done = run_tool(folder, ".", command)
            assert not done.status, done.told
            return _read(folder / "built")

    return _kept(f"{_hex(repr((text, compiler(), FLAGS)).encode())}-launcher", make)


def _compile(folder: Path, place: str, told: str = ".") -> Sequence[str]:
    """Begin a command that compiles; where the folder lies must not show in what comes of it."""
    return (COMPILER, *FLAGS, f"-ffile-prefix-map={folder / place}={told}", "-I../platform")


@cache
def _platform() -> tuple[tuple[str, bytes], ...]:
    return tuple((path.name, path.read_bytes()) for path in sorted(SOURCES.iterdir()))


class _Runs:
    """Runs the tools of one build in the folder of the author's files."""

    def __init__(
        self, folder: Path, names: Container[str], budget: BuildBudget | None = None
    ) -> None:
        """Begin it.

        Args:
            folder: Where it happens.
            names: Of the files that a fault can be in.
            budget: What is left for it; a new one, if left out.
        """
        self.folder, self.files = folder, ""  # how many are compiled, for messages
        self._names, self._budget = names, budget or BuildBudget()

    def __call__(self, command: Sequence[str]) -> str:
        """Run a tool, and give what it says.

        Raises: BuildError, if it fails, or if no time is left for it.
        """
        self._check_budget()
        done = run_tool(self.folder, "code", command, budget=self._budget)
        if done.status:
            self._check_budget()
            raise BuildError(*complaint(done, self._names))
        return done.told

    def refuse(self, wrong: checks.Wrong) -> None:
        """Refuse an object or a program, if something is wrong with it.

        Raises: BuildError.
        """
        if wrong.what:
            raise BuildError(wrong.what, self._place(wrong.address), wrong.remedy)

    def _place(self, address: int) -> str:
        """Give "file:line" of an address in the author's code; empty if there is none."""
        if address < 0:
            return ""
        command = ("addr2line", "-j", checks.CODE, "-e", "../out/seat.o", hex(address))
        told = run_tool(self.folder, "code", command).told
        return next(places(clean(told), self._names), "")

    def _check_budget(self) -> None:
        if what := self._budget.overrun:
            after = f" after {self.files}" if self.files else ""
            raise BuildError(what + after, "", "make it simpler, or divide it into fewer files")


def _write(path: Path, data: bytes) -> None:
    """Write a file for the compiler, with a fixed time, which `__TIMESTAMP__` gives."""
    path.write_bytes(data)
    os.utime(path, (0, 0))


def _read(path: Path) -> bytes:
    """Read what a tool wrote; it is nobody's link."""
    file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
    with os.fdopen(file, "rb") as stream:
        return stream.read()


def _kept(key: str, make: Callable[[], bytes]) -> bytes:
    """Give what was made before, or make it and keep it."""
    found = _from_cache(key)
    if found is None:
        found = make()
        _to_cache(key, found)
    return found


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


def build_object(
    name: str,
    text: bytes,
    beside: Mapping[str, bytes],
    *options: str,
    budget: BuildBudget | None = None,
) -> bytes:
    """Compile one file alone, or give what came of it before.

    Args:
        name: Of the file, as messages call it.
        text: What is in it.
        beside: Files that it may include, by their names.
        options: Of the compiler, besides the usual ones.
        budget: Of the build that it belongs to; a build of its own, if left out.
    Raises: BuildError, with what is wrong; ConfinementError, if nothing can be compiled here.
    """

    def make() -> bytes:
        with workshop() as folder:
            for place, files in {"code": {name: text}, "platform": beside, "out": {}}.items():
                (folder / place).mkdir()
                for each, data in files.items():
                    _write(folder / place / each, data)
            command = (*_compile(folder, "code"), *options, "-c", f"./{name}", "-o", "../out/0.o")
            _Runs(folder, {name, *beside}, budget)(command)
            return _read(folder / "out" / "0.o")

    facts = (name, text, sorted(beside.items()), compiler(), FLAGS, options)
    return _kept(_hex(repr(facts).encode()), make)


def link_objects(
    programs: Sequence[Sequence[bytes]],
    sources: Container[str],
    budget: BuildBudget | None = None,
) -> list[bytes]:
    """Link programs, one after the other in one sandbox, for each sandbox costs as much as a link.

    Args:
        programs: The objects of each, as `build_object` gives them.
        sources: Names of the files that a fault can be in.
        budget: Of the build that they belong to; a build of its own, if left out.
    Returns: The programs.
    Raises: BuildError, with what is wrong.
    """
    # The library ends by `exit` what begins with an author's `main`.
    wraps = [f"-Wl,--wrap={name}" for name in REPLACED if name != "exit"]
    linked = (COMPILER, *LINKED, "-Wl,--gc-sections", *wraps)
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
        _Runs(folder, sources, budget)(("sh", "link.sh"))
        made = [_read(code / f"{at}.program") for at in range(len(programs))]
    for fault in filter(None, map(checks.wrong_segment, made)):
        raise BuildError(
            f"expected a program that the platform can hold, got {fault}", "", checks.NOT_COMPILER
        )
    return made
