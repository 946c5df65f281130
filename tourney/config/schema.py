"""The JSON Schema of a configuration, for completion and explanations in an editor.

It describes keys, names and types. Only `load` finds faults that involve two settings or a file.
"""

from collections.abc import Mapping
from typing import Any

from tourney.config.entrants import entrant_model
from tourney.config.model import Catalog, PolicyConfig
from tourney.config.settings import (
    Settings,
    options_of,
    schema_of,
    settings_of,
)
from tourney.config.tournament import (
    CHIP_SETTINGS,
    FIELDS,
    QualifiersFile,
    StageFile,
    TournamentFile,
    board_model,
    has_chips,
)

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def json_schema(catalog: Catalog) -> dict[str, Any]:
    """Describe the configurations that may use the names of a catalog.

    Returns: A JSON Schema of draft 2020-12, ready for `json.dumps`.
    """
    stage = _mapping(StageFile, format=_format(catalog), qualifiers=_mapping(QualifiersFile))
    schema = _mapping(
        TournamentFile,
        game=_game(catalog),
        format=_format(catalog),
        stages={"type": "array", "minItems": 1, "items": stage},
        entrants={"type": "array", "minItems": 1, "items": _entrant(catalog)},
        leaderboard=_mapping(board_model(tuple(catalog.columns))),
        **{key: _mapping(settings_of(kind)) for key, kind in FIELDS.items()},
    )
    schema["required"] = [name for name in schema["required"] if name != "format"]
    schema["oneOf"] = [{"required": ["format"]}, {"required": ["stages"]}]
    return {"$schema": DIALECT, **schema, "title": "A tournament", **_chips(catalog, schema)}


def _mapping(model: type[Settings], **parts: Mapping[str, Any]) -> dict[str, Any]:
    """Describe the settings of a model.

    Args:
        parts: Schemas of the settings that have their own models.
    """
    schema = schema_of(model)
    given = schema.get("properties", {})
    described = {name: {**part, **given[name]} for name, part in parts.items()}
    return {**schema, "properties": {**given, **described}}


def _named(key: str, names: list[str], model: type[Settings]) -> dict[str, Any]:
    """Describe a mapping whose settings depend on a name in it."""
    schema = _mapping(model)
    name = {"enum": names, "title": key.capitalize(), "description": f"the {key}'s name"}
    return {
        **schema,
        "title": ", ".join(names),
        "properties": {key: name, **schema["properties"]},
        "required": [key, *schema.get("required", [])],
    }


def _names(names: list[str]) -> dict[str, Any]:
    return {"type": "string", "enum": names}


def _chips(catalog: Catalog, schema: Mapping[str, Any]) -> dict[str, Any]:
    """Allow chips only for games that use chips."""
    others = sorted(name for name, rules in catalog.presets.items() if not has_chips(rules))
    if not others:
        return {}
    names = {"enum": others}
    mapping = {"type": "object", "properties": {"preset": names}, "required": ["preset"]}
    needed = [name for name in schema["required"] if name in CHIP_SETTINGS]
    return {
        "required": [name for name in schema["required"] if name not in needed],
        "if": {"properties": {"game": {"anyOf": [names, mapping]}}, "required": ["game"]},
        "then": {"properties": dict.fromkeys(CHIP_SETTINGS, False)},
        "else": {"required": needed},
    }


def _game(catalog: Catalog) -> dict[str, Any]:
    """Describe `game`: the name of a preset, or a mapping with it and its changes."""
    kinds: dict[type[Any], list[str]] = {}
    for name in sorted(catalog.presets):
        kinds.setdefault(type(catalog.presets[name]), []).append(name)
    mappings = [
        _named("preset", names, settings_of(kind, is_partial=True)) for kind, names in kinds.items()
    ]
    return {"oneOf": [_names(sorted(catalog.presets)), *mappings]}


def _format(catalog: Catalog) -> dict[str, Any]:
    """Describe `format`: the name of a kind, or a mapping with it and its options."""
    kinds = sorted(catalog.formats)
    mappings = [_named("kind", [kind], settings_of(catalog.formats[kind])) for kind in kinds]
    alone = [
        kind for kind, each in zip(kinds, mappings, strict=True) if each["required"] == ["kind"]
    ]
    return {"oneOf": [*([_names(alone)] if alone else []), *mappings]}


def _entrant(catalog: Catalog) -> dict[str, Any]:
    """Describe an entrant, whose options depend on its strategy."""
    policy = _mapping(settings_of(PolicyConfig))
    schema = _mapping(entrant_model(catalog), options={"type": "object"}, policy=policy)
    by_strategy = [_strategy_options(name, catalog) for name in sorted(catalog.strategies)]
    one_source = [{"required": [each]} for each in catalog.sources]
    return {**schema, "oneOf": one_source, **({"allOf": by_strategy} if by_strategy else {})}


def _strategy_options(name: str, catalog: Catalog) -> dict[str, Any]:
    """Describe the options of a strategy."""
    options = schema_of(options_of(catalog.strategies[name]))
    chosen = {"properties": {"strategy": {"const": name}}, "required": ["strategy"]}
    then: dict[str, Any] = {"properties": {"options": options}}
    if "required" in options:
        then["required"] = ["options"]
    return {"if": chosen, "then": then}
