"""Models of settings: whatever a plugin declares can be read, and its faults are found."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any, Literal

import pytest

from tourney.config.documents import Faults, parse
from tourney.config.settings import options_of, schema_of, settings_of
from tourney.config.validation import read_settings


class Mood(Enum):
    """How somebody plays."""

    CALM = "calm"


@dataclass(frozen=True)
class Pair:
    """Two numbers."""

    left: int
    right: int


@dataclass(frozen=True)
class Single:
    """One number."""

    only: int


@dataclass(frozen=True)
class Odd:
    """Settings with names and types that pydantic has uses of its own for."""

    copy: int = 1
    """Copies."""

    model_config: int = 2
    json: Literal[0, 1] = 0
    mood: Mood = Mood.CALM
    call: Callable[[int], int] | None = None
    either: Pair | Single | None = None
    many: tuple[Pair, ...] = ()
    words: dict[str, int] | None = None


class Underscored:
    """A strategy with an option of a name that is no field of a model."""

    def __init__(self, _spread: int = 1, schema: str = "a", **others: Any) -> None:
        """Take anything."""


def read(text: str, model: Any) -> tuple[dict[str, Any], list[str]]:
    """Read a mapping; give values and faults."""
    faults = Faults("it")
    values = read_settings(model, parse(text, faults), (), faults)
    return values, [str(each).removeprefix("it:") for each in faults._found]


def test_any_name_and_type_of_a_field_can_be_read() -> None:
    """Names of pydantic's own, enums, and mappings in lists."""
    text = (
        "copy: 3\nmodel_config: 4\njson: 1\nmood: calm\neither: {only: 1}\n"
        "many: [{left: 1, right: 2}]\nwords: {a: 1}\n"
    )
    values, faults = read(text, settings_of(Odd))
    assert not faults
    assert Odd(**values) == Odd(3, 4, 1, Mood.CALM, None, Single(1), (Pair(1, 2),), {"a": 1})
    assert schema_of(settings_of(Odd))["properties"]["copy"]["description"] == "Copies."


def test_a_type_that_yaml_cannot_fill_takes_a_single_value() -> None:
    """Its plugin sees to the rest."""
    assert read("call: x", settings_of(Odd)) == ({"call": "x"}, [])
    _, faults = read("call: [x]", settings_of(Odd))
    assert faults == ["1:7: call: expected a single value, got a list"]


def test_any_name_of_a_parameter_is_an_option() -> None:
    """Also one that begins with an underscore."""
    values, faults = read("_spread: 2\nschema: b\nmore: [1, [2]]\n", options_of(Underscored))
    assert (values, faults) == ({"_spread": 2, "schema": "b", "more": (1, (2,))}, [])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("json: true", "1:7: json: expected 0 or 1, got true"),
        ("json: 1.0", "1:7: json: expected 0 or 1, got 1.0: write 1"),
        ("either: {only: x}", "1:16: either.only: expected a whole number, got text 'x'"),
        ("either: {left: 1}", "1:9: either: 'right' is missing"),
        (
            "either: {left: 1, rihgt: 2}",
            "1:19: either.rihgt: unknown setting 'rihgt'; choose left or right "
            "(did you mean 'right'?)",
        ),
        (
            "many: [{left: 1, right: 2}, {left: 1, right: x}]",
            "1:46: many[1].right: expected a whole number, got text 'x'",
        ),
        ("words: {a: x}", "1:12: words.a: expected a whole number, got text 'x'"),
        ('words: {a: "\\ud800"}', r"1:12: words.a: expected a whole number, got text '\ud800'"),
        ('mood: "\\ud800"', r"1:7: mood: expected calm, got '\ud800'"),
        (
            "coyp: 010",
            "1:1: coyp: unknown setting 'coyp'; choose copy, model_config, json, mood, call, "
            "either, many or words (did you mean 'copy'?)",
        ),
    ],
)
def test_a_fault_is_one_line_at_its_place(text: str, message: str) -> None:
    """However deep it is, and whatever else pydantic says about it."""
    _, faults = read(text, settings_of(Odd))
    assert faults == [message]


def test_what_has_no_fault_is_read_beside_what_has() -> None:
    """So that settings can be compared as far as they are known."""
    values, faults = read("copy: x\nmodel_config: 7\n", settings_of(Odd))
    assert values == {"model_config": 7}
    assert len(faults) == 1
