"""A tournament's configuration, and the catalog of names that it may use: frozen values.

Defines the settings, their types and their defaults. `tournament` and `entrants` read them.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, TypeAlias

from annotated_types import Ge, Gt, Le
from pydantic import AfterValidator, ConfigDict, Field
from pydantic.fields import FieldInfo

from tourney.config.settings import Moment, Name
from tourney.errors import TourneyError

MOST_SECONDS = 1_000_000

MOST_CHIPS = 1_000_000_000
MOST_TABLES = 100_000
LEAST_MIB, MOST_MIB = 256, 1_000_000
"""Limits of memory; with less, Python itself might not start."""

Chips: TypeAlias = Annotated[int, Field(ge=1, le=MOST_CHIPS)]
Minutes: TypeAlias = Annotated[float, Field(ge=0, le=MOST_SECONDS)]
Count: TypeAlias = Annotated[int, Field(ge=1, le=MOST_TABLES)]


# Durations, constant or random

Seconds: TypeAlias = Annotated[float, Ge(0), Le(MOST_SECONDS)]
Mean: TypeAlias = Annotated[float, Gt(0), Le(MOST_SECONDS)]


def _written(**example: Any) -> ConfigDict:
    """Reject other keys, and show an example in messages."""
    return ConfigDict(extra="forbid", json_schema_extra={"examples": [example]})


def _rising(bounds: tuple[float, ...]) -> tuple[float, ...]:
    rising = sorted(bounds)
    if rising[0] == rising[-1]:
        raise ValueError(f"write a constant time as {rising[0]:g}")
    if list(bounds) != rising:
        words = ", ".join(f"{each:g}" for each in rising)
        raise ValueError(f"write [{words}], in rising order")
    return bounds


def _such_as(*example: int) -> FieldInfo:
    info: FieldInfo = Field(json_schema_extra={"examples": [list(example)]})
    return info


@dataclass(frozen=True, slots=True)
class Exponential:
    """Mostly short and sometimes long, with this mean."""

    __pydantic_config__: ClassVar[ConfigDict] = _written(exponential=40)

    exponential: Mean


@dataclass(frozen=True, slots=True)
class Normal:
    """Around this mean, with this standard deviation; 0 instead of a negative time."""

    __pydantic_config__: ClassVar[ConfigDict] = _written(normal=40, deviation=10)

    normal: Mean
    deviation: Mean


@dataclass(frozen=True, slots=True)
class Lognormal:
    """Never negative and with a long tail, with this mean and this standard deviation."""

    __pydantic_config__: ClassVar[ConfigDict] = _written(lognormal=40, deviation=10)

    lognormal: Mean
    deviation: Mean


@dataclass(frozen=True, slots=True)
class Uniform:
    """Any time between two bounds, all equally likely."""

    __pydantic_config__: ClassVar[ConfigDict] = _written(uniform=[30, 50])

    uniform: Annotated[tuple[Seconds, Seconds], _such_as(30, 50), AfterValidator(_rising)]


@dataclass(frozen=True, slots=True)
class Triangular:
    """Between two bounds; times near the middle one are likelier."""

    __pydantic_config__: ClassVar[ConfigDict] = _written(triangular=[30, 40, 60])

    triangular: Annotated[
        tuple[Seconds, Seconds, Seconds], _such_as(30, 40, 60), AfterValidator(_rising)
    ]


Drawn: TypeAlias = Exponential | Normal | Lognormal | Uniform | Triangular
Duration: TypeAlias = Seconds | Drawn


# A tournament


def _time_of_day(text: str) -> str:
    """Reject a day or an hour that does not exist."""
    try:
        datetime.fromisoformat(text)
    except ValueError as error:
        raise ValueError(f"this day or hour does not exist ({error})") from None

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
    """The rules of the game."""

    preset: str
    """Name of the preset."""

    overrides: tuple[tuple[str, Any], ...]
    """Changed settings, in the order of the file."""

    rules: Any
    """The preset with the changes."""


@dataclass(frozen=True, slots=True)
class FormatConfig:
    """The format: the pairings and their number."""

    kind: str
    """Name of the format."""

    options: Any
    """The format with its options, an instance of the class the catalog names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StageConfig:
    """One of several formats that are played in order."""

    name: str
    """Name on the board."""

    format: FormatConfig
    """Its format."""

    top: int | None = None
    """Number of entrants that advance from the previous stage, best first; None for no such rule.
    """

    per_table: int | None = None
    """Number of entrants that advance from each table of the previous stage, best first."""

    wildcards: int = 0
    """Number of further entrants that advance, by bankroll."""

    carries: bool = False
    """Keep bankrolls from the previous stage."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FloorConfig:
    """The tables, and how long things take."""

    tables: Count = 10
    """Tables on the floor."""

    dealers: Count | None = None
    """Dealers at work; without a number, one for each table."""

    round_seconds: Duration = 40.0
    """Seconds that a round takes however few seats are taken."""

    seat_seconds: Duration = 8.0
    """Seconds that each taken seat adds to a round."""

    card_seconds: Duration = 0.0
    """Seconds that each card adds: more decisions deal more cards."""

    decision_seconds: Duration = 0.0
    """Seconds that each decision (a wager or a move) adds. In blackjack their number is estimated
    from
    rounds and cards.
    """

    shuffle_seconds: Duration = 90.0
    """Seconds that a shuffle takes."""

    setup_seconds: Duration = 120.0
    """Seconds to set up a table for a new block."""

    seat_change_seconds: Duration = 0.0
    """Extra seconds of a block at a table where an entrant was not seated in the wave before."""

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
    """The limits of a sandboxed competitor, by its own clock, for each batch of its tables."""

    cpu_us_per_decision: Annotated[float, Field(gt=0, le=MOST_SECONDS)] = 100.0
    """Microseconds of computing for a decision, on average over all of a batch."""

    loading_seconds: Annotated[float, Field(gt=0, le=MOST_SECONDS)] = 3.0
    """Seconds of computing to read its file and to make its players."""

    base_seconds: Annotated[float, Field(gt=0, le=MOST_SECONDS)] = 1.0
    """Seconds of CPU time in addition to those for decisions."""

    memory_mib: Annotated[int, Field(ge=LEAST_MIB, le=MOST_MIB)] = 512
    """Mebibytes of memory, Python's own included."""

    max_sleep_seconds: Annotated[float, Field(gt=0, le=MOST_SECONDS)] = 4.0
    """Seconds that it may sleep in a batch; waiting for a processor does not count."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyConfig:
    """An entrant's preferences where the format offers a choice."""

    late: Annotated[int, Field(ge=0, le=MOST_TABLES)] = 0
    """Levels to wait before it sits down."""

    rebuys: Annotated[int, Field(ge=0, le=MOST_TABLES)] = 0
    """Number of times it buys chips again after it lost all."""

    addon: bool = False
    """Buy the add-on where one is offered."""

    reentries: Annotated[int, Field(ge=0, le=MOST_TABLES)] | None = None
    """Number of times it enters again after it lost its first heat; by default as often as allowed.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class EntrantConfig:
    """A competitor: a strategy by name, or a file or folder in a language of competitors."""

    name: str
    """Unique name on the leaderboard."""

    strategy: str | None = None
    """Name of the strategy; None if it comes from a file."""

    kind: str = "strategy"
    """Name of its language."""

    source: Path | None = None
    """Absolute path of its file or submitted folder; None for a strategy."""

    options: tuple[tuple[str, Any], ...] = ()
    """Options of the strategy, in the order of the file."""

    group: str | None = None
    """Its group, if any."""

    author: str | None = None
    """Its author, if known."""

    pseudonym: str | None = None
    """Its public name where real names are hidden; None if it has no handle."""

    policy: PolicyConfig = PolicyConfig()
    """Its preferences where the format offers a choice."""


@dataclass(frozen=True, slots=True)
class PublicValueConfig:
    """An outside value that is published after the commitment and before play."""

    source: Name
    """The source of the value and the value's identity, in words."""

    after: Moment
    """The value is unknown before this time; in UTC, if it has no time zone."""


