"""Calls to untrusted players: every failure becomes a verdict with its cause and place.

Neither exceptions nor answers of a player are trusted. The questions differ from game to game and
are defined elsewhere.
"""

import re
import sysconfig
from collections.abc import Callable
from dataclasses import replace
from inspect import CORO_CREATED, getcoroutinestate
from pathlib import Path
from types import (
    BuiltinFunctionType,
    CodeType,
    CoroutineType,
    FunctionType,
    GeneratorType,
    MethodType,
    NoneType,
)
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
"""The folder of this package: verdicts name a line of the author's code, not of the platform."""

LIBRARY = Path(sysconfig.get_path("stdlib"))
"""The folder of Python's standard library; packages are installed in a folder below it."""

NOT_FILES = ("<frozen ", "<__", "<string>", PYTHON, HOME, FOLDER, LIBRARY_FOLDER)
"""Prefixes of file names that are not the author's; in a sandboxed process all other files begin
with a neutral word.
"""
CYTHON = (".pyx", ".pxd", ".pxi")
"""Suffixes of files that were compiled into libraries, which have no known folder."""

ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
"""The address of an object in memory, which differs from run to run."""

UNCALLED = {MethodType: "method", FunctionType: "function", BuiltinFunctionType: "function"}
"""Answers of players whose author forgot the parentheses of a call."""

REWRITES = {
    NoneType: "every way through it must end in a return",
    CoroutineType: "write def, without async",
    GeneratorType: "return one value: write return, not yield",
}
"""How to correct a method, by the type of its answer."""

BUILT_IN = {"int": int, "bool": bool}
NUMPY, ARRAY = "numpy", "ndarray"  # names, because a player's process may have no NumPy

MEANT = {"int": "a whole number", "bool": "True or False"}
"""Suggested answers, by the required type."""


class CompetitorError(Exception):
    """A player broke its contract; the table turns it into a verdict."""

    def __init__(self, verdict: Verdict) -> None:
        super().__init__(verdict.message)
        self.verdict = verdict

    def at(self, seen: str) -> None:
        """Add the seat's view, unless it is known already."""
        if not self.verdict.seen:
            self.verdict = replace(self.verdict, seen=seen)


class Seated(Generic[Kind]):
    """A seat's player and account; makes verdicts about its answers."""

    is_stand_in = False

    __slots__ = ("account", "call", "decisions", "player", "round")

    def __init__(self, account: Account, make_player: Callable[[], Kind], first: int) -> None:
        """Seat a new player.

        Args:
            account: The seat's account.
            make_player: Makes the player.
            first: Number of the block's first round.
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
        """Return a fault for an illegal answer.

        Args:
            expected: Description of legal answers.
            answer: The illegal answer.
            kind: Type to suggest wrapping the answer in, if any.
        """
        return self.illegal(f"expected {expected}, got", answer, kind)

    def illegal(self, told: str, answer: object, kind: str = "") -> CompetitorError:
        """Return a fault whose message ends in an illegal answer.

        Args:
            told: The message up to the answer.
            answer: The illegal answer.
            kind: As in `refused`.
        """
        place = ""
        if type(answer) is CoroutineType:
            place = _place_of(answer.cr_code)
            if getcoroutinestate(answer) == CORO_CREATED:  # otherwise close() runs author's code
                answer.close()  # prevents a warning that names a line of the platform
        elif type(answer) is GeneratorType:
            place = _place_of(answer.gi_code)
        message = f"{self.call}: {told} {_say(answer)}{answer_hint(answer, kind)}"
        return CompetitorError(self._verdict("illegal", message, place))

    def raised(self, error: BaseException) -> CompetitorError:
        """Return a fault for an exception of a player."""
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
    """Return whether a file belongs to the author, not to the platform or to Python."""
    parents = Path(filename).parents
    is_pythons = LIBRARY in parents and not PACKAGES & {parent.name for parent in parents}
    is_other = filename.startswith(NOT_FILES) or filename.endswith(CYTHON)
    return not (PLATFORM in parents or is_pythons or is_other)


def _place_of(code: CodeType) -> str:
    """Return the line of a function's definition; empty if it is not the author's."""
    is_authors = _is_authors(code.co_filename)
    return place_words(code.co_filename, code.co_firstlineno) if is_authors else ""


def _last_line(error: BaseException) -> str:
    try:
        return exception_line(error)
    except Exception as second:  # noqa: BLE001 - formatting an exception runs author's code
        return f"{type(error).__name__}, whose text raises {type(second).__name__}"


def _say(answer: object) -> str:
    try:
        if type(answer) is Card:
            return str(answer)
        if type(answer) in (tuple, list) and len(answer) > 1:  # type: ignore[arg-type]  # it has a length
            return f"a {type(answer).__name__} of {len(answer)}"  # type: ignore[arg-type]  # as above
        if what := UNCALLED.get(type(answer)):
            return f"the {what} {answer.__name__} itself"  # type: ignore[attr-defined]  # it has one
        if type(answer) in {CoroutineType, GeneratorType}:
            return f"a {type(answer).__name__}"
        return ADDRESS.sub("", repr(answer))
    except Exception as error:  # noqa: BLE001 - repr() of an answer runs author's code
        return f"something whose repr() raises {type(error).__name__}"


def answer_hint(answer: object, kind: str) -> str:
    """Suggest how to correct an illegal answer; empty if there is no suggestion.

    Args:
        answer: The illegal answer.
        kind: Type of a legal answer; empty if it is not known.

    >>> answer_hint(2, "bool"), answer_hint([True], "bool")
    (', an int: wrap it in bool(…)', ', a list')
    """
    if fix := REWRITES.get(type(answer)):
        return f": {fix}"
    if type(answer) in UNCALLED:
        meant = MEANT.get(kind, "a value")
        return f": call it, with parentheses behind its name, or return {meant}"
    if kind == "bool" and isinstance(answer, str):
        return ": return True to hit or False to stand, not a word"
    if kind and type(answer) is not BUILT_IN.get(kind):
        wrap = f": wrap it in {kind}(…)" if _is_value(answer) else ""
        return f", {_type_words(type(answer))}{wrap}"
    return ""


def _is_value(answer: object) -> bool:
    """Return whether bool() and int() of an answer keep its meaning; a list would be True."""
    kind = type(answer)
    is_numpys = kind.__module__ == NUMPY and kind.__name__ != ARRAY
    is_digits = type(answer) is str and answer.isascii() and answer.isdecimal()
    return issubclass(kind, int | float) or is_numpys or is_digits


def _type_words(kind: type) -> str:
    """Return the name of a type, with its module where Python has a type of the same name."""
    is_numpys = kind.__module__ == NUMPY
    return f"a {NUMPY} {kind.__name__}" if is_numpys else with_article(kind.__name__)
