"""What a person may answer, and what else can come from an input."""

import io
from errno import EIO

import pytest

from tourney.classic.csc24400.answers import (
    LONGEST_LINE,
    Dialogue,
    InputEnded,
    decks_in,
    hit_or_stand,
    read_line,
    yes_or_no,
)
from tourney.games.blackjack.action import Action


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


@pytest.mark.parametrize(
    ("answer", "decks"),
    [("1", 1), ("20", 20), ("+6", 6), ("006", 6), ("09", 9), ("0" * 4000 + "2", 2)],
)
def test_decks_are_a_whole_number_from_1_to_20(answer: str, decks: int) -> None:
    """As C reads one."""
    assert decks_in(answer) == decks


@pytest.mark.parametrize(
    "answer",
    [
        *("", "0", "00", "21", "99", "100", "-1", "- 1", "2.5", "2.0", "1e1", "0x6", "1_0"),
        *("six", "6 decks", "٦", "²", "6\x00", "9" * 100_000),
    ],
)
def test_anything_else_is_no_number_of_decks(answer: str) -> None:
    """Not even what Python would take for a number."""
    assert decks_in(answer) is None


@pytest.mark.parametrize("answer", ["y", "Y", "yes", "YES", "yEs"])
def test_yes_is_yes_in_any_case(answer: str) -> None:
    """A letter is enough."""
    assert yes_or_no(answer) is True


@pytest.mark.parametrize("answer", ["n", "N", "no", "NO", "nO"])
def test_no_is_no_in_any_case(answer: str) -> None:
    """No is an answer too."""
    assert yes_or_no(answer) is False


@pytest.mark.parametrize("answer", ["", "ye", "yess", "nope", "y n", "1", "true", "\ufffd"])
def test_nothing_else_is_yes_or_no(answer: str) -> None:
    """Words that only begin like it are none."""
    assert yes_or_no(answer) is None


def test_hit_and_stand_are_words_or_letters() -> None:
    """In any case; doubles and splits are no answers here."""
    assert {hit_or_stand(answer) for answer in ("h", "H", "hit", "HIT", "hIt")} == {Action.HIT}
    assert {hit_or_stand(answer) for answer in ("s", "S", "stand", "Stand")} == {Action.STAND}
    assert not any(map(hit_or_stand, ("", "hits", "stnd", "hs", "d", "double", "split", "y")))


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
    with pytest.raises(InputEnded):
        Dialogue(lambda: None, heard.append).ask(question, yes_or_no)
    assert heard == said
