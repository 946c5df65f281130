"""A season: several runs whose places are worth points, as its organiser asked for it.

Leaves out what the runs came to, and what may be told of it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

from pydantic import AfterValidator, Field

from tourney.config.documents import Faults, KeyPath, file_text, parse_settings, path_text
from tourney.config.model import Count, LeaderboardConfig
from tourney.config.settings import Name, Part, PathText, Settings, expecting, left_out
from tourney.config.tournament import DisclosureFile, read_disclosure
from tourney.config.validation import read_settings
from tourney.config.words import quoted, said

NEW = "write one with a 'name' and the 'runs' that count"
MOST_POINTS = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonRunConfig:
    """One run of a season."""

    run: str
    """Its number or its name."""

    title: str | None = None
    """What the season calls it; None for its name."""

    store: Path | None = None
    """File that keeps it; None for that of the season."""

    where: str = field(default="", compare=False)
    """File, line, column and path of it, for messages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonConfig:
    """A whole season."""

    name: str
    """Title of the season."""

    runs: tuple[SeasonRunConfig, ...]
    """Its runs, in order; at least one."""

    points: tuple[float, ...] | None = None
    """What places are worth, from the first; None for a point for everybody beaten."""

    by: Literal["place", "ranks"] = "place"
    """Whether places count, or the ranks that luck leaves open."""

    best: int | None = None
    """So many results of everybody count; None for all."""

    store: Path | None = None
    """File that keeps the runs."""

    entrants: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Who plays under several names: the season's name, and those on boards."""

    leaderboard: LeaderboardConfig = field(default_factory=LeaderboardConfig)
    """What may be told of it."""


# The settings

A_RUN = "the number or the name of a run, or a mapping with more"
RunReference: TypeAlias = Annotated[
    Annotated[int, Field(ge=1)] | Annotated[str, Field(pattern=r"\S")],
    AfterValidator(str),
    expecting(A_RUN),
]
Points: TypeAlias = Annotated[float, Field(ge=0, le=MOST_POINTS)]


class SeasonRunFile(Settings):
    """A run of a season."""

    run: RunReference
    """its number or its name"""

    as_: Name = left_out("as")
    """what the season calls it, if not by its name"""

    store: PathText = left_out()
    """file that keeps it, if not that of the season"""


class AliasFile(Settings):
    """Somebody with several names."""

    as_: Name = Field(alias="as")
    """what the season calls it"""

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
    """points of the first, the second and so on; without it one for everybody beaten"""

    by: Literal["place", "ranks"] = "place"
    """place, or ranks: whom a run does not tell apart share the points of their ranks"""

    best: Count = left_out()
    """so many of the best results of everybody count; without it all do"""

    store: PathText = left_out()
    """file that keeps the runs, beside this one; without it --store says"""

    entrants: Annotated[
        tuple[AliasFile, ...],
        Field(min_length=1),
        expecting("a list such as [{as: Ada, names: [ada, Ada Q.]}]"),
    ] = left_out()
    """who plays under several names"""

    leaderboard: Part = left_out()
    """what may be told of it"""


def load_season(path: Path) -> SeasonConfig:
    """Read the season in a file.

    Args:
        path: The file; paths in it begin from its folder.
    Raises: ConfigError with every fault, or with the one reason why it cannot be read.
    """
    faults = Faults(str(path))
    data = parse_settings(file_text(path, remedy=NEW), faults, "name: Spring")
    values = read_settings(SeasonFile, data, (), faults)
    if "leaderboard" in data:
        at = ("leaderboard",)
        values["leaderboard"] = read_disclosure(DisclosureFile, data["leaderboard"], at, faults)
    aliases = values.get("entrants", ())
    _note_shared_names(aliases, faults)
    faults.raise_any()
    values["entrants"] = tuple((each.as_, each.names) for each in aliases)
    runs = enumerate(values["runs"])
    values["runs"] = tuple(_run(run, ("runs", at), path.parent, faults) for at, run in runs)
    if "store" in values:
        values["store"] = path.parent / values["store"]
    return SeasonConfig(**values)


def _run(
    found: SeasonRunFile | str, path: KeyPath, folder: Path, faults: Faults
) -> SeasonRunConfig:
    line, column = faults.spots[path].place
    where = f"{faults.source}:{line}:{column}: {path_text(path)}"
    if isinstance(found, str):
        return SeasonRunConfig(run=found, where=where)
    store = folder / found.store if found.store else None
    return SeasonRunConfig(run=str(found.run), title=found.as_, store=store, where=where)


def _note_shared_names(aliases: Sequence[AliasFile], faults: Faults) -> None:
    """Note a name of somebody that is somebody else's already."""
    known: dict[str, int] = {}  # in which entry each name is
    for number, alias in enumerate(aliases):
        for name in (alias.as_, *alias.names):
            first = known.setdefault(name.casefold(), number)
            if first != number:
                line = faults.line(("entrants", first))
                again = f"{quoted(name)} again (first on line {line})"
                faults.note(("entrants", number), said("names of nobody else", again))
