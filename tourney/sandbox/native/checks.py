"""Checks of an author's linked files, and of the whole program before it runs.

Source code can ask the assembler for any section, symbol and flag. So the options of the compiler
guarantee nothing: the output of the linker is read again, and all parts not listed here are
rejected.
"""

import re
from collections.abc import Callable, Collection
from itertools import chain
from typing import NamedTuple

from tourney.game.asking.printable_text import printable
from tourney.sandbox.native.elf import (
    ABSOLUTE,
    EXECUTABLE,
    EXECUTED,
    HEADER,
    MACHINES,
    MAGIC,
    SPECIAL,
    UNDEFINED,
    WRITTEN,
    Elf,
    ElfError,
    Section,
    Symbol,
)
from tourney.sandbox.syscalls import this_machine

MOST_STATE = 64 << 10
"""Most bytes of a competitor's global variables: each seat keeps a copy of them."""
STATE, THREAD, CODE = "seat_state", "thread_state", "seat_code"
ENTRY = "tourney_entry"
"""The symbol at which a program starts; see entry.cpp."""

WRITE, ALLOC, EXECUTE = 1, 2, 4
MERGE, STRINGS, LINKED, GROUP, TLS, RETAIN = 0x10, 0x20, 0x40, 0x200, 0x400, 0x200000
"""SHF_… of linux/elf.h; the last one keeps a section from being discarded."""
HARMLESS = LINKED | GROUP | RETAIN
LOADED = (
    (re.compile(CODE), ALLOC | EXECUTE),
    (re.compile(rf"{STATE}|seat_init|\.data\.rel\.ro|\.fini_array(?:\.\d+)?"), ALLOC | WRITE),
    (re.compile(r"\.rodata(?:\.[\w.]+)?"), ALLOC | MERGE | STRINGS),
    (re.compile(r"\.gcc_except_table(?:\.[\w.]+)?|\.eh_frame|\.note\.gnu\.property"), ALLOC),
    (re.compile(THREAD), ALLOC | WRITE | TLS),
)
"""Sections in memory that an author's files may have, and the flags that each may have."""
NOT_LOADED = re.compile(
    r"(?:\.rela.*|\.debug_\w+|\.comment|\.note\..*|\.gnu\.(?:build\.)?attributes.*"
    r"|\.symtab|\.strtab|\.shstrtab|)"
)
REPLACEABLE = re.compile(r"_Z(?:nw|na|dl|da)[A-Za-z0-9_]*")
"""`operator new` and `operator delete`, mangled: the standard lets programs replace them."""
RESERVED = {
    "main": "leave it out: the platform starts the program",
    "_start": "leave it out: the platform starts the program",
    **dict.fromkeys(
        ("malloc", "calloc", "realloc", "free", "aligned_alloc", "memalign", "posix_memalign"),
        "give it another name, or replace operator new and operator delete instead",
    ),
}
"""Names that C++ files cannot replace here, each with a remedy."""
LOCAL, FUNCTION, OF_THREAD, IFUNC = 0, 2, 6, 10
"""STB_LOCAL, STT_FUNC, STT_TLS and STT_GNU_IFUNC."""

LOAD, INTERPRETER, STACK, RELRO = 1, 3, 0x6474E551, 0x6474E552
KNOWN = {LOAD, STACK, RELRO, 4, 7, 0x6474E550, 0x6474E553, 0x6474E554}
"""PT_… that a static program may have; the numbers are PT_NOTE, _TLS, _GNU_EH_FRAME, _GNU_PROPERTY
and _GNU_SFRAME."""
BEFORE_MAIN = (".preinit_array", ".init_array")
CHOSEN = {MACHINES["x86_64"]: 37, MACHINES["aarch64"]: 1032}
"""R_…_IRELATIVE: the addend is a function that runs before `main` and selects another one."""

ONE_OF_THREAD = "expected global variables, got one that is thread_local"
OWN = "leave `section` out: every seat has its own copy only of what the compiler places"
LARGE = "every seat has its own copy of them; make large arrays with new, or make them const"
NOT_COMPILER = "leave out what the compiler would not write by itself, such as asm"


class Wrong(NamedTuple):
    """A fault of an object or a program; empty without a fault."""

    what: str = ""
    remedy: str = ""
    address: int = -1  # in the author's code; debug information gives its line


def reserved_symbol(data: bytes) -> Wrong:
    """Find a name that an author's files define although they cannot replace it."""

    def look(elf: Elf) -> Wrong:
        for each in elf.symbols:
            if each.section != UNDEFINED and each.binding != LOCAL and each.name in RESERVED:
                what = f"expected names of your own, got a definition of {each.name}"
                return Wrong(what, RESERVED[each.name], _address(each))
        return Wrong()

    return _checked(data, look)


def defined_symbols(data: bytes) -> frozenset[str]:
    """Return the global names that an author's files define; empty for an incomplete file."""
    try:
        found = [each for each in Elf(data).symbols if each.section != UNDEFINED]
    except ElfError:
        return frozenset()
    return frozenset(each.name for each in found if each.binding != LOCAL)


def wrong_object(data: bytes, given: Collection[str]) -> Wrong:
    """Find parts that the platform cannot keep for every seat, or that act outside of a seat.

    Args:
        data: All files of an author, linked to one object.
        given: The symbols by which the rest of the program finds the player.
    """

    def look(elf: Elf) -> Wrong:
        found = chain(
            map(_wrong_section, elf.sections),
            (_wrong_symbol(each, given) for each in elf.symbols),
        )
        wrong = next(filter(None, found), Wrong())
        return wrong._replace(what=wrong.what + _largest(elf)) if wrong.remedy == LARGE else wrong

    return _checked(data, look)


