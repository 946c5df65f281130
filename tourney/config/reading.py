"""A located tree to a `TournamentConfig`: the settings of the file, one by one.

Reads every setting before it gives up, so that all faults are told at once. Leaves
out the list of entrants (`entrants`) and what a type accepts (`typed`).
"""

import os
from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from tourney.config.board import read_board
from tourney.config.catalog import Catalog
from tourney.config.entrants import NAME, read_entrants
from tourney.config.fitting import check_fit, has_chips, no_chip_settings
from tourney.config.located import Entries, Faults, Key, Leaf, Tree
from tourney.config.model import (
    Chips,
    FloorConfig,
    FormatConfig,
    GameConfig,
    LeaderboardConfig,
    LimitsConfig,
    TournamentConfig,
)
from tourney.config.parsing import as_yaml, parse
from tourney.config.public_value import PUBLIC_VALUE, read_public_value
from tourney.config.repeated import check_counts
from tourney.config.scalars import LARGEST_SEED
from tourney.config.settings import Setting, field_settings, read_mapping, read_settings, setting
from tourney.config.staged import one_of_both, read_stages
from tourney.config.typed import INVALID, choice_of, typed_from
from tourney.config.words import closest, quoted, said, stray_byte, system_words, value_words
from tourney.errors import ConfigError, FormatError, RulesError

MOST_BYTES = 5_000_000  # of a file
USUAL = "tournament.yaml"
"""How a new tournament is called, also in the folder of a class."""
NEW = "`tourney new tournament` writes one"
LUCK = "adjust: take the luck of the cards out of results; by default where that is possible"
MINIMUM = "least wager in chips; without it the one of the game's rules, if they have one"


def load(path: Path, catalog: Catalog, most_entrants: int | None = None) -> TournamentConfig:
    """Read the configuration in a file.

    Args:
        path: The file; paths in it begin from its folder.
        catalog: What names it may use.
        most_entrants: As for `loads`.
    Raises: ConfigError with every fault, or with the one reason why it cannot be read.
    """
    text = file_text(path)
    return loads(text, catalog, str(path), path.parent, most_entrants=most_entrants)


def loads(
    text: str,
    catalog: Catalog,
    source: str = "<text>",
    folder: Path | None = Path(),
    *,
    most_entrants: int | None = None,
) -> TournamentConfig:
    """Read a configuration.

    Args:
        text: YAML.
        catalog: What names it may use.
        source: What messages call it.
        folder: What relative paths in it begin from; None if their files need not be there,
            as for a run whose sources are archived.
        most_entrants: How many may be made of what `count` says; None for any number.
    Raises: ConfigError with every fault, or with the one reason why it cannot be read.
    """
    faults = Faults(source)
    tree = parse(text, faults)
    if not isinstance(tree, Entries):
        faults.raise_any()
        expected = "settings such as 'name: Quickstart'"
        faults.stop(tree.place, said(expected, value_words(tree)))
    if most_entrants is not None:
        check_counts(tree, faults, most_entrants)
    rules = _rules_of(tree, catalog)
    settings = tournament_settings(catalog, folder, rules)
    if rules is None and tree.get("game") is not None:
        # Nobody knows what a game with faults needs, so it is not asked for.
        settings = tuple(replace(each, required=False) for each in settings)
    values = read_settings(tree, one_of_both(tree, settings, faults), faults)
    if "stages" in values:
        values["format"] = values.pop("stages")
    if has_chips(rules):
        _complete_minimum(tree, values, faults)
        _compare_chips(tree, values, faults)
    else:
        values |= {"bankroll": 0, "minimum": 0}
    # Where files need not be there, nobody knows how many entrants a pattern or a folder makes.
    known = values if folder is not None else {**values, "entrants": INVALID}
    check_fit(tree, known, catalog, faults)
    faults.raise_any()
    optional = {
        "seed": None,
        "maximum": None,
        "luck": None,
        "floor": FloorConfig(),
        "limits": LimitsConfig(),
        "leaderboard": LeaderboardConfig(),
    }
    return TournamentConfig(**{**optional, **values}, text=text, source=source)


def load_data(data: Mapping[str, Any], catalog: Catalog) -> TournamentConfig:
    """Read a configuration that a program has made, as if it were a file in the current folder.

    Args:
        data: What a file would hold.
        catalog: What names it may use.
    Raises: ConfigError with every fault.
    """
    try:
        return loads(as_yaml(data), catalog, "configuration")
    except ConfigError as error:
        # Nobody has seen the lines; the path says which setting is meant.
        placeless = tuple(replace(fault, line=0, column=0) for fault in error.faults)
        raise ConfigError(placeless) from None


