"""Reading the download of a class, and choosing the competitor among a submission's files.

No file is unpacked to the disk. Members are read one by one, up to a limit that is counted while
reading, because the sizes in a zip may be false. Names may be in UTF-8 without the flag for it,
have backslashes, or store accents separately from their letters.
"""

import os
import re
import stat
import struct
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from io import BytesIO
from itertools import takewhile
from pathlib import Path, PurePosixPath
from unicodedata import normalize
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from tourney.checks.source import (
    REFUSED,
    is_whole,
    kinds_of,
    mains_in,
    plain_name,
    whole_in,
    why_aside,
)
from tourney.course.names import has_marks, shown
from tourney.errors import SubmissionError
from tourney.plugins.source_files import MOST_BYTES, is_wanted

MOST_MEMBERS = 20_000
MOST_IN_ALL = 200_000_000  # bytes of all members together, unpacked
JUNK = re.compile(
    r"(^|/)(__MACOSX|\.DS_Store|Thumbs\.db|desktop\.ini|Icon\r)(/|$)|(^|/)\._", re.IGNORECASE
)
"""Files that systems put into a zip by themselves."""

ENCRYPTED, UTF_8 = 0x1, 0x800  # in flag_bits
UNICODE_PATH = 0x7075  # of an extra field
CODE_PAGES = ("cp437", "cp850", "cp1252")
OTHER_PAGES = {
    "cp932": "ぁ-ヿ一-鿿々",
    "cp866": "\u0410-яЁё",
    "gbk": "一-鿿",
    "big5": "一-鿿",
    "cp949": "가-힣",
    "cp852": "Ā-žÀ-ÖØ-öø-ÿ",
    "cp857": "ĞğİıŞşÀ-ÖØ-öø-ÿ",
    "cp737": "Ά-ώ",
    "cp1251": "\u0410-яЁёЄєІіЇїҐґ",
    "cp862": "א-ת",
}
"""Those of other countries, and the letters that names have there."""
ODD_LETTERS = re.compile("[a-zß-öø-ÿ][À-ÖØ-Þ]|[^\0-~À-ÖØ-öø-ÿ]|[|]")
"""What no Western name has: a capital after a small letter, other scripts, a sign of Japanese."""

METHODS = (ZIP_STORED, ZIP_DEFLATED)
"""How files may be packed; other methods let a small file ask for any amount of memory."""


@dataclass(frozen=True, slots=True)
class Member:
    """A file of a download: its content, or why it was not read."""

    path: str
    content: bytes = b""
    refused: str = ""  # the reason; empty if it was read
    is_junk: bool = False  # left by a system
    packed: tuple["Member", ...] = ()  # its files, if it is a zip that was opened

    def called(self, path: str) -> "Member":
        """Return the same file under another name."""
        return replace(self, path=path)

    def left_out(self, reason: str) -> "Member":
        """Return the same file as one that does not count."""
        return replace(self, refused=self.refused or reason)


def read_zip(
    path: Path,
    most_member: int = MOST_BYTES,
    most_in_all: int = 0,
    title: str = "",
    *,
    opens_zips: bool = False,
    names_student: Callable[[str], bool] | None = None,
) -> tuple[Member, ...]:
    """Read the files in a zip or a folder, in its order.

    Args:
        path: The zip file, or the folder that it was unpacked to.
        most_member: Bytes that a file may have.
        most_in_all: Bytes that all of them may have together, unpacked; 0 for the limit of a class.
        title: The author's name of the file; by default the path.
        opens_zips: Whether zips in it are opened, because people zip a folder to submit it; only
            one level deep.
        names_student: Reports whether a path names a student, which decides between code pages.
    Raises: SubmissionError, if it is not a zip file, or far too large.
    """
    title = title or str(path)
    most = most_in_all or MOST_IN_ALL
    if path.is_dir():
        return _files_in(path, title, most_member, most, opens_zips=opens_zips)
    try:
        with ZipFile(path) as opened:
            page = _code_page_of(opened, names_student) if names_student else ""
            return tuple(_members(title, opened, most_member, most, page, opens_zips=opens_zips))
    except FileNotFoundError as error:
        raise SubmissionError(f"{title}: there is no such file. Check the spelling.") from error
    except SubmissionError:
        raise
    except Exception as error:  # whatever a strange file makes the reader raise
        raise SubmissionError(
            f"{title} cannot be read as a zip file ({type(error).__name__}: {error}). Download or "
            "zip it again; unpack an archive of another kind, such as .7z, first."
        ) from error


