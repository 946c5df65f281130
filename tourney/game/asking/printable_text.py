"""Making texts of competitors safe to show, and finding invisible characters.

Source: CVE-2021-42574, "Trojan Source".
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from pathlib import PurePath
from traceback import TracebackException, extract_tb
from types import TracebackType
from typing import Any, NamedTuple
from unicodedata import category

from tourney.game.asking.redaction import LIBRARY, redact

MOST_TEXT = 2_000
"""Most characters kept of a competitor's text."""
MOST_LINES = 20
"""Most lines of code in a traceback; endless recursion has a thousand."""
MOST_MARKS = 4
"""Most combining characters on one letter: more of them cover the lines above and below."""
PACKAGES = {"site-packages", "dist-packages"}
"""Names of folders with installed libraries."""
BUNDLED = ("tourney", "strategies")
"""The folder of the bundled strategies, on which a competitor may build."""
MARKS = {"Mn", "Me"}
"""Unicode categories of characters that are drawn onto the preceding character."""
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
"""Invisible characters that `str.isprintable` accepts: fillers and variation selectors.

Source: `Default_Ignorable_Code_Point` of the Unicode database, and the blank of Braille.
"""


def printable(text: str | bytes, keep: str = "", most: int = MOST_TEXT) -> str:
    r"""Make a competitor's text safe to show: without paths, printable, in one line, short.

    Characters that control a terminal, reorder or hide others, or pile up on one letter are
    escaped. Paths of this machine are replaced by neutral words.

    Args:
        text: Any text; invalid UTF-8 in bytes is escaped.
        keep: Characters that are not escaped, such as the end of a line.
        most: Most characters of the text to keep. An escaped one becomes up to ten.

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
    r"""Escape a character by its number.

    >>> print(escape(chr(0x202E)))
    \u202e
    """
    return char.encode("unicode_escape").decode()


@lru_cache(maxsize=4_096)
def is_visible(char: str) -> bool:
    """Return whether a character is visible and does not affect its neighbours."""
    return char.isprintable() and char not in BLANKS


def _escaped(text: str, keep: str) -> Iterator[str]:
    marks = MOST_MARKS  # there is no letter yet that could carry marks
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


GUESSED_FROM: Sequence[tuple[type[BaseException], Any]] = [
    (kind, vars(kind)[name])
    for kind, name in ((AttributeError, "name"), (NameError, "name"), (ImportError, "name_from"))
    if name in vars(kind)
]
"""Attributes from which Python 3.12 and later guess what was meant, by their exceptions."""


PATH_OF_IMPORT = re.compile(r"( from '[\w.]+'| circular import\)) \(.*\)$")
"""The path in the message of an ImportError, which differs between machines."""


def exception_line(error: BaseException) -> str:
    """Return the type and message of an exception, without added notes.

    It is the same with every version of Python, so without their guesses of what was meant.

    Raises: Any exception, because it runs the author's code.

    >>> error = ValueError("seen")
    >>> error.add_note("and more")
    >>> exception_line(error)
    'ValueError: seen'
    """
    # Chained exceptions are not shown; formatting a thousand of them takes milliseconds, which
    # would count as the player's time.
    cause, context, is_suppressed = error.__cause__, error.__context__, error.__suppress_context__
    error.__cause__ = error.__context__ = None
    named = [(each, each.__get__(error)) for kind, each in GUESSED_FROM if isinstance(error, kind)]
    for each, _ in named:
        each.__set__(error, None)
    try:
        told = TracebackException(type(error), error, None, limit=0, compact=True)
    finally:
        error.__cause__, error.__context__ = cause, context
        error.__suppress_context__ = is_suppressed
        for each, name in named:
            each.__set__(error, name)
    told.__notes__ = []
    line = list(told.format_exception_only())[-1].strip() or "an exception without a message"
    return PATH_OF_IMPORT.sub(r"\1", line) if isinstance(error, ImportError) else line


def place_and_trace(error: BaseException, is_authors: Callable[[str], bool]) -> tuple[str, str]:
    """Return the place in an author's files where an exception was raised, and the traceback.

    Args:
        error: The exception.
        is_authors: Returns whether a file name is the author's.
    Returns: "file:line" and the traceback; both empty if these files are not involved.
    """
    # Format only the frames that are shown: a thousand frames take 20 ms, which would count as
    # the player's time.
    steps = []
    step = error.__traceback__
    while step:
        steps.append(step)
        step = step.tb_next
    names = [name for name in dict.fromkeys(map(_file_of, steps)) if is_authors(name)]
    # The first of these files is the author's; files of other libraries are called by it.
    own = {name for name in names if _library_of(name) == _library_of(names[0])}
    steps = [each for each in steps if _file_of(each) in own]
    if not steps:
        return "", ""
    runs = [list(run) for _, run in groupby(steps, _line_of)]
    trace = "".join(map(_run_words, runs[-MOST_LINES:]))[-MOST_TEXT:]
    return place_words(_file_of(steps[-1]), steps[-1].tb_lineno), printable(trace, keep="\n")


def place_words(filename: str, line: int) -> str:
    """Return "file:line"; an installed file begins with the name of its package."""
    return printable(f"{filename}:{line}").removeprefix(f"{LIBRARY}/")


def _library_of(name: str) -> str:
    """Return the library that a file belongs to; empty if it belongs to no library."""
    parts = PurePath(name).parts
    if parts[:2] == BUNDLED:  # their names in a sandboxed process
        return BUNDLED[0]
    after = [at + 1 for at, part in enumerate(parts[:-1]) if part in PACKAGES]
    return parts[after[-1]] if after else ""


def _file_of(step: TracebackType) -> str:
    return step.tb_frame.f_code.co_filename


def _line_of(step: TracebackType) -> tuple[object, int]:
    return step.tb_frame.f_code, step.tb_lineno


def _run_words(run: list[TracebackType]) -> str:
    """Format a line of code, and how often it called itself in a row."""
    shown = "".join(extract_tb(run[0], 1).format())
    more = len(run) - 1
    times = "time" if more == 1 else "times"
    return f"{shown}  [Previous line repeated {more} more {times}]\n" if more else shown


REORDERING = frozenset(
    map(chr, (0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)))
)
"""Controls of the writing direction."""
JOINERS = frozenset("\u200c\u200d")
"""Needed within words of some scripts and in emoji; between other letters they only hide."""
PICTURES = frozenset("\ufe0e\ufe0f")
"""Select whether the preceding character is shown as a picture."""
BYTE_ORDER_MARK = "\ufeff"
LAYOUT = frozenset("\t\n\r\f")
SPACES = "Zs"
MOST_SHOWN = 160
"""Most characters of a line to show."""


class HiddenCharacter(NamedTuple):
    """An invisible character and its place."""

    file: str
    line: int  # from 1
    column: int  # from 1
    char: str
    shown: str  # its line, with all such characters escaped

    @property
    def words(self) -> str:
        """Its code point and its Unicode name."""
        name = unicodedata.name(self.char, "")
        return f"U+{ord(self.char):04X}{f' {name}' if name else ''}"


def hidden_characters(files: Iterable[tuple[str, str]]) -> Iterator[HiddenCharacter]:
    """Yield the invisible characters of source files, in order.

    Args:
        files: Names and texts.
    """
    for name, text in files:
        if text.isascii() and text.isprintable():
            continue
        for number, line in enumerate(text.split("\n"), 1):
            if line.isascii() and line.isprintable():
                continue
            found = [at for at in range(len(line)) if _is_hidden(line, at, is_first=number == 1)]
            shown = visible_line(line)[:MOST_SHOWN] if found else ""
            for at in found:
                yield HiddenCharacter(name, number, at + 1, line[at], shown)


def visible_line(line: str) -> str:
    r"""Return a line with invisible characters escaped.

    >>> print(visible_line("a = 1  # " + chr(0x202E)))
    a = 1  # \u202e
    """
    hidden = (_is_hidden(line, at, is_first=False) for at in range(len(line)))
    return "".join(
        escape(char) if is_one else char for char, is_one in zip(line, hidden, strict=True)
    )


def _is_hidden(line: str, at: int, *, is_first: bool) -> bool:
    """Return whether a character of a line is invisible and not needed there."""
    char = line[at]
    if (char.isascii() and char.isprintable()) or char in LAYOUT or char in PICTURES:
        return False
    if is_visible(char) or unicodedata.category(char) == SPACES:
        return False
    if char == BYTE_ORDER_MARK and is_first and at == 0:
        return False
    if char in JOINERS:
        around = line[at - 1 : at] + line[at + 1 : at + 2]
        return len(around) < 2 or around[0].isascii() or around[1].isascii()  # noqa: PLR2004 - both
    return True
