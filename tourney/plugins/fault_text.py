"""Texts about plugin faults: one printable line, with the place as `file.py:12`."""

import inspect
import sys
from collections.abc import Callable
from pathlib import Path
from traceback import walk_tb
from types import CodeType, FrameType
from typing import TypeGuard

from tourney.game.asking.printable_text import exception_line, with_article


def short_name(file: str) -> str:
    """Return a file's path relative to its import folder, or else its name."""
    path = Path(file)
    if not path.is_absolute():
        return path.as_posix()
    folders = [Path(entry) for entry in sys.path if entry and path.is_relative_to(entry)]
    if not folders:
        return path.name
    return path.relative_to(max(folders, key=lambda folder: len(folder.parts))).as_posix()


def place_of_function(function: object) -> str:
    """Return the line where a function, method or wrapped function begins."""
    try:
        plain = inspect.unwrap(getattr(function, "__func__", function))  # type: ignore[arg-type]  # may be no function
        code = getattr(plain, "__code__", None)
    except Exception:  # noqa: BLE001 - attributes may run the author's code
        return ""
    if not isinstance(code, CodeType):
        return ""
    return f"{short_name(code.co_filename)}:{code.co_firstlineno}"


def place_of_class(kind: type) -> str:
    """Return the line where a class begins."""
    try:
        file = inspect.getsourcefile(kind) or inspect.getfile(kind)
        return f"{short_name(file)}:{inspect.getsourcelines(kind)[1]}"
    except Exception:  # noqa: BLE001 - there may be no source, or attributes run the author's code
        return ""


def place_of_error(error: BaseException, is_own: Callable[[FrameType], bool]) -> str:
    """Return the line of the author's code that an error comes from.

    Args:
        error: The exception.
        is_own: Returns whether a frame runs the author's code.
    """
    if isinstance(error, SyntaxError) and error.lineno and _is_file(error.filename):
        return f"{short_name(error.filename)}:{error.lineno}"
    steps = [
        (frame, line)
        for frame, line in walk_tb(error.__traceback__)
        if line and _is_file(frame.f_code.co_filename)
    ]
    own = [step for step in steps if is_own(step[0])]
    foreign = own or [step for step in steps if not _is_ours(step[0])]
    if not foreign:
        return ""
    frame, line = foreign[-1]
    return f"{short_name(frame.f_code.co_filename)}:{line}"


def module_of(frame: FrameType) -> str:
    """Return the name of the module whose code a frame runs."""
    return str(frame.f_globals.get("__name__", ""))


def _is_file(name: str | None) -> TypeGuard[str]:
    """Return whether code was compiled from a file, not from a text such as `<string>`."""
    return bool(name) and not str(name).startswith("<")


def _is_ours(frame: FrameType) -> bool:
    """Return whether a frame belongs to the platform or to Python itself."""
    top_name = module_of(frame).partition(".")[0]
    return top_name == "tourney" or top_name in sys.stdlib_module_names


LONGEST_VALUE = 60  # characters of a value that a message shows
LONGEST_LINE = 300  # characters of an exception's text


def printable(text: str, longest: int = LONGEST_LINE) -> str:
    r"""Put text on one line, shorten it, and escape control characters.

    >>> printable("two\nlines and \x1b[2J")
    'two lines and \\x1b[2J'
    """
    line = " ".join(text.split())
    capped = line if len(line) <= longest else line[: longest - 1] + "…"
    if capped.isprintable():
        return capped
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode() for char in capped
    )


def value_words(value: object) -> str:
    """Describe a value and its type.

    >>> value_words(None), value_words(["bold"]), value_words(int)
    ('None', "['bold'], a list", 'the class int')
    """
    if value is None:
        return "None"
    if isinstance(value, type):
        return printable(f"the class {value.__name__}", LONGEST_VALUE)
    try:
        text = printable(repr(value), LONGEST_VALUE)
    except Exception as error:  # noqa: BLE001 - repr() may run the author's code
        text = f"a value whose repr() raises {type(error).__name__}"
    return f"{text}, {with_article(type(value).__name__)}"


def error_words(error: BaseException) -> str:
    """Describe an exception in one line.

    >>> error_words(ZeroDivisionError("division by zero"))
    'ZeroDivisionError: division by zero'
    """
    try:
        if isinstance(error, SyntaxError):  # its place is shown separately
            return printable(f"{type(error).__name__}: {error.msg}")
        return printable(exception_line(error))
    except Exception as second:  # noqa: BLE001 - str() of an exception may run the author's code
        return f"{type(error).__name__}, whose text raises {type(second).__name__}"
