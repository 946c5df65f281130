"""What the organiser asked for, as frozen values that every layer may read.

Says what the settings are and what they default to. Leaves out how they are read
from YAML (`reading`) and what they make happen.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, TypeAlias

from pydantic import Field

MOST_CHIPS = 1_000_000_000
MOST_TABLES = 100_000
MOST_SECONDS = 1_000_000

Chips: TypeAlias = Annotated[int, Field(ge=1, le=MOST_CHIPS)]
Seconds: TypeAlias = Annotated[float, Field(ge=0, le=MOST_SECONDS)]
Minutes: TypeAlias = Annotated[float, Field(ge=0, le=MOST_SECONDS)]
Count: TypeAlias = Annotated[int, Field(ge=1, le=MOST_TABLES)]


@dataclass(frozen=True, slots=True)
class GameConfig:
    """Which rules are played."""

    preset: str
    """Name of the rules the organiser began with."""

    overrides: tuple[tuple[str, Any], ...]
    """Settings the organiser changed, in the order of the file."""

    rules: Any
    """The preset with the changes made."""


@dataclass(frozen=True, slots=True)
class FormatConfig:
    """Who meets whom, and how often."""

    kind: str
    """Name of the format."""

    options: Any
    """The format with its options, an instance of the class the catalog names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FloorConfig:
    """How many tables there are and how long things take at them."""

    tables: Count = 10
    """Tables on the floor."""

    dealers: Count | None = None
    """Dealers at work; without a number, one for each table."""

    round_seconds: Seconds = 40.0
    """Seconds that a round takes however few seats are taken."""

    seat_seconds: Seconds = 8.0
    """Seconds that each taken seat adds to a round."""

    shuffle_seconds: Seconds = 90.0
    """Seconds that a shuffle takes."""

    setup_seconds: Seconds = 120.0
    """Seconds to set up a table for a new block."""

    level_minutes: Annotated[float, Field(gt=0, le=MOST_SECONDS)] = 30.0
    """Minutes that a level lasts."""

    break_every_levels: Annotated[int, Field(ge=0, le=MOST_TABLES)] = 0
    """Levels between two breaks; 0 for no breaks."""

    break_minutes: Minutes = 10.0
    """Minutes that a break lasts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EntrantConfig:
    """One competitor: a strategy by name, a file or package that holds one, or a chart."""

    name: str
    """What the leaderboard shows; no other entrant has it."""

    strategy: str | None = None
    """Name of the strategy; None if it comes from a file."""

    file: Path | None = None
    """Absolute path of a file of Python that holds the strategy."""

    chart: Path | None = None
    """Absolute path of a chart to play by."""

    package: Path | None = None
    """Absolute path of a folder with a package that was handed in."""

    options: tuple[tuple[str, Any], ...] = ()
    """Options of the strategy, in the order of the file."""

    group: str | None = None
    """Group of entrants that this one belongs to, if any."""


@dataclass(frozen=True, slots=True)
class LeaderboardConfig:
    """What the leaderboard shows."""

    columns: tuple[str, ...] | None = None
    """Names of its columns, left to right; None for those the format suggests."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentConfig:
    """A whole tournament, as its organiser asked for it."""

    name: str
    """Title of the tournament."""

    seed: int | None
    """Randomness key; None if the run is to draw a secret one."""

    game: GameConfig
    """Which rules are played."""

    bankroll: int
    """Starting chips of every entrant; 0 in a game without chips."""

    minimum: int
    """Least wager, in chips; 0 in a game without chips."""

    maximum: int | None
    """Greatest wager, in chips; None for no limit."""

    format: FormatConfig
    """Who meets whom, and how often."""

    floor: FloorConfig
    """How many tables there are and how long things take at them."""

    entrants: tuple[EntrantConfig, ...]
    """Who competes; at least one."""

    leaderboard: LeaderboardConfig
    """What the leaderboard shows."""

    text: str
    """The YAML this was read from, to be kept with the run."""

    source: str
    """Name of the file this was read from, as the user gave it."""
