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
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from io import BytesIO
from itertools import takewhile
from pathlib import Path, PurePosixPath
from typing import IO, NamedTuple
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
from tourney.config.words import system_words
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
    members = partial(
        _members, title, most_member=most_member, most_in_all=most, opens_zips=opens_zips
    )
    if path.is_dir():
        return tuple(members(_files_in(path)))
    try:
        with ZipFile(path) as opened:
            page = _code_page_of(opened, names_student) if names_student else ""
            return tuple(members(_files_of(opened, page)))
    except FileNotFoundError as error:
        raise SubmissionError(f"{title}: there is no such file. Check the spelling.") from error
    except SubmissionError:
        raise
    except Exception as error:  # whatever a strange file makes the reader raise
        raise SubmissionError(
            f"{title} cannot be read as a zip file ({type(error).__name__}: {error}). Download or "
            "zip it again; unpack an archive of another kind, such as .7z, first."
        ) from error


class _File(NamedTuple):
    """A file of a zip or a folder, before it is read."""

    path: str
    fault: str  # why it is not read; empty if it may be
    size: int  # as it is stated, which may be false
    open: Callable[[], IO[bytes]]


def _files_in(folder: Path) -> list[_File]:
    """List the files of a folder as those of a zip."""
    paths = sorted(Path(place) / name for place, _, names in os.walk(folder) for name in names)
    return [
        _File(
            _clean(path.relative_to(folder).as_posix()),
            "" if stat.S_ISREG(found.st_mode) else LINK,
            found.st_size,
            partial(_open, path),
        )
        for path in paths
        for found in [path.lstat()]
    ]


def _open(path: Path) -> IO[bytes]:
    return path.open("rb")


def _files_of(opened: ZipFile, page: str = "") -> list[_File]:
    """List the files of a zip."""
    named = ((info, _name_of(info, page)) for info in opened.infolist())
    return [
        _File(path, _fault(info), info.file_size, partial(opened.open, info))
        for info, path in named
        if not path.endswith("/")
    ]


def unpacked(files: Sequence[Member]) -> tuple[Member, ...]:
    """Return files, with the files of opened zips in place of the zips."""
    return tuple(inner for each in files for inner in (each.packed or (each,)))


def _members(
    title: str,
    files: Sequence[_File],
    most_member: int,
    most_in_all: int,
    *,
    opens_zips: bool = False,
) -> Iterator[Member]:
    if len(files) > MOST_MEMBERS:
        raise SubmissionError(
            f"{title} has {len(files):,} files, and the limit is {MOST_MEMBERS:,}. "
            "Choose the download of one assignment."
        )
    left = most_in_all
    seen: set[str] = set()
    for file in files:
        member = _member(file, most_member, seen, opens_zips=opens_zips)
        seen.add(file.path)
        left -= sum(len(each.content) for each in (member, *member.packed))
        if left < 0:
            raise SubmissionError(
                f"{title} has more than {most_in_all:,} bytes when unpacked. Split it."
            )
        yield member


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


def _member(file: _File, most: int, seen: Collection[str], *, opens_zips: bool) -> Member:
    """Read one file, or give the reason why not."""
    path, name = file.path, _printable(file.path)
    if JUNK.search(path):
        return Member(name, is_junk=True)
    is_zip = opens_zips and path.lower().endswith(".zip")
    if reason := _fault_of_path(path, seen) or file.fault or ("" if is_zip else _archived(path)):
        return Member(name, refused=reason)
    if file.size > most:
        return Member(name, refused=_too_large(most))
    try:
        with file.open() as opened:
            content = opened.read(most + 1)
    except Exception as error:  # noqa: BLE001 - whatever strange bytes make the reader raise
        got = f"{type(error).__name__}: {system_words(error)}"[:200]
        return Member(name, refused=f"It cannot be unpacked ({got}). Zip it again.")
    if len(content) > most:
        return Member(name, refused=_too_large(most))
    return _opened(Member(name, content), most) if is_zip else Member(name, content)


def _opened(member: Member, most: int) -> Member:
    """Return a zip with its files, or the reason why it was not opened."""
    try:
        with ZipFile(BytesIO(member.content)) as inner:
            found = tuple(_members(member.path, _files_of(inner), most, most))
    except SubmissionError as error:
        return Member(member.path, refused=str(error))
    except Exception as error:  # noqa: BLE001 - whatever a strange file makes the reader raise
        reason = f"It cannot be read as a zip file ({type(error).__name__}). Zip it again."
        return Member(member.path, refused=reason)
    packed = tuple(each for each in found if not each.is_junk)
    return Member(member.path, packed=packed, refused="" if packed else "an empty zip")


LINK = "It is a link or a device. Submit the file itself."


def _fault(info: ZipInfo) -> str:
    """Return the reason why a file of a zip is not read; empty if it may be."""
    if stat.S_IFMT(info.external_attr >> 16) not in {0, stat.S_IFREG}:
        return LINK
    if info.flag_bits & ENCRYPTED:
        return "It has a password. Submit it without."
    if info.compress_type not in METHODS:
        return "It is packed in an unusual way. Zip it again."
    return ""


def _archived(path: str) -> str:
    """Return the fault of an archive; empty for other files."""
    if PurePosixPath(path).suffix.lower() not in REFUSED["an archive"]:
        return ""
    return "It is an archive within the download. Unpack it, and submit its files."


def _fault_of_path(path: str, seen: Collection[str]) -> str:
    """Return the fault of a path, as it was before Python cut it at a zero byte.

    Args:
        path: The path.
        seen: The paths before it.
    """
    parts = path.split("/")
    if path.startswith("/") or ".." in parts or ":" in parts[0]:
        return "Its path leads out of the zip."
    if not path.isprintable():
        return "Its name has unprintable characters. Rename it."
    return "The zip has a file of this name already." if path in seen else ""


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
    found = sorted_out(unwrapped([each for each in members if not each.is_junk]))
    left_out = [f"{each.path}: {each.refused}" for each in found if each.refused]
    for line in left_out:
        tell(f"left out: {line}")
    files = contents_of(found)
    if not files:
        reason = left_out[0] if left_out else "no files"
        raise SubmissionError(
            f"{title} has no competitor's file ({reason}). Add the file to the zip."
        )
    return files


def contents_of(members: Sequence[Member]) -> dict[str, bytes]:
    """Return the contents of the files that count, by path; a single file loses its folders."""
    files = {each.path: each.content for each in members if not each.refused}
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
