"""Source files line by line: with the findings of the check, or compared with another version."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import takewhile
from pathlib import PurePosixPath
from typing import Any, Literal

from tourney.game.asking.printable_text import visible_line
from tourney.portal.versions import Files

MOST_LINES, MOST_CHARACTERS = 2_000, 120_000
"""Limits for all files on a page; longer sources can be downloaded."""
PLACE = re.compile(r"(?P<file>.+?):(?P<line>[0-9]{1,9})(?::[0-9]+)?")
"""Such as `bold.py:7`, or with a column."""


@dataclass(frozen=True, slots=True)
class SourceLine:
    """A line of a source."""

    text: str  # invisible characters appear as escapes
    findings: Sequence[Mapping[str, Any]] = ()


@dataclass(frozen=True, slots=True)
class MarkedFile:
    """A file with its findings."""

    name: str
    lines: Sequence[SourceLine]


def marked_files(files: Files, findings: Sequence[Mapping[str, Any]]) -> list[MarkedFile]:
    """Give files with the findings at their lines; empty if they are too long for a page."""
    if (
        sum(len(text) for _, text in files) > MOST_CHARACTERS
        or sum(text.count("\n") + 1 for _, text in files) > MOST_LINES
    ):
        return []
    places = [(place_of(each, files), each) for each in findings]
    return [
        MarkedFile(name, list(_lines(text, number, places)))
        for number, (name, text) in enumerate(files)
    ]


def place_of(finding: Mapping[str, Any], files: Files) -> tuple[int, int] | None:
    r"""Give the file and the line of a finding, the file by its position; `None` without a line.

    >>> files = [("mine/bold.py", "a\nb"), ("b.py", "b")]
    >>> places = ("b.py:1", "bold.py:2:1", "bold.py", "c.py:1", "b.py:2")
    >>> [each for each in places if place_of({"place": each}, files)]
    ['b.py:1', 'bold.py:2:1']
    """
    parts = PLACE.fullmatch(str(finding["place"]))
    if not parts:
        return None
    names = [name for name, _ in files]
    last = [PurePosixPath(name).name for name in names]
    for known in (names, last):
        if known.count(parts["file"]) == 1:
            at, line = known.index(parts["file"]), int(parts["line"])
            return (at, line) if 1 <= line <= len(_lines_of(files[at][1])) else None
    return None


def _lines(
    text: str, file: int, places: Sequence[tuple[tuple[int, int] | None, Mapping[str, Any]]]
) -> Iterator[SourceLine]:
    for number, line in enumerate(_lines_of(text), 1):
        own = [each for place, each in places if place == (file, number)]
        is_plain = line.isascii() and line.isprintable()
        yield SourceLine(line if is_plain else visible_line(line), own)


Kind = Literal["same", "removed", "added", "gap"]
CONTEXT = 3
"""Unchanged lines that are shown around a change."""
MOST_LINES_COMPARED = 1_000
"""Limit of compared lines of one version, without common beginnings and ends: comparing takes the
square of it in the worst case.
"""


@dataclass(frozen=True, slots=True)
class ChangedLine:
    """A line of a comparison; a gap stands for unchanged lines that are left out."""

    kind: Kind
    text: str = ""  # invisible characters appear as escapes
    before: int | None = None  # number of the line in the older version, from 1
    after: int | None = None  # in the newer one


@dataclass(frozen=True, slots=True)
class ChangedFile:
    """A file that differs."""

    name: str
    kind: Literal["removed", "added", "changed"]
    lines: Sequence[ChangedLine]


def compare(older: Files, newer: Files) -> list[ChangedFile] | None:
    """Give the files that differ, by name; `None` if too many lines differ to compare them.

    If each version is a single file, these are compared whatever their names.
    """
    pairs = list(_pairs(older, newer))
    trimmed = [_differing(before, after) for _, _, before, after in pairs]
    for side in (0, 1):
        if sum(len(each[side]) for each in trimmed) > MOST_LINES_COMPARED:
            return None
    return [
        ChangedFile(name, kind, list(_changed(before, after)))  # type: ignore[arg-type]  # a kind
        for name, kind, before, after in pairs
    ]


def _pairs(older: Files, newer: Files) -> Iterator[tuple[str, str, list[str], list[str]]]:
    """Give the name, the kind and the lines of each file that differs."""
    if len(older) == len(newer) == 1 and older[0][0] != newer[0][0]:
        (old_name, old), (new_name, new) = older[0], newer[0]
        yield f"{old_name} → {new_name}", "changed", _lines_of(old), _lines_of(new)
        return
    before, after = dict(older), dict(newer)
    for name in sorted(before | after):
        if before.get(name) != after.get(name):
            kind = "added" if name not in before else "changed" if name in after else "removed"
            yield name, kind, _lines_of(before.get(name, "")), _lines_of(after.get(name, ""))


def _lines_of(text: str) -> list[str]:
    return text.removesuffix("\n").split("\n") if text else []


def _common(before: Sequence[str], after: Sequence[str]) -> int:
    """Count the equal lines at the beginning."""
    pairs = zip(before, after, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _differing(before: list[str], after: list[str]) -> tuple[list[str], list[str]]:
    """Give both sides without their common beginning and end."""
    start = _common(before, after)
    before, after = before[start:], after[start:]
    end = _common(before[::-1], after[::-1])
    return before[: len(before) - end], after[: len(after) - end]


def _changed(before: list[str], after: list[str]) -> Iterator[ChangedLine]:
    """Give the changed lines with some lines around them."""
    start = _common(before, after)
    core = _differing(before, after)
    codes = [("equal", 0, start, 0, start)]
    codes += [
        (tag, a + start, b + start, c + start, d + start)
        for tag, a, b, c, d in SequenceMatcher(None, *core).get_opcodes()
    ]
    ends = start + len(core[0]), start + len(core[1])
    codes.append(("equal", ends[0], len(before), ends[1], len(after)))
    last = len(codes) - 1
    for at, (tag, old, old_end, new, new_end) in enumerate(codes):
        if tag == "equal":
            yield from _same(before[old:old_end], old, new, is_first=at == 0, is_last=at == last)
            continue
        for number in range(old, old_end):
            yield ChangedLine("removed", visible_line(before[number]), before=number + 1)
        for number in range(new, new_end):
            yield ChangedLine("added", visible_line(after[number]), after=number + 1)


def _same(
    lines: Sequence[str], old: int, new: int, *, is_first: bool, is_last: bool
) -> Iterator[ChangedLine]:
    """Give unchanged lines, without those that are far from a change."""
    head, tail = 0 if is_first else CONTEXT, 0 if is_last else CONTEXT
    is_cut = len(lines) > head + tail + 1
    for at, line in enumerate(lines):
        if is_cut and head <= at < len(lines) - tail:
            if at == head:
                yield ChangedLine("gap")
        else:
            yield ChangedLine("same", visible_line(line), old + at + 1, new + at + 1)
