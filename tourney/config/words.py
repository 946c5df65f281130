"""Words for messages about types and values: "expected this, got that".

The JSON Schema of a type describes the expected value, so messages and editors agree.
"""

import difflib
import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path, PurePath
from typing import Any

from tourney.config.scalars import Trap, number_words

ADDRESS = re.compile(
    r"[\w.+%-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){0,8}?\.[\w-]{1,63}?"
    r"(?P<suffix>\.(?:py|txt|cpp|cc|cxx|hpp|h))?(?![\w-]|\.[\w-])"
)
"""An e-mail address; the suffix matches when the address names a file."""
ADDRESS_WORD = "<address>"
EXPECTED = "x-expected"
"""Key of a JSON Schema with words for a type that the rest of the schema cannot describe."""

LONGEST_VALUE = 60  # characters of a value that a message shows
NEAR = 0.6  # least similarity of a suggestion
MOST_CHOICES = 10  # in a list of a message
SHORTEST_BEGINNING = 3  # characters that suggest a longer choice


def quoted(text: str) -> str:
    """Show text in quotes, shortened and with strange characters escaped.

    >>> quoted("simpel")
    "'simpel'"
    """
    return repr(shortened(text))


def shortened(raw: str) -> str:
    """Shorten a long number or name."""
    return raw if len(raw) <= LONGEST_VALUE else raw[: LONGEST_VALUE - 1] + "…"


def without_addresses(text: str) -> str:
    """Replace e-mail addresses; keep the suffix of a file that an address names.

    >>> without_addresses("ada.l@uni.example.py:3, bob@uni.example.")
    '<address>.py:3, <address>.'
    """
    return ADDRESS.sub(rf"{ADDRESS_WORD}\g<suffix>", text) if "@" in text else text


def found_words(path: Path) -> str:
    """Describe the kind of file at a path.

    >>> found_words(Path(".")), found_words(Path("nowhere"))
    ('a folder', 'no such file')
    """
    kinds = (
        ("a plain file", path.is_file),
        ("a folder", path.is_dir),
        ("a device", path.is_char_device),
        ("a device", path.is_block_device),
        ("a pipe", path.is_fifo),
        ("a socket", path.is_socket),
    )
    return next((kind for kind, is_one in kinds if is_one()), "no such file")


def system_words(error: Exception) -> str:
    """Return the operating system's reason, without the path, which may be long."""
    return getattr(error, "strerror", None) or str(error)


def stray_byte(text: str) -> str:
    r"""Describe the first byte that is not UTF-8 in a path or argument; "" if all of it is UTF-8.

    >>> stray_byte("J\udcf6rg"), stray_byte("Jörg")
    ('the byte 0xf6', '')
    """
    try:
        text.encode()
    except UnicodeEncodeError as error:
        # Python decodes a byte that is not UTF-8 as a lone surrogate.
        return f"the byte 0x{ord(text[error.start]) & 0xFF:02x}"
    return ""


def joined(words: Sequence[str], last: str = "or", shown_by: str = "") -> str:
    """Join words with commas and a last "or"; a long list is cut.

    Args:
        words: The words.
        last: The word before the last one.
        shown_by: What shows all of them, such as a command; named after a cut list.

    >>> joined(["knockout", "roundrobin", "swiss"]), joined(["bet", "draw"], "and")
    ('knockout, roundrobin or swiss', 'bet and draw')
    """
    if len(words) > MOST_CHOICES:
        left = len(words) - MOST_CHOICES
        others = f"{left} other" if left == 1 else f"{left} others"
        more = f" ({shown_by} shows all)" if shown_by else ""
        return f"{', '.join(words[:MOST_CHOICES])} {last} {others}{more}"
    return f" {last} ".join(part for part in (", ".join(words[:-1]), *words[-1:]) if part)


def closest(text: str, choices: Iterable[str]) -> str | None:
    """Return the choice that is closest to a misspelled text, if one is near.

    >>> closest("Simpel", ["ramp", "simple"])
    'simple'
    >>> closest("profit", ["rank", "profit_per_round"])
    'profit_per_round'
    >>> closest("swiss-system", ["swiss", "ladder"])
    'swiss'
    """
    folded = {choice.casefold(): choice for choice in choices}
    typed = text[:LONGEST_VALUE].casefold()
    near = difflib.get_close_matches(typed, folded, n=1)
    if not near and len(typed) >= SHORTEST_BEGINNING:
        near = sorted((each for each in folded if each.startswith(typed)), key=len)
    if not near:
        near = sorted((each for each in folded if _begins(each, typed)), key=len, reverse=True)
    return folded[near[0]] if near else None


def _begins(choice: str, typed: str) -> bool:
    """Check whether a choice is the first words of a longer name."""
    return len(choice) >= SHORTEST_BEGINNING and typed.startswith((f"{choice}-", f"{choice}_"))


def near_zone(name: str, zones: Collection[str]) -> str | None:
    """Return the time zone of a city, or the one with the nearest name, or `None`.

    >>> near_zone("los angeles", ["America/Denver", "America/Los_Angeles"])
    'America/Los_Angeles'
    """
    cities = {zone.rpartition("/")[2].casefold(): zone for zone in zones}
    return cities.get("_".join(name.casefold().split())) or closest(name, zones)


def near_file(path: Path) -> str | None:
    """Return the name of a similar file in the folder of a missing file, or `None`.

    The suffix may differ, but an equal suffix has precedence.
    """
    try:
        beside = sorted(each.name for each in path.absolute().parent.iterdir() if each.is_file())
    except OSError:  # an unreadable folder is not suggested
        return None
    beside.sort(
        key=lambda name: PurePath(name).suffix == path.suffix
    )  # the last one of a stem counts
    names = {PurePath(name).stem: name for name in beside}
    meant = closest(path.stem, names)
    return names[meant] if meant else None


