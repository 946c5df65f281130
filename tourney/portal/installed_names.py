"""Names of the installed games and strategies, for the choices of forms.

The web process loads no plugins, so the checker stores the names at its start.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from tourney.portal.database import set_setting, setting
from tourney.sqlite.database import Database

SETTING = "installed names"
USUAL_GAME = "ve280"
"""The default game of a course."""


@dataclass(frozen=True, slots=True)
class InstalledGame:
    """A game that a course can play."""

    name: str
    kind: str  # of the rules, such as blackjack; strategies are for a kind
    has_mutants: bool  # so that tests of students can be graded


@dataclass(frozen=True, slots=True)
class InstalledStrategy:
    """A strategy that students can play against."""

    name: str
    kind: str
    summary: str


def store_names(
    database: Database, games: Sequence[InstalledGame], strategies: Sequence[InstalledStrategy]
) -> None:
    """Store all names."""
    told = {"games": [*map(asdict, games)], "strategies": [*map(asdict, strategies)]}
    set_setting(database, SETTING, json.dumps(told))


def games(database: Database) -> tuple[InstalledGame, ...]:
    """Give the installed games; empty before the first start of the checker."""
    return tuple(InstalledGame(**each) for each in _stored(database).get("games", ()))


def strategies(database: Database, game: str) -> tuple[InstalledStrategy, ...]:
    """Give the installed strategies for a game, by its name."""
    kinds = {each.kind for each in games(database) if each.name == game}
    found = (InstalledStrategy(**each) for each in _stored(database).get("strategies", ()))
    return tuple(each for each in found if each.kind in kinds)


def _stored(database: Database) -> Mapping[str, Any]:
    found: Mapping[str, Any] = json.loads(setting(database, SETTING, "{}"))
    return found
