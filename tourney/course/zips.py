"""Reading the download of a whole class: a zip file that anybody may have put something into.

Nothing is unpacked to the disk. Members are read one by one, up to a limit that is counted while
reading, because what a zip says of its own sizes need not be true.
"""

import re
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path, PurePosixPath
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from tourney.checks.source import REFUSED
from tourney.errors import SubmissionError
from tourney.plugins.source_files import MOST_BYTES

MOST_MEMBERS = 20_000
MOST_IN_ALL = 200_000_000  # bytes of all members together, unpacked
JUNK = re.compile(r"(^|/)(__MACOSX|\.DS_Store|Thumbs\.db|desktop\.ini)(/|$)|(^|/)\._")
"""What systems put into a zip by themselves."""

ENCRYPTED = 0x1  # in flag_bits
METHODS = (ZIP_STORED, ZIP_DEFLATED)
"""How files may be packed; other methods let a small file ask for any amount of memory."""


@dataclass(frozen=True, slots=True)
class Member:
    """A file in a zip: what is in it, or why it was not read."""

    path: str
    content: bytes = b""
    refused: str = ""  # the reason; empty if it was read
    is_junk: bool = False  # left by a system, handed in by nobody
    packed: tuple["Member", ...] = ()  # what is in it, if it is a zip that was opened

    def called(self, path: str) -> "Member":
        """Give the same file under another name."""
        return replace(self, path=path)

    def left_out(self, reason: str) -> "Member":
        """Give the same file as one that does not count."""
        return replace(self, refused=self.refused or reason)


def read_zip(
    path: Path,
    most_member: int = MOST_BYTES,
    most_in_all: int = 0,
    title: str = "",
    *,
    opens_zips: bool = False,
) -> tuple[Member, ...]:
    """Read the files in a zip, in its order; folders are no files.

    Args:
        path: The zip file.
        most_member: Bytes that a file may have.
        most_in_all: Bytes that all of them may have together, unpacked; 0 for as many as a class.
        title: What its author calls it; without it the path.
        opens_zips: Whether zips in it are opened, too, as people zip a folder to hand it in; those
            in them are not.
    Raises: SubmissionError, if it is no zip file, or far too large.
    """
    title = title or str(path)
    try:
        with ZipFile(path) as opened:
            most = most_in_all or MOST_IN_ALL
            return tuple(_members(title, opened, most_member, most, opens_zips=opens_zips))
    except FileNotFoundError as error:
        raise SubmissionError(
            f"{title}: expected a zip file, got nothing of that name; check the spelling"
        ) from error
    except SubmissionError:
        raise
    except Exception as error:  # whatever a strange file makes the reader raise
        raise SubmissionError(
            f"{title}: expected a zip file, got {type(error).__name__}: {error}; download it again"
        ) from error


def unpacked(files: Sequence[Member]) -> tuple[Member, ...]:
    """Give files with what is in zips among them in the place of those."""
    return tuple(inner for each in files for inner in (each.packed or (each,)))


def _members(
    title: str, opened: ZipFile, most_member: int, most_in_all: int, *, opens_zips: bool = False
) -> Iterator[Member]:
    infos = [info for info in opened.infolist() if not info.is_dir()]
    if len(infos) > MOST_MEMBERS:
        raise SubmissionError(
            f"{title}: expected at most {MOST_MEMBERS:,} files, got {len(infos):,}; "
            "this is no download of a class"
        )
    left = most_in_all
    seen: set[str] = set()
    for info in infos:
        member = _member(opened, info, most_member, seen, opens_zips=opens_zips)
        seen.add(info.filename)
        left -= len(member.content) + sum(len(each.content) for each in member.packed)
        if left < 0:
            raise SubmissionError(
                f"{title}: expected at most {most_in_all:,} bytes unpacked, got more; split it"
            )
        yield member


def _member(
    opened: ZipFile, info: ZipInfo, most: int, seen: set[str], *, opens_zips: bool
) -> Member:
    """Read one file, or say why not."""
    name = _printable(info.filename)
    if JUNK.search(info.filename):
        return Member(name, is_junk=True)
    is_zip = opens_zips and info.filename.lower().endswith(".zip")
    reason = _fault(info, seen, may_be_zip=is_zip)
    if reason:
        return Member(name, refused=reason)
    if info.file_size > most:
        return Member(name, refused=_too_large(most))
    try:
        with opened.open(info) as file:
            content = file.read(most + 1)
    except Exception as error:  # noqa: BLE001 - whatever strange bytes make the reader raise
        got = f"{type(error).__name__}: {error}"[:200]
        return Member(name, refused=f"expected a file that can be unpacked, got {got}")
    if len(content) > most:
        return Member(name, refused=_too_large(most))
    return _opened(Member(name, content), most) if is_zip else Member(name, content)


def _opened(member: Member, most: int) -> Member:
    """Give a zip with what is in it, or say why it was not opened."""
    try:
        with ZipFile(BytesIO(member.content)) as inner:
            found = tuple(_members(member.path, inner, most, most))
    except SubmissionError as error:
        return Member(member.path, refused=str(error))
    except Exception as error:  # noqa: BLE001 - whatever a strange file makes the reader raise
        return Member(member.path, refused=f"expected a zip file, got {type(error).__name__}")
    packed = tuple(each for each in found if not each.is_junk)
    return Member(member.path, packed=packed, refused="" if packed else "an empty zip")


def _fault(info: ZipInfo, seen: set[str], *, may_be_zip: bool) -> str:
    """Say why a file is not even looked into; empty if it may be."""
    fault = _fault_of_path(getattr(info, "orig_filename", info.filename))
    mode = info.external_attr >> 16
    if not fault and info.filename in seen:
        fault = "expected each file once, got it again"
    if not fault and stat.S_IFMT(mode) not in {0, stat.S_IFREG}:
        fault = "expected a plain file, got a link or a device; hand in the file itself"
    if not fault and info.flag_bits & ENCRYPTED:
        fault = "expected a file that can be read, got one with a password; hand it in without"
    if not fault and info.compress_type not in METHODS:
        fault = "expected a file packed as usual, got another method; zip it again"
    is_archive = PurePosixPath(info.filename).suffix.lower() in REFUSED["an archive"]
    if not fault and is_archive and not may_be_zip:
        fault = "expected no archive within the zip, got one; unpack it and hand in what is in it"
    return fault


def _fault_of_path(path: str) -> str:
    """Say what is wrong with a path, as it was before Python cut it at a zero byte."""
    parts = path.split("/")
    if path.startswith("/") or ".." in parts or "\\" in path or ":" in parts[0]:
        return "expected a path within the zip, got one that leads elsewhere"
    if not path.isprintable():
        return "expected a name of printable characters, got others; rename the file"
    return ""


def _too_large(most: int) -> str:
    return f"expected at most {most:,} bytes, got more; make it shorter"


def _printable(name: str) -> str:
    """Show a name so that nothing in it works on a terminal."""
    return "".join(char if char.isprintable() else f"\\x{ord(char):02x}" for char in name)[:300]


def time_of(text: str) -> datetime | None:
    """Read a time as Gradescope writes it, in UTC unless it says otherwise; None if it is none.

    >>> time_of("2026-11-30 22:59:59.384103000 Z").isoformat(timespec="seconds")
    '2026-11-30T22:59:59+00:00'
    """
    found = re.match(r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)[\d.]*\s*(Z|[+-]\d\d:?\d\d)?", text)
    if not found:
        return None
    try:
        moment = datetime.fromisoformat(f"{found[1]}T{found[2]}{found[3] or 'Z'}")
    except ValueError:
        return None
    return moment.astimezone(UTC)
