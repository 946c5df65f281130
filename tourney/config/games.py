"""Games: the rules of a preset with changes, from a file or a command line."""

import re
from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

from tourney.config.documents import Faults, KeyPath, plain_numbers
from tourney.config.model import Catalog, GameConfig
from tourney.config.scalars import LONGEST_NUMBER
from tourney.config.settings import settings_of
from tourney.config.validation import read_named, read_settings
from tourney.config.words import quoted
from tourney.errors import ConfigError, Fault, RulesError
from tourney.game.rules import changed_rules

GAME_LINE = "game"
"""Where a fault is, on the command line and in Python."""
LONGEST_GAME = 60
"""Characters that a message shows of a wrong game."""


def read_game(catalog: Catalog, data: Any, path: KeyPath, faults: Faults) -> GameConfig | None:
    """Read the rules of the game; `None` if they are unknown or wrong."""
    before = faults.count
    game = read_meant(catalog, data, path, faults)
    return game if faults.count == before else None


def read_meant(catalog: Catalog, data: Any, path: KeyPath, faults: Faults) -> GameConfig | None:
    """Read the rules of the game; after a misspelled preset, those of the closest one."""
    preset, rest = read_named("preset", catalog.presets, data, path, faults)
    if preset is None:
        return None
    before, rules = faults.count, catalog.presets[preset]
    overrides = read_settings(settings_of(type(rules), is_partial=True), rest, path, faults)
    if faults.count > before:
        return None
    try:
        return GameConfig(preset, tuple(overrides.items()), changed_rules(rules, overrides))
    except RulesError as error:
        faults.note(path, str(error))
        return None


def load_game(text: str, catalog: Catalog) -> GameConfig:
    """Read a preset with overrides from one line.

    Args:
        text: The preset's name, then any number of `,setting=value`.
    Raises: ConfigError with every fault.
    """
    preset, *overrides = text.split(",")
    given: dict[str, Any] = {"preset": preset.strip()}
    faults = Faults(GAME_LINE)
    for override in overrides:
        name, equals, value = (part.strip() for part in override.partition("="))
        if not equals:
            expected = "setting=value, such as shuffle=uniform"
            faults.stop(None, f"expected {expected}; got {override!r}")
        if name in given:
            faults.note((name,), f"{quoted(name)} appears twice; remove one")
        given.setdefault(name, _typed_value(value))
    game = read_game(catalog, given, (), faults)
    faults.sort_by(list(given))
    faults.raise_any()
    assert game
    return game


def for_ranking(game: GameConfig) -> GameConfig:
    """Return a preset with the shuffle that lets luck be removed; a game with settings stays."""
    shuffles = "shuffle" in {each.name for each in fields(game.rules)}
    if game.overrides or not shuffles or not game.rules.game.why_luck_stays(game.rules):
        return game
    uniform = {"shuffle": "uniform"}
    return replace(game, overrides=tuple(uniform.items()), rules=replace(game.rules, **uniform))


def _typed_value(text: str) -> int | bool | str:
    """Read a whole number or a truth value of the command line; keep anything else as text."""
    if re.fullmatch(r"0|[1-9][0-9]*", text) and len(text) <= LONGEST_NUMBER:
        return int(text)
    return text == "true" if text in {"true", "false"} else text


def text_of_game(asked: Any, catalog: Catalog) -> str:
    """Write a game as a line of the command line.

    Args:
        asked: Such a line; or a mapping as in a configuration, `{"preset": "ve280", "decks": 1}`;
            or rules, such as those of a preset with some fields replaced.
    Raises: ConfigError, if it is not a game.
    """
    match asked:
        case str():
            return asked
        case {"preset": preset, **changes}:
            return _game_line(preset, changes)
    alike = {
        name: _differences(asked, rules)
        for name, rules in catalog.presets.items()
        if type(rules) is type(asked)
    }
    if not alike:
        expected = (
            "expected a preset with overrides such as 've280,decks=2', a mapping such as "
            "{'preset': 've280', 'decks': 2}, or rules"
        )
        got = f"{type(asked).__name__} {str(asked)[:LONGEST_GAME]!r}"
        raise ConfigError((Fault("game", 0, 0, "", f"{expected}; got {got}"),))
    nearest = min(alike, key=lambda name: len(alike[name]))
    return _game_line(nearest, alike[nearest])


def _differences(asked: Any, preset: Any) -> dict[str, Any]:
    """Return the settings that make a preset equal to other rules."""
    found: dict[str, Any] = {}
    for _ in range(2):  # the second time for settings that follow from changed ones
        made = changed_rules(preset, found)
        found |= {
            each.name: getattr(asked, each.name)
            for each in fields(asked)
            if getattr(asked, each.name) != getattr(made, each.name)
        }
    return {name: value for name, value in found.items() if not _follows(name, found, preset)}


def _follows(name: str, found: Mapping[str, Any], preset: Any) -> bool:
    """Return whether a setting follows from the other ones."""
    if not hasattr(preset, "changed"):
        return False
    others = {each: value for each, value in found.items() if each != name}
    try:
        return bool(changed_rules(preset, others) == changed_rules(preset, found))
    except RulesError:  # such as two riffled decks
        return False


def _game_line(preset: object, changes: Mapping[Any, object]) -> str:
    plain = {name: plain_numbers(value) for name, value in changes.items()}
    texts = {name: str(it).lower() if isinstance(it, bool) else it for name, it in plain.items()}
    return ",".join((str(preset), *(f"{name}={text}" for name, text in texts.items())))
