"""What a person may type into the original programs, and what else can come from an input."""

import io
from errno import EIO

import pytest

from tourney.game.answers import LONGEST_LINE, read_letter, read_line
from tourney.games.blackjack.programs.csc24400 import (
    Dialogue,
    InputEndedError,
    decks_in,
    hit_or_stand,
    yes_or_no,
)


def lines_of(content: bytes) -> list[str]:
    """Read an input to its end."""
    stream = io.BytesIO(content)
    lines = []
    while (line := read_line(stream)) is not None:
        lines.append(line)
    return lines


class Broken(io.BytesIO):
    """An input that cannot be read."""

    def readline(self, size: int | None = -1, /) -> bytes:
        """Fail as a terminal does that is gone."""
        raise OSError(EIO, "gone")


def test_a_line_is_read_without_what_surrounds_it() -> None:
    """The last one needs no end; an empty one is an answer, if a wrong one."""
    assert lines_of(b"y\r\n  Hit\t\n\nn") == ["y", "Hit", "", "n"]
    assert lines_of(b"") == []


def test_any_bytes_are_a_wrong_answer() -> None:
    """Nothing that can come in is an error, and bytes do not become letters."""
    garbage = bytes(byte for byte in range(256) if byte != ord("\n"))
    (line,) = lines_of(garbage + b"\n")
    assert yes_or_no(line) is hit_or_stand(line) is decks_in(line) is None
    assert lines_of(b"\xffy\n") == ["\ufffdy"]


@pytest.mark.parametrize("length", [LONGEST_LINE - 1, LONGEST_LINE, 3 * LONGEST_LINE, 1_000_000])
def test_a_line_that_nobody_typed_is_one_wrong_answer(length: int) -> None:
    """It is not cut into pieces that could be answers, and not kept."""
    first, second = lines_of(b"y" + b" " * (length - 1) + b"x\ny\n")
    assert yes_or_no(first) is None
    assert second == "y"


def test_an_input_that_cannot_be_read_has_ended() -> None:
    """A terminal that is gone, a closed input."""
    assert read_line(Broken()) is None
    assert read_line(None) is None


def test_a_wrong_answer_is_asked_again_in_the_same_words() -> None:
    """And nothing is said about it."""
    answers = iter(["maybe", "", "Y", "n"])
    said: list[str] = []
    assert Dialogue(lambda: next(answers), said.append).ask("Play? ", yes_or_no) is True
    assert said == ["Play? "] * 3


@pytest.mark.parametrize(("question", "said"), [("? ", ["? ", "\n"]), ("?\n", ["?\n"])])
def test_the_end_of_the_input_ends_the_line_of_the_question(question: str, said: list[str]) -> None:
    """What is shown next begins a line of its own."""
    heard: list[str] = []
    with pytest.raises(InputEndedError):
        Dialogue(lambda: None, heard.append).ask(question, yes_or_no)
    assert heard == said


@pytest.mark.parametrize(
    ("typed", "letters"),
    [
        (b"hello\nQ\n", ["H", "Q"]),
        (b"\n\r\n h\n", ["\n", "\r", " "]),
        (b"s", ["S"]),
        (b"", []),
        (b"\xff\n\x00\n", ["\N{REPLACEMENT CHARACTER}", "\x00"]),
        (b"s" * LONGEST_LINE + b"\np\n", ["S", "P"]),
        (b"s" * (LONGEST_LINE - 1) + b"\np\n", ["S", "P"]),
        (b"d" * 10**6 + b"\nr", ["D", "R"]),
        (b"d" * 2 * LONGEST_LINE, ["D"]),
    ],
    ids=["words", "blank", "no end", "nothing", "binary", "piece", "less", "megabyte", "pieces"],
)
def test_of_a_line_the_first_letter_counts(typed: bytes, letters: list[str]) -> None:
    """However long it is and whatever it is made of."""
    stream = io.BytesIO(typed)
    assert [read_letter(stream) for _ in letters] == letters
    assert read_letter(stream) is None


def test_without_an_input_nobody_answers() -> None:
    """A program may be started without any, or with one that is only for writing."""
    assert read_letter(None) is None

    class Closed(io.BytesIO):
        def readline(self, *_: object) -> bytes:
            raise OSError

    assert read_letter(Closed()) is None