def _files_in(
    folder: Path, title: str, most_member: int, most_in_all: int, *, opens_zips: bool
) -> tuple[Member, ...]:
    """Read the files of a folder as those of a zip."""
    paths = [Path(place) / name for place, _, names in os.walk(folder) for name in sorted(names)]
    _check_count(title, len(paths))
    members, left = [], most_in_all
    for path in sorted(paths):
        name = _clean(path.relative_to(folder).as_posix())
        if JUNK.search(name):
            members.append(Member(_printable(name), is_junk=True))
            continue
        is_zip = opens_zips and name.lower().endswith(".zip")
        fault = _fault_of_path(name) or _fault_of_kind(name, may_be_zip=is_zip)
        if not fault and not stat.S_ISREG(path.lstat().st_mode):
            fault = LINK
        if fault:
            members.append(Member(_printable(name), refused=fault))
            continue
        with path.open("rb") as file:
            content = file.read(most_member + 1)
        member = Member(name, content)
        if len(content) > most_member:
            member = Member(name, refused=_too_large(most_member))
        elif is_zip:
            member = _opened(member, most_member)
        members.append(member)
        left -= _size(member)
        _check_size(title, left, most_in_all)
    return tuple(members)


def unpacked(files: Sequence[Member]) -> tuple[Member, ...]:
    """Return files, with the files of opened zips in place of the zips."""
    return tuple(inner for each in files for inner in (each.packed or (each,)))


def _members(
    title: str,
    opened: ZipFile,
    most_member: int,
    most_in_all: int,
    page: str = "",
    *,
    opens_zips: bool = False,
) -> Iterator[Member]:
    named = [(info, _name_of(info, page)) for info in opened.infolist()]
    named = [(info, name) for info, name in named if not name.endswith("/")]
    _check_count(title, len(named))
    left = most_in_all
    seen: set[str] = set()
    for info, name in named:
        member = _member(opened, info, name, most_member, seen, opens_zips=opens_zips)
        seen.add(name)
        left -= _size(member)
        _check_size(title, left, most_in_all)
        yield member


def _check_count(title: str, count: int) -> None:
    if count > MOST_MEMBERS:
        raise SubmissionError(
            f"{title} has {count:,} files, and the limit is {MOST_MEMBERS:,}. "
            "Choose the download of one assignment."
        )


def _check_size(title: str, left: int, most: int) -> None:
    if left < 0:
        raise SubmissionError(f"{title} has more than {most:,} bytes when unpacked. Split it.")


def _size(member: Member) -> int:
    return len(member.content) + sum(len(each.content) for each in member.packed)


def _code_page_of(opened: ZipFile, names_student: Callable[[str], bool]) -> str:
    """Return the code page in which most names are of students; empty if there are no such names.

    Args:
        opened: All its names without the flag of UTF-8 are in one code page.
        names_student: Reports whether a path names a student.
    """
    old = [info for info in opened.infolist() if not info.flag_bits & UTF_8]
    names = {name: None for info in old if not (name := _stored(info)).isascii()}
    known = {
        page: sum(names_student(_clean(_as_written(name, page))) for name in names)
        for page in (*CODE_PAGES, *OTHER_PAGES)
    }
    best = max(known, key=lambda page: known[page])
    return best if known[best] else ""


def _stored(info: ZipInfo) -> str:
    """Return the name in a zip as Python reads it, before it changes the slashes."""
    return str(getattr(info, "orig_filename", info.filename))


def _name_of(info: ZipInfo, page: str) -> str:
    """Return the path of a file as its author saw it, with slashes between folders."""
    name = _stored(info)
    if not info.flag_bits & UTF_8:
        name = _unicode_path(info.extra) or _as_written(name, page)
    return _clean(name)


def _as_written(name: str, page: str = "") -> str:
    """Read a name that a zip does not declare as UTF-8: as UTF-8, else in a code page of Windows.

    Args:
        name: Read as code page 437.
        page: The code page, if it is known.

    >>> _as_written("Jos├⌐.py"), _as_written("José.py"), _as_written("JosΘ.py")
    ('José.py', 'José.py', 'José.py')
    """
    data = name.encode("cp437", "replace")
    for encoding in ("utf-8", *filter(None, [page]), *CODE_PAGES, *OTHER_PAGES):
        try:
            text = data.decode(encoding)
        except UnicodeError:
            continue
        if encoding in {"utf-8", page} or not _is_odd(text, encoding):
            return text
    return name


