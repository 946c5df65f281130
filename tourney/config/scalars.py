"""The values of plain (unquoted) YAML scalars on which all YAML versions agree.

YAML 1.1 reads `NO` as false and `010` as eight; YAML 1.2 reads text and ten. Such a scalar becomes
a `Trap`, which is neither text nor a number, so no setting can accept it by accident.
"""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

LONGEST_NUMBER = 1000  # characters; Python itself refuses to print much longer ones
LARGEST_SEED = 2**63 - 1


@dataclass(frozen=True, slots=True)
class Trap:
    """A plain scalar that YAML 1.1 and YAML 1.2 read differently."""

    raw: str  # as the organiser wrote it
    reading: str  # the surprising reading, in words
    alternatives: tuple[int | float | bool, ...]  # every value that may have been meant


Scalar: TypeAlias = str | int | float | bool | Trap | None

NULLS = frozenset({"", "~", "null", "Null", "NULL"})
TRUE = frozenset({"true", "True", "TRUE"})
FALSE = frozenset({"false", "False", "FALSE"})
TRUE_IN_1_1 = frozenset(
    form for word in ("y", "yes", "on") for form in (word, word.title(), word.upper())
)
FALSE_IN_1_1 = frozenset(
    form for word in ("n", "no", "off") for form in (word, word.title(), word.upper())
)


def number_words(value: float) -> str:
    """Write a number that every YAML version reads alike.

    >>> number_words(True), number_words(1e-9), number_words(40)
    ('true', '1.0e-09', '40')
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    mantissa, _, exponent = repr(value).partition("e")
    if not exponent:
        return mantissa
    return f"{mantissa if '.' in mantissa else mantissa + '.0'}e{exponent}"


def plain_value(raw: str) -> Scalar:
    """Read a plain scalar as the YAML core schema does, or as a trap.

    >>> plain_value("8"), plain_value("true"), plain_value("basic")
    (8, True, 'basic')
    >>> plain_value("NO")
    Trap(raw='NO', reading='false', alternatives=(False,))
    """
    if raw in NULLS:
        return None
    if raw in TRUE or raw in FALSE:
        return raw in TRUE
    if raw in TRUE_IN_1_1 or raw in FALSE_IN_1_1:
        return _trap(raw, raw in TRUE_IN_1_1)
    if raw[0] not in "+-.0123456789":
        return raw
    return _number(raw)


def _number(raw: str) -> Scalar:
    """Read a scalar that begins like a number; it may still be text such as `8-deck`."""
    if len(raw) > LONGEST_NUMBER:
        return Trap(raw, "a number", ()) if _LONG_NUMBER.fullmatch(raw) else raw
    for pattern, read in _NUMBERS:
        if pattern.fullmatch(raw):
            return read(raw)
    return _underscored(raw) if "_" in raw else raw


def _trap(raw: str, *alternatives: float) -> Trap:
    """Make a trap whose first alternative is the surprising reading."""
    return Trap(raw, number_words(alternatives[0]), tuple(dict.fromkeys(alternatives)))


def _special(raw: str) -> float:
    """Read `.inf`, `-.inf` and `.nan`."""
    return float(raw.lower().replace(".", ""))


def _leading_zero(raw: str) -> Trap:
    """Read `010` as YAML 1.1 does, in eights, and as YAML 1.2 does, in tens."""
    in_tens = int(raw)
    if set(raw) & {"8", "9"}:
        return _trap(raw, in_tens)
    return _trap(raw, int(raw, 8), in_tens)


def _exponent(raw: str) -> Trap:
    """Read `1e9`: text in YAML 1.1, a number in YAML 1.2."""
    value = float(raw)
    if not math.isfinite(value):
        return Trap(raw, "a number", ())
    whole = value.is_integer() and abs(value) <= LARGEST_SEED
    return _trap(raw, int(value) if whole else value)


def _sexagesimal(raw: str) -> Trap:
    """Read `1:30` as YAML 1.1 does: ninety."""
    digits = raw.lstrip("+-")
    total = 0.0 if "." in digits else 0
    for part in digits.split(":"):
        total = total * 60 + (float(part) if "." in part else int(part))
    return _trap(raw, -total if raw.startswith("-") else total)


def _underscored(raw: str) -> Scalar:
    """Read `1_000`: a thousand in YAML 1.1, text in YAML 1.2."""
    inner = plain_value(raw.replace("_", ""))
    if isinstance(inner, Trap):
        return Trap(raw, inner.reading, inner.alternatives)
    return raw if inner is None or isinstance(inner, str) else _trap(raw, inner)


def _date(raw: str) -> Trap:
    """Read a date, which YAML 1.2 reads as text."""
    return Trap(raw, "a date", ())


_LONG_NUMBER = re.compile(r"[-+]?(0[xob])?[0-9._:]+([eE][-+]?[0-9]+)?")
_NUMBERS: tuple[tuple[re.Pattern[str], Callable[[str], Scalar]], ...] = (
    (re.compile(r"[-+]?(0|[1-9][0-9]*)"), int),
    (re.compile(r"0x[0-9a-fA-F]+"), lambda raw: int(raw, 16)),
    (re.compile(r"[-+]?([0-9]+\.[0-9]*|\.[0-9]+)([eE][-+][0-9]+)?"), float),
    (re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)"), _special),
    (re.compile(r"[-+]?0[0-9]+"), _leading_zero),
    (re.compile(r"0o[0-7]+"), lambda raw: _trap(raw, int(raw, 8))),
    (re.compile(r"[-+]?0b[01]+"), lambda raw: _trap(raw, int(raw, 2))),
    (re.compile(r"[-+]0x[0-9a-fA-F]+"), lambda raw: _trap(raw, int(raw, 16))),
    (re.compile(r"[-+]?([0-9]+(\.[0-9]*)?|\.[0-9]+)[eE][-+]?[0-9]+"), _exponent),
    (re.compile(r"[-+]?[1-9][0-9]*(:[0-5]?[0-9])+(\.[0-9]*)?"), _sexagesimal),
    (re.compile(r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(([Tt]|[ \t]+)[0-9]{1,2}:.*)?"), _date),
)
