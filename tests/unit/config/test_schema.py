"""An editor is told the same as the reader knows."""

import json
from pathlib import Path

import pytest
import yaml

from tourney.config.model import Catalog
from tourney.config.schema import json_schema
from tourney.config.tournament import load, loads
from tourney.errors import ConfigError

GOOD = """\
name: Quickstart
seed: 280
game: {preset: ve280, shuffle: uniform, natural: "6:5"}
bankroll: 1000
minimum: 5
format: {kind: knockout, advance: 2, cuts: [8, 4]}
floor: {tables: 20, round_seconds: 30, dealers: null}
entrants:
  - strategy: simple
  - {strategy: ramp, as: Ramp, options: {spread: 8}, group: staff}
  - {strategy: chart, options: {chart: a, other: 1}}
  - {file: players/bold.py, options: {anything: [1]}}
leaderboard: {columns: [rank, entrant]}
"""
SHORT = GOOD.replace('{preset: ve280, shuffle: uniform, natural: "6:5"}', "easybj")


def test_every_setting_is_explained(catalog: Catalog) -> None:
    """Each key at the top has a title and a description."""
    schema = json_schema(catalog)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert schema["additionalProperties"] is False
    assert schema["required"] == ["name", "game", "bankroll", "entrants"]
    assert schema["oneOf"] == [{"required": ["format"]}, {"required": ["stages"]}]
    for part in (schema, schema["properties"]["floor"], schema["properties"]["leaderboard"]):
        for each in part["properties"].values():
            assert each["title"]
            assert each["description"]


def test_known_names_are_listed(catalog: Catalog) -> None:
    """An editor can offer presets, formats, strategies and columns."""
    schema = json_schema(catalog)["properties"]
    assert schema["game"]["oneOf"][0]["enum"] == ["easybj", "ve280"]
    assert schema["format"]["oneOf"][0]["enum"] == ["duplicate"]
    assert [each["title"] for each in schema["format"]["oneOf"][1:]] == ["duplicate", "knockout"]
    strategies = schema["entrants"]["items"]["properties"]["strategy"]["enum"]
    assert strategies == ["chart", "ramp", "shaped", "simple"]
    columns = schema["leaderboard"]["properties"]["columns"]["items"]["enum"]
    assert columns == ["entrant", "mean_final_bankroll", "rank", "ruin"]


def test_the_text_below_a_field_explains_it(catalog: Catalog) -> None:
    """What the author of a format wrote is what the editor shows."""
    knockout = json_schema(catalog)["properties"]["format"]["oneOf"][2]
    assert knockout["properties"]["advance"]["description"] == (
        "Entrants that go on from each table."
    )
    assert knockout["required"] == ["kind", "advance"]


def test_the_schema_can_be_written_as_json(catalog: Catalog) -> None:
    """Editors read it from a file."""
    assert json.loads(json.dumps(json_schema(catalog)))["title"] == "A tournament"


@pytest.mark.parametrize("text", [GOOD, SHORT])
def test_what_can_be_loaded_satisfies_the_schema(catalog: Catalog, folder: Path, text: str) -> None:
    """An editor does not complain about a good file."""
    jsonschema = pytest.importorskip("jsonschema")
    path = folder / "it.yaml"
    path.write_text(text, encoding="utf-8")
    load(path, catalog)
    jsonschema.Draft202012Validator.check_schema(json_schema(catalog))
    jsonschema.Draft202012Validator(json_schema(catalog)).validate(yaml.safe_load(text))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("seed: 280", "seed: ten"),
        ("spread: 8", "spred: 8"),
        ("chart: a, ", ""),
        ("advance: 2, ", ""),
        ("[rank, entrant]", "[rank, rank]"),
        ("strategy: simple", "strategy: simpel"),
        ('natural: "6:5"', 'natural: "7:5"'),
    ],
)
def test_what_the_schema_refuses_cannot_be_loaded(
    catalog: Catalog, folder: Path, old: str, new: str
) -> None:
    """An editor and the reader complain about the same file."""
    text = GOOD.replace(old, new)
    assert text != GOOD
    with pytest.raises(ConfigError):
        loads(text, catalog, folder=folder)
    jsonschema = pytest.importorskip("jsonschema")
    validator = jsonschema.Draft202012Validator(json_schema(catalog))
    assert not validator.is_valid(yaml.safe_load(text))
