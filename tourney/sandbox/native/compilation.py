"""Compiling competitors in C++, and orders for the launcher of their programs.

The same files and the same compiler give the same program, byte by byte. Errors name the author's
line. `source_selection` decides which files are built, `tools` runs the compiler in a sandbox, and
the game defines which headers a competitor may include and which functions it must define.

The launcher (`launcher.cpp`) is the fork server of hosts that run programs. It works without
Python: forking copies little, so a program starts in a third of the time. Its limits, ruleset and
filters are those of every host; see `lockdown`.
"""

import os
import struct
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache, lru_cache, partial
from hashlib import blake2b
from pathlib import Path
from shlex import join
from threading import get_ident
from typing import NamedTuple

from tourney.errors import BuildError, ConfinementError
from tourney.game.accelerators import NativeContract
from tourney.game.machine.compile_cache import folder as cache_folder
from tourney.sandbox import landlock, wire
from tourney.sandbox.lockdown import Limits, filter_code, most_of
from tourney.sandbox.native import checks
from tourney.sandbox.native.diagnostics import clean, complaint, places, with_remedy, without_body
from tourney.sandbox.native.source_selection import (
    NO_FUNCTION,
    Selection,
    check_names,
    code_of,
    contract_of,
    defines,
    include_folders,
    is_source,
    missing_function,
    sorted_out,
    with_aside,
    with_plain_includes,
)
from tourney.sandbox.native.tools import FILE_BYTES, TOLD_BYTES, BuildBudget, run_tool, workshop
from tourney.sandbox.syscall_filter import Then
from tourney.sandbox.syscalls import this_machine

COMPILER = "g++"
HERE = "/tourney"
"""The folder of the platform's files in debug information; an author's files are never there."""
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
    "-fno-gnu-unique",  # otherwise names could not be made local; see `_join`
    *("-frandom-seed=tourney", "-fmax-errors=20", "-fdiagnostics-color=never"),
    "-gno-record-gcc-switches",
    *(f"-ffile-prefix-map=../platform/={HERE}/", "-ffile-prefix-map=./="),
)
"""Options for every file; the last ones make the output reproducible."""
ALLOCATION = ("_Zn[wa]*", "_Zd[la]*")
"""`operator new` and `operator delete`: programs may replace them, so they stay global."""
REPLACED = (
    *("rand", "srand", "random", "srandom", "_ZNSt13random_device9_M_getvalEv"),
    *("getrandom", "getentropy", "time", "clock", "clock_gettime", "clock_getres"),
    *("gettimeofday", "timespec_get", "times"),
    *("abort", "exit", "__cxa_throw", "__cxa_atexit", "atexit"),
)
"""Functions of the library that chance.cpp and faults.cpp replace: chance, clocks, exits."""
LINKED = (
    *("-static", "-no-pie", "-fno-lto", "-fno-use-linker-plugin"),
    f"-Wl,--build-id=none,-z,noexecstack,-z,relro,-e,{checks.ENTRY}",
)
"""Options for every program. Code for a linker plugin would not be checked."""
SOURCES = Path(__file__).parent / "cpp"
"""The platform files of every program, for any game."""
PLAIN_CODE = "../out/plain.ii"
LAUNCHER = Path(__file__).parent / "launcher.cpp"
Files = tuple[tuple[str, str], ...]
"""(name, text) of each file of a competitor, sorted by name; names are relative paths with '/'."""


class Built(NamedTuple):
    """A program, and how it was built."""

    program: bytes
    compiler: str  # its name and version
    warnings: str  # of the compiler
    set_aside: tuple[str, ...]  # names of copies of our files, and of the author's own main files

    @property
    def digest(self) -> str:
        """Identifies the program; 32 hex digits."""
        return _hex(self.program)

    @property
    def words(self) -> str:
        """The compiler, its options and the digest, as recorded in runs."""
        return f"{self.compiler}, {' '.join(FLAGS[:4])}, program {self.digest[:12]}"


@cache
def compiler() -> str:
    """Return name and version of the compiler.

    Raises: ConfinementError, if it is missing or cannot run in a sandbox.
    """
    with workshop() as folder:
        done = run_tool(folder, ".", (COMPILER, "--version"))
    first, *_ = done.told.splitlines() or [""]
    if done.status or not first:
        raise ConfinementError(f"{COMPILER} --version failed: {done.told[:200]!r}")
    return first


