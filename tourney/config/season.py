"""A season: the configuration of several runs whose places are worth points."""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import AfterValidator, Field

from tourney.config.documents import Faults, KeyPath, file_text, parse_settings, path_text
from tourney.config.model import Catalog, Chips, Count, LeaderboardConfig, TournamentConfig
from tourney.config.settings import Name, Part, PathText, Settings, expecting, left_out
from tourney.config.tournament import DisclosureFile, Seed, load, read_disclosure
from tourney.config.validation import read_settings
from tourney.config.words import quoted
from tourney.errors import ConfigError

NEW = "write one with a 'name' and the 'runs' that count"
MOST_POINTS = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonRunConfig:
    """One run of a season."""

    run: str
    """Number or name of the run."""

    title: str | None = None
    """Title in the season; None for the run's name."""

    store: Path | None = None
    """Store of the run; None for the season's store."""

    tournament: Path | None = None
    """Configuration from which `season --play` plays the run; None if it is played elsewhere."""

    changes: Mapping[str, Any] = field(default_factory=dict)
    """Settings that replace those of the configuration."""

    where: str = field(default="", compare=False)
    """File, line, column and path, for messages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonConfig:
    """A whole season."""

    name: str
    """Title of the season."""

    runs: tuple[SeasonRunConfig, ...]
    """Its runs, in order; at least one."""

    points: tuple[float, ...] | None = None
    """Points of the places, from the first; None for one point for each beaten entrant."""

    by: Literal["place", "ranks"] = "place"
    """Rank by place, or by the ranks that luck leaves open."""

    best: int | None = None
    """Number of best results that count for each entrant; None for all."""

    store: Path | None = None
    """File that keeps the runs."""

    entrants: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Entrants with several names: the season's name, and the names on boards."""

    leaderboard: LeaderboardConfig = field(default_factory=LeaderboardConfig)
    """Visibility of the season."""


# The settings

A_RUN = "the number or the name of a run, or a mapping with more"
RunReference: TypeAlias = Annotated[
    Annotated[int, Field(ge=1)] | Annotated[str, Field(pattern=r"\S")],
    AfterValidator(str),
    expecting(A_RUN),
]
NamedSetting: TypeAlias = Annotated[
    str | dict[str, Any], expecting("a name, or a mapping with a name")
]
CHANGES = ("game", "format", "bankroll", "seed")
"""Settings that a run may replace."""
Points: TypeAlias = Annotated[float, Field(ge=0, le=MOST_POINTS)]


class SeasonRunFile(Settings):
    """A run of a season."""

    run: RunReference
    """its number or its name"""

    as_: Name = left_out("as")
    """title in the season; by default the run's name"""

    store: PathText = left_out()
    """store of the run; by default the season's store"""

    tournament: PathText = left_out()
    """configuration of the run; by default the season's `tournament`"""

    game: NamedSetting = left_out()
    """the game, in place of the one in that configuration"""

    format: NamedSetting = left_out()
    """the format, in place of the one in that configuration"""

    bankroll: Chips = left_out()
    """the bankroll, in place of the one in that configuration"""

    seed: Seed = left_out()
    """the seed, in place of the one in that configuration"""


class AliasFile(Settings):
    """An entrant with several names."""

    as_: Name = Field(alias="as")
    """name in the season"""

    names: Annotated[tuple[Name, ...], Field(min_length=1), expecting("a list of names")]
    """its names on the boards"""


