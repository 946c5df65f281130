"""The file of a tournament: reads all settings, and checks that they fit each other.

Every setting is read before an error is raised, so that all faults are reported together.
`entrants` reads the list of entrants.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field, create_model

from tourney.config.documents import (
    REFUSED,
    Faults,
    KeyPath,
    as_yaml,
    file_text,
    parse_settings,
    plain_data,
)
from tourney.config.entrants import check_counts, check_names, check_policies, read_entrants
from tourney.config.games import read_meant
from tourney.config.model import (
    Catalog,
    Chips,
    Count,
    FloorConfig,
    FormatConfig,
    LeaderboardConfig,
    LimitsConfig,
    PublicValueConfig,
    StageConfig,
    TournamentConfig,
)
from tourney.config.scalars import LARGEST_SEED
from tourney.config.settings import (
    Moment,
    Name,
    PageAddress,
    Part,
    Settings,
    choice_type,
    expecting,
    left_out,
    settings_of,
)
from tourney.config.validation import read_fields, read_named, read_settings
from tourney.config.words import (
    quoted,
    said,
    value_words,
)
from tourney.errors import ConfigError, FormatError

CHIP_SETTINGS = ("bankroll", "minimum", "maximum")
Seed: TypeAlias = Annotated[int, Field(ge=0, le=LARGEST_SEED)]


# The settings


class DisclosureFile(Settings):
    """The visibility of a run."""

    names: Literal["names", "handles"] = "names"
    """real names, or pseudonyms (handles); without one an entrant is named by its row"""

    top: Count = left_out()
    """number of rows shown, best first; by default all"""

    freeze: Moment = left_out()
    """all results are hidden if the last one came in after this time; in UTC if it has no zone"""

    reveal: Moment = left_out()
    """time from which all results are shown"""


class QualifiersFile(Settings):
    """The entrants that advance to a stage."""

    top: Count = left_out()
    """this many of the best"""

    per_table: Count = left_out()
    """this many of the best at every table"""

    wildcards: Count = left_out()
    """this many more, by bankroll"""


class StageFile(Settings):
    """A stage."""

    name: str = left_out()
    """name of the stage on the board"""

    qualifiers: Part = left_out()
    """entrants that advance from the previous stage; by default all"""

    carry_bankrolls: bool = False
    """whether bankrolls continue; otherwise all entrants start with the same one"""

    format: Part
    """the format: which entrants meet, and how often"""


class TournamentFile(Settings):
    """A tournament."""

    name: Name
    """title of the tournament"""

    seed: Seed = left_out()
    """randomness key; without it the run draws a secret one"""

    game: Part
    """a preset, with changed rules if any"""

    bankroll: Chips
    """starting chips of every entrant"""

    minimum: Chips = left_out()
    """least wager in chips; without it the one of the game's rules, if they have one"""

    maximum: Chips = left_out()
    """greatest wager in chips; without it there is no limit"""

    format: Part
    """the format: which entrants meet, and how often"""

    stages: Part = left_out()
    """instead of one format: several, one after the other"""

    luck_adjustment: bool = left_out()
    """take the luck of the cards out of results; by default where that is possible"""

    public_value: Part = left_out()
    """a public value from after the commitment that is mixed into the shoes"""

    floor: Part = left_out()
    """tables, dealers and durations"""

    limits: Part = left_out()
    """limits of a sandboxed competitor"""

    entrants: Part
    """list of the entrants"""

    leaderboard: Part = left_out()
    """columns and visibility of the leaderboard"""

    home: PageAddress = left_out()
    """page to which published pages link back: an address, or a path from the site's folder"""


FIELDS = {"public_value": PublicValueConfig, "floor": FloorConfig, "limits": LimitsConfig}
"""Settings that are dataclasses."""


class ColumnsFile(Settings):
    """The columns of the leaderboard."""

    columns: Any = left_out()
    """its columns, left to right"""