@lru_cache(maxsize=256)
def build(files: Files, contracts: tuple[NativeContract, ...]) -> Built:
    """Build the program of a competitor.

    Args:
        files: All of its files.
        contracts: Of the game, or of several games.
    Raises: BuildError, with the fault; ConfinementError, if nothing can be compiled here.
    """
    check_names([name for name, _ in files])
    contract = contract_of(files, contracts)
    lacking = missing_function(files, contract)
    chosen = sorted_out(files, contract)
    rules = LINKED, REPLACED, Path(checks.__file__).read_bytes()
    facts = (chosen, _platform(), contract.texts(), compiler(), FLAGS, rules)
    try:
        made = _kept(_hex(repr(facts).encode()), lambda: _built(chosen, contract))
    except BuildError as error:
        aside = {*chosen.aside, *chosen.doubtful}
        if lacking and error.what.startswith(NO_FUNCTION):
            raise lacking from error
        codes = {name: code_of(text) for name, text in chosen.files}
        fault = without_body(error, codes) or with_aside(
            with_remedy(error, codes), files, aside, contract, contract.texts()
        )
        fault.further = (lacking,) if lacking else ()
        raise fault from error
    warnings, drivers, program = made.split(b"\0", 2)
    aside = {*chosen.aside, *filter(None, drivers.decode().split("\n"))}
    return Built(program, compiler(), warnings.decode(), tuple(sorted(aside)))


def _built(chosen: Selection, contract: NativeContract) -> bytes:
    """Compile and link; return the warnings, the names of drivers, and the program.

    A zero byte is between them, and a line's end after each name.
    """
    with workshop() as folder:
        options = _lay_out(folder, chosen.files, contract)
        known = contract.ours.union(name for name, _ in chosen.files)
        run = _Runs(folder, known, options=options)
        codes = {name: code_of(text) for name, text in chosen.files}
        drivers = [name for name in chosen.doubtful if _is_driver(run, name, codes[name])]
        names = [name for name in chosen.compiled if name not in drivers]
        warnings = _compile_all(run, names, 0)
        try:
            program = _linked(run, len(names), contract)
            drivers += chosen.spare
        except BuildError as error:
            if not chosen.spare or "undefined reference" not in error.what:
                raise
            spare = [name for name in chosen.spare if not _is_driver(run, name, codes[name])]
            drivers += [name for name in chosen.spare if name not in spare]
            warnings += _compile_all(run, spare, len(names))
            program = _linked(run, len(names) + len(spare), contract)
        warned = clean(warnings)[:TOLD_BYTES].encode()
        return b"\0".join((warned, "\n".join(drivers).encode(), program))


def _is_driver(run: "_Runs", name: str, code: str) -> bool:
    """Return whether a file has a `main` after preprocessing, or before if that fails."""
    try:
        run.compile("-E", "-P", "-x", "c++", f"./{name}", "-o", PLAIN_CODE)
        code = _read(run.folder / "code" / PLAIN_CODE).decode("utf-8", "replace")
    except BuildError:  # a driver may include files that only its author has
        run.check_budget()
    return defines(code, "main")


def _compile_all(run: "_Runs", names: Sequence[str], first: int) -> str:
    """Compile sources to numbered objects, and return the warnings."""
    warnings, size = "", 0
    for at, name in enumerate(names):
        run.files = f"{at} of {len(names)} files"
        output = f"../out/{first + at}.o"
        told = run.compile("-c", "-x", "c++", f"./{name}", "-o", output)
        warnings += told[: TOLD_BYTES - len(warnings)]
        size += (run.folder / "code" / output).lstat().st_size
        if size > FILE_BYTES:
            what = f"expected a program of at most {FILE_BYTES >> 20} MiB, got more"
            raise BuildError(what, "", "make it simpler")
    run.files = f"all {len(names)} files"
    return warnings


def _linked(run: "_Runs", count: int, contract: NativeContract) -> bytes:
    """Link numbered objects and the platform's to a program."""
    _join(run, count, contract)
    wraps = [f"-Wl,--wrap={name}" for name in REPLACED]
    ours = [f"../platform/{name}" for name in _ours(contract)]
    run((COMPILER, *LINKED, *wraps, *ours, "../out/seat.o", "-o", "../out/program"))
    program = _read(run.folder / "out" / "program")
    run.refuse(checks.wrong_program(program))
    return program


def _join(run: "_Runs", count: int, contract: NativeContract) -> None:
    """Link an author's files to one object, and make all its names local except the contract's.

    So no name of the author's replaces one of the platform or of the library.
    """
    seat = run.folder / "out" / "seat.o"
    objects = [f"../out/{at}.o" for at in range(count)]
    joined = ("ld", "-r", "-d", "--force-group-allocation", "-T", "../platform/seat.ld")
    run((*joined, *objects, "-o", "../out/seat.o"))
    run.refuse(checks.reserved_symbol(_read(seat)))
    given = {f"_Z{len(name)}{name}v" for name in contract.functions}
    if not given & checks.defined_symbols(_read(seat)):
        raise BuildError(f"{NO_FUNCTION} with a body", "", contract.remedy)
    kept = [f"--keep-global-symbol={name}" for name in (*sorted(given), *ALLOCATION)]
    run(("objcopy", "--wildcard", *kept, "../out/seat.o"))
    run.refuse(checks.wrong_object(_read(seat), given))


