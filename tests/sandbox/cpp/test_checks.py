"""What the linker wrote is read again: by our reader as by `readelf`, and nothing passes unseen."""

import random
import re
import shutil
import struct
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.sandbox.attacks.asking import SEAT_REQUESTS
from tests.sandbox.cpp.written import COUNTING, one
from tests.support.cpp_build import build
from tests.support.proving import with_more
from tourney.errors import BuildError, ConfinementError
from tourney.games.blackjack.game import BLACKJACK
from tourney.sandbox.levels import Level, probe
from tourney.sandbox.native import checks, compilation
from tourney.sandbox.native.elf import Elf, ElfError
from tourney.sandbox.referee import SandboxedPool
from tourney.sandbox.wire import Submitted

pytestmark = pytest.mark.skipif(
    probe() is not Level.FULL or not shutil.which("readelf"), reason="nothing can be compiled here"
)

LINE = re.compile(
    r" +\w+ +0x(\w+) 0x(\w+) 0x(\w+) 0x(\w+) 0x(\w+) ([R ])([W ])([E ]) 0x(\w+)$", re.MULTILINE
)
SECTION = re.compile(
    r"^ +\[ *\d+\] (\S*) +[A-Z]\w+ +([0-9a-f]{16}) (\w{6,}) (\w{6,}) (\w\w) "
    r"+([WAXMSILOGTCxoERDlp]*) +(\d+) +\d+ +\d+$",
    re.MULTILINE,
)
SYMBOL = re.compile(
    r"^ +\d+: (\w{16}) +\w+ (\w+) +(LOCAL|GLOBAL|WEAK|UNIQUE) +\w+ +(\w+)(?: (.*))?$", re.MULTILINE
)
FLAGS = {"W": 1, "A": 2, "X": 4}
BINDINGS = {"LOCAL": 0, "GLOBAL": 1, "WEAK": 2, "UNIQUE": 10}
PLACES = {"UND": 0, "ABS": 0xFFF1, "COM": 0xFFF2}


@pytest.fixture(scope="module")
def program() -> bytes:
    """Build a player."""
    return build((("player.cpp", COUNTING),)).program


@pytest.fixture(scope="module")
def seat(program: bytes) -> bytes:
    """Give what an author's files are linked to before the rest of the program is."""
    found: list[bytes] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compilation, "cache_folder", lambda: None)
        patch.setattr(checks, "wrong_object", lambda data, _: found.append(data) or checks.Wrong())
        compilation.build.cache_clear()
        assert build((("player.cpp", COUNTING),)).program == program
    return found[0]


def listed(data: bytes, folder: Path) -> str:
    """List all of a file by `readelf`."""
    (folder / "file").write_bytes(data)
    command = ["readelf", "-lSsW", str(folder / "file")]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


