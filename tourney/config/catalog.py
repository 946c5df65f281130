"""The names a configuration may use, handed in by the caller.

Knows nothing about games, formats and strategies but how to look into them.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

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
    kind: str  # the name of its language
    path: Path  # of the file, or of the package's folder
    author: str | None = None  # who handed it in
    group: str | None = None  # of who handed it in; None for that of the entry
    pseudonym: str | None = None  # where names are withheld; None if it has none


@dataclass(frozen=True, slots=True)
class FileEntry:
    """What a path means that an entrant gives under the name of a language."""

    meaning: str
    takes_options: bool = True
    takes_patterns: bool = False  # that fit several files, each of which enters
    takes_folders: bool = False  # as well as files


def _no_submissions(folder: Path, rule: str | None) -> Sequence[Submitted]:
    """Know no folder of submissions."""
    del rule
    raise TourneyError(f"expected a folder of submissions, got {folder.name!r}")


def _untried(strategy: Callable[..., Any], options: Mapping[str, Any]) -> str:
    """Make nobody's player only to hear what its constructor says."""
    del strategy, options
    return ""


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

    why_refused: Callable[[Callable[..., Any], Mapping[str, Any]], str] = _untried
    """Why the constructor of a strategy refuses options; empty if it takes them, or may not run."""

    staged: Callable[[Sequence[Any]], Any] = _no_stages
    """Makes one format of the stages that a configuration lists, as `StageConfig`."""

    columns: Collection[str]
    """Names of leaderboard columns."""

    files: Mapping[str, FileEntry] = field(default_factory=dict)
    """What else an entrant may be than a strategy: a path, by the name of its language."""

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

    @property
    def sources(self) -> tuple[str, ...]:
        """Keys of an entrant, of which it has one."""
        return ("strategy", *self.files, "submissions")

    def playing(self, game: str) -> "Catalog":
        """Give a catalog that has, of the strategies, those of a game only."""
        fitting = {
            name: strategy
            for name, strategy in self.strategies.items()
            if self.games.get(name, game) == game
        }
        return replace(self, strategies=fitting)