@dataclass(frozen=True, slots=True)
class LeaderboardConfig:
    """The columns of the leaderboard and the visibility of the run."""

    columns: tuple[str, ...] | None = None
    """Names of its columns, left to right; None for those of the format."""

    names: Literal["names", "handles"] = "names"
    """Show entrants by name, or by handle (by row, if they have no handle)."""

    top: int | None = None
    """Number of rows shown, best first; None for all."""

    freeze: datetime | None = None
    """All results are hidden if the last one came in after this time."""

    reveal: datetime | None = None
    """Hidden results are shown from this time on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentConfig:
    """A whole tournament."""

    name: str
    """Title of the tournament."""

    seed: int | None
    """Randomness key; None to draw a secret one."""

    game: GameConfig
    """The rules of the game."""

    bankroll: int
    """Starting chips of every entrant; 0 in a game without chips."""

    minimum: int
    """Least wager, in chips; 0 in a game without chips."""

    maximum: int | None
    """Greatest wager, in chips; None for no limit."""

    format: FormatConfig
    """The format."""

    floor: FloorConfig
    """The tables, and how long things take."""

    limits: LimitsConfig = LimitsConfig()
    """The limits of a sandboxed competitor."""

    entrants: tuple[EntrantConfig, ...]
    """The entrants; at least one."""

    public_value: PublicValueConfig | None = None
    """A public value that is mixed into the shoes with the secret; None for no such value."""

    luck_adjustment: bool | None = None
    """Take the luck of the cards out of results; None to decide by the game."""

    leaderboard: LeaderboardConfig
    """The columns and the visibility."""

    home: str | None = None
    """Page to which published pages link back; None for no page."""

    text: str
    """The YAML text, stored with the run."""

    source: str
    """Name of its file, as the user gave it."""


# Names to choose from


@dataclass(frozen=True, slots=True)
class Submitted:
    """A submission that plays, and the place of its source."""

    name: str
    kind: str  # the name of its language
    path: Path  # of its file or folder
    author: str | None = None  # name of the student
    group: str | None = None  # of the student; None for the entry's group
    pseudonym: str | None = None  # public name where real names are hidden


@dataclass(frozen=True, slots=True)
class FileEntry:
    """The meaning of a path that an entrant gives under the name of a language."""

    meaning: str
    takes_options: bool = True
    takes_patterns: bool = False  # each matching file enters
    takes_folders: bool = False  # as well as files


def _no_submissions(folder: Path, rule: str | None) -> Sequence[Submitted]:
    """Reject any folder of submissions."""
    del rule
    raise TourneyError(f"{folder.name!r}: folders of submissions are not supported here")


def _no_stages(stages: Sequence[Any]) -> Any:
    """Reject any stages."""
    raise TourneyError(f"stages are not supported here; write one format, not {len(stages)} stages")


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalog:
    """The names that a configuration may use, as its caller knows them."""

    presets: Mapping[str, Any]
    """Rules by the name of their preset; each a frozen dataclass instance."""

    formats: Mapping[str, type[Any]]
    """Formats by kind; each a frozen dataclass whose fields are its options."""

    strategies: Mapping[str, Callable[..., Any]]
    """Constructors of players by name; their parameters are the options."""

    why_refused: Callable[[Callable[..., Any], Mapping[str, Any]], str] = (
        lambda _strategy, _options: ""
    )
    """Explains why a strategy's constructor rejects options; empty if it accepts them, or may not
    run.
    """

    staged: Callable[[Sequence[Any]], Any] = _no_stages
    """Makes one format of the stages of a configuration, as `StageConfig`."""

    columns: Collection[str]
    """Names of leaderboard columns."""

    files: Mapping[str, FileEntry] = field(default_factory=dict)
    """Languages of competitors by name; an entrant gives a path under that name."""

    games: Mapping[str, str] = field(default_factory=dict)
    """Games of strategies by name; a strategy that is not in it plays any game."""

    misfits: Callable[[str, Any, Any], str] = lambda _column, _rules, _options: ""
    """Explains why a column does not fit these rules and this format; empty if it fits."""

    why_luck_stays: Callable[[Any, FormatConfig], str] = lambda _rules, _chosen: ""
    """Explains why luck adjustment is impossible with these rules and this format; empty if
    possible.
    """

    resting: Mapping[str, str] = field(default_factory=dict)
    """Reasons of strategies in quarantine, by name."""

    submitted: Callable[[Path, str | None], Sequence[Submitted]] = _no_submissions
    """Lists the submissions of a folder that play by a rule; raises TourneyError, if it cannot."""

    rules: Sequence[str] = ()
    """Names of the rules that choose a version of a submission."""

    @property
    def sources(self) -> tuple[str, ...]:
        """Return the keys of an entrant's source; an entrant has one of them."""
        return ("strategy", *self.files, "submissions")

    def playing(self, game: str) -> "Catalog":
        """Return a catalog with the strategies of only one game."""
        fitting = {
            name: strategy
            for name, strategy in self.strategies.items()
            if self.games.get(name, game) == game
        }
        return replace(self, strategies=fitting)
