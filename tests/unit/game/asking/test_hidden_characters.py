"""Characters that cannot be seen are found in sources of every language."""

import unicodedata

import pytest

from tourney.game.asking.printable_text import hidden_characters, visible_line

CONTROLS = [*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200B, 0x200E, 0x200F, 0x061C, 0xFEFF]


@pytest.mark.parametrize("number", [*CONTROLS, 0x3164, 0x7F, 0x1B, 0x85, 0x2028, 0xE0041, 0xAD])
@pytest.mark.parametrize("name", ["bold.py", "player.cpp", "chart.txt"])
def test_a_hidden_character_is_found_with_its_line_and_column(number: int, name: str) -> None:
    """Lines end where editors end them, whatever the language."""
    char = chr(number)
    files = [("first.py", "x = 1\n"), (name, f"ä\n  é{char}= 1 // {char}\n")]
    found = list(hidden_characters(files))
    assert [(each.file, each.line, each.column) for each in found] == [(name, 2, 4), (name, 2, 12)]
    assert found[0].words.startswith(f"U+{number:04X}")
    assert unicodedata.name(char, "") in found[0].words
    assert found[0].shown.isprintable()
    assert char not in found[0].shown
    assert list(hidden_characters([(name, found[0].shown)])) == []


@pytest.mark.parametrize(
    "text",
    [
        "def bet(self):\n\treturn 1\r\n\f",
        "# größer, שלום, \u0633\u0644\u0627\u0645, नमस्ते, 日本語, 5\u00a0€",
        "# \u0645\u06cc\u200c\u062e\u0648",  # a joiner within a word that needs it
        "# 👩\u200d💻 ❤\ufe0f",
        "\ufeffimport os",
        "",
    ],
)
def test_what_people_write_is_no_hidden_character(text: str) -> None:
    """Letters of other scripts, pictures, spaces of print, and the mark at the start of a file."""
    assert list(hidden_characters([("a.py", text)])) == []


def test_a_joiner_between_plain_letters_is_hidden() -> None:
    """It makes two names of what looks like one."""
    assert len(list(hidden_characters([("a.py", "be\u200dt = 1")]))) == 1
    assert visible_line("be\u200dt") == r"be\u200dt"
