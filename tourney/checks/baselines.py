"""Results of the bundled strategies that competitors are compared with, cached between checks."""

from collections import deque
from collections.abc import Mapping
from functools import cache

from tourney.checks.pools import Demands
from tourney.game.players import BasePlayer
from tourney.game.rules import Rules
from tourney.plugins.registry import Registry

MINIMUM = 5
"""Least wager in chips, if the rules leave it open."""


def prepare_checks(rules: Rules, bundled: Mapping[str, type[BasePlayer]], demands: Demands) -> None:
    """Import the modules of a check and compute its baselines, before other processes are forked.

    The arguments are those of `check_source`.
    """
    if examiner := rules.game.examiner(rules):
        simple, minimum = next(iter(bundled.values())), least_wager(rules, demands)
        net_of(simple, rules, minimum, range(examiner.tables))
        # The values of decisions are computed for all checks that follow.
        known = examiner.play(rules.game.pool()(simple), minimum, range(examiner.tables))
        deque(examiner.judged(known), maxlen=0)
        return
    from tourney.checks.trial_rounds import known_points  # noqa: PLC0415 - it loads the engines

    known_points(rules, demands)


def known_beside(rules: Rules, registry: Registry) -> Mapping[str, type[BasePlayer]]:
    """Return the strategies that a player is compared with, by name.

    Raises: PluginError, if one of them is not installed.
    """
    examiner, game = rules.game.examiner(rules), rules.game.name
    return {name: registry.player(name, game) for name in (examiner.beside if examiner else ())}


def least_wager(rules: Rules, demands: Demands) -> int:
    """Return the least wager in chips."""
    return demands.minimum or rules.minimum or MINIMUM


@cache
def net_of(kind: type[BasePlayer], rules: Rules, minimum: int, tables: range) -> tuple[int, ...]:
    """Return the net result of a bundled player at each table."""
    examiner = rules.game.examiner(rules)
    assert examiner, "the game has no examiner"
    played = examiner.play(rules.game.pool()(kind), minimum, tables)
    return tuple(map(int, played.net))
