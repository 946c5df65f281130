"""Which engine a strategy can be played by, and why not by a faster one."""

from collections.abc import Callable
from typing import NamedTuple

from tourney.execution.compiled_blocks import why_not_compiled
from tourney.execution.engine_selection import why_not_in_lockstep
from tourney.execution.warm_up import usual_block
from tourney.game.contracts import AnyPlayer
from tourney.game.lineup import declare
from tourney.game.rules import Rules


class Playable(NamedTuple):
    """How a strategy is played at a game."""

    engine: str  # the fastest that can
    reason: str  # why it is not compiled; empty if it is


def playable(make: Callable[[], AnyPlayer], rules: Rules) -> Playable:
    """Say how a strategy is played, alone or against itself, at a usual table.

    Args:
        make: Makes a player of the strategy.
        rules: Of a game that it is a player of.
    """
    block = usual_block(rules)
    declared = declare(make, rules)
    why_not = why_not_compiled(block, [declared] * len(block.seats))
    if not why_not:
        return Playable("compiled", "")
    engine = "reference" if why_not_in_lockstep(block) else "lockstep"
    return Playable(engine, why_not.removeprefix("seat 1: "))
