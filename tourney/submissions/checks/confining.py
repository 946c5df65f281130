"""The process that a source is checked in, and what it may take."""

from tourney.confine.budgets import Budget
from tourney.confine.levels import Level, setup_for
from tourney.confine.referee import ConfinedDesk
from tourney.submissions.source import Source

BUDGET = Budget(stall=2.0)
"""That of a tournament, but for waiting: an author shall not wait ten seconds for a verdict."""


def desk_for(source: Source, level: Level) -> ConfinedDesk:
    """Give a desk whose players sit in a process of their own.

    Args:
        source: Of any language.
        level: How well it is confined.
    """
    return ConfinedDesk(source.jailed(), setup_for(level), BUDGET)
