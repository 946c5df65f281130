"""Strategies, games and configurations that callers pass in any of their forms."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from numbers import Integral
from pathlib import Path
from typing import Any, TypeAlias

from tourney.competitors.languages import GIVEN, GivenClass
from tourney.config.documents import plain_numbers
from tourney.config.games import load_game, text_of_game
from tourney.config.model import EntrantConfig, GameConfig, TournamentConfig
from tourney.config.words import said
from tourney.errors import PluginError, RulesError, TourneyError
from tourney.game.players import AnyPlayer, BasePlayer
from tourney.game.rules import Rules
from tourney.plugins.loading import installed_plugins
from tourney.plugins.registry import Registry
from tourney.tournament.catalog import catalog_of
from tourney.tournament.entrant_specs import entrant_as_typed

StrategyLike: TypeAlias = str | Path | type[AnyPlayer] | AnyPlayer
"""A name with options, such as "counter,spread=4", a file or a chart, a class, or a player."""

GameLike: TypeAlias = str | Mapping[str, object] | Rules
"""A preset with overrides, such as "ve280,decks=2", a mapping, or rules."""

ConfigLike: TypeAlias = str | Path | Mapping[str, Any] | TournamentConfig
"""A YAML file, a mapping with the same settings, or a configuration."""

GAME = "ve280,shuffle=uniform"
LEAST = 10
"""Default least wager in chips, where the rules do not fix it; even, so that 3:2 pays whole chips.
"""


def entrant_of(
    strategy: StrategyLike, options: Mapping[str, object] | None = None, workers: int = 1
) -> EntrantConfig:
    """Make an entrant of a strategy.

    Raises: PluginError, if it is not a strategy, or other processes cannot load it.
    """
    if not isinstance(strategy, str | Path | type | BasePlayer) or strategy == "":
        expected = "a name with options, a file, a class or a player"
        raise PluginError(f"strategy: {said(expected, repr(strategy))}")
    check_options(options)
    if isinstance(strategy, type | BasePlayer):
        entrant = _at_hand(strategy, workers)
    else:
        entrant = entrant_as_typed(str(strategy))
    if options and isinstance(strategy, BasePlayer):
        raise PluginError(
            f"{entrant.name}: a player instance takes no options ({', '.join(options)}); pass "
            "its class"
        )
    chosen = {**dict(entrant.options), **plain_numbers(options or {})}
    return replace(entrant, options=tuple(chosen.items()))


def check_options(options: object) -> None:
    """Reject options of a strategy that are not a mapping by name.

    Raises: PluginError, if they are not.
    """
    named = {} if options is None else options
    if not isinstance(named, Mapping) or not all(isinstance(each, str) for each in named):
        expected = "a mapping such as {'spread': 4}"
        raise PluginError(f"options: {said(expected, repr(options))}")


def points_of(tags: Any) -> tuple[int, ...]:
    """Return the tags of cards as whole numbers; empty for no tags.

    Raises: RulesError, if they are not numbers.
    """
    if not isinstance(tags, Iterable | None):
        expected = "a number for each card, such as [1, 1, 1, 1, 1, 0, 0, 0, -1, -1]"
        raise RulesError(f"tags: {said(expected, repr(tags))}")
    # The game rejects numbers that are not whole.
    return tuple(
        int(each) if isinstance(each, Integral) else each for each in (() if tags is None else tags)
    )


def _at_hand(strategy: type[AnyPlayer] | AnyPlayer, workers: int) -> EntrantConfig:
    name = (strategy if isinstance(strategy, type) else type(strategy)).__name__
    if workers != 1:
        raise PluginError(
            f"{name}: {workers} workers cannot load a class of this program; use 1 worker, or "
            "save the class in a file and name the file"
        )
    return EntrantConfig(name=name, kind=GIVEN, strategy=GivenClass.offer(strategy))


def several(asked: object, one: Any, what: str) -> tuple[Any, ...]:
    """Return one or several arguments as a tuple.

    Args:
        one: Types of a single one.
        what: Their name in messages.
    Raises: TourneyError, if there are no arguments.
    """
    if isinstance(asked, one) or not isinstance(asked, Iterable):
        return (asked,)
    each = tuple(asked)
    if not each:
        raise TourneyError(f"{what}: name at least one")
    return each


def strategy_text(entrant: EntrantConfig) -> str:
    """Write a strategy as on the command line, without the folders of a file."""
    who = entrant.source.name if entrant.source else entrant.name
    return ",".join([who, *(f"{name}={value}" for name, value in entrant.options)])


def game_of(game: GameLike, registry: Registry) -> tuple[str, GameConfig]:
    """Return a game as text for the command line, and as configuration.

    Raises: ConfigError with every fault.
    """
    catalog = catalog_of(registry)
    text = text_of_game(game, catalog)
    return text, load_game(text, catalog)


def load_rules(game: GameLike) -> Any:
    """Return the rules of a game: frozen data, which `dataclasses.replace` changes.

    Args:
        game: A preset with overrides, such as "six-decks-h17,decks=8", or a mapping.
    Raises: ConfigError with every fault.

    >>> load_rules("six-decks-h17,decks=8").reshuffle
    104
    """
    return game_of(game, installed_plugins())[1].rules
