"""Machine code is loaded by playing a round of every kind of declared player."""

import pytest

from tourney.engine import declare, why_not_compiled
from tourney.engine.warm import KINDS, usual_block
from tourney.games import Rules
from tourney.games.blackjack.rules import BlackjackRules
from tourney.games.straights.rules import StraightsRules


@pytest.mark.parametrize("rules", [BlackjackRules(), StraightsRules()])
def test_all_kinds_can_be_played_by_machine_code(rules: Rules) -> None:
    """Or else their functions would not be loaded."""
    block = usual_block(rules)
    for make in KINDS[rules.game.name]:
        declared = declare(make, rules)
        assert why_not_compiled(block, [declared] * len(block.seats)) == ""
