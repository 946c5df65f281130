"""What the organiser asked for, as frozen values that every layer may read.

Says what the settings are and what they default to. Leaves out how they are read
from YAML (`reading`) and what they make happen.
"""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import AfterValidator, Field

from tourney.config.durations import MOST_SECONDS, Duration

MOST_CHIPS = 1_000_000_000
MOST_TABLES = 100_000
LEAST_MIB, MOST_MIB = 256, 1_000_000
"""Below, Python itself might not start."""

Chips: TypeAlias = Annotated[int, Field(ge=1, le=MOST_CHIPS)]
Minutes: TypeAlias = Annotated[float, Field(ge=0, le=MOST_SECONDS)]
Count: TypeAlias = Annotated[int, Field(ge=1, le=MOST_TABLES)]


def _time_of_day(text: str) -> str:
    """Refuse a day or an hour that no calendar has."""
    try:
        datetime.fromisoformat(text)
    except ValueError as error:
        raise ValueError(f"there is no such day or hour ({error})") from None
    return text


StartTime: TypeAlias = Annotated[
    str,
    Field(
        pattern=r"^\d{4}-\d\d-\d\d \d\d:\d\d$", json_schema_extra={"examples": ["2026-12-01 18:00"]}
    ),
    AfterValidator(_time_of_day),
]


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
class StageConfig:
    """One of several formats that are played one after the other."""

    name: str
    """What the board calls it."""

    format: FormatConfig
    """Who meets whom, and how often."""

    top: int | None = None
    """So many of the best of the stage before take part."""

    per_table: int | None = None
    """So many of the best of each of its tables take part."""

    wildcards: int = 0
    """So many more take part, by bankroll."""

    carries: bool = False
    """Whether bankrolls go on as they were."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FloorConfig:
    """How many tables there are and how long things take at them."""

    tables: Count = 10
    """Tables on the floor."""

    dealers: Count | None = None
    """Dealers at work; without a number, one for each table."""

    round_seconds: Duration = 40.0
    """Seconds that a round takes however few seats are taken."""

    seat_seconds: Duration = 8.0
    """Seconds that each taken seat adds to a round."""

    card_seconds: Duration = 0.0
    """Seconds that each card adds: where more is decided, more cards are dealt."""

    decision_seconds: Duration = 0.0
    """Seconds that each decision adds, which is a wager or a move. In blackjack how many there were
    is estimated from rounds and cards."""

    shuffle_seconds: Duration = 90.0
    """Seconds that a shuffle takes."""

    setup_seconds: Duration = 120.0
    """Seconds to set up a table for a new block."""

    seat_change_seconds: Duration = 0.0
    """Seconds more for a block at which somebody sits who did not sit there in the wave before."""

    level_minutes: Annotated[float, Field(gt=0, le=MOST_SECONDS)] = 30.0
    """Minutes that a level lasts."""

    break_every_levels: Annotated[int, Field(ge=0, le=MOST_TABLES)] = 0
    """Levels between two breaks; 0 for no breaks."""

    break_minutes: Minutes = 10.0
    """Minutes that a break lasts."""

    start_time: StartTime | None = None
    """When the clock starts, such as "2026-12-01 18:00"; without it, times count from 0."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitsConfig:
    """What a confined competitor may take, by its own clock, for each batch of its tables."""

    decision_us: Annotated[float, Field(gt=0, le=MOST_SECONDS)] = 100.0
    """Microseconds of computing for a decision, on average over all of a batch."""

    loading_seconds: Annotated[float, Field(gt=0, le=MOST_SECONDS)] = 3.0
    """Seconds of computing to read its file and to make its players."""

    base_seconds: Annotated[float, Field(gt=0, le=MOST_SECONDS)] = 1.0
    """Seconds of computing besides those for decisions."""

    memory_mib: Annotated[int, Field(ge=LEAST_MIB, le=MOST_MIB)] = 512
    """Mebibytes of memory, Python's own included."""

    stall_seconds: Annotated[float, Field(gt=0, le=MOST_SECONDS)] = 10.0
    """Seconds that it may sleep in a batch; to wait for a processor is no sleep."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyConfig:
    """What an entrant wants wherever the format lets it choose."""

    late: Annotated[int, Field(ge=0, le=MOST_TABLES)] = 0
    """Levels that pass before it sits down."""

    rebuys: Annotated[int, Field(ge=0, le=MOST_TABLES)] = 0
    """Times it buys chips again when it is out of them."""

    addon: bool = False
    """Whether it buys chips on top when that is offered."""

    reentries: Annotated[int, Field(ge=0, le=MOST_TABLES)] | None = None
    """Times it tries again when it has lost its first heat; as often as it may by default."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EntrantConfig:
    """One competitor: a strategy by name, or what is written in a language of competitors."""

    name: str
    """What the leaderboard shows; no other entrant has it."""

    strategy: str | None = None
    """Name of the strategy; None if it comes from a file."""

    kind: str = "strategy"
    """Name of its language."""

    source: Path | None = None
    """Absolute path of its file, or of the folder it was handed in as; None for a strategy."""

    options: tuple[tuple[str, Any], ...] = ()
    """Options of the strategy, in the order of the file."""

    group: str | None = None
    """Group of entrants that this one belongs to, if any."""

    author: str | None = None
    """Who wrote it, if that is known."""

    pseudonym: str | None = None
    """What it is called where names are withheld, if it has a handle."""

    policy: PolicyConfig = PolicyConfig()
    """What it wants wherever the format lets it choose."""


@dataclass(frozen=True, slots=True)
class PublicValueConfig:
    """A value that somebody else tells, after the commitment and before play."""

    source: str
    """Who tells it, and which: such as "drand, round 4242424"."""

    after: datetime
    """Before this time nobody can know it."""


@dataclass(frozen=True, slots=True)
class LeaderboardConfig:
    """What the leaderboard shows, and what may be told of the run."""

    columns: tuple[str, ...] | None = None
    """Names of its columns, left to right; None for those the format suggests."""

    names: Literal["names", "handles"] = "names"
    """Whether everybody is called by name, or by a handle, else the row on the board."""

    top: int | None = None
    """So many are shown, best first; None for all."""

    freeze: datetime | None = None
    """Results that come in after this time are withheld."""

    reveal: datetime | None = None
    """From when they are told after all."""


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

    limits: LimitsConfig = LimitsConfig()
    """What a confined competitor may take."""

    entrants: tuple[EntrantConfig, ...]
    """Who competes; at least one."""

    public_value: PublicValueConfig | None = None
    """What is mixed into the shoes besides the secret, if anything."""

    luck: Literal["adjust", "ignore"] | None = None
    """Whether the luck of the cards is taken out of results; None for what suits the game."""

    leaderboard: LeaderboardConfig
    """What the leaderboard shows."""

    text: str
    """The YAML this was read from, to be kept with the run."""

    source: str
    """Name of the file this was read from, as the user gave it."""
