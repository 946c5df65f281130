"""What is worked out for shoes that end, against rounds that the engines really played."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.proving import with_more
from tourney.config.model import GameConfig
from tourney.game.cards.keys import Secret
from tourney.games.blackjack.exact.finite.solution import solve_finite
from tourney.games.blackjack.rules import (
    EUROPEAN,
    SINGLE_DECK,
    SIX_DECKS_H17,
    SIX_DECKS_S17,
    BlackjackRules,
)
from tourney.plugins.loading import load_plugins
from tourney.research.simulated_ev import entered_alone, long_run
from tourney.tournament.entrant_specs import entrant_as_typed

EVERYTHING = replace(SIX_DECKS_H17, split_aces="resplit", decks=2, reshuffle=34)
BY_RANK = replace(SINGLE_DECK, split="by-rank", double="9-11", dealer_natural="is-21")


@pytest.mark.parametrize(
    ("rules", "millions"),
    with_more(
        [(SINGLE_DECK, 1)],
        [
            (SINGLE_DECK, 20),
            (EVERYTHING, 20),
            (BY_RANK, 20),
            (EUROPEAN, 20),
            (replace(SIX_DECKS_S17, natural="6:5", split_aces="played"), 20),
        ],
    ),
)
def test_the_best_chart_wins_what_was_worked_out(
    rules: BlackjackRules, millions: int, tmp_path: Path
) -> None:
    """The chart is entered as a file, like anybody's, and every round is from a full shoe."""
    rules = replace(rules, reshuffle="every-round")
    best = solve_finite(rules, minimum=10)
    chart = tmp_path / "best.txt"
    chart.write_text(best.text)
    game = GameConfig("", (), rules)
    found = long_run(
        entered_alone(game, entrant_as_typed(str(chart)), load_plugins()),
        rules,
        millions * 1_000_000,
        minimum=10,
        secret=Secret.from_seed(21),
    )
    assert found.engine == "compiled"
    assert found.half_width is not None
    # Twice the half-width of 95 %: four standard errors, of the mean without luck.
    assert abs(found.mean - best.value.mean) < 2 * found.half_width
    assert found.half_width < 0.0005