def file_text(path: Path, remedy: str = NEW) -> str:
    """Read a file as UTF-8, whose path has to be that, too, as it is written down.

    Args:
        path: The file.
        remedy: What to do where there is none.
    Raises: ConfigError, if it cannot be read.
    """
    faults = Faults(str(path))
    if byte := stray_byte(str(path)):
        faults.stop(None, said("a path in UTF-8", byte, "rename the file or its folder"))
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except FileNotFoundError:
        faults.stop(None, said("a configuration file", "no such file", remedy))
    except (OSError, ValueError) as error:
        inside = path / USUAL
        is_there = isinstance(error, IsADirectoryError) and os.access(inside, os.R_OK)
        meant = str(inside) if is_there else None
        got = f"an error ({system_words(error)})"
        faults.stop(None, said("a file that can be read", got, meant=meant))
    if len(data) > MOST_BYTES:
        faults.stop(None, said(f"a file of at most {MOST_BYTES} bytes", "a larger one"))
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        byte = f"the byte 0x{data[error.start]:02x} on line {line}"
        faults.stop(None, said("UTF-8 text", byte, "save the file as UTF-8"))


def _rules_of(tree: Entries, catalog: Catalog) -> Any:
    """Return the rules that a file names, on which other settings hang; None after a fault."""
    game = tree.get("game")
    unheard = Faults("")  # they are noted when the settings are read
    found = None if game is None else _named_preset(catalog, game, unheard)
    read = INVALID if found is None or game is None else _changed(catalog, game, found, unheard)
    return None if read is INVALID else read.rules


def tournament_settings(
    catalog: Catalog, folder: Path | None, rules: Any = None
) -> tuple[Setting, ...]:
    """Return the settings at the top of a file, in the order of the documents.

    Args:
        catalog: What names it may use.
        folder: What relative paths in it begin from.
        rules: What is played; None if that is not known.
    """
    seed = typed_from(Annotated[int, Field(ge=0, le=LARGEST_SEED)])

    def entrants(tree: Tree, faults: Faults) -> Any:
        return read_entrants(tree, catalog, folder, faults, rules and str(rules.game))

    floor = partial(_read_dataclass, FloorConfig)
    limits = partial(_read_dataclass, LimitsConfig)
    game = partial(read_game, catalog)
    kind = partial(_read_format, catalog)
    stages = partial(read_stages, kind, catalog.staged)
    board = partial(read_board, catalog.columns)
    return (
        setting("name", "title of the tournament", NAME, required=True),
        setting("seed", "randomness key; without it the run draws a secret one", seed),
        Setting("game", "a preset and what to change in it", game, required=True),
        *(_chip_settings() if has_chips(rules) else no_chip_settings(rules)),
        Setting("format", "who meets whom and how often", kind, required=True),
        Setting("stages", "instead of one format: several, one after the other", stages),
        setting("luck", LUCK, typed_from(Literal["adjust", "ignore"])),
        Setting("public_value", PUBLIC_VALUE, read_public_value),
        Setting("floor", "tables, dealers and how long things take", floor),
        Setting("limits", "what a confined competitor may take", limits),
        Setting("entrants", "list of who competes", entrants, required=True),
        Setting("leaderboard", "what the leaderboard shows, and of whom", board),
    )


def _chip_settings() -> tuple[Setting, ...]:
    chips = typed_from(Chips)
    return (
        setting("bankroll", "starting chips of every entrant", chips, required=True),
        setting("minimum", MINIMUM, chips),
        setting("maximum", "greatest wager in chips; without it there is no limit", chips),
    )


def _complete_minimum(tree: Entries, values: dict[str, Any], faults: Faults) -> None:
    """Take the minimum from the rules if the file has none, or note that it is missing."""
    if tree.get("minimum") is None and "game" in values:
        from_rules = values["game"].rules.minimum
        if from_rules is None:
            faults.note(tree, said("'minimum' (least wager in chips)", "nothing"))
        else:
            values["minimum"] = from_rules


def _compare_chips(tree: Entries, values: Mapping[str, Any], faults: Faults) -> None:
    """Note limits that contradict each other, as far as they are known."""
    minimum, bankroll = values.get("minimum"), values.get("bankroll")
    if minimum is not None and bankroll is not None and minimum > bankroll:
        expected = f"at most the bankroll of {bankroll}"
        faults.note(_at(tree, "minimum"), said(expected, str(minimum)))
    elif minimum is not None and bankroll is not None and "game" in values:
        rules = values["game"].rules
        if not rules.may_play(bankroll * rules.unit, minimum * rules.unit):
            expected = f"enough for a round of {rules.game} at a minimum of {minimum}"
            faults.note(_at(tree, "bankroll"), said(expected, str(bankroll)))
    maximum = values.get("maximum")
    if minimum is not None and maximum is not None and maximum < minimum:
        expected = f"at least the minimum of {minimum}"
        faults.note(_at(tree, "maximum"), said(expected, str(maximum)))


