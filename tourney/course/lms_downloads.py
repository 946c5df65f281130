"""Readers of the downloads of Canvas, Moodle and Gradescope: submissions, and unmatched files.

Canvas puts students into the names of files, `lovelaceada_LATE_101_202_bold-2.py`; Gradescope makes
a folder for each submission and lists the students in `submission_metadata.yml`; Moodle puts them
into the names of folders, `Ada Lovelace_1234567_assignsubmission_file_/bold.py`, or of files. A
team of Moodle has `Oak_345_…` or, in older ones, `Oak-Ada Lovelace_1234567_…` for each member.

Only the platform writes the outermost of these names. Students choose all names within their
submissions, so these are content, whatever they look like.
Source: [Canvas] `lib/content_zipper.rb`, [Moodle] `mod/assign/classes/downloader.php`.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any, Literal

from tourney.config.documents import Faults, parse
from tourney.course.grades.platforms import is_hidden_name
from tourney.course.names import folded, squeezed
from tourney.course.roster import Person, Roster, Submitter
from tourney.course.zips import Member, read_zip, time_of, unpacked, unwrapped
from tourney.errors import ConfigError, SubmissionError

Platform = Literal["Gradescope", "Moodle", "Canvas"]
CANVAS = re.compile(r"(?P<late>LATE_)?(?P<user>\d+)_(?:\d+_(?P<file>.*)|(?P<kind>text|link)\.html)")
"""After the name and a stroke; a name may have strokes itself."""
CANVAS_HIDDEN = re.compile(
    r"(?P<late>LATE_)?anon_(?P<user>[A-Za-z0-9]{5})_(?:\d+_(?P<file>.*)|(?P<kind>text|link)\.html)"
)
MOST_SPLITS = 4  # of a name on Canvas from its number
ATTEMPT = re.compile(r"(?P<stem>.+)-(?P<attempt>\d{1,3})(?P<suffix>\.\w+)")
GRADESCOPE = re.compile(r"submission_\d+")
MOODLE = re.compile(
    r"(?P<person>.+?)(?:_(?P<user>\d+))?_(?P<mark>assignsubmission)_(?P<kind>file|onlinetext)"
    r"(?:_(?P<file>.*))?"
)
"""Of a folder, which newer ones name without the last stroke, or of a file."""
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
    group: str = ""  # that the name is probably of, if the roster has no such team


@dataclass(frozen=True, slots=True)
class ClassDownload:
    """A download taken apart; each of its files is in one of the two."""

    handed_in: tuple[HandIn, ...]
    left_over: tuple[tuple[str, str], ...]  # (path, reason); the reason is empty for junk

    def received(self, time: datetime | None) -> "ClassDownload":
        """Return the same with a time for all submissions without one."""
        each_with = (replace(each, time=each.time or time) for each in self.handed_in)
        return replace(self, handed_in=tuple(each_with))


@dataclass(frozen=True, slots=True)
class _Label:
    """A part of a path that names a submission."""

    platform: Platform
    person: str = ""  # or the group
    user: str = ""  # its number
    file: str = ""  # the rest, which the student chose
    kind: str = ""  # of a submission that is no file
    mark: int = 0  # where the rest begins
    is_late: bool = False
    is_hidden: bool = False


@dataclass(frozen=True, slots=True)
class _Labelled:
    """A file of a submission."""

    labels: tuple[_Label, ...]  # the meanings of its label, the most likely one first
    place: str  # the path as far as the label
    inner: str  # the path within the label; empty if it is that of the file
    member: Member


def read_class(path: Path, roster: Roster | None = None) -> ClassDownload:
    """Take a download of Canvas, Moodle or Gradescope apart.

    Args:
        path: The zip file, or the folder that it was unpacked to.
        roster: The students, by whose names a name on Canvas is split from the number after it,
            and an old zip is read in their code page.
    Raises: SubmissionError, if it is a download of another platform.
    """
    people = roster or Roster(())
    members = read_zip(
        path, opens_zips=True, names_student=lambda name: _names_student(name, people)
    )
    level, platform = _form(path, members)
    labelled: list[_Labelled] = []
    left: list[Member] = []
    for member in members:
        found = None if member.is_junk else _labelled(member, level, platform)
        if found:
            labelled.append(found)
        else:
            left.append(member)
    if platform == "Gradescope":
        beside = [each for each in left if _is_metadata(each, level)]
        handed_in = _gradescope(path, labelled, beside)
        left = [each for each in left if each not in beside]
    elif platform == "Moodle":
        handed_in = _moodle(labelled)
    else:
        _check_folder(path, labelled, people)
        handed_in = _canvas(labelled, people)
    return ClassDownload(handed_in, tuple((each.path, _why_left(each)) for each in left))


def _form(path: Path, members: Sequence[Member]) -> tuple[int, Platform]:
    """Return the number of folders around the labels of a download, and its platform.

    The outermost labels are the platform's own, and each is of its form, whatever a student's
    words in some of them look like.
    """
    levels: dict[int, dict[str, list[Platform]]] = {}
    for member in members:
        parts = () if member.is_junk else member.path.split("/")
        for level, part in enumerate(parts):
            if labels := _labels(part, is_folder=level + 1 < len(parts)):
                place = "/".join(parts[: level + 1])
                platforms = list(dict.fromkeys(each.platform for each in labels))
                levels.setdefault(level, {})[place] = platforms
                break
    if not levels and any(each.path.lower().endswith(".zip") for each in members):
        raise SubmissionError(
            f"{path} has {_some(members)}. Unpack it, and import each zip file in it alone."
        )
    if not levels:
        raise SubmissionError(
            f"{path} has {_some(members)}. Download all submissions again, from Canvas (which "
            "names files like lovelaceada_101_202_bold.py), Moodle "
            "(Ada Lovelace_101_assignsubmission_file_/bold.py) or Gradescope "
            f"(submission_303/bold.py with {METADATA})."
        )
    outermost = min(levels)
    found = levels[outermost].values()
    possible = Counter(platform for platforms in found for platform in platforms)
    likely = Counter(platforms[0] for platforms in found)
    return outermost, max(possible, key=lambda each: (possible[each], likely[each]))


def _some(members: Sequence[Member]) -> str:
    names = [each.path for each in members if not each.is_junk][:3]
    return f"files such as {', '.join(names)}" if names else "no files"


def _labelled(member: Member, level: int, platform: Platform) -> _Labelled | None:
    """Read the label of a file at a level; `None` without one of the platform."""
    parts = member.path.split("/")
    inner = "/".join(parts[level + 1 :])
    here = _labels(parts[level], is_folder=bool(inner)) if level < len(parts) else []
    labels = tuple(each for each in here if each.platform == platform)
    return _Labelled(labels, "/".join(parts[: level + 1]), inner, member) if labels else None


def _labels(part: str, *, is_folder: bool) -> list[_Label]:
    """Return the meanings of a part of a path, the one whose mark comes first before others.

    >>> [each.person for each in _labels("team_4_9001_101_bold.py", is_folder=False)]
    ['team', 'team_4']
    """
    found = [*_gradescope_labels(part), *_moodle_labels(part), *_canvas_labels(part)]
    named = (each for each in found if is_folder or each.file)
    return sorted(named, key=lambda each: each.mark)


def _gradescope_labels(part: str) -> Iterator[_Label]:
    if GRADESCOPE.fullmatch(part):
        yield _Label("Gradescope")


def _moodle_labels(part: str) -> Iterator[_Label]:
    if found := MOODLE.fullmatch(part):
        kind = "" if found["kind"] == "file" else found["kind"]
        yield _Label(
            "Moodle",
            found["person"],
            found["user"] or "",
            found["file"] or "",
            kind,
            found.start("mark"),
        )


def _canvas_labels(part: str) -> Iterator[_Label]:
    """Split a part at each number that may be the student's; a group's name may end in one."""
    if found := CANVAS_HIDDEN.fullmatch(part):
        yield _canvas_label(found, "", is_hidden=True)
        return
    starts = (0, *(each.end() for each in re.finditer("_", part)))
    splits = (found for at in starts if (found := CANVAS.fullmatch(part, at)))
    for found in islice(splits, MOST_SPLITS):
        yield _canvas_label(found, part[: found.start()].removesuffix("_"))


def _canvas_label(found: re.Match[str], person: str, *, is_hidden: bool = False) -> _Label:
    return _Label(
        "Canvas",
        person,
        found["user"],
        f"{found['kind']}.html" if found["kind"] else found["file"],
        found["kind"] or "",
        found.start("kind" if found["kind"] else "file"),
        is_late=bool(found["late"]),
        is_hidden=is_hidden,
    )


def _check_folder(path: Path, labelled: Sequence[_Labelled], roster: Roster) -> None:
    """Refuse a folder around all submissions that is itself named like one, such as by a date."""
    place = labelled[0].place
    labels = [label for each in labelled for label in each.labels]
    inner = [each.inner.split("/") for each in labelled]
    if (
        len(labelled) > 1
        and all(each.place == place for each in labelled)
        and all(_labels(parts[0], is_folder=len(parts) > 1) for parts in inner)
        and not any(_called(each.person, roster) or _numbered(each, roster) for each in labels)
    ):
        raise SubmissionError(
            f"{path}: the name of its folder {place} looks like a student's, and so do the names "
            "in it. If you made the folder, give it a name without numbers."
        )


def _canvas(labelled: Sequence[_Labelled], roster: Roster) -> tuple[HandIn, ...]:
    """Group files by the number and the name that Canvas gives a student."""
    by_user: dict[tuple[str, str], list[tuple[_Label, _Labelled]]] = {}
    for each in labelled:
        label = max(each.labels, key=lambda label: _agreement(label, roster))
        by_user.setdefault((label.user, label.person), []).append((label, each))
    return tuple(_canvas_hand_in(files, roster) for files in by_user.values())


def _agreement(label: _Label, roster: Roster) -> int:
    """Return how much of a label the roster knows: nothing, its name, or also its number.

    A number alone decides nothing, because it may be in a name that the student chose.
    """
    people = _called(label.person, roster)
    return bool(people) + any(each in people for each in _numbered(label, roster))


def _names_student(path: str, roster: Roster) -> bool:
    """Report whether a label in a path has the name of a student or a team."""
    labels = (each for part in path.split("/") for each in _labels(part, is_folder=True))
    return any(_called(each.person, roster) for each in labels)


def _called(name: str, roster: Roster) -> tuple[Person, ...]:
    """Return the students of a name, or of a team."""
    if not name or name.isdecimal():
        return ()
    team = roster.team_called(name)
    return roster.members_of(team) if team else roster.all_called(name)


def _numbered(label: _Label, roster: Roster) -> tuple[Person, ...]:
    return () if label.is_hidden else roster.all_called(f"canvas:{label.user}")


def _group_of(label: _Label, labels: Iterable[_Label], roster: Roster) -> str:
    """Return the name that is probably a group's; empty if the student or the team is known.

    Canvas gives the name of the group and the number of a member.
    """
    if _called(label.person, roster):
        return ""
    for each in (label, *labels):
        people = _numbered(each, roster)
        if each.person and len(people) == 1:
            words = map(squeezed, folded(people[0].person).split())
            is_own = any(word and word in squeezed(each.person) for word in words)
            return "" if is_own else each.person
    return ""


def _canvas_hand_in(files: Sequence[tuple[_Label, _Labelled]], roster: Roster) -> HandIn:
    """Return the submission of one student: Canvas downloads the files of one attempt only."""
    first, labelled = files[0]
    plain = [_attempt(label.file)[0] for label, _ in files]
    named = []
    for (label, each), name in zip(files, plain, strict=True):
        # Two attachments of one name are two files, each with its own number.
        own = name if plain.count(name) == 1 else label.file
        named.append(_named(each.member, _joined(own, each.inner), label))
    number = () if first.is_hidden else (f"canvas:{first.user}",)
    return HandIn(
        where=labelled.member.path,
        people=(
            Submitter((first.person,) if first.person else (), number, is_hidden=first.is_hidden),
        ),
        files=unwrapped(unpacked(named)),
        is_late=any(label.is_late for label, _ in files),
        group=_group_of(first, labelled.labels, roster),
    )


def _named(member: Member, path: str, label: _Label) -> Member:
    """Return a file under its path in the submission; one that is no file does not count."""
    named = member.called(path)
    return replace(named, packed=()).left_out(NOT_A_FILE[label.kind]) if label.kind else named


def _joined(*parts: str) -> str:
    return "/".join(filter(None, parts))


def _moodle(labelled: Sequence[_Labelled]) -> tuple[HandIn, ...]:
    """Group files by the name, and the number that Moodle gives it in an assignment."""
    by_user: dict[tuple[str, str], list[Member]] = {}
    for each in labelled:
        label = each.labels[0]
        own = _named(each.member, _joined(label.file, each.inner), label)
        by_user.setdefault((label.person, label.user), []).append(own)
    return tuple(
        HandIn(
            where=f"{person}_{user}" if user else person,
            people=(_moodle_submitter(person, user),),
            files=unwrapped(unpacked(files)),
        )
        for (person, user), files in by_user.items()
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


def _gradescope(
    path: Path, labelled: Sequence[_Labelled], beside: Sequence[Member]
) -> tuple[HandIn, ...]:
    """Group files by the folder of their submission; one without files is a submission, too."""
    if not beside:
        raise SubmissionError(
            f"{path}: {METADATA}, which names the students, is missing. Download it again."
        )
    listed = _metadata(path, [each.path for each in beside])
    folders: dict[str, list[Member]] = {}
    for each in labelled:
        folders.setdefault(each.place, []).append(each.member.called(each.inner))
    for place in listed:
        folders.setdefault(place, [])
    return tuple(
        HandIn(
            where=_last(place),
            people=_people(listed.get(place)),
            files=unwrapped(unpacked(files)),
            time=time_of(_text_at(listed.get(place), "created_at")),
        )
        for place, files in folders.items()
    )


def _is_metadata(member: Member, level: int) -> bool:
    """Report whether a file is next to the folders of submissions, and so the platform's."""
    return member.path.count("/") == level and _last(member.path) == METADATA


def _metadata(path: Path, names: Sequence[str]) -> dict[str, Any]:
    """Read the metadata of all submissions by their folders, every value as it is written."""
    listed: dict[str, Any] = {}
    everything = read_zip(path, MOST_METADATA)
    for name in dict.fromkeys(names):
        whole = next(each for each in everything if each.path == name)
        if whole.refused:
            raise SubmissionError(f"{path}: {name}: {whole.refused}")
        faults = Faults(name)
        try:
            data = parse(whole.content.decode("utf-8", "replace"), faults, MOST_VALUES)
        except ConfigError as error:
            raise SubmissionError(f"{path}: {error}") from error
        written = faults.written((), data, keeps_null=True)
        folder = name.removesuffix(METADATA)
        for key, value in written.items() if isinstance(written, dict) else ():
            if GRADESCOPE.fullmatch(str(key)):
                listed[f"{folder}{key}"] = value
    return listed


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