def _is_odd(text: str, page: str) -> bool:
    """Report whether a text has letters that names of the country of a code page do not have."""
    if letters := OTHER_PAGES.get(page):
        return bool(re.search(rf"[^\0-~{letters}]", text))
    return bool(ODD_LETTERS.search(text))


def _unicode_path(extra: bytes) -> str:
    """Return the name that some writers add in UTF-8; empty if it is missing."""
    at = 0
    while at + 4 <= len(extra):
        kind, size = struct.unpack_from("<HH", extra, at)
        if kind == UNICODE_PATH:
            return extra[at + 9 : at + 4 + size].decode("utf-8", "replace")
        at += 4 + size
    return ""


def _clean(name: str) -> str:
    """Return a path with slashes, composed accents, and without invisible marks."""
    parts = normalize("NFC", name.replace("\\", "/")).split("/")
    return "/".join(shown(each) if has_marks(each) else each for each in parts)


def _member(
    opened: ZipFile, info: ZipInfo, path: str, most: int, seen: set[str], *, opens_zips: bool
) -> Member:
    """Read one file, or give the reason why not."""
    name = _printable(path)
    if JUNK.search(path):
        return Member(name, is_junk=True)
    is_zip = opens_zips and path.lower().endswith(".zip")
    reason = _fault(info, path, seen, may_be_zip=is_zip)
    if reason:
        return Member(name, refused=reason)
    if info.file_size > most:
        return Member(name, refused=_too_large(most))
    try:
        with opened.open(info) as file:
            content = file.read(most + 1)
    except Exception as error:  # noqa: BLE001 - whatever strange bytes make the reader raise
        got = f"{type(error).__name__}: {error}"[:200]
        return Member(name, refused=f"It cannot be unpacked ({got}). Zip it again.")
    if len(content) > most:
        return Member(name, refused=_too_large(most))
    return _opened(Member(name, content), most) if is_zip else Member(name, content)


def _opened(member: Member, most: int) -> Member:
    """Return a zip with its files, or the reason why it was not opened."""
    try:
        with ZipFile(BytesIO(member.content)) as inner:
            found = tuple(_members(member.path, inner, most, most))
    except SubmissionError as error:
        return Member(member.path, refused=str(error))
    except Exception as error:  # noqa: BLE001 - whatever a strange file makes the reader raise
        reason = f"It cannot be read as a zip file ({type(error).__name__}). Zip it again."
        return Member(member.path, refused=reason)
    packed = tuple(each for each in found if not each.is_junk)
    return Member(member.path, packed=packed, refused="" if packed else "an empty zip")


LINK = "It is a link or a device. Submit the file itself."


def _fault(info: ZipInfo, path: str, seen: set[str], *, may_be_zip: bool) -> str:
    """Return the reason why a file is not read; empty if it may be."""
    mode = info.external_attr >> 16
    if fault := _fault_of_path(path):
        return fault
    if path in seen:
        return "The zip has a file of this name already."
    if stat.S_IFMT(mode) not in {0, stat.S_IFREG}:
        return LINK
    if info.flag_bits & ENCRYPTED:
        return "It has a password. Submit it without."
    if info.compress_type not in METHODS:
        return "It is packed in an unusual way. Zip it again."
    return _fault_of_kind(path, may_be_zip=may_be_zip)


def _fault_of_kind(path: str, *, may_be_zip: bool) -> str:
    is_archive = PurePosixPath(path).suffix.lower() in REFUSED["an archive"]
    if is_archive and not may_be_zip:
        return "It is an archive within the download. Unpack it, and submit its files."
    return ""


def _fault_of_path(path: str) -> str:
    """Return the fault of a path, as it was before Python cut it at a zero byte."""
    parts = path.split("/")
    if path.startswith("/") or ".." in parts or ":" in parts[0]:
        return "Its path leads out of the zip."
    if not path.isprintable():
        return "Its name has unprintable characters. Rename it."
    return ""


