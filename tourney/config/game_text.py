"""A game in one line of text, as the command line takes it: `ve280,shuffle=uniform,decks=1`."""

from dataclasses import replace

from tourney.config.catalog import Catalog
from tourney.config.located import Entries, Faults
from tourney.config.model import GameConfig
from tourney.config.parsing import parse
from tourney.config.reading import read_game
from tourney.errors import ConfigError, Fault

SOURCE = "--game"


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