def similarity(one: str, other: str) -> float:
    """Measure how alike two words are, from 0 to 1; 0 for words that are not near each other."""
    ratio = difflib.SequenceMatcher(None, one.casefold(), other.casefold()).ratio()
    return ratio if ratio >= NEAR else 0.0


def said(expected: str, got: str, remedy: str = "", meant: str | None = None) -> str:
    """Write an "expected, got" message with an optional remedy and suggestion.

    >>> said("knockout, roundrobin or swiss", "'swis'", meant="swiss")
    "expected knockout, roundrobin or swiss; got 'swis' (did you mean 'swiss'?)"
    """
    separator = ";" if ", " in expected else ","
    mend = f": {remedy}" if remedy else ""
    return f"expected {expected}{separator} got {got}{mend}{hint(meant)}"


def hint(meant: str | None) -> str:
    """Suggest a name, if one was found.

    >>> hint("bold"), hint(None)
    (" (did you mean 'bold'?)", '')
    """
    return f" (did you mean {quoted(meant)}?)" if meant else ""


def value_words(value: Any, raw: str, *, bare: bool = False) -> str:
    """Describe a value of a file.

    Args:
        value: Plain data, or a `Trap`.
        raw: A single value as the file writes it.
        bare: Omit the word "text", as next to a list of choices.

    >>> value_words("x", "x"), value_words(5.0, "5.0"), value_words([], "")
    ("text 'x'", '5.0', 'an empty list')
    """
    match value:
        case dict():
            return "a mapping"
        case list():
            return "a list" if value else "an empty list"
        case Trap():
            return f"{shortened(value.raw)}, which YAML may read as {value.reading}"
        case str():
            return quoted(value) if bare else f"text {quoted(value)}"
    return shortened(raw) or "nothing"


def type_words(schema: Mapping[str, Any], shown_by: str = "") -> str:
    """Describe the values that a JSON Schema allows.

    Args:
        schema: The schema.
        shown_by: As for `joined`.

    >>> type_words({"anyOf": [{"type": "integer", "minimum": 1}, {"const": "every-round"}]})
    'a whole number of at least 1 or every-round'
    """
    if EXPECTED in schema:
        return str(schema[EXPECTED])
    words = _alternatives(schema)
    return joined(words, shown_by=shown_by) if words else "a known name, but none is known"


def text_choices(schema: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the texts that a JSON Schema allows, if it lists them."""
    branches = schema.get("anyOf") or schema.get("oneOf")
    if branches:
        return tuple(choice for branch in branches for choice in text_choices(branch))
    values = schema.get("enum", [schema["const"]] if "const" in schema else [])
    return tuple(value for value in values if isinstance(value, str))


def _alternatives(schema: Mapping[str, Any]) -> tuple[str, ...]:
    """Describe each alternative that a JSON Schema allows."""
    branches = schema.get("anyOf") or schema.get("oneOf")
    if branches:
        return tuple(word for branch in branches for word in _alternatives(branch))
    if "enum" in schema:
        return tuple(_literal_words(value) for value in schema["enum"])
    if "const" in schema:
        return (_literal_words(schema["const"]),)
    return (_one_type(schema),)


def _literal_words(value: Any) -> str:
    """Write a value that is itself a choice."""
    if isinstance(value, (bool, int, float)):
        return number_words(value)
    return "null" if value is None else str(value)


def _one_type(schema: Mapping[str, Any]) -> str:
    """Describe a type with its limits, or show its example."""
    if "examples" in schema:
        example = schema["examples"][0]
        if isinstance(example, list):
            return f"a list such as {_example_words(example)}"
        is_mapping = isinstance(example, dict)  # with its keys in the order of the schema
        return _example_words(
            {name: example[name] for name in schema["properties"]} if is_mapping else example
        )
    limits = _limits(schema)
    words = {
        "integer": f"a whole number{limits}",
        "number": f"a number{limits}",
        "string": "text",
        "boolean": "true or false",
        "null": "null",
        "array": "a list",
        "object": "a mapping",
    }
    word = words.get(schema.get("type", ""), "a single value")
    return f"{word} (each {type_words(schema['items'])})" if "items" in schema else word


def _example_words(example: Any) -> str:
    """Write an example as YAML.

    >>> _example_words({"uniform": [30, 50]}), _example_words("2026-12-01 18:00")
    ('{uniform: [30, 50]}', '"2026-12-01 18:00"')
    """
    if isinstance(example, dict):
        parts = ", ".join(f"{key}: {_example_words(each)}" for key, each in example.items())
        return f"{{{parts}}}"
    return json.dumps(example)


def _limits(schema: Mapping[str, Any]) -> str:
    """Describe the limits of a number.

    >>> _limits({"minimum": 1, "maximum": 20}), _limits({"exclusiveMinimum": 0, "maximum": 9})
    (' from 1 to 20', ' above 0 and at most 9')
    """
    if "minimum" in schema and "maximum" in schema:
        return f" from {_limit(schema['minimum'])} to {_limit(schema['maximum'])}"
    names = {
        "minimum": "at least",
        "exclusiveMinimum": "above",
        "maximum": "at most",
        "exclusiveMaximum": "below",
        "multipleOf": "divisible by",
    }
    parts = [f"{word} {_limit(schema[name])}" for name, word in names.items() if name in schema]
    of = " of " if parts and parts[0].startswith("at ") else " "
    return of + " and ".join(parts) if parts else ""


def _limit(value: float) -> str:
    """Write a limit without a needless decimal point."""
    return str(int(value)) if value == int(value) else number_words(value)
