"""Calling code of somebody else: whatever goes wrong ends in a verdict with its cause and place.

Nothing that a player raises or answers is trusted. Leaves out what is asked, which differs
from game to game.
"""

import re
import sysconfig
from collections.abc import Callable
from dataclasses import replace
from inspect import CORO_CREATED, getcoroutinestate
from pathlib import Path
from types import BuiltinFunctionType, CodeType, CoroutineType, FunctionType, MethodType
from typing import Generic, TypeVar

from tourney.game.asking.printable_text import (
    PACKAGES,
    exception_line,
    place_and_trace,
    place_words,
    printable,
    with_article,
)
from tourney.game.asking.redaction import FOLDER, HOME, PYTHON
from tourney.game.asking.redaction import LIBRARY as LIBRARY_FOLDER
from tourney.game.cards.card import Card
from tourney.game.ledger import Account, Verdict

Kind = TypeVar("Kind")

PLATFORM = Path(__file__).parents[2]
"""The folder of this package: a fault is placed where the author's code stands."""

LIBRARY = Path(sysconfig.get_path("stdlib"))
"""The folder of Python's own modules, in which packages are installed, too."""

NOT_FILES = ("<frozen ", "<__", "<string>", PYTHON, HOME, FOLDER, LIBRARY_FOLDER)
"""What names of code begin with that is no author's; in a sandboxed process all but the author's
files begin with a neutral word."""
CYTHON = (".pyx", ".pxd", ".pxi")
"""What names of files end with that were made into libraries, of which no folder is known."""

ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
"""Where an object lies in memory, which differs from run to run."""

UNCALLED = {MethodType: "method", FunctionType: "function", BuiltinFunctionType: "function"}
"""What comes where somebody forgets the parentheses of a call."""

MEANT = {"int": "a whole number", "bool": "True or False"}
"""What to return instead, by the type that is asked for."""


class CompetitorError(Exception):
    """A player broke its contract; the table turns it into a verdict."""

    def __init__(self, verdict: Verdict) -> None:
        super().__init__(verdict.message)
        self.verdict = verdict

    def at(self, seen: str) -> None:
        """Note what lay before the seat, unless that is known."""
        if not self.verdict.seen:
            self.verdict = replace(self.verdict, seen=seen)


class Seated(Generic[Kind]):
    """One seat's player and account, and what a verdict says about a question to it."""

    is_stand_in = False

    __slots__ = ("account", "call", "decisions", "player", "round")

    def __init__(self, account: Account, make_player: Callable[[], Kind], first: int) -> None:
        """Seat a new player.

        Args:
            account: The seat's chips.
            make_player: Makes the player and sits it down.
            first: The number of the block's first round.
        Raises: CompetitorError, if making the player fails.
        """
        self.account = account
        self.decisions = 0
        self.round = first
        self.call = "constructor"
        try:
            self.player = make_player()
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            raise self.raised(error) from error

    def refused(self, expected: str, answer: object, kind: str = "") -> CompetitorError:
        """Make a fault of an illegal answer.

        Args:
            expected: What would have been legal.
            answer: What came.
            kind: The type that a remedy wraps the answer in, where one does.
        """
        place = ""
        if type(answer) is CoroutineType:
            place = _place_of(answer.cr_code)
            if getcoroutinestate(answer) == CORO_CREATED:  # else it would run the author's code
                answer.close()  # or Python warns of a line of the platform's
        message = f"{self.call}: expected {expected}, got {_say(answer)}{_hint(answer, kind)}"
        return CompetitorError(self._verdict("illegal", message, place))

    def raised(self, error: BaseException) -> CompetitorError:
        """Make a fault of what a player raised."""
        what = _last_line(error)
        message = f"{self.call}: expected an answer, got {what}"
        told = place_and_trace(error, _is_authors)
        return CompetitorError(self._verdict("raised", message, *told))

    def _verdict(self, cause: str, message: str, place: str = "", trace: str = "") -> Verdict:
        return Verdict(
            cause=cause,
            call=self.call,
            round=self.round,
            decision=self.decisions,
            message=printable(message),
            place=place,
            traceback=trace,
        )


def _is_authors(filename: str) -> bool:
    """Tell an author's file from the platform's own, and from those of Python."""
    parents = Path(filename).parents
    is_pythons = LIBRARY in parents and not PACKAGES & {parent.name for parent in parents}
    is_other = filename.startswith(NOT_FILES) or filename.endswith(CYTHON)
    return not (PLATFORM in parents or is_pythons or is_other)


def _place_of(code: CodeType) -> str:
    """Give the line where a function begins; empty if it is not the author's."""
    is_authors = _is_authors(code.co_filename)
    return place_words(code.co_filename, code.co_firstlineno) if is_authors else ""


def _last_line(error: BaseException) -> str:
    try:
        return exception_line(error)
    except Exception as second:  # noqa: BLE001 - even saying what went wrong is the author's code
        return f"{type(error).__name__}, whose text raises {type(second).__name__}"


def _say(answer: object) -> str:
    try:
        if type(answer) is Card:
            return str(answer)
        if type(answer) in (tuple, list) and len(answer) > 1:  # type: ignore[arg-type]  # it has a length
            return f"a {type(answer).__name__} of {len(answer)}"  # type: ignore[arg-type]  # as above
        if what := UNCALLED.get(type(answer)):
            return f"the {what} {answer.__name__} itself"  # type: ignore[attr-defined]  # it has one
        return "a coroutine" if type(answer) is CoroutineType else ADDRESS.sub("", repr(answer))
    except Exception as error:  # noqa: BLE001 - repr() of an answer is the author's code
        return f"something whose repr() raises {type(error).__name__}"


def _hint(answer: object, kind: str) -> str:
    """Say how an illegal answer becomes another one, after what it is; empty if nobody knows."""
    if answer is None:
        return ": every way through it must end in a return"
    if type(answer) is CoroutineType:
        return ": write def, without async"
    if type(answer) in UNCALLED:
        meant = MEANT.get(kind, "a value")
        return f": call it, with parentheses behind its name, or return {meant}"
    if kind == "bool" and isinstance(answer, str):
        return ": return True to hit or False to stand, not a word"
    if kind and type(answer).__name__ != kind:
        return f", {with_article(type(answer).__name__)}: wrap it in {kind}(…)"
    return ""