@lru_cache(maxsize=8)
def board_model(columns: tuple[str, ...]) -> type[Settings]:
    """Make the model of `leaderboard`.

    Args:
        columns: Names of the columns to choose from.
    """
    column: Any = choice_type(columns)
    several = Field(min_length=1), expecting("a list of columns", uniqueItems=True)
    listed: Any = Annotated[tuple[column, ...], *several]
    bases = (DisclosureFile, ColumnsFile)
    return create_model("Leaderboard", __base__=bases, columns=(listed, left_out()))


# Reading


def load(
    path: Path,
    catalog: Catalog,
    most_entrants: int | None = None,
    changes: Mapping[str, Any] | None = None,
) -> TournamentConfig:
    """Read the configuration in a file.

    Args:
        path: The file; paths in it are relative to its folder.
        most_entrants: As for `loads`.
        changes: As for `loads`.
    Raises: ConfigError with every fault, or with the reason why the file cannot be read.
    """
    text, source = file_text(path), str(path)
    return loads(text, catalog, source, path.parent, most_entrants=most_entrants, changes=changes)


def loads(
    text: str,
    catalog: Catalog,
    source: str = "<text>",
    folder: Path | None = Path(),
    *,
    most_entrants: int | None = None,
    changes: Mapping[str, Any] | None = None,
) -> TournamentConfig:
    """Read a configuration.

    Args:
        text: YAML.
        source: Its name in messages.
        folder: Base of relative paths; `None` if their files need not exist, as for a run whose
            sources are archived.
        most_entrants: Largest number of entrants that `count` may make; `None` for any number.
        changes: Settings that replace those of the text; their faults have no line.
    Raises: ConfigError with every fault, or with the reason why the text cannot be read.
    """
    faults = Faults(source)
    data = parse_settings(text, faults, "name: Quickstart")
    if changes:
        data |= changes
        faults.forget(changes)
    if most_entrants is not None:
        check_counts(data, faults, most_entrants)
    values, rules = _read_parts(data, catalog, folder, faults)
    values |= read_settings(TournamentFile, _asked(data, rules, faults), (), faults)
    if has_chips(rules):
        _complete_minimum(data, values, faults)
        _compare_chips(values, faults)
    else:
        values |= {"bankroll": 0, "minimum": 0}
    if values["game"] and values["format"]:
        # Without the files, the number of entrants of a pattern or a folder is unknown.
        known = values["entrants"] if folder is not None else None
        _check_fit(data, values, known, catalog, faults)
    faults.raise_any()
    values.pop("stages", None)
    defaults = {"seed": None, "maximum": None, "floor": FloorConfig()}
    text = as_yaml({**plain_data(text), **changes}) if changes else text
    return TournamentConfig(**defaults | values, text=text, source=source)


def load_data(data: Mapping[str, Any], catalog: Catalog) -> TournamentConfig:
    """Read a configuration from a program, as if it were a file in the current folder.

    Args:
        data: The content of a file as plain data.
    Raises: ConfigError with every fault.
    """
    try:
        return loads(as_yaml(data), catalog, "configuration")
    except ConfigError as error:
        raise _without_places(error) from None


OF_A_LINE = re.compile(r" \((?:first on )?line \d+\)")
"""A mention of an earlier line in a message."""


def _without_places(error: ConfigError) -> ConfigError:
    """Remove line numbers from faults of data without a text; the paths name the settings."""
    return ConfigError(
        tuple(
            replace(fault, line=0, column=0, message=OF_A_LINE.sub("", fault.message))
            for fault in error.faults
        )
    )


def _read_parts(
    data: Mapping[str, Any], catalog: Catalog, folder: Path | None, faults: Faults
) -> tuple[dict[str, Any], Any]:
    """Read the settings that have their own models.

    Returns: The values, `None` for a missing or wrong one; and the rules that were probably meant.
    """
    meant = read_meant(catalog, data["game"], ("game",), faults) if "game" in data else None
    game = None if faults.count else meant
    plays = str(meant.rules.game) if meant else None
    values: dict[str, Any] = {"game": game, "format": None, "entrants": None}
    if "stages" in data:
        values["format"] = _read_stages(catalog, data["stages"], faults)
    elif "format" in data:
        values["format"] = _read_format(catalog, data["format"], ("format",), faults)
    if "entrants" in data:
        values["entrants"] = read_entrants(data["entrants"], catalog, folder, faults, plays)
    for key, kind in FIELDS.items():
        if key in data:
            values[key] = read_fields(kind, data[key], (key,), faults)
    board = data.get("leaderboard", {})
    model = board_model(tuple(catalog.columns))
    values["leaderboard"] = read_disclosure(model, board, ("leaderboard",), faults)
    return values, meant.rules if meant else None