class SeasonFile(Settings):
    """A season."""

    name: Name
    """title of the season"""

    runs: Annotated[
        tuple[Annotated[SeasonRunFile | RunReference, expecting(A_RUN)], ...],
        Field(min_length=1),
        expecting("a list of runs"),
    ]
    """list of its runs"""

    points: Annotated[tuple[Points, ...], Field(min_length=1)] = left_out()
    """points of the first, the second and so on; by default one for each beaten entrant"""

    tournament: PathText = left_out()
    """configuration with the settings that its runs share, for --play"""

    by: Literal["place", "ranks"] = "place"
    """place, or ranks: entrants that a run does not separate share the points of their ranks"""

    best: Count = left_out()
    """number of best results that count for each entrant; by default all"""

    store: PathText = left_out()
    """store of the runs, relative to this file; by default the one of --store"""

    entrants: Annotated[
        tuple[AliasFile, ...],
        Field(min_length=1),
        expecting("a list such as [{as: Ada, names: [ada, Ada Q.]}]"),
    ] = left_out()
    """entrants with several names"""

    leaderboard: Part = left_out()
    """visibility of the season"""


def load_season(path: Path) -> SeasonConfig:
    """Read the season in a file.

    Args:
        path: The file; paths in it are relative to its folder.
    Raises: ConfigError with every fault, or with the reason why the file cannot be read.
    """
    faults = Faults(str(path))
    data = parse_settings(file_text(path, remedy=NEW), faults, "name: Spring")
    if "game" in data and "runs" not in data:
        command = f"tourney run {shlex.quote(str(path))}"
        faults.stop(None, f"this is a tournament, not a season; `{command}` plays it")
    values = read_settings(SeasonFile, data, (), faults)
    if "leaderboard" in data:
        at = ("leaderboard",)
        values["leaderboard"] = read_disclosure(DisclosureFile, data["leaderboard"], at, faults)
    aliases = values.get("entrants", ())
    _note_shared_names(aliases, faults)
    faults.raise_any()
    values["entrants"] = tuple((each.as_, each.names) for each in aliases)
    runs, shared = enumerate(values["runs"]), values.pop("tournament", None)
    values["runs"] = tuple(_run(run, ("runs", at), path.parent, shared, faults) for at, run in runs)
    faults.raise_any()
    if "store" in values:
        values["store"] = path.parent / values["store"]
    return SeasonConfig(**values)


def load_event(
    run: SeasonRunConfig, catalog: Catalog, most_entrants: int | None
) -> TournamentConfig:
    """Read the configuration of a run that the season plays, with the run's own settings.

    Args:
        run: A run with a `tournament`.
        catalog: The names that it may use.
        most_entrants: As for `tournament.loads`.
    Raises: ConfigError; faults of the run's own settings name its place in the season.
    """
    assert run.tournament, "only runs with a configuration are read"
    try:
        return load(run.tournament, catalog, most_entrants, {"name": run.run, **run.changes})
    except ConfigError as error:
        faults = [each if each.line else replace(each, source=run.where) for each in error.faults]
        raise type(error)(tuple(faults)) from None


def _run(
    found: SeasonRunFile | str, path: KeyPath, folder: Path, shared: str | None, faults: Faults
) -> SeasonRunConfig:
    line, column = faults.spots[path].place
    where = f"{faults.source}:{line}:{column}: {path_text(path)}"
    if isinstance(found, str):
        found = SeasonRunFile(run=found)
    own = found.tournament or shared
    changes = {name: getattr(found, name) for name in CHANGES if name in found.model_fields_set}
    if changes and not own:
        remedy = "add 'tournament', the file with the other settings"
        faults.note((*path, next(iter(changes))), f"the run has no configuration; {remedy}")
    return SeasonRunConfig(
        run=str(found.run),
        title=found.as_,
        store=folder / found.store if found.store else None,
        # A number means a run that exists.
        tournament=folder / own if own and not str(found.run).isdecimal() else None,
        changes=changes,
        where=where,
    )


def _note_shared_names(aliases: Sequence[AliasFile], faults: Faults) -> None:
    """Note names that belong to two entrants."""
    known: dict[str, int] = {}  # entry of each name
    for number, alias in enumerate(aliases):
        for name in (alias.as_, *alias.names):
            first = known.setdefault(name.casefold(), number)
            if first != number:
                line = faults.line(("entrants", first))
                message = f"{quoted(name)} already belongs to another entrant (line {line})"
                faults.note(("entrants", number), f"{message}; remove it from one of them")
