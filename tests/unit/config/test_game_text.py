"""A game in one line, as the command line takes it."""

from dataclasses import replace

import pytest

from tourney.config.games import load_game
from tourney.config.model import Catalog
from tourney.errors import ConfigError
from tourney.games.blackjack.rules import PRESETS, SIX_DECKS_H17, BlackjackRules

CATALOG = Catalog(presets=PRESETS, formats={}, strategies={}, columns=())
NAMES = (
    "csc24400, double-deck, easybj, eecs280, european, single-deck, six-decks-h17, six-decks-s17 "
    "or ve280"
)


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("ve280", BlackjackRules(shuffle="riffle")),
        ("ve280,shuffle=uniform,decks=6", BlackjackRules(decks=6, reshuffle=120)),
        ("ve280,shuffle=uniform,decks=6,reshuffle=20", BlackjackRules(decks=6)),
        ("six-decks-h17,decks=1", replace(SIX_DECKS_H17, decks=1, reshuffle=13)),
        (
            "ve280,shuffle=uniform,decks=infinite,payout=exact",
            BlackjackRules(decks="infinite", payout="exact"),
        ),
        (
            "ve280,shuffle=uniform,reshuffle=every-round,natural=6:5",
            BlackjackRules(reshuffle="every-round", natural="6:5"),
        ),
        ("eecs280, soft_17=hit", BlackjackRules(shuffle="riffle", soft_17="hit", minimum=5)),
    ],
)
def test_a_preset_takes_overrides(text: str, rules: BlackjackRules) -> None:
    """Numbers, names and odds, without quotes."""
    assert load_game(text, CATALOG).rules == rules


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "ve281",
            f"game: preset: expected {NAMES}; got 've281' (did you mean 've280'?)",
        ),
        ("ve280,decks", "game: expected setting=value, such as shuffle=uniform; got 'decks'"),
        (
            "ve280,decks=21",
            "game: decks: expected a whole number from 1 to 20 or infinite, got 21",
        ),
        (
            "ve280,decks=2",
            "game: shuffle: riffle is for one deck, and decks is 2; use uniform",
        ),
        ("", f"game: preset: expected {NAMES}; got ''"),
    ],
)
def test_a_fault_says_what_was_expected(text: str, message: str) -> None:
    """With the setting's name; one line has no places to count."""
    with pytest.raises(ConfigError) as caught:
        load_game(text, CATALOG)
    assert str(caught.value) == message


def test_every_fault_of_the_line_is_told() -> None:
    """Not only the first."""
    with pytest.raises(ConfigError) as caught:
        load_game("ve280,decks=x,shufle=uniform,payout=exact", CATALOG)
    assert len(caught.value.faults) == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ve280,decks=1,decks=2", "game: decks: 'decks' appears twice; remove one"),
        (
            f"ve280,decks={'9' * 5000}",
            f"game: decks: expected a whole number from 1 to 20 or infinite, got '{'9' * 59}…'",
        ),
        (
            "ve280,decks=01",
            "game: decks: expected a whole number from 1 to 20 or infinite, got '01'",
        ),
    ],
)
def test_a_line_is_read_as_it_is_typed(text: str, message: str) -> None:
    """Nothing is given twice, and a number is one that every YAML reads alike."""
    with pytest.raises(ConfigError) as caught:
        load_game(text, CATALOG)
    assert str(caught.value) == message
