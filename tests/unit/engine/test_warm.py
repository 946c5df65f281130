"""Machine code is loaded by playing a round of every kind of declared player."""

import pytest

from tourney.game.cast import declare
from tourney.game.machine.kept import Part
from tourney.game.machine.parts import EVERY
from tourney.play import why_not_compiled
from tourney.play.warm import USUAL, usual_block


@pytest.mark.parametrize("part", USUAL)
def test_all_kinds_can_be_played_by_machine_code(part: Part) -> None:
    """Or else their functions would not be loaded."""
    rules, _, kinds = USUAL[part]
    block = usual_block(rules)
    for make in kinds:
        declared = declare(make, rules)
        assert why_not_compiled(block, [declared] * len(block.seats)) == ""


def test_every_part_can_be_made() -> None:
    """Whatever a game asks for."""
    assert set(USUAL) == EVERY
