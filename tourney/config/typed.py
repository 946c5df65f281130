"""Values checked against a type: pydantic decides, our words explain.

A `Typed` is a type as a setting sees it, made from an annotation, a list of
choices, or a rule about text. Knows no settings and no names of settings.
"""

import contextlib
import json
import math
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache, partial
from inspect import Parameter
from typing import Any, Final

from pydantic import TypeAdapter, ValidationError
from pydantic.errors import PydanticUserError

from tourney.config.located import Faults, Items, Leaf, Tree, has_refused, leaves, plain_data
from tourney.config.scalars import Trap, number_words, plain_value
from tourney.config.words import (
    closest,
    joined,
    row_words,
    said,
    text_choices,
    type_words,
    value_words,
)

LONGEST_NAME = 80  # characters
DEEPEST_TYPE = 3  # definitions within definitions that are still explained


class Invalid(Enum):
    """Stands for a value that has a fault, since None may be a good value."""

    INVALID = "invalid"


INVALID: Final = Invalid.INVALID


@dataclass(frozen=True, slots=True)
class Typed:
    """What values a setting takes."""

    schema: Mapping[str, Any]  # JSON Schema, for editors and for messages
    convert: Callable[[Any], Any]  # returns the value, or raises ValueError
    words: str = ""  # what is expected, where the schema does not say it well

    @property
    def expected(self) -> str:
        """Say what values are taken."""
        return self.words or type_words(self.schema)

    def accepts(self, value: Any) -> bool:
        """Say whether this value would be taken."""
        try:
            self.convert(value)
        except ValueError:
            return False
        return True

    def read(self, tree: Tree, faults: Faults) -> Any:
        """Return the value, or note its fault and return INVALID."""
        if has_refused(tree):
            return INVALID
        unclear = [leaf for leaf in leaves(tree) if _is_unclear(leaf)]
        for leaf in unclear:
            self._explain(leaf, faults, whole=leaf is tree)
        if unclear:
            return INVALID
        try:
            return self.convert(plain_data(tree))
        except ValueError as error:
            wrong = self._wrong_items(tree)
            for each in wrong or [tree]:
                self._explain(each, faults, whole=not wrong, why=_own_words(error))
            return INVALID

    def _wrong_items(self, tree: Tree) -> list[Tree]:
        """Return the parts of a list that are not taken, if it is they that are wrong."""
        # By itself no part of a list that has to be longer could be taken.
        takes_one = "items" in self.schema and self.schema.get("minItems", 1) <= 1
        if not isinstance(tree, Items) or not takes_one:
            return []
        kind = self._of_items()
        return [item for item in tree.items if not kind.accepts(plain_data(item))]

    def _explain(self, tree: Tree, faults: Faults, *, whole: bool, why: str = "") -> None:
        """Note that a value, or a single value within it, is not what is taken."""
        typed = self if whole else self._of_items()
        choices = text_choices(typed.schema)
        text = tree.value if isinstance(tree, Leaf) and isinstance(tree.value, str) else ""
        meant = closest(text, choices) if text else None
        remedy = _remedy(tree, typed.accepts) if isinstance(tree, Leaf) else ""
        bare = bool(choices) or bool(self.words)
        is_row = isinstance(tree, Items) and "prefixItems" in typed.schema
        got = row_words(tree) if is_row else value_words(tree, bare=bare)
        faults.note(tree, said(typed.expected, got, remedy or (why if whole else ""), meant))

    def _of_items(self) -> "Typed":
        """Return what a list of this type takes for each of its values."""
        return Typed(self.schema.get("items", {}), lambda value: self.convert([value]))


def typed_from(annotation: Any) -> Typed:
    """Take the type from an annotation; without one, any single value will do.

    >>> typed_from(int).accepts(5), typed_from(int).accepts(True), typed_from(float).accepts(5)
    (True, False, True)
    """
    if annotation in (Any, Parameter.empty):
        return Typed({}, _single_value)
    try:
        hash(annotation)
    except TypeError:  # its author has put a list beside it
        return _typed(annotation)
    return _typed_once(annotation)


class _Late(Mapping[str, Any]):
    """A schema that is made when somebody looks into it."""

    def __init__(self, typed: Callable[[], Typed]) -> None:
        self._typed = typed

    def __getitem__(self, name: str) -> Any:
        return self._typed().schema[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._typed().schema)

    def __len__(self) -> int:
        return len(self._typed().schema)


def _typed(annotation: Any) -> Typed:
    # Pydantic takes its time, and a file has few of all the settings there are.
    typed = cache(partial(_typed_now, annotation))
    return Typed(_Late(typed), lambda data: typed().convert(data))


