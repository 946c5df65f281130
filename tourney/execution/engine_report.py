"""The engine that plays a strategy, and why a faster one cannot."""

from collections.abc import Callable
from typing import NamedTuple

from tourney.execution.compiled_blocks import why_not_compiled
from tourney.execution.engine_selection import why_not_in_lockstep
from tourney.execution.warm_up import usual_block
from tourney.game.contracts import AnyPlayer
from tourney.game.lineup import declare
from tourney.game.rules import Rules


class Playable(NamedTuple):
    """The fastest engine for a strategy."""

    engine: str
    reason: str  # why machine code cannot play it; empty if it can


def playable(make: Callable[[], AnyPlayer], rules: Rules) -> Playable:
    """Return the engine that plays a strategy, alone or against itself, at a usual table.

    Args:
        make: Makes a player of the strategy.
        rules: The rules of the strategy's game.
    """
    block = usual_block(rules)
    declared = declare(make, rules)
    why_not = why_not_compiled(block, [declared] * len(block.seats))
    if not why_not:
        return Playable("compiled", "")
    engine = "reference" if why_not_in_lockstep(block) else "lockstep"
    return Playable(engine, why_not.removeprefix("seat 1: "))
