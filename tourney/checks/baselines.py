"""Whom competitors are compared with: what they win is the same in every check, so it is kept."""

from collections.abc import Mapping
from functools import cache

from tourney.checks.pools import Demands
from tourney.game.players import BasePlayer
from tourney.game.rules import Rules
from tourney.plugins.registry import Registry

MINIMUM = 5
"""Chips, where the rules do not say."""


def prepare_checks(rules: Rules, bundled: Mapping[str, type[BasePlayer]], demands: Demands) -> None:
    """Load what every check needs, and play what all are measured against.

    For a process that others are forked from, which then have it; as for `check_source`.
    """
    if examiner := rules.game.examiner(rules):
        simple, minimum = next(iter(bundled.values())), least_wager(rules, demands)
        net_of(simple, rules, minimum, range(examiner.tables))
        return
    # To import it loads the engines.
    from tourney.checks.trial_rounds import known_points  # noqa: PLC0415 - see above

    known_points(rules, demands)


def known_beside(rules: Rules, registry: Registry) -> Mapping[str, type[BasePlayer]]:
    """Give the strategies that a player is compared with, by name.

    Raises: PluginError, if one is not installed.
    """
    examiner, game = rules.game.examiner(rules), rules.game.name
    return {name: registry.player(name, game) for name in (examiner.beside if examiner else ())}


def least_wager(rules: Rules, demands: Demands) -> int:
    """Give the least wager in chips."""
    return demands.minimum or rules.minimum or MINIMUM


@cache
def net_of(kind: type[BasePlayer], rules: Rules, minimum: int, tables: range) -> tuple[int, ...]:
    """Give what a bundled player wins at each table, which is the same in every check."""
    examiner = rules.game.examiner(rules)
    assert examiner, "of a game whose players are compared"
    played = examiner.play(rules.game.pool()(kind), minimum, tables)
    return tuple(map(int, played.net))
