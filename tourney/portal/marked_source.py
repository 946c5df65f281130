"""Source files line by line, with the findings of the check at their lines."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from tourney.game.asking.hidden_characters import visible_line
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
            return (at, line) if 1 <= line <= len(_split(files[at][1])) else None
    return None


def _split(text: str) -> list[str]:
    return text.removesuffix("\n").split("\n")


def _lines(
    text: str, file: int, places: Sequence[tuple[tuple[int, int] | None, Mapping[str, Any]]]
) -> Iterator[SourceLine]:
    for number, line in enumerate(_split(text), 1):
        own = [each for place, each in places if place == (file, number)]
        is_plain = line.isascii() and line.isprintable()
        yield SourceLine(line if is_plain else visible_line(line), own)