def _typed_now(annotation: Any) -> Typed:
    try:
        adapter = TypeAdapter(annotation)
        schema = adapter.json_schema()
    except PydanticUserError:  # no type that YAML could fill
        return Typed({}, _single_value)

    def convert(data: Any) -> Any:
        # JSON mode, because there a list may fill a tuple and a text an Enum, strictly.
        value = adapter.validate_json(json.dumps(data, allow_nan=False), strict=True)
        if not _same_kind(data, value):
            raise ValueError("pydantic takes true for 1 in a Literal")
        return value

    return Typed(_inlined(schema, schema.get("$defs", {})), convert)


_typed_once = cache(_typed)
"""Many settings have the same type."""


def choice_of(names: Collection[str]) -> Typed:
    """Take one of these names."""

    def convert(data: Any) -> Any:
        if not isinstance(data, str) or data not in names:
            raise ValueError("not one of the names")
        return data

    return Typed({"type": "string", "enum": sorted(names)}, convert)


def text_of(words: str, *, longest: int = LONGEST_NAME) -> Typed:
    """Take printable text that is not blank.

    Args:
        words: What the text is, such as "a name".
        longest: In characters.
    """

    def convert(data: Any) -> Any:
        if not isinstance(data, str) or not data.strip() or not data.isprintable():
            raise ValueError("blank, unprintable or no text")
        if len(data) > longest:
            raise ValueError("too long")
        return data

    schema = {"type": "string", "minLength": 1, "maxLength": longest}
    return Typed(schema, convert, f"{words} of 1 to {longest} printable characters")


def _is_unclear(leaf: Leaf) -> bool:
    """Say whether no setting takes this, whatever its type."""
    blank = leaf.value is None and not leaf.raw
    infinite = isinstance(leaf.value, float) and not math.isfinite(leaf.value)
    return blank or infinite or isinstance(leaf.value, Trap)


def _single_value(data: Any) -> Any:
    """Take anything but lists and mappings."""
    if isinstance(data, (list, dict)):
        raise ValueError("not a single value")  # noqa: TRY004 - convert raises ValueError alone
    return data


def _free_value(data: Any) -> Any:
    """Take anything but mappings; lists become tuples, so that nobody changes them."""
    if isinstance(data, dict):
        raise ValueError("a mapping")  # noqa: TRY004 - convert raises ValueError alone
    return tuple(map(_free_value, data)) if isinstance(data, list) else data


FREE_VALUE: Final = Typed({}, _free_value, "a single value or a list")


def _same_kind(data: Any, value: Any) -> bool:
    """Say whether pydantic kept true apart from 1 and 1.0 apart from 1."""
    if isinstance(data, list) and isinstance(value, (list, tuple)):
        return all(map(_same_kind, data, value))
    if isinstance(value, bool) or isinstance(data, bool):
        return isinstance(value, bool) == isinstance(data, bool)
    return not (isinstance(data, float) and isinstance(value, int))


def _inlined(schema: Any, definitions: Mapping[str, Any], depth: int = 0) -> Any:
    """Put the definitions of a JSON Schema where they are used, as deep as is sensible."""
    if isinstance(schema, list):
        return [_inlined(part, definitions, depth) for part in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return (
            {}
            if depth > DEEPEST_TYPE
            else _inlined(definitions.get(name, {}), definitions, depth + 1)
        )
    parts = schema.items()
    return {name: _inlined(part, definitions, depth) for name, part in parts if name != "$defs"}


def _own_words(error: ValueError) -> str:
    """Give what a check of a type's own says, if nothing else is wrong with the value."""
    told = error.errors(include_url=False) if isinstance(error, ValidationError) else []
    words = [str(each["ctx"]["error"]) for each in told if each["type"] == "value_error"]
    return words[0] if len(words) == 1 else ""


def _remedy(leaf: Leaf, accepts: Callable[[Any], bool]) -> str:
    """Find the smallest change after which the value would be taken."""
    with contextlib.suppress(ValueError):
        match leaf.value:
            case Trap():
                return _trap_remedy(leaf.value, accepts)
            case str():
                plain = plain_value(leaf.value)
                usable = not isinstance(plain, (str, Trap)) and plain is not None
                return "remove the quotes" if usable and accepts(plain) else ""
            case bool() | int() | float():
                return _number_remedy(leaf, accepts)
    return ""


def _trap_remedy(trap: Trap, accepts: Callable[[Any], bool]) -> str:
    """Say how to write what was meant, so that every YAML reads it alike."""
    if accepts(trap.raw):
        return "put it in quotes"
    usable = [number_words(value) for value in trap.alternatives if accepts(value)]
    return f"write {joined(usable)}" if usable else ""


def _number_remedy(leaf: Leaf, accepts: Callable[[Any], bool]) -> str:
    """Say how to write a number or a truth value that is of the wrong type."""
    value = leaf.value
    if isinstance(value, float) and value.is_integer() and accepts(int(value)):
        return f"write {int(value)}"
    return "put it in quotes" if accepts(leaf.raw) else ""
