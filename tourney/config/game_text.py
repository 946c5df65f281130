"""A game in one line of text, as the command line takes it: `ve280,shuffle=uniform,decks=1`."""

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

from tourney.config.catalog import Catalog
from tourney.config.located import Entries, Faults
from tourney.config.model import GameConfig
from tourney.config.parsing import parse, plain_numbers
from tourney.config.reading import read_game
from tourney.errors import ConfigError, Fault

SOURCE = "--game"
LONGEST = 60
"""Characters of what was given instead, in a message."""


def load_game(text: str, catalog: Catalog) -> GameConfig:
    """Read a preset with overrides.

    Args:
        text: The preset's name, then `,setting=value` any number of times.
        catalog: What presets there are.
    Raises: ConfigError with every fault.
    """
    preset, *overrides = text.split(",")
    # The same reader as for a file, so that the same values are taken and refused.
    lines = [f"preset: {_scalar(preset)}"]
    for override in overrides:
        name, equals, value = override.partition("=")
        if not equals:
            raise ConfigError((Fault(SOURCE, 0, 0, "", _malformed(override)),))
        lines.append(f"{_scalar(name)}: {_scalar(value)}")
    faults = Faults(SOURCE)
    try:
        tree = parse("\n".join(lines), faults)
        assert isinstance(tree, Entries)
        game = read_game(catalog, tree, faults)
        faults.raise_any()
    except ConfigError as error:
        # One line has no lines to count; the path says which setting is meant.
        placeless = tuple(replace(fault, line=0, column=0) for fault in error.faults)
        raise ConfigError(placeless) from None
    assert isinstance(game, GameConfig)
    return game


def text_of_game(asked: Any, catalog: Catalog) -> str:
    """Give the line of text for what somebody asks for.

    Args:
        asked: Such a line; or a mapping as in a configuration, `{"preset": "ve280", "decks": 1}`;
            or rules, such as those of a preset with some of their fields replaced.
        catalog: What presets there are.
    Raises: ConfigError, if it is none of them.
    """
    match asked:
        case str():
            return asked
        case {"preset": preset, **changes}:
            return _line(preset, changes)
    alike = {
        name: {
            each.name: getattr(asked, each.name)
            for each in fields(rules)
            if getattr(asked, each.name) != getattr(rules, each.name)
        }
        for name, rules in catalog.presets.items()
        if type(rules) is type(asked)
    }
    if not alike:
        expected = "expected a preset with overrides such as 've280,decks=2', or rules"
        got = f"{type(asked).__name__} {str(asked)[:LONGEST]!r}"
        raise ConfigError((Fault("game", 0, 0, "", f"{expected}; got {got}"),))
    nearest = min(alike, key=lambda name: len(alike[name]))
    return _line(nearest, alike[nearest])


def _line(preset: object, changes: Mapping[Any, object]) -> str:
    parts = (f"{name}={_told(value)}" for name, value in changes.items())
    return ",".join((str(preset), *parts))


def _told(value: object) -> str:
    """Write a value as it is typed."""
    plain = plain_numbers(value)
    return str(plain).lower() if isinstance(plain, bool) else str(plain)


def _scalar(text: str) -> str:
    """Write a number as it is and anything else in quotes."""
    text = text.strip()
    if text.isdecimal() and not (text.startswith("0") and len(text) > 1):
        return text
    if text in ("true", "false"):
        return text
    escaped = text.replace("'", "''")
    return f"'{escaped}'"


def _malformed(override: str) -> str:
    return f"expected setting=value, such as shuffle=uniform; got {override!r}"
