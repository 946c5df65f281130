"""Checking the texts of a verdict, because a sandboxed process may report anything."""

from collections.abc import Mapping
from typing import Any

from tourney.game import Game
from tourney.game.asking.printable_text import printable
from tourney.sandbox.memory_modules import read_parts
from tourney.sandbox.wire import BATCH_CALL, TEXT_BYTES, Faulted, Submitted

LONGEST_PLACE = 300
"""Longest "file:line" in characters."""
MOST_LINES = 1_000_000
"""Largest line number if the file is not known."""


def calls_of(game: Game[Any, Any, Any]) -> frozenset[str]:
    """Return the calls that a fault may name: the methods of a game's contract."""
    defined = (each for kind in game.contract().__mro__ for each in vars(kind).items())
    methods = (name for name, value in defined if callable(value) and not name.startswith("_"))
    return frozenset(methods) | {BATCH_CALL}


def files_of(submitted: Submitted) -> Mapping[str, int] | None:
    """Return the files of a submission by name, with the number of lines of each.

    `None` for a program without its files.
    """
    if submitted.program:
        return dict(submitted.files) or None
    if submitted.entry:
        return {part.path: _lines(part.text) for part in read_parts(submitted.source)}
    return {submitted.name: _lines(submitted.source.decode("utf-8", "replace"))}


def place_in(place: str, files: Mapping[str, int] | None) -> str:
    """Return a place if it is a line of one of the files; otherwise an empty text.

    Args:
        place: "file:line", untrusted.
        files: With the number of lines of each; `None` if not known.

    >>> place_in("a.py:3", {"a.py": 9}), place_in("a.py:10", {"a.py": 9}), place_in("b:1", {})
    ('a.py:3', '', '')
    """
    name, _, line = place.rpartition(":")
    is_number = line.isascii() and line.isdecimal() and str(int(line[:9])) == line
    if not is_number or len(place) > LONGEST_PLACE:
        return ""
    most = files.get(name, 0) if files is not None else MOST_LINES
    return printable(place) if 1 <= int(line) <= most else ""


def texts_of(fault: Faulted, place: str, files: Mapping[str, int] | None) -> tuple[str, str, str]:
    """Return the message, the place and the traceback of a fault in a form that may be shown.

    Args:
        fault: The fault as a process reported it.
        place: The place of the fault, "file:line".
        files: The files of the submission, with the number of lines of each.
    """
    message = printable(fault.message, most=TEXT_BYTES)[:TEXT_BYTES]
    traceback = printable(fault.traceback, keep="\n", most=TEXT_BYTES)[:TEXT_BYTES]
    return message, place_in(place, files), traceback


def _lines(text: str) -> int:
    return text.count("\n") + 1
