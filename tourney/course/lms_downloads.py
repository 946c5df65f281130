"""Readers of the downloads of Canvas, Moodle and Gradescope: submissions, and unmatched files.

Canvas puts students into the names of files, `lovelaceada_LATE_101_202_bold-2.py`; Gradescope makes
a folder for each submission and lists the students in `submission_metadata.yml`; Moodle puts them
into the names of folders, `Ada Lovelace_1234567_assignsubmission_file_/bold.py`, or of files. A
team of Moodle has `Oak_345_…` or, in older ones, `Oak-Ada Lovelace_1234567_…` for each member.
Source: [Canvas] `lib/content_zipper.rb`, [Moodle] `mod/assign/classes/downloader.php`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from tourney.config.documents import Faults, parse
from tourney.course.grades.platforms import is_hidden_name
from tourney.course.roster import Submitter
from tourney.course.zips import Member, read_zip, time_of, unpacked, unwrapped
from tourney.errors import ConfigError, SubmissionError

CANVAS = re.compile(
    r"(?:(?!LATE_)(?P<person>[^/]*?)_)?(?P<late>LATE_)?(?P<user>\d+)"
    r"(?:_(?P<attachment>\d+)_(?P<file>[^/]+)|_(?P<kind>text|link)\.html)"
)
"""A name may have strokes, but no number between two."""
CANVAS_HIDDEN = re.compile(
    r"(?P<late>LATE_)?(?P<person>anon)_(?P<user>[A-Za-z0-9]{5})"
    r"(?:_(?P<attachment>\d+)_(?P<file>[^/]+)|_(?P<kind>text|link)\.html)"
)
ATTEMPT = re.compile(r"(?P<stem>.+)-(?P<attempt>\d{1,3})(?P<suffix>\.\w+)")
GRADESCOPE = re.compile(r"(?:.*/)?(?P<folder>submission_\d+)/(?P<file>.+)")
MOODLE = re.compile(
    r"(?:.*/)?(?P<person>[^/]+?)(?:_(?P<user>\d+))?_assignsubmission_(?P<kind>file|onlinetext)_?"
    r"(?P<file>/.+|(?<=_)[^/]+)"
)
"""In folders, which newer ones name without the last stroke, or flat."""
NOT_A_FILE = {
    "text": "a text that was typed on the page of the platform",
    "onlinetext": "a text that was typed on the page of the platform",
    "link": "a link to another page",
}
"""Submissions that are no files, by the word that the platform puts into the name."""
METADATA = "submission_metadata.yml"
MOST_METADATA = 20_000_000  # bytes
MOST_VALUES = 2_000_000  # a platform also lists every test that it ran


@dataclass(frozen=True, slots=True)
class HandIn:
    """The submission of one student or team."""

    where: str  # in the zip, for messages
    people: tuple[Submitter, ...]  # at least one, unless the platform gives no name
    files: tuple[Member, ...]
    is_late: bool | None = None  # as the platform marks it; None if it does not mark it
    time: datetime | None = None  # when, if the platform gives it


@dataclass(frozen=True, slots=True)
class ClassDownload:
    """A download taken apart; each of its files is in one of the two."""

    handed_in: tuple[HandIn, ...]
    left_over: tuple[tuple[str, str], ...]  # (path, reason); the reason is empty for junk

    def received(self, time: datetime | None) -> "ClassDownload":
        """Return the same with a time for all submissions without one."""
        each_with = (replace(each, time=each.time or time) for each in self.handed_in)
        return replace(self, handed_in=tuple(each_with))


def read_class(path: Path) -> ClassDownload:
    """Take a download of Canvas, Moodle or Gradescope apart.

    Args:
        path: The zip file, or the folder that it was unpacked to.
    Raises: SubmissionError, if it is a download of another platform.
    """
    members = read_zip(path, opens_zips=True)
    if any(GRADESCOPE.fullmatch(each.path) for each in members):
        return _gradescope(path, members)
    if any(MOODLE.fullmatch(each.path) for each in members):
        return _moodle(members)
    if any(map(_canvas_name, members)):
        return _canvas(members)
    raise SubmissionError(
        f"{path} has {_some(members)}. Download all submissions again, from Canvas (which names "
        "files like lovelaceada_101_202_bold.py), Moodle "
        "(Ada Lovelace_101_assignsubmission_file_/bold.py) or Gradescope (submission_303/bold.py "
        f"with {METADATA})."
    )


def _some(members: Sequence[Member]) -> str:
    names = [each.path for each in members if not each.is_junk][:3]
    return f"files such as {', '.join(names)}" if names else "no files"


def _canvas_name(member: Member) -> tuple[re.Match[str], str] | None:
    """Find the part of a path that names a student, and the path within it.

    It may be a folder, where a system has unpacked the zip of that name.
    """
    parts = member.path.split("/")
    for at in (len(parts) - 1, *range(len(parts) - 1)):
        for form in (CANVAS_HIDDEN, CANVAS):
            if found := form.fullmatch(parts[at]):
                return found, "/".join(parts[at + 1 :])
    return None


def _canvas(members: Sequence[Member]) -> ClassDownload:
    """Group files by the number and the name that Canvas gives a student."""
    by_user: dict[tuple[str, str], list[tuple[re.Match[str], str, Member]]] = {}
    left: list[tuple[str, str]] = []
    for member in members:
        found = _canvas_name(member)
        if member.is_junk or not found:
            left.append((member.path, _why_left(member)))
        else:
            key = (found[0]["user"], found[0]["person"] or "")
            by_user.setdefault(key, []).append((*found, member))
    return ClassDownload(tuple(map(_canvas_hand_in, by_user.values())), tuple(left))


def _canvas_hand_in(files: Sequence[tuple[re.Match[str], str, Member]]) -> HandIn:
    """Return the submission of one student: Canvas downloads the files of one attempt only."""
    first = files[0][0]
    is_hidden = first.re is CANVAS_HIDDEN
    names = [first["person"]] if first["person"] and not is_hidden else []
    plain = [_attempt(found["file"] or "")[0] for found, _, _ in files]
    named = []
    for (found, inner, member), name in zip(files, plain, strict=True):
        # Two attachments of one name are two files, each with its own number.
        own = name if plain.count(name) == 1 else found["file"]
        if found["kind"]:
            is_text = member.called(f"{found['kind']}.html")
            named.append(replace(is_text, packed=()).left_out(NOT_A_FILE[found["kind"]]))
        else:
            named.append(member.called(f"{own}/{inner}" if inner else own))
    return HandIn(
        where=files[0][2].path,
        people=(
            Submitter(
                tuple(names), () if is_hidden else (f"canvas:{first['user']}",), is_hidden=is_hidden
            ),
        ),
        files=unwrapped(unpacked(named)),
        is_late=any(found["late"] for found, _, _ in files),
    )


def _moodle(members: Sequence[Member]) -> ClassDownload:
    """Group files by the name, and the number that Moodle gives it in an assignment."""
    by_user: dict[tuple[str, str], list[tuple[re.Match[str], Member]]] = {}
    left: list[tuple[str, str]] = []
    for member in members:
        found = MOODLE.fullmatch(member.path)
        if member.is_junk or not found:
            left.append((member.path, _why_left(member)))
        else:
            by_user.setdefault((found["user"] or "", found["person"]), []).append((found, member))
    return ClassDownload(tuple(map(_moodle_hand_in, by_user.values())), tuple(left))


def _moodle_hand_in(files: Sequence[tuple[re.Match[str], Member]]) -> HandIn:
    """Return the submission of one student or team; text typed into the page does not count."""
    first = files[0][0]
    named = [
        member.called(found["file"].lstrip("/"))
        if found["kind"] == "file"
        else replace(member.called(found["file"].lstrip("/")), packed=()).left_out(
            NOT_A_FILE[found["kind"]]
        )
        for found, member in files
    ]
    return HandIn(
        where=f"{first['person']}_{first['user']}" if first["user"] else first["person"],
        people=(_moodle_submitter(first["person"], first["user"] or ""),),
        files=unwrapped(unpacked(named)),
    )


def _moodle_submitter(name: str, user: str) -> Submitter:
    """Return a student or team of Moodle; if names are hidden, only the number identifies them."""
    number = f"participant:{user}" if user else ""
    if not is_hidden_name(name.rpartition("-")[2]):
        return Submitter((name,), (), number, may_be_group=True)
    group = name.rpartition("-")[0]
    return Submitter((group,) if group else (), (), number, is_hidden=True, may_be_group=True)


def _attempt(file: str) -> tuple[str, int]:
    """Split the name of a file from the number of the attempt, which Canvas adds.

    >>> _attempt("bold-2.py"), _attempt("bold.py")
    (('bold.py', 2), ('bold.py', 0))
    """
    found = ATTEMPT.fullmatch(file)
    return (found["stem"] + found["suffix"], int(found["attempt"])) if found else (file, 0)


def _gradescope(path: Path, members: Sequence[Member]) -> ClassDownload:
    """Group files by the folder of their submission; one without files is a submission, too."""
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
    for name in listed:
        if re.fullmatch(r"submission_\d+", str(name)):
            folders.setdefault(name, [])
    handed_in = tuple(
        HandIn(
            where=folder,
            people=_people(listed.get(folder)),
            files=unwrapped(unpacked(files)),
            time=time_of(_text_at(listed.get(folder), "created_at")),
        )
        for folder, files in folders.items()
    )
    return ClassDownload(handed_in, tuple(left))


def _metadata(path: Path, members: Sequence[Member]) -> dict[str, Any]:
    """Read the metadata of all submissions, every value as it is written."""
    name = next((each.path for each in members if _last(each.path) == METADATA), None)
    if name is None:
        raise SubmissionError(
            f"{path}: {METADATA}, which names the students, is missing. Download it again."
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
    """Return the submitters of a submission."""
    listed = _entry(submission, "submitters")
    items = listed if isinstance(listed, list) else ()
    people = (
        Submitter(
            tuple(filter(None, [_text_at(item, "name")])),
            tuple(
                [f"sis:{sid}" for sid in [_text_at(item, "sid")] if sid]
                + [each for each in [_text_at(item, "email")] if each]
            ),
        )
        for item in items
    )
    return tuple(person for person in people if person.words)


def _entry(data: Any, name: str) -> Any:
    """Return the value of a key; Ruby writes a colon before names."""
    return data.get(f":{name}", data.get(name)) if isinstance(data, dict) else None


def _text_at(data: Any, name: str) -> str:
    """Return the text of a key as it is written; empty if it is missing."""
    value = _entry(data, name)
    return value if isinstance(value, str) else ""


def _why_left(member: Member) -> str:
    """Return the reason why a file belongs to no submission; empty for files of the system."""
    if member.is_junk:
        return ""
    return member.refused or "Its name does not name a student. Submit it alone, with --as NAME."


def _last(path: str) -> str:
    return path.rpartition("/")[2]
