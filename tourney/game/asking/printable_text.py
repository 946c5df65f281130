"""Texts of competitors, made fit to be shown."""

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import groupby
from pathlib import PurePath
from traceback import TracebackException, extract_tb
from types import TracebackType
from unicodedata import category

from tourney.game.asking.redaction import LIBRARY, redact

MOST_TEXT = 2_000
"""Characters kept of a text of a competitor."""
MOST_LINES = 20
"""Lines of code that a traceback shows; a player that calls itself without end has a thousand."""
MOST_MARKS = 4
"""Combining characters kept on one letter: more of them draw over the lines above and below."""
PACKAGES = {"site-packages", "dist-packages"}
"""Folders that libraries are installed in."""
BUNDLED = ("tourney", "strategies")
"""The folder of the strategies that come with the platform, on which a competitor may build."""
MARKS = {"Mn", "Me"}
"""Categories of characters that are drawn onto the character before them."""
BLANKS = frozenset(
    map(
        chr,
        (
            *(0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0),
            *range(0x180B, 0x1810),
            *range(0xFE00, 0xFE10),
            *range(0xE0100, 0xE01F0),
        ),
    )
)
"""Characters that `str.isprintable` accepts although they have no shape: fillers and selectors of
variants. Source: `Default_Ignorable_Code_Point` of the Unicode database, and the blank of Braille.
"""


def printable(text: str | bytes, keep: str = "", most: int = MOST_TEXT) -> str:
    r"""Make any text of a competitor fit to be shown: without paths, printable, in one line, short.

    Characters that control a terminal, reorder or hide others, or pile up on one letter are
    escaped. Paths of this machine are replaced by neutral words.

    Args:
        text: Anything; of bytes those that are no UTF-8 are escaped.
        keep: Characters that stay as they are, such as the end of a line.
        most: Characters of the text that are kept. An escaped one becomes up to ten.

    >>> print(printable(chr(27) + "[2J"), printable(b"\xff"))
    \x1b[2J \xff
    """
    if isinstance(text, bytes):
        text = text.decode("utf-8", "backslashreplace")
    text = redact(text, most)
    capped = text if len(text) <= most else text[: most - 1] + "…"
    if capped.isascii() and capped.isprintable():
        return capped
    return "".join(_escaped(capped, keep))


def escape(char: str) -> str:
    r"""Write a character by its number.

    >>> print(escape(chr(0x202E)))
    \u202e
    """
    return char.encode("unicode_escape").decode()


@lru_cache(maxsize=4_096)
def is_visible(char: str) -> bool:
    """Say whether a character shows by itself that it is there, and only moves the cursor on."""
    return char.isprintable() and char not in BLANKS


def _escaped(text: str, keep: str) -> Iterator[str]:
    marks = MOST_MARKS  # as if on a letter that has them all: there is none yet
    for char in text:
        marks = marks + 1 if category(char) in MARKS else 0
        is_shown = is_visible(char) and marks <= MOST_MARKS
        yield char if is_shown or char in keep else escape(char)


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
    names = [name for name in dict.fromkeys(map(_file_of, steps)) if is_authors(name)]
    # The platform calls the author's code, so what that calls in turn may be another library.
    own = {name for name in names if _library_of(name) == _library_of(names[0])}
    steps = [each for each in steps if _file_of(each) in own]
    if not steps:
        return "", ""
    runs = [list(run) for _, run in groupby(steps, _line_of)]
    trace = "".join(map(_run_words, runs[-MOST_LINES:]))[-MOST_TEXT:]
    return place_words(_file_of(steps[-1]), steps[-1].tb_lineno), printable(trace, keep="\n")


def place_words(filename: str, line: int) -> str:
    """Write "file:line"; of an installed file it begins with the name of its package."""
    return printable(f"{filename}:{line}").removeprefix(f"{LIBRARY}/")


def _library_of(name: str) -> str:
    """Name the library that a file belongs to; empty for a file that lies in none."""
    parts = PurePath(name).parts
    if parts[:2] == BUNDLED:  # as they are called in a sandboxed process
        return BUNDLED[0]
    after = [at + 1 for at, part in enumerate(parts[:-1]) if part in PACKAGES]
    return parts[after[-1]] if after else ""


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