def _at(tree: Entries, name: str) -> Tree:
    """Return the value of a setting, or the whole mapping if it is not there."""
    return tree.get(name) or tree


def _named(
    tree: Tree, key: str, meaning: str, names: Collection[str], faults: Faults
) -> tuple[str, Entries] | None:
    """Read `game: ve280` and `game: {preset: ve280, ...}` alike.

    Args:
        tree: The value, a name or a mapping.
        key: The entry of the mapping that holds the name.
        meaning: What that entry says.
        names: What there is to choose from.
        faults: Notes what is wrong.
    Returns: The name and the other entries. After a fault of the name, what it was probably meant
        to be, so that the other entries can be read; None if that is not known.
    """
    named, rest = tree, Entries(tree.place, tree.path, ())
    if isinstance(tree, Entries):
        said_as = tree.key(key) or _note_nameless(tree, key, meaning, faults)
        value = tree.get(said_as.name) if said_as else None
        if said_as is None or value is None:
            return None
        named, rest = value, tree.without(said_as.name)
    name = choice_of(names).read(named, faults)
    if name is INVALID:
        text = named.value if isinstance(named, Leaf) else None
        name = closest(text, names) if isinstance(text, str) else None
    return None if name is None else (name, rest)


def _note_nameless(tree: Entries, key: str, meaning: str, faults: Faults) -> Key | None:
    """Note that a mapping does not say which preset or kind it is about; give what nearly does."""
    near = next((each for each, _ in tree.entries if closest(each.name, (key,))), None)
    if near:
        faults.note(near, said(quoted(key), quoted(near.name), meant=key))
    else:
        faults.note(tree, said(f"{quoted(key)} ({meaning})", "nothing"))
    return near


def read_game(catalog: Catalog, tree: Tree, faults: Faults) -> Any:
    """Read which rules are played."""
    before = faults.count
    found = _named_preset(catalog, tree, faults)
    game = INVALID if found is None else _changed(catalog, tree, found, faults)
    return INVALID if faults.count > before else game


def _named_preset(catalog: Catalog, tree: Tree, faults: Faults) -> tuple[str, Entries] | None:
    return _named(tree, "preset", "name of the rules to begin with", catalog.presets, faults)


def _changed(catalog: Catalog, tree: Tree, found: tuple[str, Entries], faults: Faults) -> Any:
    """Read what is changed in the rules of a preset."""
    before, (preset, rest) = faults.count, found
    rules = catalog.presets[preset]
    overrides = read_settings(rest, override_settings(type(rules)), faults)
    if faults.count > before:
        return INVALID
    try:
        changed = replace(rules, **overrides)
    except RulesError as error:
        faults.note(tree, str(error))
        return INVALID
    return GameConfig(preset, tuple(overrides.items()), changed)


def override_settings(rules: type[Any]) -> tuple[Setting, ...]:
    """Return what an organiser may change in rules; nothing must be."""
    return tuple(replace(each, required=False) for each in field_settings(rules))


def _read_format(catalog: Catalog, tree: Tree, faults: Faults) -> Any:
    """Read who meets whom."""
    before = faults.count
    found = _named(tree, "kind", "name of the format", catalog.formats, faults)
    if found is None:
        return INVALID
    kind, rest = found
    said_as = [value for _, value in tree.entries] if isinstance(tree, Entries) else [tree]
    if all(getattr(each, "value", None) != kind for each in said_as):
        # What was probably meant says what the rest has to be, and not what is missing.
        read_settings(rest, override_settings(catalog.formats[kind]), faults)
        return INVALID
    options = _read_dataclass(catalog.formats[kind], rest, faults)
    return INVALID if faults.count > before else FormatConfig(kind, options)


def _read_dataclass(kind: type[Any], tree: Tree, faults: Faults) -> Any:
    """Make a dataclass from a mapping of its fields."""
    entries = read_mapping(tree, faults)
    if entries is INVALID:
        return INVALID
    before = faults.count
    values = read_settings(entries, field_settings(kind), faults)
    if faults.count > before:
        return INVALID
    try:
        return kind(**values)
    except FormatError as error:
        faults.note(tree, str(error))
        return INVALID
