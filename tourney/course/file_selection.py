"""The competitor among the files of a submission: tests, notes and files of tools are ignored."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import PurePosixPath

from tourney.checks.source import REFUSED, is_competitor, is_whole, plain_name, whole_in
from tourney.course.zips import Member
from tourney.errors import SubmissionError
from tourney.plugins.source_files import is_wanted

MOST_NAMES = 3  # of files that a message shows
A_TEST = re.compile(r"(?:.*/)?(test_[^/]*|[^/]*_test|tests?|conftest)\.py|(?:.*/)?tests?/.*")
READ_ME = re.compile(r"(?:.*/)?read[-_ ]?me(?:\.\w+)?", re.IGNORECASE)
EDITORS = re.compile(
    r".*(?:~|#|\.(?:bak|orig|swp|tmp|iml|code-workspace|log))|(?:.*/)?nbproject/.*"
)
"""Files that editors leave next to a program."""
NOTES = (".txt", ".csv", ".json", ".yaml", ".yml", *REFUSED["a document"], *REFUSED["a picture"])
"""Notes that people submit with a program; without a program, a .txt may be a chart."""


def unwrapped(files: Sequence[Member]) -> tuple[Member, ...]:
    """Take a package out of its folder, and an extra `.txt` off the names of programs."""
    there = {each.path for each in files}
    files = [each.called(plain_name(each.path, there)) for each in files]
    tops = {each.path.partition("/")[0] for each in files}
    if len(tops) > 1 or not is_whole([each.path.partition("/")[2] for each in files]):
        return tuple(files)
    return tuple(each.called(each.path.partition("/")[2]) for each in files)


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
        several = twice or sorted(paths)
        names = ", ".join(several[:MOST_NAMES])
        more = ", …" if len(several) > MOST_NAMES else ""
        raise SubmissionError(
            f"It has {len(several)} competitors ({names}{more}). Submit only the one that counts."
        )


def sorted_out(files: Sequence[Member]) -> Iterator[Member]:
    """Yield the files; those that are not part of a competitor are marked as left out."""
    whole = whole_in([member.path for member in files])
    kinds = {
        PurePosixPath(each.path).suffix.lower()
        for each in files
        if is_competitor(each.path) and not READ_ME.fullmatch(each.path)
    }
    for member in files:
        if not all(map(is_wanted, member.path.split("/"))):
            yield member.left_out("hidden, or made by a tool")
        elif whole:
            is_part = whole.wants(member.path)
            yield member if is_part else member.left_out(f"no part of {whole.title}")
        else:
            yield member.left_out(reason) if (reason := _why_aside(member, kinds)) else member


def _why_aside(member: Member, kinds: Collection[str]) -> str:
    """Return why a file is not a competitor; empty if it may be one."""
    suffix = PurePosixPath(member.path).suffix.lower()
    if A_TEST.fullmatch(member.path):
        return "a test, which does not compete"
    if EDITORS.fullmatch(member.path):
        return "left by an editor"
    if member.path.endswith("__init__.py") and not member.content.strip():
        return "an empty file"
    if kinds and READ_ME.fullmatch(member.path):
        return "a read-me, which does not compete"
    # With a program, all notes are ignored; with a chart, which is a .txt, all notes but .txt.
    is_note = suffix in NOTES and (suffix not in kinds or len(kinds) > 1)
    return "a note beside the competitor" if kinds and is_note else ""
