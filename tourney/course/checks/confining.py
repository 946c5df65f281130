"""The process that a source is checked in, and what it may take."""

from typing import Any

from tourney.course.source import Source
from tourney.game import Game
from tourney.jail.budgets import Budget
from tourney.jail.levels import Level, setup_for
from tourney.jail.referee import JailedPool

BUDGET = Budget(stall=2.0)
"""That of a tournament, but for waiting: an author shall not wait ten seconds for a verdict."""


def pool_for(source: Source, game: Game[Any, Any, Any], level: Level) -> JailedPool:
    """Give a pool whose players sit in a process of their own.

    Args:
        source: Of any language.
        game: What it plays.
        level: How well it is confined.
    """
    return JailedPool(game, source.jailed(), setup_for(level), BUDGET)
