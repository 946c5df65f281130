"""Plain scalars mean what every YAML takes them for, or are traps."""

import math

import pytest

from tourney.config.scalars import Scalar, Trap, plain_value


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        ("", None),
        ("~", None),
        ("null", None),
        ("TRUE", True),
        ("false", False),
        ("0", 0),
        ("-12", -12),
        ("+5", 5),
        ("0x1F", 31),
        ("1.50", 1.5),
        (".5", 0.5),
        ("5.", 5.0),
        ("1.0e+3", 1000.0),
        ("-.inf", -math.inf),
        ("basic", "basic"),
        ("8-deck", "8-deck"),
        ("1.2.3", "1.2.3"),
        ("-", "-"),
        ("yEs", "yEs"),
        ("2026-1", "2026-1"),
        ("a_1", "a_1"),
        ("1_a", "1_a"),
    ],
)
def test_what_every_yaml_reads_alike_is_a_value(raw: str, value: Scalar) -> None:
    """Text, numbers, truth values and nothing, as in the core schema."""
    found = plain_value(raw)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    ("raw", "reading", "alternatives"),
    [
        ("y", "true", (True,)),
        ("Off", "false", (False,)),
        ("010", "8", (8, 10)),
        ("08", "8", (8,)),
        ("00", "0", (0,)),
        ("-010", "-8", (-8, -10)),
        ("0o17", "15", (15,)),
        ("0b101", "5", (5,)),
        ("-0x1F", "-31", (-31,)),
        ("1_000", "1000", (1000,)),
        ("0x_1", "1", (1,)),
        ("1e9", "1000000000", (1_000_000_000,)),
        ("1.5e3", "1500", (1500,)),
        ("1e-3", "0.001", (0.001,)),
        ("1e-9", "1.0e-09", (1e-9,)),
        ("1e999", "a number", ()),
        ("3:2", "182", (182,)),
        ("-1:30", "-90", (-90,)),
        ("1:30.5", "90.5", (90.5,)),
        ("2026-01-01", "a date", ()),
        ("2026-01-01 10:00:00", "a date", ()),
        ("9" * 2000, "a number", ()),
    ],
)
def test_what_yaml_reads_in_two_ways_is_a_trap(
    raw: str, reading: str, alternatives: tuple[float, ...]
) -> None:
    """The trap says what it may be read as, and what may have been meant."""
    assert plain_value(raw) == Trap(raw, reading, alternatives)
