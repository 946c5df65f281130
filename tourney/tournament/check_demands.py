"""The demands that a tournament makes of a competitor, for its check."""

from pathlib import Path

from tourney.checks.pools import BUDGET, Demands
from tourney.config.documents import file_text
from tourney.config.model import Catalog, TournamentConfig
from tourney.config.tournament import loads
from tourney.game.blocks import HOUSE_LIMIT
from tourney.tournament.entrant_specs import budget_of
from tourney.tournament.loading import most_at_once


def tournament_in(path: Path, catalog: Catalog) -> TournamentConfig:
    """Read the tournament that a competitor is checked for.

    Raises: ConfigError, with every fault of the file.
    """
    return loads(file_text(path), catalog, str(path), None)  # files of other entrants may be absent


def demands_of(config: TournamentConfig) -> Demands:
    """Return the demands that a tournament makes of a player."""
    return Demands(
        minimum=config.minimum,
        maximum=config.maximum or HOUSE_LIMIT,
        tables=most_at_once(config),
        budget=budget_of(config.limits)._replace(stall=BUDGET.stall),
        memory=config.limits.memory_mib << 20,
        name=config.name,
    )
