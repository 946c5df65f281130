"""A game without cards has its own nouns on boards, in replays and on pages."""

import pytest

from tourney.game.narration import AsSeen, PlainTeller
from tourney.game.words import MATCHES, Words


def test_a_game_of_cards_keeps_every_text() -> None:
    """The default nouns change nothing."""
    text = "10 rounds, a round each, 3 dealers; the same shoes"
    assert Words().rewrite(text) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Profit per round", "Profit per match"),
        ("Rounds played.", "Matches played."),
        ("10 dealers 40% of the time", "10 referees 40% of the time"),
        ("around the background", "around the background"),
    ],
)
def test_nouns_are_replaced_as_whole_words(text: str, expected: str) -> None:
    """Singular, plural and capitals are kept, and parts of words stay."""
    assert MATCHES.rewrite(text) == expected


def test_a_replay_counts_matches() -> None:
    """Both kinds of transcript use the noun of the game."""
    lines: list[str] = []
    PlainTeller(lines.append, 1, MATCHES).opened(3, ())
    AsSeen(lines.append, 0, MATCHES).opened(4, ())
    assert [line.partition(":")[0] for line in lines] == ["Match 3", "Match 4"]