@pytest.mark.parametrize("which", ["program", "seat"])
def test_an_elf_file_is_read_as_readelf_reads_it(
    which: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    """Segments, sections and symbols, one by one."""
    data = request.getfixturevalue(which)
    text, elf = listed(data, tmp_path), Elf(data)
    segments = [
        (
            *(int(each, 16) for each in found[:5]),
            sum(bit << (2 - at) for at, bit in enumerate(map(bool, map(str.strip, found[5:8])))),
        )
        for found in LINE.findall(text)
    ]
    assert segments == [
        (each.offset, each.address, each.physical, each.file_size, each.size, each.flags)
        for each in elf.segments
    ]
    sections = [
        (name, *(int(each, 16) for each in numbers), set(flags) & set(FLAGS), int(link))
        for name, *numbers, flags, link in SECTION.findall(text)
    ]
    assert sections == [
        (
            each.name,
            *(each.address, each.offset, each.size, each.entry_size),
            {flag for flag, bit in FLAGS.items() if each.flags & bit},
            each.link,
        )
        for each in elf.sections
    ]
    symbols = [
        (int(value, 16), BINDINGS[binding], PLACES.get(place) or int(place))
        if place != "UND"
        else (int(value, 16), BINDINGS[binding], 0)
        for value, _, binding, place, _ in SYMBOL.findall(text)
    ]
    assert symbols == [(each.value, each.binding, each.section) for each in elf.symbols]
    names = {name for _, kind, *_, name in SYMBOL.findall(text) if name and kind != "SECTION"}
    assert names == {each.name for each in elf.symbols} - {""}


def altered(data: bytes, chance: random.Random) -> bytes:
    """Alter some bytes of a file, mostly those of its headers, or cut it."""
    changed = bytearray(data)
    at_sections = struct.unpack_from("<Q", data, 40)[0]
    for _ in range(chance.randint(1, 6)):
        first, last = chance.choice(
            [(0, 64), (64, 1_000), (at_sections, len(data)), (0, len(data))]
        )
        at = chance.randrange(min(first, len(data) - 1), min(last, len(data)))
        changed[at] = chance.choice([0, 0xFF, chance.randrange(256)])
    return bytes(changed[: chance.choice([len(data)] * 3 + [chance.randrange(len(data))])])


@pytest.mark.parametrize("times", with_more([30], [2_000]))
def test_a_damaged_file_is_refused_in_words(program: bytes, seat: bytes, times: int) -> None:
    """Whatever a linker was made to write, reading it raises nothing else."""
    chance = random.Random(times)
    for _ in range(times):
        for data in (altered(program, chance), altered(seat, chance), chance.randbytes(300)):
            assert checks.wrong_program(data).what.isprintable()
            assert checks.wrong_object(data, ()).what.isprintable()
            assert checks.reserved_symbol(data).what.isprintable()
            assert checks.wrong_segment(data).isprintable()


def test_a_name_without_an_end_is_cut() -> None:
    """So reading a table of names takes no longer, however it is made."""
    header = struct.pack("<16sHHIQQQIHHHHHH", b"\x7fELF", 1, 62, 1, 0, 0, 64, 0, 64, 0, 0, 64, 2, 1)
    table = b"x" * (1 << 20)
    names = struct.pack("<IIQQQQIIQQ", 1, 3, 0, 0, 64 + 128, len(table), 0, 0, 1, 0)
    elf = Elf(header + bytes(64) + names + table)
    assert len(elf.sections[1].name) == 4096
    with pytest.raises(ElfError):
        _ = Elf((header + bytes(64) + names)[:150]).sections


def with_flags(program: bytes, kind: int, change: Callable[[int], int]) -> bytes:
    """Change the flags of all segments of a kind."""
    changed = bytearray(program)
    for at, segment in enumerate(Elf(program).segments):
        if segment.kind == kind:
            struct.pack_into("<I", changed, 64 + 56 * at + 4, change(segment.flags))
    return bytes(changed)


def with_kind(program: bytes, kind: int, other: int) -> bytes:
    """Change the kind of all segments of one."""
    changed = bytearray(program)
    for at, segment in enumerate(Elf(program).segments):
        if segment.kind == kind:
            struct.pack_into("<I", changed, 64 + 56 * at, other)
    return bytes(changed)


LOAD, DYNAMIC, INTERPRETER, NOTE, STACK, RELRO = 1, 2, 3, 4, 0x6474E551, 0x6474E552


def broken(program: bytes) -> Iterator[tuple[str, bytes]]:
    """Give programs that break a promise each."""
    yield "one to write and one", with_flags(program, LOAD, lambda flags: flags | 2)
    yield "both written and executed", with_flags(program, STACK, lambda flags: flags | 1)
    yield "one to write and one", with_kind(program, STACK, NOTE)
    yield "one to write and one", with_kind(program, RELRO, NOTE)
    yield "a segment of the kind 0x3", with_kind(program, NOTE, INTERPRETER)
    yield "a segment of the kind 0x2", with_kind(program, NOTE, DYNAMIC)
    yield "one for another place", program[:16] + b"\x03" + program[17:]
    entry = Elf(program).entry
    yield "one that begins elsewhere", program[:24] + struct.pack("<Q", entry + 1) + program[32:]
    code = next(each for each in Elf(program).sections if each.name == checks.CODE)
    early = next(each for each in Elf(program).sections if each.name == ".init_array")
    own = struct.pack("<Q", code.address + 16)
    yield (
        "code of its author that runs before main",
        program[: early.offset] + own + program[early.offset + 8 :],
    )


def test_a_program_that_breaks_a_promise_is_refused(program: bytes) -> None:
    """One byte or two make the difference."""
    assert not checks.wrong_program(program).what
    for words, data in broken(program):
        wrong = checks.wrong_program(data)
        assert words in wrong.what, words
        assert wrong.remedy


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda program: with_flags(program, LOAD, lambda flags: flags | 2), "both written and"),
        (lambda program: with_flags(program, STACK, lambda flags: 7), "both written and"),
        (lambda program: with_kind(program, NOTE, INTERPRETER), "needs another one to load it"),
        (lambda program: program[:18] + b"\x03\x00" + program[20:], "another kind of processor"),
    ],
)
def test_no_program_starts_that_asks_for_memory_to_write_and_execute(
    program: bytes, change: Callable[[bytes], bytes], words: str
) -> None:
    """Wherever it comes from: a store, a path or the compiler."""
    submitted = Submitted("player", b"", program=change(program))
    with (
        pytest.raises(ConfinementError, match=words),
        SandboxedPool(BLACKJACK, submitted) as pool,
    ):
        pool.sit(SEAT_REQUESTS)


def test_what_the_kernel_maps_of_a_program_is_never_written_and_executed() -> None:
    """And nothing is left of the kernel's own pages, nor of those written before it begins."""
    program = build((("player.cpp", one(top="static int kept = 3; int *use() { return &kept; }")),))
    with SandboxedPool(BLACKJACK, Submitted("player.cpp", b"", program=program.program)) as pool:
        pool.sit(SEAT_REQUESTS)
        maps = Path(f"/proc/{pool.process}/maps").read_text().splitlines()
    rights = {line.split()[1] for line in maps}
    assert rights <= {"r--p", "r-xp", "rw-p", "--xp"}  # the last one is the page of old programs
    assert sum("rw-p" in line and "memfd" in line for line in maps) == 1
    names = {line.split()[5] for line in maps if len(line.split()) > 5}
    assert {each.strip("[]") for each in names if each[0] == "["} <= {"heap", "stack", "vsyscall"}
    (relro,) = [each for each in Elf(program.program).segments if each.kind == RELRO]
    spans = [[int(each, 16) for each in line.split()[0].split("-")] for line in maps]
    (held,) = [
        line.split()[1]
        for (first, last), line in zip(spans, maps, strict=True)
        if first <= relro.address < last
    ]
    assert held == "r--p"


def test_the_first_error_is_said_although_others_follow() -> None:
    """In one line, with what to do."""
    with pytest.raises(BuildError) as caught:
        build((("player.cpp", one(top='extern "C" void free(void *) { }')),))
    assert str(caught.value) == (
        "player.cpp:8: expected names of your own, got a definition of free; give it another name, "
        "or replace operator new and operator delete instead"
    )