def _too_large(most: int) -> str:
    return f"It has more than {most:,} bytes. Make it shorter."


def _printable(name: str) -> str:
    """Show a name so that nothing in it works on a terminal."""
    return "".join(char if char.isprintable() else f"\\x{ord(char):02x}" for char in name)[:300]


def time_of(text: str) -> datetime | None:
    """Read a time as Gradescope writes it, in UTC by default; `None` for other texts.

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


MOST_NAMES = 3  # of files that a message shows
HIDDEN = "hidden, or made by a tool"


def unwrapped(files: Sequence[Member]) -> tuple[Member, ...]:
    """Take a project out of its folders, and an extra `.txt` off the names of programs."""
    there = {each.path for each in files}
    files = [each.called(plain_name(each.path, there)) for each in files]
    folders = [each.path.split("/")[:-1] for each in files]
    common = takewhile(lambda parts: len(set(parts)) == 1, zip(*folders, strict=False))
    for depth in range(len(list(common)), 0, -1):
        inner = [each.path.split("/", depth)[-1] for each in files]
        if is_whole(inner):
            return tuple(each.called(path) for each, path in zip(files, inner, strict=True))
    return tuple(files)


def competitor_in(
    title: str, members: Sequence[Member], tell: Callable[[str], object]
) -> dict[str, bytes]:
    """Find the one competitor in a zip that its author made.

    Args:
        title: The author's name of the zip.
        members: Files of the zip.
        tell: Receives a line for each ignored file, with the reason.
    Returns: Contents by name.
    Raises: SubmissionError, if the zip has no competitor.
    """
    files: dict[str, bytes] = {}
    left_out = []
    for each in sorted_out(unwrapped([each for each in members if not each.is_junk])):
        if each.refused:
            left_out.append(f"{each.path}: {each.refused}")
            tell(f"left out: {left_out[-1]}")
        else:
            files[each.path] = each.content
    if not files:
        found = left_out[0] if left_out else "no files"
        raise SubmissionError(
            f"{title} has no competitor's file ({found}). Add the file to the zip."
        )
    if len(files) == 1:  # people hand in the folder around their file, too
        return {path.rpartition("/")[2]: content for path, content in files.items()}
    return files


def check_one(paths: Sequence[str], left_out: Sequence[object]) -> None:
    """Refuse a submission without a competitor, or with several.

    Feedback shows the message to the student.

    Args:
        paths: Files that may be a competitor; two attachments may have the same path.
        left_out: Messages about the other files.
    Raises: SubmissionError, with the remedy.
    """
    if not paths and left_out:
        raise SubmissionError(
            f"It has no competitor's file ({left_out[0]}). Submit the file itself."
        )
    counts = Counter(paths)
    twice = sorted(path for path in paths if counts[path] > 1)
    if twice or (len(paths) > 1 and not is_whole(paths)):
        mains = mains_in(paths)
        several = twice or sorted(mains if len(mains) > 1 else paths)
        names = ", ".join(several[:MOST_NAMES])
        more = ", …" if len(several) > MOST_NAMES else ""
        raise SubmissionError(
            f"It has {len(several)} competitors ({names}{more}). Submit only the one that counts."
        )


def sorted_out(files: Sequence[Member]) -> list[Member]:
    """Return the files; those that are not part of a competitor are marked as left out."""
    whole = whole_in([member.path for member in files])
    kinds = kinds_of([each.path for each in files])
    found = []
    for member in files:
        if not all(map(is_wanted, member.path.split("/"))):
            reason = HIDDEN
        elif whole:
            reason = "" if whole.wants(member.path) else f"no part of {whole.title}"
        else:
            reason = why_aside(member.path, member.content, kinds)
        found.append(member.left_out(reason) if reason else member)
    return found if whole else _without_copies(found)


def _without_copies(files: list[Member]) -> list[Member]:
    """Leave out the copies of a single file, such as `bold (1).py`, which people attach twice."""
    kept = [each for each in files if not each.refused]
    if len({each.content for each in kept}) != 1:
        return files
    first = min(kept, key=lambda each: (len(each.path), each.path))
    stem = PurePosixPath(first.path).stem
    if not all(stem in PurePosixPath(each.path).name for each in kept):
        return files
    reason = f"the same as {first.path}"
    return [each if each.refused or each is first else each.left_out(reason) for each in files]