def _largest(elf: Elf) -> str:
    """Name the largest global variable, unless its name is mangled."""
    places = {at for at, each in enumerate(elf.sections) if each.name == STATE}
    sizes = {each.name: each.size for each in elf.symbols if each.section in places}
    name = max(sizes, key=lambda each: sizes[each], default="")
    return "" if name.startswith("_Z") or not name else f", most in {printable(name, most=60)}"


def wrong_program(data: bytes) -> Wrong:
    """Find violations of the rules in a program that was built from an author's files."""

    def look(elf: Elf) -> Wrong:
        if found := _wrong_parts(elf) or _wrong_start(elf):
            what = f"expected a program that the platform can hold, got {found}"
            return Wrong(what, NOT_COMPILER)
        return Wrong()

    return _checked(data, look)


def wrong_segment(data: bytes) -> str:
    """Describe a part of a program that the kernel must not load; empty without such a part.

    Files that are not ELF or have no complete header are left to the kernel, which rejects them.
    """
    if not data.startswith(MAGIC) or len(data) < HEADER.size:
        return ""
    try:
        elf = Elf(data)
        if elf.machine not in MACHINES.values():
            return "code for another kind of processor"
        segments = elf.segments
    except ElfError as error:
        return str(error)
    for kind, flags, *_ in segments:
        if kind == INTERPRETER:
            return "a program that needs another one to load it"
        if flags & EXECUTED and (flags & WRITTEN or kind == STACK):
            return "memory that is both written and executed"
    return ""


def _checked(data: bytes, look: Callable[[Elf], Wrong]) -> Wrong:
    try:
        return look(Elf(data))
    except ElfError as error:
        return Wrong(f"expected what the linker writes, got {error}", NOT_COMPILER)


def _address(symbol: Symbol) -> int:
    return symbol.value if symbol.kind in {FUNCTION, IFUNC} else -1


def _wrong_section(section: Section) -> Wrong | None:
    name, flags = section.name, section.flags & ~HARMLESS
    shown = printable(name, most=60)
    if not flags & ALLOC:
        what = f"expected no section of their own, got {shown}"
        return None if NOT_LOADED.fullmatch(name) else Wrong(what, OWN)
    if name == THREAD and section.size:
        return Wrong(ONE_OF_THREAD, "leave that word out")
    if name == STATE and section.size > MOST_STATE:
        what = f"expected at most {MOST_STATE:,} bytes of global variables, got {section.size:,}"
        return Wrong(what, LARGE)
    most = next((most for pattern, most in LOADED if pattern.fullmatch(name)), None)
    if most is None:
        return Wrong(f"expected variables in no section of their own, got one in {shown}", OWN)
    what = f"expected sections as the compiler makes them, got {shown} with flags of its own"
    return Wrong(what, NOT_COMPILER) if flags & ~most else None


def _wrong_symbol(symbol: Symbol, given: Collection[str]) -> Wrong | None:
    name, binding, kind, section, *_ = symbol
    shown = printable(name, most=60)
    if section == UNDEFINED:
        return None
    if kind == IFUNC:
        what = f"expected functions, got one that is chosen as the program starts: {shown}"
        return Wrong(what, "leave out target_clones and ifunc", _address(symbol))
    if kind == OF_THREAD:
        return Wrong(ONE_OF_THREAD, "leave that word out")
    if section >= SPECIAL and section != ABSOLUTE:
        return Wrong(f"expected variables with a place, got one without: {shown}", NOT_COMPILER)
    if binding != LOCAL and name not in given and not REPLACEABLE.fullmatch(name):
        return Wrong(
            f"expected names that stay among your files, got {shown}",
            NOT_COMPILER,
            _address(symbol),
        )
    return None


def _wrong_parts(elf: Elf) -> str:
    """Describe a part of a program that must not be loaded; empty without such a part."""
    machine = this_machine()
    assert machine, "programs are only built on machines with a sandbox"
    if (elf.kind, elf.machine) != (EXECUTABLE, MACHINES[machine.name]):
        return "one for another place"
    counts = {"written": 0, "executed": 0, "stack": 0, "relro": 0}
    for kind, flags, *_ in elf.segments:
        if kind not in KNOWN:
            return f"a segment of the kind {kind:#x}"
        counts["stack"] += kind == STACK
        counts["relro"] += kind == RELRO
        counts["written"] += kind == LOAD and bool(flags & WRITTEN)
        counts["executed"] += kind == LOAD and bool(flags & EXECUTED)
    if counts != dict.fromkeys(counts, 1):
        return "other segments than one to write and one to execute"
    return wrong_segment(elf.data) or next(
        (
            f"a section that is both written and executed: {printable(each.name, most=60)}"
            for each in elf.sections
            if each.flags & WRITE and each.flags & EXECUTE
        ),
        "",
    )


def _wrong_start(elf: Elf) -> str:
    """Describe code that would run before the platform's, or instead of it; empty without any."""
    entries = {each.value for each in elf.symbols if each.name == ENTRY and each.binding != LOCAL}
    if entries != {elf.entry}:
        return "one that begins elsewhere"
    own = [
        range(each.address, each.address + each.size) for each in elf.sections if each.name == CODE
    ]
    early = [addend for kind, addend in elf.relocations if kind == CHOSEN[elf.machine]]
    for section in elf.sections:
        if section.name in BEFORE_MAIN:
            content = elf.content(section)
            early += [
                int.from_bytes(content[at : at + 8], "little") for at in range(0, len(content), 8)
            ]
    if any(address in each for address in early for each in own):
        return "code of its author that runs before main"
    return ""
