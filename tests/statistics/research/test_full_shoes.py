"""What a board aims at where shoes are played on: a table of values, worked out again."""

from dataclasses import replace
from pathlib import Path

import pytest

import tourney
from tests.support.proving import with_more
from tourney.games.blackjack.exact.evaluation import (
    VALUES,
    best_mean,
    best_play,
    value_from_full_shoe,
)
from tourney.games.blackjack.rules import (
    CSC24400,
    PRESETS,
    SIX_DECKS_H17,
    VE280,
    BlackjackRules,
)

FEW = [("ve280", 1, 5), ("ve280", 6, 10), ("csc24400", 6, 10)]
UNIFORM = replace(VE280, shuffle="uniform")


@pytest.mark.prove
@pytest.mark.parametrize(
    ("preset", "decks", "minimum"), with_more(FEW, [each for each in VALUES if each not in FEW])
)
def test_values_are_those_that_are_worked_out(preset: str, decks: int, minimum: int) -> None:
    """Digit by digit, as where every round is from a full shoe."""
    rules = replace(PRESETS[preset], decks=decks, shuffle="uniform", reshuffle="every-round")
    worked_out = best_mean(replace(rules, reshuffle_percent=0), minimum)
    assert VALUES[preset, decks, minimum] == pytest.approx(worked_out, abs=1e-13)


def test_a_value_is_that_of_its_rules() -> None:
    """However deep a shoe is dealt; for wagers that round payouts as the table's do."""
    six = VALUES["six-decks-h17", 6, 10]
    for rules in (SIX_DECKS_H17, replace(SIX_DECKS_H17, reshuffle=60, reshuffle_percent=10)):
        assert [value_from_full_shoe(rules, minimum) for minimum in (1, 25, 10)] == [six] * 3
    assert best_play(SIX_DECKS_H17, 25) == 25 * six
    assert value_from_full_shoe(UNIFORM, 5) == VALUES["ve280", 1, 5]
    assert value_from_full_shoe(UNIFORM, 50) == VALUES["ve280", 1, 10]
    assert value_from_full_shoe(UNIFORM, 7) is None
    assert value_from_full_shoe(CSC24400, 10) == VALUES["csc24400", 6, 10]


@pytest.mark.parametrize(
    "rules",
    [
        VE280,  # riffled
        replace(SIX_DECKS_H17, decks=5),
        replace(SIX_DECKS_H17, split_aces="resplit"),
        replace(SIX_DECKS_H17, natural="6:5"),
    ],
)
def test_other_rules_have_none(rules: BlackjackRules) -> None:
    """Whatever differs from a preset, but for how deep shoes are dealt."""
    assert value_from_full_shoe(rules, 10) is None


@pytest.mark.prove
@pytest.mark.parametrize(
    ("game", "least", "most"),
    with_more([("six-decks-h17", 0.0001, 0.0004)], [("single-deck", 0.0010, 0.0017)]),
)
def test_a_cut_card_takes_as_little_away_as_is_said(
    game: str, least: float, most: float, tmp_path: Path
) -> None:
    """The same chart, from full shoes by calculation and down to the cut card by play."""
    solved = tourney.solve(game)
    solved.write(tmp_path / "best.txt")
    chart = tmp_path / "best.txt"
    found = tourney.ev(chart, game, rounds=15_000_000, seed=5, minimum=10, engine="compiled")
    assert found.half_width is not None
    assert least - found.half_width < solved.mean - found.mean < most + found.half_width
    assert found.half_width < 0.00015
