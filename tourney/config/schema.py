"""The JSON Schema of a configuration, with which an editor completes and explains.

It says which keys, names and types there are. What needs two settings to be
compared, or a file to be looked for, only `load` can tell.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tourney.config.board import board_settings
from tourney.config.catalog import Catalog
from tourney.config.entrants import entrant_settings
from tourney.config.fitting import CHIP_SETTINGS, has_chips
from tourney.config.model import FloorConfig, LimitsConfig
from tourney.config.public_value import public_value_settings
from tourney.config.reading import override_settings, tournament_settings
from tourney.config.repeated import policy_settings
from tourney.config.settings import Setting, field_settings, parameters_of
from tourney.config.staged import TAKES, stage_settings
from tourney.config.typed import choice_of

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def json_schema(catalog: Catalog) -> dict[str, Any]:
    """Describe the configurations that may use these names.

    Args:
        catalog: What names there are.
    Returns: A JSON Schema of draft 2020-12, ready for `json.dumps`.
    """
    parts: dict[str, Mapping[str, Any]] = {
        "game": _game(catalog),
        "format": _format(catalog),
        "stages": _stages(catalog),
        "public_value": _mapping(public_value_settings()),
        "floor": _mapping(field_settings(FloorConfig)),
        "limits": _mapping(field_settings(LimitsConfig)),
        "entrants": {"type": "array", "minItems": 1, "items": _entrant(catalog)},
        "leaderboard": _mapping(board_settings(catalog.columns)),
    }
    schema = _mapping(tournament_settings(catalog, Path()), parts)
    schema["required"].remove("format")
    schema["oneOf"] = [{"required": ["format"]}, {"required": ["stages"]}]
    return {"$schema": DIALECT, "title": "A tournament", **schema, **_chips(catalog, schema)}


def _chips(catalog: Catalog, schema: Mapping[str, Any]) -> dict[str, Any]:
    """Say that chips belong to games of chips, if there are others."""
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


def _mapping(
    settings: Sequence[Setting], parts: Mapping[str, Mapping[str, Any]] | None = None
) -> dict[str, Any]:
    """Describe a mapping with these settings and no others.

    Args:
        settings: Its keys.
        parts: Schemas of the settings that do not have their own.
    """
    properties = {each.name: _property(each, (parts or {}).get(each.name)) for each in settings}
    required = [each.name for each in settings if each.required]
    return {
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
        **({"required": required} if required else {}),
    }


def _property(setting: Setting, part: Mapping[str, Any] | None) -> dict[str, Any]:
    """Describe one setting."""
    described: dict[str, Any] = {"title": setting.name.replace("_", " ").capitalize()}
    if setting.meaning:
        described["description"] = setting.meaning
    if setting.default is not None and _fits_json(setting.default):
        described["default"] = setting.default
    return {**(setting.schema if part is None else part), **described}


def _fits_json(value: Any) -> bool:
    """Say whether a default can be shown."""
    try:
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError):
        return False
    return True


def _game(catalog: Catalog) -> dict[str, Any]:
    """Describe `game`: a preset's name, or a mapping with it and what changes."""
    kinds: dict[type[Any], list[str]] = {}
    for name in sorted(catalog.presets):
        kinds.setdefault(type(catalog.presets[name]), []).append(name)
    mappings = [
        _with_name("preset", names, override_settings(kind)) for kind, names in kinds.items()
    ]
    return {"oneOf": [choice_of(catalog.presets).schema, *mappings]}


def _format(catalog: Catalog) -> dict[str, Any]:
    """Describe `format`: a kind's name, or a mapping with it and its options."""
    options = {kind: field_settings(catalog.formats[kind]) for kind in sorted(catalog.formats)}
    alone = [kind for kind, settings in options.items() if not any(s.required for s in settings)]
    names = [choice_of(alone).schema] if alone else []
    mappings = [_with_name("kind", [kind], settings) for kind, settings in options.items()]
    return {"oneOf": [*names, *mappings]}


def _stages(catalog: Catalog) -> dict[str, Any]:
    """Describe `stages`: a list of formats, and who goes on."""
    parts = {"format": _format(catalog), "takes": _mapping(TAKES)}
    stage = _mapping(stage_settings(lambda _tree, _faults: None), parts)
    return {"type": "array", "minItems": 1, "items": stage}


def _with_name(key: str, names: list[str], settings: Sequence[Setting]) -> dict[str, Any]:
    """Describe a mapping whose options hang on a name in it."""
    mapping = _mapping(settings)
    name = {"enum": names, "title": key.capitalize(), "description": f"the {key}'s name"}
    return {
        **mapping,
        "title": ", ".join(names),
        "properties": {key: name, **mapping["properties"]},
        "required": [key, *mapping.get("required", [])],
    }


def _entrant(catalog: Catalog) -> dict[str, Any]:
    """Describe an entrant, whose options hang on its strategy."""
    any_options = {"type": "object"}
    parts = {"options": any_options, "policy": _mapping(policy_settings())}
    mapping = _mapping(entrant_settings(catalog), parts)
    by_strategy = [_strategy_options(name, catalog) for name in sorted(catalog.strategies)]
    one_source = [{"required": [each]} for each in catalog.sources]
    return {**mapping, "oneOf": one_source, **({"allOf": by_strategy} if by_strategy else {})}


def _strategy_options(name: str, catalog: Catalog) -> dict[str, Any]:
    """Say which options go with a strategy."""
    parameters = parameters_of(catalog.strategies[name])
    options = {
        **_mapping(parameters.settings),
        "additionalProperties": parameters.takes_others,
    }
    chosen = {"properties": {"strategy": {"const": name}}, "required": ["strategy"]}
    then: dict[str, Any] = {"properties": {"options": options}}
    if "required" in options:
        then["required"] = ["options"]
    return {"if": chosen, "then": then}
