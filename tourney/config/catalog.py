"""The names a configuration may use, handed in by the caller.

Knows nothing about games, formats and strategies but how to look into them.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalog:
    """What there is to choose from."""

    presets: Mapping[str, Any]
    """Rules by the name of their preset; each a frozen dataclass instance."""

    formats: Mapping[str, type[Any]]
    """Formats by kind; each a frozen dataclass whose fields are its options."""

    strategies: Mapping[str, Callable[..., Any]]
    """What makes a player, by name; the parameters of its constructor are its options."""

    columns: Collection[str]
    """Names of leaderboard columns."""

    resting: Mapping[str, str] = field(default_factory=dict)
    """Why a strategy is in quarantine, by name."""
