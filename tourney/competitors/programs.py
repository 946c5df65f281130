"""Competitors that speak the protocol: sandboxed programs, and commands without a sandbox.

Only an organiser can enter them; they cannot be submitted. A program is an executable, which cannot
be read, so it plays only in the sandbox. A command is a script whose first line names its
interpreter. It has no sandbox, so it plays only with --no-sandbox. The protocol is described in
docs/reference/protocol.md.
"""

from __future__ import annotations

import base64
import binascii
import sys
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from tourney import lazy
from tourney.errors import PluginError, SubmissionError
from tourney.plugins.language import OneFile, Texts

if TYPE_CHECKING:
    from tourney.sandbox import command_pool, wire
    from tourney.sandbox.native import checks, elf
    from tourney.sandbox.wire import Submitted
else:
    command_pool = lazy.Module("tourney.sandbox.command_pool")
    checks = lazy.Module("tourney.sandbox.native.checks")
    elf = lazy.Module("tourney.sandbox.native.elf")
    wire = lazy.Module("tourney.sandbox.wire")

MARK = "#!"
MOST_BYTES = 8 << 20
ELF = b"\x7fELF\x02\x01\x01"
"""How programs of 64 bits begin, least byte first."""


class Entered(OneFile):
    """A file that an organiser enters by its path; it has no class for this process to play."""

    takes_options = False
    instead = ""
    """Text to append to the message if it would have to play in this process."""

    def recognises(self, names: Collection[str]) -> bool:
        """Recognise no submission."""
        return False

    def load(self, name: str, files: Texts) -> NoReturn:
        """Return no class.

        Raises: PluginError, always.
        """
        raise PluginError(f"{name}: {self.title} cannot play in this process{self.instead}")


class Program(Entered):
    """A statically linked program, stored as text in base64."""

    title = "a program"
    entered_as = "path of a static program that speaks the protocol of players"
    instead = (
        " with all your rights; leave out --no-sandbox, and enter commands, which need it, "
        "in another tournament"
    )

    def read_path(self, path: Path) -> Texts:
        """Read a program.

        Raises: SubmissionError, if it cannot be read or is not a program.
        """
        try:
            with path.open("rb") as file:
                data = file.read(MOST_BYTES + 1)
        except OSError as error:
            raise SubmissionError(f"{path}: cannot read the program: {error.strerror}") from None
        if fault := _fault_of(data):
            raise SubmissionError(f"{path}: {fault}")
        return ((path.name, base64.encodebytes(data).decode()),)

    def fault_of(self, files: Texts) -> str:
        """Describe why the source is not one program."""
        if fault := super().fault_of(files):
            return fault
        try:
            return _fault_of(_bytes_of(files))
        except (binascii.Error, ValueError):
            return "expected a program in base64, got other text"

    def sandboxed(self, name: str, files: Texts, options: str = "", place: str = "") -> Submitted:
        """Return the program."""
        return wire.Submitted(name, b"", program=_bytes_of(files))


class Command(Entered):
    """A script that answers lines of JSON; its first line names its interpreter."""

    title = "a command"
    entered_as = "path of a script that answers lines of JSON, with all your rights"
    is_confinable = False

    def fault_of(self, files: Texts) -> str:
        """Describe why the source is not one file with an interpreter in its first line."""
        if fault := super().fault_of(files):
            return fault
        ((name, text),) = files
        first = text.partition("\n")[0]
        if first.startswith(MARK) and first.removeprefix(MARK).strip():
            return ""
        return f"{name}:1: expected what runs it, such as '#!/usr/bin/env node', got {first[:40]!a}"

    def sandboxed(self, name: str, files: Texts, options: str = "", place: str = "") -> Submitted:
        """Return the script and its interpreter.

        Raises: PluginError, on systems other than Linux.
        """
        if sys.platform != "linux":
            raise PluginError(
                f"{name}: {self.title} can play only on Linux; this is {sys.platform}"
            )
        ((_, text),) = files
        return wire.Submitted(name, text.encode(), pool=command_pool.PLACE)


def _bytes_of(files: Texts) -> bytes:
    ((_, text),) = files
    return base64.b64decode("".join(text.split("\n")), validate=True)


def _fault_of(data: bytes) -> str:
    """Describe why bytes are no program for the sandbox; empty if they may be one."""
    if len(data) > MOST_BYTES:
        return f"expected a program of at most {MOST_BYTES >> 20} MiB, got more"
    if not data.startswith(ELF):
        return "expected a program for Linux of 64 bits (an ELF file), got something else"
    try:
        segments = elf.Elf(data).segments
    except elf.ElfError:
        return "expected a program, got the beginning of one"
    if any(each.kind == checks.INTERPRETER for each in segments):
        return "expected a program with all its libraries (link it with -static), got one without"
    if fault := checks.wrong_segment(data):
        return f"expected a program that can be confined, got {fault}: link it otherwise"
    return ""
