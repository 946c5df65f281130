"""What of a person's files is the competitor: tests, notes and what tools leave lie beside it."""

import re
from collections.abc import Collection, Iterator, Sequence
from pathlib import PurePosixPath

from tourney.course.source import REFUSED, is_competitor, is_whole
from tourney.course.zips import Member
from tourney.entrants.reading import is_wanted

A_TEST = re.compile(r"(?:.*/)?(test_[^/]*|[^/]*_test|tests?|conftest)\.py|(?:.*/)?tests?/.*")
READ_ME = re.compile(r"(?:.*/)?read[-_ ]?me(?:\.\w+)?", re.IGNORECASE)
EDITORS = re.compile(
    r".*(?:~|#|\.(?:bak|orig|swp|tmp|iml|code-workspace|log))|(?:.*/)?nbproject/.*"
)
"""What editors leave beside a file."""
NOTES = (".txt", ".csv", ".json", ".yaml", ".yml", *REFUSED["a document"], *REFUSED["a picture"])
"""What people put beside a program; a chart is a .txt itself where there is no program."""


def sorted_out(files: Sequence[Member]) -> Iterator[Member]:
    """Give the files; what is no competitor's own counts as left out."""
    is_package = is_whole([member.path for member in files])
    kinds = {
        PurePosixPath(each.path).suffix.lower()
        for each in files
        if is_competitor(each.path) and not READ_ME.fullmatch(each.path)
    }
    for member in files:
        if not all(map(is_wanted, member.path.split("/"))):
            yield member.left_out("hidden, or made by a tool")
        elif is_package:
            yield member
        else:
            yield member.left_out(reason) if (reason := _why_aside(member, kinds)) else member


def _why_aside(member: Member, kinds: Collection[str]) -> str:
    """Say why a file beside a competitor does not count; empty if it may be one itself."""
    suffix = PurePosixPath(member.path).suffix.lower()
    if A_TEST.fullmatch(member.path):
        return "a test, which does not compete"
    if EDITORS.fullmatch(member.path):
        return "left by an editor"
    if member.path.endswith("__init__.py") and not member.content.strip():
        return "an empty file"
    if kinds and READ_ME.fullmatch(member.path):
        return "a read-me, which does not compete"
    # Beside a program all notes; beside a chart, which is a .txt, all others.
    is_note = suffix in NOTES and (suffix not in kinds or len(kinds) > 1)
    return "a note beside the competitor" if kinds and is_note else ""
