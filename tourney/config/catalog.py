"""The names a configuration may use, handed in by the caller.

Knows nothing about games, formats and strategies but how to look into them.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from tourney.config.model import FormatConfig
from tourney.errors import TourneyError


def _no_misfit(column: str, rules: Any, options: Any) -> str:
    """Let every column do."""
    del column, rules, options
    return ""


def _lets_luck_go(rules: Any, chosen: FormatConfig) -> str:
    """Let luck be taken out of every game."""
    del rules, chosen
    return ""


@dataclass(frozen=True, slots=True)
class Submitted:
    """What somebody handed in and plays: where its source is kept, and what it is."""

    name: str
    kind: Literal["file", "chart", "package"]
    path: Path  # of the file, or of the package's folder
    author: str | None = None  # who handed it in


def _no_submissions(folder: Path, rule: str | None) -> Sequence[Submitted]:
    """Know no folder of submissions."""
    del rule
    raise TourneyError(f"expected a folder of submissions, got {folder.name!r}")


def _no_stages(stages: Sequence[Any]) -> Any:
    """Know no way to put formats together."""
    raise TourneyError(f"expected one format, got {len(stages)} stages")


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalog:
    """What there is to choose from."""

    presets: Mapping[str, Any]
    """Rules by the name of their preset; each a frozen dataclass instance."""

    formats: Mapping[str, type[Any]]
    """Formats by kind; each a frozen dataclass whose fields are its options."""

    strategies: Mapping[str, Callable[..., Any]]
    """What makes a player, by name; the parameters of its constructor are its options."""

    staged: Callable[[Sequence[Any]], Any] = _no_stages
    """Makes one format of the stages that a configuration lists, as `StageConfig`."""

    columns: Collection[str]
    """Names of leaderboard columns."""

    games: Mapping[str, str] = field(default_factory=dict)
    """Which game a strategy plays, by the name of the strategy; any, if it is not here."""

    misfits: Callable[[str, Any, Any], str] = _no_misfit
    """Why a column makes no sense under these rules and in this format; empty if it does."""

    why_luck_stays: Callable[[Any, FormatConfig], str] = _lets_luck_go
    """Why luck cannot be taken out under these rules and in this format; empty if it can."""

    resting: Mapping[str, str] = field(default_factory=dict)
    """Why a strategy is in quarantine, by name."""

    submitted: Callable[[Path, str | None], Sequence[Submitted]] = _no_submissions
    """Who plays of a folder of submissions, by a rule; raises TourneyError, if nobody can tell."""

    rules: Sequence[str] = ()
    """Rules of which version plays, by name."""

    def playing(self, game: str) -> "Catalog":
        """Give a catalog that has, of the strategies, those of a game only."""
        fitting = {
            name: strategy
            for name, strategy in self.strategies.items()
            if self.games.get(name, game) == game
        }
        return replace(self, strategies=fitting)
