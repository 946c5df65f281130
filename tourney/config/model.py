"""A tournament as its organiser asked for it, and the catalog of names it may use: frozen values.

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
"""Below, Python itself might not start."""

Chips: TypeAlias = Annotated[int, Field(ge=1, le=MOST_CHIPS)]
Minutes: TypeAlias = Annotated[float, Field(ge=0, le=MOST_SECONDS)]
Count: TypeAlias = Annotated[int, Field(ge=1, le=MOST_TABLES)]


# How long something takes: always as long, or drawn anew each time

Seconds: TypeAlias = Annotated[float, Ge(0), Le(MOST_SECONDS)]
Mean: TypeAlias = Annotated[float, Gt(0), Le(MOST_SECONDS)]


def _written(**example: Any) -> ConfigDict:
    """Refuse other keys, and show an example to whoever gets it wrong."""
    return ConfigDict(extra="forbid", json_schema_extra={"examples": [example]})


def _rising(bounds: tuple[float, ...]) -> tuple[float, ...]:
    rising = sorted(bounds)
    if rising[0] == rising[-1]:
        raise ValueError(f"what always takes as long is written as {rising[0]:g}")
    if list(bounds) != rising:
        words = ", ".join(f"{each:g}" for each in rising)
        raise ValueError(f"write [{words}], as they have to rise")
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
    """About this mean, with this standard deviation; what would be negative is 0."""

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
    """Any time between two, all equally likely."""

    __pydantic_config__: ClassVar[ConfigDict] = _written(uniform=[30, 50])

    uniform: Annotated[tuple[Seconds, Seconds], _such_as(30, 50), AfterValidator(_rising)]


@dataclass(frozen=True, slots=True)
class Triangular:
    """Between two times, and the nearer to the one in the middle the likelier."""

    __pydantic_config__: ClassVar[ConfigDict] = _written(triangular=[30, 40, 60])

    triangular: Annotated[
        tuple[Seconds, Seconds, Seconds], _such_as(30, 40, 60), AfterValidator(_rising)
    ]


Drawn: TypeAlias = Exponential | Normal | Lognormal | Uniform | Triangular
Duration: TypeAlias = Seconds | Drawn


# A tournament


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
    """This many of the best of the stage before take part."""

    per_table: int | None = None
    """This many of the best of each of its tables take part."""

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
    """The limits of a sandboxed competitor, by its own clock, for each batch of its tables."""

    cpu_us_per_decision: Annotated[float, Field(gt=0, le=MOST_SECONDS)] = 100.0
    """Microseconds of computing for a decision, on average over all of a batch."""

    loading_seconds: Annotated[float, Field(gt=0, le=MOST_SECONDS)] = 3.0
    """Seconds of computing to read its file and to make its players."""

    base_seconds: Annotated[float, Field(gt=0, le=MOST_SECONDS)] = 1.0
    """Seconds of CPU time in addition to those for decisions."""

    memory_mib: Annotated[int, Field(ge=LEAST_MIB, le=MOST_MIB)] = 512
    """Mebibytes of memory, Python's own included."""

    max_sleep_seconds: Annotated[float, Field(gt=0, le=MOST_SECONDS)] = 10.0
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
    """A value from outside that is published after the commitment and before play."""

    source: Name
    """The source of the value and which value it is, in words."""

    after: Moment
    """Before this time nobody can know it; in UTC, if it says no zone."""


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
    """The limits of a sandboxed competitor."""

    entrants: tuple[EntrantConfig, ...]
    """Who competes; at least one."""

    public_value: PublicValueConfig | None = None
    """What is mixed into the shoes besides the secret, if anything."""

    luck_adjustment: bool | None = None
    """Whether the luck of the cards is taken out of results; None for what suits the game."""

    leaderboard: LeaderboardConfig
    """What the leaderboard shows."""

    text: str
    """The YAML this was read from, to be kept with the run."""

    source: str
    """Name of the file this was read from, as the user gave it."""


# Names to choose from


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


def _no_stages(stages: Sequence[Any]) -> Any:
    """Know no way to put formats together."""
    raise TourneyError(f"expected one format, got {len(stages)} stages")


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalog:
    """The names that a configuration may use; its caller knows what they are."""

    presets: Mapping[str, Any]
    """Rules by the name of their preset; each a frozen dataclass instance."""

    formats: Mapping[str, type[Any]]
    """Formats by kind; each a frozen dataclass whose fields are its options."""

    strategies: Mapping[str, Callable[..., Any]]
    """What makes a player, by name; the parameters of its constructor are its options."""

    why_refused: Callable[[Callable[..., Any], Mapping[str, Any]], str] = (
        lambda _strategy, _options: ""
    )
    """Why the constructor of a strategy refuses options; empty if it takes them, or may not run."""

    staged: Callable[[Sequence[Any]], Any] = _no_stages
    """Makes one format of the stages that a configuration lists, as `StageConfig`."""

    columns: Collection[str]
    """Names of leaderboard columns."""

    files: Mapping[str, FileEntry] = field(default_factory=dict)
    """What else an entrant may be than a strategy: a path, by the name of its language."""

    games: Mapping[str, str] = field(default_factory=dict)
    """Which game a strategy plays, by the name of the strategy; any, if it is not here."""

    misfits: Callable[[str, Any, Any], str] = lambda _column, _rules, _options: ""
    """Why a column makes no sense under these rules and in this format; empty if it does."""

    why_luck_stays: Callable[[Any, FormatConfig], str] = lambda _rules, _chosen: ""
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
