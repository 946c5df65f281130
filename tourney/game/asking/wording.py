"""Texts of competitors, made fit to be shown."""

from collections.abc import Callable
from itertools import groupby
from traceback import TracebackException, extract_tb
from types import TracebackType

MOST_TEXT = 2_000
"""Characters kept of a text of a competitor."""
MOST_LINES = 20
"""Lines of code that a traceback shows; a player that calls itself without end has a thousand."""


def printable(text: str, keep: str = "", most: int = MOST_TEXT) -> str:
    r"""Escape control characters, which could write over a terminal, and cap the length.

    Args:
        text: Anything.
        keep: Characters that stay as they are.
        most: How many characters stay.

    >>> print(printable(chr(27) + "[2J"))
    \x1b[2J
    """
    capped = text if len(text) <= most else text[: most - 1] + "…"
    return "".join(
        char if char.isprintable() or char in keep else char.encode("unicode_escape").decode()
        for char in capped
    )


def with_article(noun: str) -> str:
    """Put "a" or "an" before a word, such as the name of a type.

    >>> with_article("int"), with_article("Card")
    ('an int', 'a Card')
    """
    return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}"


def exception_line(error: BaseException) -> str:
    """Say what an exception says by itself, without the notes that were added to it.

    Raises: Whatever its author thought of.

    >>> error = ValueError("seen")
    >>> error.add_note("and more")
    >>> exception_line(error)
    'ValueError: seen'
    """
    # The exceptions behind it are nowhere shown; to lay out a thousand takes milliseconds, which
    # the player would be charged for.
    cause, context, is_suppressed = error.__cause__, error.__context__, error.__suppress_context__
    error.__cause__ = error.__context__ = None
    try:
        told = TracebackException(type(error), error, None, limit=0, compact=True)
    finally:
        error.__cause__, error.__context__ = cause, context
        error.__suppress_context__ = is_suppressed
    told.__notes__ = []
    return list(told.format_exception_only())[-1].strip() or "an exception that says nothing"


def place_and_trace(error: BaseException, is_authors: Callable[[str], bool]) -> tuple[str, str]:
    """Say where in an author's files something was raised, and by which way it came there.

    Args:
        error: What was raised.
        is_authors: Says of a file's name whether it is the author's.
    Returns: "file:line" and the traceback; both empty if it came by none of these files.
    """
    # Only what is shown is looked up and laid out: of a thousand frames that takes 20 ms, which
    # the player would be charged for.
    steps = []
    step = error.__traceback__
    while step:
        steps.append(step)
        step = step.tb_next
    own = {name for name in set(map(_file_of, steps)) if is_authors(name)}
    steps = [each for each in steps if _file_of(each) in own]
    if not steps:
        return "", ""
    runs = [list(run) for _, run in groupby(steps, _line_of)]
    trace = "".join(map(_run_words, runs[-MOST_LINES:]))[-MOST_TEXT:]
    place = f"{_file_of(steps[-1])}:{steps[-1].tb_lineno}"
    return printable(place), printable(trace, keep="\n")


def _file_of(step: TracebackType) -> str:
    return step.tb_frame.f_code.co_filename


def _line_of(step: TracebackType) -> tuple[object, int]:
    return step.tb_frame.f_code, step.tb_lineno


def _run_words(run: list[TracebackType]) -> str:
    """Show a line that was run, and how often it was run again from itself."""
    shown = "".join(extract_tb(run[0], 1).format())
    more = len(run) - 1
    times = "time" if more == 1 else "times"
    return f"{shown}  [Previous line repeated {more} more {times}]\n" if more else shown