def _asked(data: Mapping[str, Any], rules: Any, faults: Faults) -> dict[str, Any]:
    """Remove settings that a game without chips, or several stages, do not use."""
    asked = dict(data)
    if "stages" in data:
        if "format" in data:
            message = "set either a format or stages; write the format into a stage"
            faults.note(("format",), message)
        asked["format"] = REFUSED
    if rules is None and "game" in data:  # the needs of a game with faults are unknown
        asked = {"bankroll": REFUSED, **asked}
    if has_chips(rules):
        return asked
    for name in CHIP_SETTINGS:
        if name in data:
            faults.note((name,), f"{rules.game} is played without chips; remove {quoted(name)}")
    return asked | dict.fromkeys(CHIP_SETTINGS, REFUSED)


def has_chips(rules: Any) -> bool:
    """Check whether a game is played for chips; an unknown game counts as one."""
    return rules is None or rules.most_points is None


def _complete_minimum(data: Mapping[str, Any], values: dict[str, Any], faults: Faults) -> None:
    """Take a missing minimum from the rules, or report that it is missing."""
    if "minimum" not in data and values["game"]:
        from_rules = values["game"].rules.minimum
        if from_rules is None:
            faults.note((), "'minimum' is missing (least wager in chips)")
        else:
            values["minimum"] = from_rules


def _compare_chips(values: Mapping[str, Any], faults: Faults) -> None:
    """Note limits that contradict each other."""
    minimum, bankroll = values.get("minimum"), values.get("bankroll")
    maximum, game = values.get("maximum"), values["game"]
    if minimum is None:
        return
    if bankroll is not None and minimum > bankroll:
        at = ("minimum",) if ("minimum",) in faults.spots else ()
        faults.note(at, said(f"at most the bankroll of {bankroll}", str(minimum)))
    elif bankroll is not None and game:
        rules = game.rules
        if not rules.may_play(bankroll * rules.unit, minimum * rules.unit):
            need = f"a round of {rules.game} at a minimum of {minimum}"
            faults.note(("bankroll",), f"{bankroll} is not enough for {need}")
    if maximum is not None and maximum < minimum:
        faults.note(("maximum",), said(f"at least the minimum of {minimum}", str(maximum)))


# Formats


def _read_format(catalog: Catalog, data: Any, path: KeyPath, faults: Faults) -> FormatConfig | None:
    """Read the format; `None` if it is unknown or wrong."""
    before = faults.count
    kind, rest = read_named("kind", catalog.formats, data, path, faults)
    if kind is None:
        return None
    # The closest name decides how to read the rest, but not which keys are missing.
    is_guessed = kind not in (data.values() if isinstance(data, dict) else [data])
    make = catalog.formats[kind]
    options = read_settings(settings_of(make, is_partial=is_guessed), rest, path, faults)
    if faults.count > before:
        return None
    try:
        return FormatConfig(kind, make(**options))
    except FormatError as error:
        faults.note(path, str(error))
        return None


# Stages


def _read_stages(catalog: Catalog, data: Any, faults: Faults) -> FormatConfig | None:
    """Read stages into a format that plays them in order."""
    path: KeyPath = ("stages",)
    if data is REFUSED:
        return None
    if not isinstance(data, list) or not data:
        faults.note(path, said("a list of stages", value_words(data, faults.raw(path, data))))
        return None
    before = faults.count
    stages = [_read_stage(catalog, item, at, faults) for at, item in enumerate(data)]
    if faults.count > before:
        return None
    try:
        return FormatConfig("stages", catalog.staged(stages))
    except FormatError as error:
        faults.note(path, str(error))
        return None


