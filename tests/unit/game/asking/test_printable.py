"""Any bytes of a competitor become a text that draws nothing, hides nothing and stays short."""

import random
import unicodedata

import pytest

from tests.support.proving import with_more
from tourney.game.asking.printable_text import MOST_MARKS, MOST_TEXT, printable

HOSTILE = (
    *map(chr, range(32)),
    *map(chr, range(0x7F, 0xA0)),
    *("\u2028", "\u2029", "\u200b", "\u200c", "\u200d", "\u200e", "\u200f", "\ufeff", "\u00ad"),
    *map(chr, range(0x202A, 0x202F)),
    *map(chr, range(0x2060, 0x2070)),
    *("\ud800", "\udfff", "\U000e0041", "\U000e0101", "\ufe0f", "\u3164", "\u034f", "\ue000"),
    *("\x1b[2J", "\x1b]0;title\x07", "\r\n", "a" + "\u0301" * 50, "\u20dd" * 9),
)
"""What draws on a terminal, ends a line, reorders a text, hides in it or piles up."""
SPACES = ("", " ", "honest: raised", "é", "日本", "ह्रीं", "…", "\n", "\\", "</td>", "=1+1")


def is_fit(text: str, keep: str = "") -> bool:
    """Say slowly, by the Unicode database alone, whether a text may be shown."""
    marks = MOST_MARKS
    for char in text:
        kind = unicodedata.category(char)
        marks = marks + 1 if kind in {"Mn", "Me"} else 0
        if marks > MOST_MARKS:
            return False
        if char != " " and char not in keep and kind[0] in "CZ":
            return False
        name = unicodedata.name(char, "").replace("DEVANAGARI GAP FILLER", "")  # which has a shape
        if any(word in name for word in ("FILLER", "VARIATION SELECTOR", "GRAPHEME JOINER")):
            return False
    return True


@pytest.mark.parametrize("times", with_more([3_000], [300_000]))
def test_random_bytes_become_one_line(times: int) -> None:
    """Noise, and texts in which hostile characters stand among honest ones."""
    luck = random.Random(11)
    for number in range(times):
        if number % 2:
            given: str | bytes = luck.randbytes(luck.randrange(60))
        else:
            given = "".join(luck.choices(HOSTILE + SPACES, k=luck.randrange(12)))
        keep = luck.choice(("", "\n"))
        shown = printable(given, keep=keep)
        assert is_fit(shown, keep), (given, shown)
        assert printable(shown, keep=keep) == shown
        shown.encode()  # which surrogates alone would not survive


def test_a_long_text_is_cut() -> None:
    """However many characters are escaped, there is a bound."""
    assert len(printable("x" * 1_000_000)) == MOST_TEXT
    assert len(printable("\U000e0001" * 1_000_000)) <= 10 * MOST_TEXT
    assert len(printable(b"\xff" * 1_000_000)) == MOST_TEXT


def test_an_honest_text_stays_as_it_is() -> None:
    """Letters of all scripts, with their marks, are no attack."""
    for text in ("größer als 3", "Nguyễn", "नमस्ते", "שלום", "日本語", "naïve" + "e\u0301"):
        assert printable(text) == text