def _lay_out(
    folder: Path, files: Sequence[tuple[str, str]], contract: NativeContract
) -> tuple[str, ...]:
    """Write the files for the compiler; return the options by which it finds their headers."""
    for name in ("code", "platform", "out"):
        (folder / name).mkdir()
    headers = {path.name: path.read_bytes() for path in (*contract.headers, SOURCES / "seat.ld")}
    for name, data in {**headers, **_ours(contract)}.items():
        _write(folder / "platform" / name, data)
    for name, text in files:
        path = folder / "code" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        _write(path, with_plain_includes(text, headers).encode())
    # Last of all, so that a file named like one of the library does not replace it there.
    found = [f"./{each}" for each in include_folders(files, headers)]
    return tuple(option for each in found for option in ("-iquote", each, "-idirafter", each))


@cache
def _ours(contract: NativeContract) -> dict[str, bytes]:
    """Compile the files that all programs of a contract share."""
    platform, game = dict(_platform()), contract.texts()
    assert not platform.keys() & game.keys(), "a game's file has the name of a platform file"
    return {**_objects(platform, platform), **_objects(game, {**platform, **game})}


def _objects(texts: Mapping[str, bytes], seen: Mapping[str, bytes]) -> dict[str, bytes]:
    """Compile the sources among `texts`, which may include the files in `seen`."""
    key = _hex(repr((sorted(seen.items()), compiler(), FLAGS)).encode())
    names = sorted(each for each in texts if is_source(each))
    make = partial(_compiled, seen, HERE, "-c")
    return {f"{name}.o": _kept(f"{key}-{name}", partial(make, name=name)) for name in names}


def _compiled(seen: Mapping[str, bytes], told: str, *options: str, name: str) -> bytes:
    """Compile a file of the platform, which may include the files in `seen`."""
    with workshop() as folder:
        (folder / "platform").mkdir()
        for each, data in seen.items():
            (folder / "platform" / each).write_bytes(data)
        command = (*_compile(folder, "platform", told), *options, name, "-o", f"{name}.o")
        done = run_tool(folder, "platform", command)
        assert not done.status, done.told
        return _read(folder / "platform" / f"{name}.o")


@cache
def launcher() -> bytes:
    """Return the program from which other programs are forked: `launcher.cpp`, compiled.

    Raises: ConfinementError, if nothing can be compiled here.
    """
    name, text = LAUNCHER.name, LAUNCHER.read_bytes()
    make = partial(_compiled, {name: text}, ".", "-static", "-no-pie", name=name)
    return _kept(f"{_hex(repr((text, compiler(), FLAGS)).encode())}-launcher", make)


def _compile(folder: Path, place: str, told: str = ".") -> Sequence[str]:
    """Return the start of a compile command, which hides the folder's path from the output."""
    return (COMPILER, *FLAGS, f"-ffile-prefix-map={folder / place}={told}", "-I../platform")


@cache
def _platform() -> tuple[tuple[str, bytes], ...]:
    return tuple((path.name, path.read_bytes()) for path in sorted(SOURCES.iterdir()))


class _Runs:
    """Runs the tools of a build in the folder of the author's files."""

    def __init__(
        self,
        folder: Path,
        names: Collection[str],
        budget: BuildBudget | None = None,
        options: Sequence[str] = (),
    ) -> None:
        """Prepare the build.

        Args:
            folder: The folder of the build.
            names: Names of the files that a fault can be in.
            budget: Its remaining time; by default a new budget.
            options: Options of the compiler, in addition to those of every build.
        """
        self._options = options
        self.folder, self.files = folder, ""  # number of compiled files, for messages
        self._names, self._budget = names, budget or BuildBudget()

    def __call__(self, command: Sequence[str]) -> str:
        """Run a tool and return its output.

        Raises: BuildError, if it fails, or if no time is left.
        """
        self.check_budget()
        done = run_tool(self.folder, "code", command, budget=self._budget)
        if done.status:
            self.check_budget()
            raise BuildError(*complaint(done, self._names))
        return done.told

    def compile(self, *arguments: str) -> str:
        """Run the compiler in the folder of the code.

        Raises: BuildError, as above.
        """
        return self((*_compile(self.folder, "code"), *self._options, *arguments))

    def refuse(self, wrong: checks.Wrong) -> None:
        """Reject a faulty object or program.

        Raises: BuildError.
        """
        if wrong.what:
            raise BuildError(wrong.what, self._place(wrong.address), wrong.remedy)

    def _place(self, address: int) -> str:
        """Return "file:line" of an address in the author's code; empty if it is not known."""
        if address < 0:
            return ""
        command = ("addr2line", "-j", checks.CODE, "-e", "../out/seat.o", hex(address))
        told = run_tool(self.folder, "code", command).told
        return next(places(clean(told), self._names), "")

    def check_budget(self) -> None:
        """Stop the build if no time is left.

        Raises: BuildError.
        """
        if what := self._budget.overrun:
            after = f" after {self.files}" if self.files else ""
            raise BuildError(what + after, "", "make it simpler, or divide it into fewer files")


