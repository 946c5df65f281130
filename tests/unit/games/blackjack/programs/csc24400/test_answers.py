"""What a person may answer, and what else can come from an input."""

import pytest

from tourney.games.blackjack.action import Action
from tourney.games.blackjack.programs.csc24400 import decks_in, hit_or_stand, yes_or_no


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
