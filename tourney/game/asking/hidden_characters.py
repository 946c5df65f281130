"""Finds characters in source code that are invisible, or that display it in another order.

Source: CVE-2021-42574, "Trojan Source".
"""

import unicodedata
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from tourney.game.asking.printable_text import escape, is_visible

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