def _write(path: Path, data: bytes) -> None:
    """Write a file for the compiler with a fixed time, because `__TIMESTAMP__` shows it."""
    path.write_bytes(data)
    os.utime(path, (0, 0))


def _read(path: Path) -> bytes:
    """Read a tool's output; links are rejected."""
    file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
    with os.fdopen(file, "rb") as stream:
        return stream.read()


def _kept(key: str, make: Callable[[], bytes]) -> bytes:
    """Return a cached result, or make and cache it."""
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
    """Compile one file alone, with a cache.

    Args:
        name: Its name for messages.
        text: Its content.
        beside: Files that it may include.
        options: Additional options for the compiler.
        budget: Of the build; by default a new budget.
    Raises: BuildError, with the fault; ConfinementError, if nothing can be compiled here.
    """

    def make() -> bytes:
        with workshop() as folder:
            for place, files in {"code": {name: text}, "platform": beside, "out": {}}.items():
                (folder / place).mkdir()
                for each, data in files.items():
                    _write(folder / place / each, data)
            run = _Runs(folder, {name, *beside}, budget, options)
            run.compile("-c", f"./{name}", "-o", "../out/0.o")
            return _read(folder / "out" / "0.o")

    facts = (name, text, sorted(beside.items()), compiler(), FLAGS, options)
    return _kept(_hex(repr(facts).encode()), make)


def link_objects(
    programs: Sequence[Sequence[bytes]],
    sources: Collection[str],
    budget: BuildBudget | None = None,
) -> list[bytes]:
    """Link programs one after another in one sandbox, because starting one is as slow as linking.

    Args:
        programs: The objects of each program, from `build_object`.
        sources: Names of the files that a fault can be in.
        budget: Of the build; by default a new budget.
    Returns: The programs.
    Raises: BuildError, with the fault.
    """
    # Here an author's `main` runs, which the library ends with `exit`.
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
        raise BuildError(f"the platform cannot run this program: {fault}", "", checks.NOT_COMPILER)
    return made


if sys.platform != "win32":
    import fcntl

NUMBERS = struct.Struct("<2I6I")
"""The user to switch to, whether to disable the processor's clock, and the length of each part."""
LIMIT = struct.Struct("<QQ")

MFD_EXEC = 0x10
ALL_SEALS = 0xF  # F_SEAL_SEAL, _SHRINK, _GROW and _WRITE


@lru_cache(maxsize=8)
def launch_order(limits: Limits) -> bytes:
    """Return the order to start a program in a sandbox.

    Args:
        limits: Its resources and layers.
    """
    machine = this_machine()
    assert machine, "programs only run on machines with a sandbox"
    has_landlock, is_filtered = "landlock" in limits.layers, "filter" in limits.layers
    version = landlock.version(machine) if has_landlock else 0
    user = limits.user or os.geteuid()
    told = [
        wire.frame(wire.Kind.READY, 0, wire.write_report(report))
        for report in (
            wire.Report(version, int(is_filtered), has_listener, user) for has_listener in (1, 0)
        )
    ]
    parts = (
        b"".join(LIMIT.pack(*each) for each in most_of(limits)),
        landlock.ruleset(version) if has_landlock else b"",
        *(
            filter_code(then, is_native=True) if is_filtered else b""
            for then in (Then.REPORT, Then.KILL)
        ),
        *told,
    )
    sizes = map(len, parts)
    # This kind has a clock that is read without a call and that the kernel can disable.
    has_counter = machine.name == "x86_64"
    return NUMBERS.pack(limits.user, has_counter, *sizes) + b"".join(parts)


def sealed(program: bytes) -> int:
    """Return a file in memory with a program that cannot be read or changed.

    Raises: OSError, if this machine cannot run such files.
    """
    try:
        file = os.memfd_create("player", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING | MFD_EXEC)
    except OSError:  # before Linux 6.3 all such files are executable
        file = os.memfd_create("player", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    rest = memoryview(program)
    while rest:
        rest = rest[os.write(file, rest) :]
    # A process that may not read its program cannot be dumped, or be read by similar processes.
    os.fchmod(file, 0o111)
    fcntl.fcntl(file, fcntl.F_ADD_SEALS, ALL_SEALS)
    return file
