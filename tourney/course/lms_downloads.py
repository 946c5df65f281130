"""A whole class's download taken apart: who handed in what, and what is left over.

Canvas puts people into the names of files, `lovelaceada_LATE_101_202_bold-2.py`; Gradescope makes
a folder for each submission and lists the people in `submission_metadata.yml`; Moodle puts them
into the names of folders, `Ada Lovelace_1234567_assignsubmission_file_/bold.py`, or of files.
Source: the downloads that all three make for teachers; none of them documents its form.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from tourney.config.documents import Faults, parse
from tourney.course.file_selection import unwrapped
from tourney.course.match_people import Submitter
from tourney.course.zips import Member, read_zip, time_of, unpacked
from tourney.errors import ConfigError, SubmissionError

CANVAS = re.compile(
    r"(?P<person>[^_/]+)_(?P<late>LATE_)?(?P<user>\d+)_(?P<attachment>\d+)_(?P<file>[^/]+)"
)
ATTEMPT = re.compile(r"(?P<stem>.+)-(?P<attempt>\d{1,3})(?P<suffix>\.\w+)")
GRADESCOPE = re.compile(r"(?:.*/)?(?P<folder>submission_\d+)/(?P<file>.+)")
MOODLE = re.compile(
    r"(?:.*/)?(?P<person>[^/]+?)_(?P<user>\d+)_assignsubmission_(?P<kind>file|onlinetext)_?"
    r"(?P<file>/.+|(?<=_)[^/]+)"
)
"""In folders, which newer ones name without the last stroke, or flat."""
METADATA = "submission_metadata.yml"
MOST_METADATA = 20_000_000  # bytes
MOST_VALUES = 2_000_000  # a platform also lists every test that it ran


@dataclass(frozen=True, slots=True)
class HandIn:
    """What one person or team handed in."""

    where: str  # in the zip, for messages
    people: tuple[Submitter, ...]  # at least one, unless the platform did not say
    files: tuple[Member, ...]
    is_late: bool | None = (
        None  # as the platform says, without saying how late; None if it does not
    )
    time: datetime | None = None  # when, if the platform says


@dataclass(frozen=True, slots=True)
class ClassDownload:
    """A download taken apart; every file of it is in one of the two."""

    handed_in: tuple[HandIn, ...]
    left_over: tuple[tuple[str, str], ...]  # (path, reason)

    def received(self, time: datetime | None) -> "ClassDownload":
        """Give the same with a time for everybody of whom the platform does not say one."""
        each_with = (replace(each, time=each.time or time) for each in self.handed_in)
        return replace(self, handed_in=tuple(each_with))


def read_class(path: Path) -> ClassDownload:
    """Take a download of Canvas, Moodle or Gradescope apart.

    Args:
        path: The zip file.
    Raises: SubmissionError, if it is none of them.
    """
    members = read_zip(path, opens_zips=True)
    if any(GRADESCOPE.fullmatch(each.path) for each in members):
        return _gradescope(path, members)
    if any(MOODLE.fullmatch(each.path) for each in members):
        return _moodle(members)
    if any(CANVAS.fullmatch(_last(each.path)) for each in members):
        return _canvas(members)
    raise SubmissionError(
        f"{path}: expected a download of Canvas (lovelaceada_101_202_bold.py), Moodle "
        "(Ada Lovelace_101_assignsubmission_file_/bold.py) or Gradescope (submission_303/bold.py "
        f"with {METADATA}), got {_some(members)}"
    )


def _some(members: Sequence[Member]) -> str:
    names = [each.path for each in members if not each.is_junk][:3]
    return f"files such as {', '.join(names)}" if names else "no files"


def _canvas(members: Sequence[Member]) -> ClassDownload:
    """Group files by the number and the name that Canvas gives a person."""
    by_user: dict[tuple[str, str], list[tuple[re.Match[str], Member]]] = {}
    left: list[tuple[str, str]] = []
    for member in members:
        found = CANVAS.fullmatch(_last(member.path))
        if member.is_junk or not found:
            left.append((member.path, _why_left(member)))
        else:
            by_user.setdefault((found["user"], found["person"]), []).append((found, member))
    return ClassDownload(tuple(map(_canvas_hand_in, by_user.values())), tuple(left))


def _canvas_hand_in(files: Sequence[tuple[re.Match[str], Member]]) -> HandIn:
    """Give what one person handed in; of several attempts at a file, the last counts."""
    named = [(*_attempt(found["file"]), member) for found, member in files]
    last = {name: max(n for other, n, _ in named if other == name) for name, _, _ in named}
    first = files[0][0]
    return HandIn(
        where=files[0][1].path,
        people=(Submitter((first["user"], first["person"])),),
        files=unwrapped(
            unpacked(
                [
                    member.called(name)
                    if attempt == last[name]
                    else replace(member, packed=()).left_out(
                        "an earlier attempt; the last one counts"
                    )
                    for name, attempt, member in named
                ]
            )
        ),
        is_late=any(found["late"] for found, _ in files),
    )


def _moodle(members: Sequence[Member]) -> ClassDownload:
    """Group files by the name of a person, and the number that Moodle gives it in an assignment."""
    by_user: dict[tuple[str, str], list[tuple[re.Match[str], Member]]] = {}
    left: list[tuple[str, str]] = []
    for member in members:
        found = MOODLE.fullmatch(member.path)
        if member.is_junk or not found:
            left.append((member.path, _why_left(member)))
        else:
            by_user.setdefault((found["user"], found["person"]), []).append((found, member))
    return ClassDownload(tuple(map(_moodle_hand_in, by_user.values())), tuple(left))


def _moodle_hand_in(files: Sequence[tuple[re.Match[str], Member]]) -> HandIn:
    """Give what one person handed in; text typed into the page is no file."""
    first = files[0][0]
    named = [
        member.called(found["file"].lstrip("/"))
        if found["kind"] == "file"
        else member.called(found["file"].lstrip("/")).left_out("text that was typed on the page")
        for found, member in files
    ]
    return HandIn(
        where=f"{first['person']}_{first['user']}",
        people=(Submitter((first["person"],), first["user"]),),
        files=unwrapped(unpacked(named)),
    )


def _attempt(file: str) -> tuple[str, int]:
    """Take the number of the attempt out of a file's name.

    >>> _attempt("bold-2.py"), _attempt("bold.py")
    (('bold.py', 2), ('bold.py', 0))
    """
    found = ATTEMPT.fullmatch(file)
    return (found["stem"] + found["suffix"], int(found["attempt"])) if found else (file, 0)


def _gradescope(path: Path, members: Sequence[Member]) -> ClassDownload:
    """Group files by the folder of their submission."""
    listed = _metadata(path, members)
    folders: dict[str, list[Member]] = {}
    left: list[tuple[str, str]] = []
    for member in members:
        found = GRADESCOPE.fullmatch(member.path)
        if member.is_junk or not found:
            if _last(member.path) != METADATA:
                left.append((member.path, _why_left(member)))
        else:
            folders.setdefault(found["folder"], []).append(member.called(found["file"]))
    handed_in = tuple(
        HandIn(
            where=folder,
            people=_people(listed.get(folder)),
            files=unwrapped(unpacked(files)),
            time=time_of(_told(listed.get(folder), "created_at")),
        )
        for folder, files in folders.items()
    )
    return ClassDownload(handed_in, tuple(left))


def _metadata(path: Path, members: Sequence[Member]) -> dict[str, Any]:
    """Read what Gradescope says about every submission, every value as it is written."""
    name = next((each.path for each in members if _last(each.path) == METADATA), None)
    if name is None:
        raise SubmissionError(
            f"{path}: expected {METADATA}, which says who handed in what, got none; "
            "download it again"
        )
    whole = next(each for each in read_zip(path, MOST_METADATA) if each.path == name)
    if whole.refused:
        raise SubmissionError(f"{path}: {name}: {whole.refused}")
    faults = Faults(name)
    try:
        data = parse(whole.content.decode("utf-8", "replace"), faults, MOST_VALUES)
    except ConfigError as error:
        raise SubmissionError(f"{path}: {error}") from error
    written = faults.written((), data, keeps_null=True)
    return written if isinstance(written, dict) else {}


def _people(submission: Any) -> tuple[Submitter, ...]:
    """Give the submitters of a submission."""
    listed = _entry(submission, "submitters")
    items = listed if isinstance(listed, list) else ()
    told = ((_told(item, "sid"), _told(item, "email"), _told(item, "name")) for item in items)
    people = (Submitter(tuple(each for each in ids if each)) for ids in told)
    return tuple(person for person in people if person.ids)


def _entry(data: Any, name: str) -> Any:
    """Give the value of a key; Ruby writes a colon before names."""
    return data.get(f":{name}", data.get(name)) if isinstance(data, dict) else None


def _told(data: Any, name: str) -> str:
    """Give the text of a key as it is written; empty if there is none."""
    value = _entry(data, name)
    return value if isinstance(value, str) else ""


def _why_left(member: Member) -> str:
    """Say why a file belongs to nobody."""
    if member.is_junk:
        return "left by the system that made the zip"
    return member.refused or "expected a name that says who handed it in, got another"


def _last(path: str) -> str:
    return path.rpartition("/")[2]
