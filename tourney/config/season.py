"""A season: several runs whose places are worth points, as its organiser asked for it.

Leaves out what the runs came to, and what may be told of it.
"""

from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from tourney.config.board import read_policy
from tourney.config.entrants import NAME
from tourney.config.located import Entries, Faults, Items, Leaf, Refused, Tree
from tourney.config.model import MOST_TABLES, LeaderboardConfig
from tourney.config.parsing import parse
from tourney.config.reading import file_text
from tourney.config.settings import Setting, read_mapping, read_settings, setting
from tourney.config.typed import INVALID, text_of, typed_from
from tourney.config.words import quoted, said, value_words

NEW = "write one with a 'name' and the 'runs' that count"
MOST_POINTS = 1_000_000
LONGEST_PATH = 4_000

POINTS = "points of the first, the second and so on; without it one for everybody beaten"
BY = "place, or ranks: whom a run does not tell apart share the points of their ranks"
BEST = "so many of the best results of everybody count; without it all do"
STORE = "file that keeps the runs, beside this one; without it --store says"
RUN = "the number or the name of a run, or a mapping with more"
SEVERAL = Annotated[int, Field(ge=1, le=MOST_TABLES)]


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


def load_season(path: Path) -> SeasonConfig:
    """Read the season in a file.

    Args:
        path: The file; paths in it begin from its folder.
    Raises: ConfigError with every fault, or with the one reason why it cannot be read.
    """
    faults = Faults(str(path))
    tree = parse(file_text(path, remedy=NEW), faults)
    if not isinstance(tree, Entries):
        faults.raise_any()
        faults.stop(tree.place, said("settings such as 'name: Spring'", value_words(tree)))
    values = read_settings(tree, season_settings(path.parent), faults)
    faults.raise_any()
    return SeasonConfig(**values)


def season_settings(folder: Path) -> tuple[Setting, ...]:
    """Return the settings of a season, in the order of the documents.

    Args:
        folder: What relative paths begin from.
    """
    points = typed_from(
        Annotated[tuple[Annotated[float, Field(ge=0, le=MOST_POINTS)], ...], Field(min_length=1)]
    )
    return (
        setting("name", "title of the season", NAME, required=True),
        Setting("runs", "list of its runs", partial(_read_runs, folder), required=True),
        setting("points", POINTS, points),
        setting("by", BY, typed_from(Literal["place", "ranks"]), default="place"),
        setting("best", BEST, typed_from(SEVERAL)),
        Setting("store", STORE, partial(_read_path, folder)),
        Setting("entrants", "who plays under several names", _read_aliases),
        Setting("leaderboard", "what may be told of it", read_policy),
    )


def run_settings(folder: Path) -> tuple[Setting, ...]:
    """Return the settings of a run in a season."""
    return (
        Setting("run", "its number or its name", _read_reference, required=True),
        setting("as", "what the season calls it, if not by its name", NAME),
        Setting(
            "store", "file that keeps it, if not that of the season", partial(_read_path, folder)
        ),
    )


def alias_settings() -> tuple[Setting, ...]:
    """Return the settings of somebody with several names."""
    return (
        setting("as", "what the season calls it", NAME, required=True),
        Setting("names", "its names on the boards", _read_names, required=True),
    )


def _read_runs(folder: Path, tree: Tree, faults: Faults) -> Any:
    items = _items(tree, "a list of runs", faults)
    if items is INVALID:
        return INVALID
    before = faults.count
    runs = [_read_run(folder, item, faults) for item in items]
    return tuple(runs) if faults.count == before else INVALID


def _read_run(folder: Path, tree: Tree, faults: Faults) -> Any:
    where = f"{faults.source}:{tree.place.line}:{tree.place.column}: {tree.path}"
    if not isinstance(tree, Entries):
        run = _read_reference(tree, faults)
        return INVALID if run is INVALID else SeasonRunConfig(run=run, where=where)
    before = faults.count
    values = read_settings(tree, run_settings(folder), faults)
    if faults.count > before:
        return INVALID
    title, store = values.get("as"), values.get("store")
    return SeasonRunConfig(run=values["run"], title=title, store=store, where=where)


def _read_reference(tree: Tree, faults: Faults) -> Any:
    """Read the number or the name of a run."""
    if isinstance(tree, Refused):
        return INVALID
    value = tree.value if isinstance(tree, Leaf) else None
    if isinstance(value, int) and not isinstance(value, bool) and value > 0:
        return str(value)
    if isinstance(value, str) and value.strip():
        return value
    faults.note(tree, said(RUN, value_words(tree)))
    return INVALID


def _read_path(folder: Path, tree: Tree, faults: Faults) -> Any:
    text = text_of("a path", longest=LONGEST_PATH).read(tree, faults)
    return INVALID if text is INVALID else folder / text


def _read_aliases(tree: Tree, faults: Faults) -> Any:
    items = _items(tree, "a list such as [{as: Ada, names: [ada, Ada Q.]}]", faults)
    if items is INVALID:
        return INVALID
    before = faults.count
    known: dict[str, int] = {}  # in which entry each name is
    aliases = []
    for number, item in enumerate(items):
        entries = read_mapping(item, faults)
        if entries is INVALID:
            continue
        values = read_settings(entries, alias_settings(), faults)
        names = (values.get("as", ""), *values.get("names", ()))
        for name in filter(None, names):
            first = known.setdefault(name.casefold(), number)
            if first != number:
                again = f"{quoted(name)} again (first on line {items[first].place.line})"
                faults.note(item, said("names of nobody else", again))
        aliases.append((names[0], names[1:]))
    return tuple(aliases) if faults.count == before else INVALID


def _read_names(tree: Tree, faults: Faults) -> Any:
    items = _items(tree, "a list of names", faults)
    if items is INVALID:
        return INVALID
    names = [NAME.read(item, faults) for item in items]
    return INVALID if INVALID in names else tuple(names)


def _items(tree: Tree, expected: str, faults: Faults) -> Any:
    """Return the parts of a list that is not empty."""
    if isinstance(tree, Refused):
        return INVALID
    if not isinstance(tree, Items) or not tree.items:
        faults.note(tree, said(expected, value_words(tree)))
        return INVALID
    return tree.items
