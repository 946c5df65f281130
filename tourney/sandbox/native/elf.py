"""Reading the headers, segments, sections and symbols of an ELF file.

The file may be malicious, so every offset is checked, and inconsistent files are rejected.
"""

import struct
from collections.abc import Iterator
from functools import cached_property
from itertools import starmap
from typing import NamedTuple

MAGIC = b"\x7fELF"
HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
SEGMENT, SECTION = struct.Struct("<IIQQQQQQ"), struct.Struct("<IIQQQQIIQQ")
SYMBOL, RELOCATION = struct.Struct("<IBBHQQ"), struct.Struct("<QQq")
EXECUTABLE = 2  # ET_EXEC: at fixed addresses
EXECUTED, WRITTEN = 1, 2  # PF_X and PF_W
NO_BITS, SYMBOLS, WITH_ADDENDS = 8, 2, 4  # SHT_NOBITS, SHT_SYMTAB and SHT_RELA
UNDEFINED, SPECIAL, ABSOLUTE = 0, 0xFF00, 0xFFF1  # SHN_UNDEF, SHN_LORESERVE and SHN_ABS
MACHINES = {"x86_64": 62, "aarch64": 183}  # EM_X86_64 and EM_AARCH64


MOST_NAME = 4096
"""Longest name that is read, so that reading stays fast."""


class ElfError(ValueError):
    """A file is inconsistent."""


class Segment(NamedTuple):
    """A part that the kernel maps or reads."""

    kind: int  # PT_…
    flags: int  # of PF_X, PF_W and PF_R
    offset: int
    address: int
    physical: int
    file_size: int
    size: int
    alignment: int


class Section(NamedTuple):
    """A part that the linker uses."""

    name: str
    kind: int  # SHT_…
    flags: int  # SHF_…
    address: int
    offset: int
    size: int
    link: int  # number of a related section
    entry_size: int


class Symbol(NamedTuple):
    """A name and its meaning."""

    name: str
    binding: int  # STB_…
    kind: int  # STT_…
    section: int  # its number, or SHN_…
    value: int
    size: int


class Elf:
    """A 64-bit little-endian ELF file.

    Raises: ElfError, from the constructor and from every property.
    """

    def __init__(self, data: bytes) -> None:
        """Read the header."""
        self.data = data
        if not data.startswith(MAGIC):
            raise ElfError("no ELF file")
        (header,) = self._entries(HEADER, 0, HEADER.size, 1)
        _, self.kind, self.machine, _, self.entry, *_ = header
        self._segments_at, self._sections_at = header[5:7]
        self._segment_size, self._segments, self._section_size, self._sections, self._names = (
            header[9:14]
        )

    @cached_property
    def segments(self) -> tuple[Segment, ...]:
        """The program headers."""
        each = self._entries(SEGMENT, self._segments_at, self._segment_size, self._segments)
        return tuple(starmap(Segment, each))

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        """The section headers, including the empty first one."""
        found = [*self._entries(SECTION, self._sections_at, self._section_size, self._sections)]
        if not 0 < self._names < len(found):
            raise ElfError("no names of sections")
        _, _, _, _, at, size, *_ = found[self._names]
        names = self._bytes(at, size)
        return tuple(
            Section(_text(names, name), kind, flags, address, offset, size, link, entry_size)
            for name, kind, flags, address, offset, size, link, _, _, entry_size in found
        )

    @property
    def symbols(self) -> Iterator[Symbol]:
        """The symbols."""
        for section in self.sections:
            if section.kind != SYMBOLS:
                continue
            if section.link >= len(self.sections):
                raise ElfError("no names of symbols")
            names = self.content(self.sections[section.link])
            table = self.content(section)
            count = len(table) // SYMBOL.size
            for name, info, _, place, value, size in SYMBOL.iter_unpack(
                table[: count * SYMBOL.size]
            ):
                yield Symbol(_text(names, name), info >> 4, info & 15, place, value, size)

    @property
    def relocations(self) -> Iterator[tuple[int, int]]:
        """Kind and addend of every relocation with an addend."""
        for section in self.sections:
            if section.kind == WITH_ADDENDS:
                table = self.content(section)
                count = len(table) // RELOCATION.size
                for _, info, addend in RELOCATION.iter_unpack(table[: count * RELOCATION.size]):
                    yield info & 0xFFFFFFFF, addend

    def content(self, section: Section) -> bytes:
        """Return the content of a section."""
        return b"" if section.kind == NO_BITS else self._bytes(section.offset, section.size)

    def _bytes(self, at: int, size: int) -> bytes:
        if at + size > len(self.data):
            raise ElfError("a part beyond its end")
        return self.data[at : at + size]

    def _entries(
        self, form: struct.Struct, at: int, size: int, count: int
    ) -> Iterator[tuple[int, ...]]:
        if count and size != form.size:
            raise ElfError("headers of another size")
        return form.iter_unpack(self._bytes(at, size * count))


def _text(names: bytes, at: int) -> str:
    if at >= len(names):
        raise ElfError("a name beyond the names")
    return names[at : at + MOST_NAME].partition(b"\0")[0].decode("utf-8", "backslashreplace")