def _read_stage(catalog: Catalog, data: Any, number: int, faults: Faults) -> Any:
    path: KeyPath = ("stages", number)
    values = read_settings(StageFile, data, path, faults)
    if not isinstance(data, dict):
        return None
    chosen = qualifiers = None
    if "format" in data:
        chosen = _read_format(catalog, data["format"], (*path, "format"), faults)
    if "qualifiers" in data:
        qualifiers = _read_qualifiers(data["qualifiers"], (*path, "qualifiers"), faults)
    for name in ("qualifiers", "carry_bankrolls"):
        if number == 0 and name in data:
            faults.note((*path, name), f"the first stage has no '{name}'; remove it")
    if chosen is None:
        return None
    return StageConfig(
        name=values.get("name", str(number + 1)),
        format=chosen,
        carries=values.get("carry_bankrolls", False),
        **qualifiers or {},
    )


def _read_qualifiers(data: Any, path: KeyPath, faults: Faults) -> dict[str, Any]:
    values = read_settings(QualifiersFile, data, path, faults)
    if data == {}:
        faults.note(path, "no entrant advances; add top, per_table or wildcards")
    elif {"top", "per_table"} <= set(values):
        faults.note(path, "set either top or per_table, not both")
    return values


# The leaderboard


def read_disclosure(
    model: type[Settings], data: Any, path: KeyPath, faults: Faults
) -> LeaderboardConfig:
    """Read the columns and the visibility of the leaderboard.

    Args:
        model: Its settings; without columns where they cannot be chosen.
    """
    values = read_settings(model, data, path, faults)
    lines: dict[str, int] = {}
    for at, name in enumerate(values.get("columns", ())):
        line = faults.line((*path, "columns", at))
        if name in lines:
            message = f"{quoted(name)} appears twice (first on line {lines[name]}); remove one"
            faults.note((*path, "columns", at), message)
        lines.setdefault(name, line)
    reveal, freeze = values.get("reveal"), values.get("freeze")
    if reveal is not None and "freeze" not in data:
        message = "'reveal' needs 'freeze', the time from which results are hidden; add it"
        faults.note((*path, "reveal"), message)
    elif reveal and freeze and reveal < freeze:
        problem = f"{time_text(reveal)} is before freeze, {time_text(freeze)}"
        faults.note((*path, "reveal"), f"{problem}; choose a later time")
    return LeaderboardConfig(**values)


def time_text(time: datetime) -> str:
    """Write a time as ISO 8601, with seconds only if they are not 0.

    >>> times = ("2026-05-01T12:00Z", "2026-05-01T12:00:13Z")
    >>> [time_text(datetime.fromisoformat(each)) for each in times]
    ['2026-05-01T12:00+00:00', '2026-05-01T12:00:13+00:00']
    """
    has_seconds = time.second or time.microsecond
    return time.isoformat(timespec="auto" if has_seconds else "minutes")


# Settings that must fit each other


def _check_fit(
    data: Mapping[str, Any],
    values: Mapping[str, Any],
    entrants: Sequence[Any] | None,
    catalog: Catalog,
    faults: Faults,
) -> None:
    """Note conflicts between the game, the format, entrants and columns.

    Args:
        data: The file.
        values: Its valid settings.
        entrants: `None` if they are not known.
    """
    rules, options = values["game"].rules, values["format"].options
    if entrants is not None:
        try:
            options.check(len(entrants), rules)
        except FormatError as error:
            faults.note(("format",) if "format" in data else (), str(error))
            return
        check_policies(values["format"], entrants, faults)
        check_names(options.named_entrants, data, entrants, faults)
    if values.get("luck_adjustment"):
        reason = catalog.why_luck_stays(rules, values["format"])
        if reason:
            faults.note(("luck_adjustment",), f"write false here: {reason}")
    for at, column in enumerate(values["leaderboard"].columns or ()):
        if reason := catalog.misfits(column, rules, options):
            faults.note(("leaderboard", "columns", at), reason)
