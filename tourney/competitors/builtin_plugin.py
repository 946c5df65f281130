"""The platform's own games, formats, columns and languages, registered like those of a plugin."""

from collections.abc import Mapping, Sequence
from importlib import import_module

from tourney.competitors.cpp import Cpp
from tourney.competitors.languages import (
    GIVEN,
    GivenClass,
    NotationFile,
    Package,
    PythonFile,
    Strategy,
)
from tourney.competitors.programs import Command, Program
from tourney.formats.base import Format
from tourney.formats.knockout import EliminationBlackjack, Knockout
from tourney.formats.match import Match
from tourney.formats.matches.gauntlet import Gauntlet
from tourney.formats.matches.ladder import Ladder
from tourney.formats.matches.roundrobin import RoundRobin
from tourney.formats.matches.swiss import Swiss
from tourney.formats.multi_table.schedule import MultiTable
from tourney.formats.solo import Duplicate, Independent
from tourney.game.rules import Rules
from tourney.plugins.hook_spec import hookimpl
from tourney.plugins.language import Language
from tourney.standings.columns import COLUMNS, Column

GAMES = ("tourney.games.blackjack.rules", "tourney.games.straights.rules")
"""Modules whose PRESETS are offered: names, as in the entry points of anybody's distribution."""
FORMATS: Mapping[str, type[Format]] = {
    "duplicate": Duplicate,
    "independent": Independent,
    "match": Match,
    "knockout": Knockout,
    "elimination-blackjack": EliminationBlackjack,
    "multi-table": MultiTable,
    "roundrobin": RoundRobin,
    "gauntlet": Gauntlet,
    "swiss": Swiss,
    "ladder": Ladder,
}
"""The built-in formats, by the name of their `kind`."""


@hookimpl
def tourney_games() -> Mapping[str, Rules]:
    """Register the games of the courses."""
    homes = map(import_module, GAMES)
    return {name: rules for home in homes for name, rules in home.PRESETS.items()}


@hookimpl
def tourney_formats() -> Mapping[str, type[Format]]:
    """Register the formats of tournaments."""
    return FORMATS


@hookimpl
def tourney_columns() -> Sequence[Column]:
    """Register the columns of the leaderboard."""
    return COLUMNS


@hookimpl
def tourney_languages() -> Mapping[str, Language]:
    """Register the languages of competitors, of all games and of single ones."""
    games = dict.fromkeys(rules.game for rules in tourney_games().values())
    notations = {
        name: NotationFile(game, notation)
        for game in games
        for name, notation in game.notations().items()
    }
    platforms = {"strategy": Strategy(), "file": PythonFile(), "cpp": Cpp()}
    others = {GIVEN: GivenClass(), "program": Program(), "command": Command()}
    return {**platforms, **notations, "package": Package(), **others}
