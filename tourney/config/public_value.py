"""The `public_value` of a configuration: what others tell after the commitment.

Leaves out what it does to shoes; `tourney.game.cards.keys` knows that.
"""

from typing import Any

from tourney.config.board import TIME_SCHEMA, read_time
from tourney.config.entrants import NAME
from tourney.config.located import Faults, Tree
from tourney.config.model import PublicValueConfig
from tourney.config.settings import Setting, read_mapping, read_settings, setting
from tourney.config.typed import INVALID

PUBLIC_VALUE = "a value that others tell after the commitment, and that is mixed into the shoes"
SOURCE = "who tells the value, and which of theirs it is, in words"
AFTER = "before this time nobody can know it; in UTC, if it says no zone"


def public_value_settings() -> tuple[Setting, ...]:
    """Return the settings of `public_value`."""
    return (
        setting("source", SOURCE, NAME, required=True),
        Setting("after", AFTER, read_time, required=True, schema=TIME_SCHEMA),
    )


def read_public_value(tree: Tree, faults: Faults) -> Any:
    """Read which value is mixed in."""
    entries, before = read_mapping(tree, faults), faults.count
    if entries is INVALID:
        return INVALID
    values = read_settings(entries, public_value_settings(), faults)
    return PublicValueConfig(**values) if faults.count == before else INVALID
