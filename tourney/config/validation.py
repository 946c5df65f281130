"""Read a mapping with its model and note all faults, each with its place and a fix.

Pydantic finds the faults. Their words come from the JSON Schema of the model, so messages and
editors agree.
"""

import dataclasses
import json
import math
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError, create_model

from tourney.config.documents import REFUSED, Faults, KeyPath
from tourney.config.scalars import Trap, number_words, plain_value
from tourney.config.settings import (
    APART,
    AS_WRITTEN,
    MOST_MODELS,
    Settings,
    choice_type,
    given_settings,
    model_of,
    schema_of,
    settings_of,
)
from tourney.config.words import (
    closest,
    hint,
    joined,
    quoted,
    said,
    shortened,
    similarity,
    text_choices,
    type_words,
    value_words,
)

NAMED = {"preset": "name of the rules to begin with", "kind": "name of the format"}


def read_settings(
    model: type[Settings], data: Any, path: KeyPath, faults: Faults
) -> dict[str, Any]:
    """Read a mapping.

    Args:
        data: Plain data; anything else than a mapping is a fault.
        faults: Receives unknown keys, missing keys and wrong values.
    Returns: The values without a fault, by key, in the order of the file.
    """
    if data == {} and not any(each.is_required() for each in model.model_fields.values()):
        return {}  # saves the slow construction of a validator
    if isinstance(data, dict):
        return _Reader(model, data, path, faults).read()
    if data is not REFUSED:
        found = value_words(data, faults.raw(path, data))
        faults.note(path, said("a mapping such as {name: value}", found))
    return {}


def read_fields(kind: type[Any], data: Any, path: KeyPath, faults: Faults) -> Any:
    """Read a mapping as a dataclass; `None` after a fault."""
    before = faults.count
    values = read_settings(settings_of(kind), data, path, faults)
    return kind(**values) if faults.count == before and data is not REFUSED else None


LISTS = {
    "game": "games",
    "preset": "games",
    "format": "formats",
    "kind": "formats",
    "strategy": "strategies",
}
"""What `tourney list` calls the choices of a setting."""


def read_named(
    key: str, names: Collection[str], data: Any, path: KeyPath, faults: Faults
) -> tuple[str | None, dict[str, Any]]:
    """Read `game: ve280` and `game: {preset: ve280, ...}` alike.

    Args:
        key: The setting of the mapping that holds the name.
        names: The choices.
        data: A name or a mapping.
    Returns: The name and the other settings. After a misspelled name, the closest choice, so that
    the
        other settings can be read; `None` if no choice is near.
    """
    named, rest = data, {}
    if isinstance(data, dict):
        spelt = key if key in data else next((each for each in data if closest(each, [key])), None)
        if spelt is None:
            faults.note(path, f"{quoted(key)} is missing ({NAMED[key]})")
            return None, {}
        rest = {name: value for name, value in data.items() if name != spelt}
        named, path = data[spelt], (*path, spelt)
        if spelt != key:
            faults.note(path, f"unknown setting {quoted(spelt)}{hint(key)}", at_key=True)
    if isinstance(named, str) and named in names:
        return named, rest
    setting = str(path[-1])  # that holds the name
    model = model_of("Value", {setting: (choice_type(names), ...)})
    read_settings(model, {setting: named}, path[:-1], faults)
    return closest(named, names) if isinstance(named, str) else None, rest


def note_refused(
    given: Mapping[str, Any], path: KeyPath, why: str, who: str, faults: Faults
) -> None:
    """Note that a constructor rejects options, at the option that its message names.

    Args:
        given: The options.
        why: The exception of the constructor, such as "ValueError: spread: expected …, got -5".
        who: The strategy's name.
    """
    own = why.partition(": ")[2]
    first, _, rest = own.partition(": ")
    named = [name for name in given if re.search(rf"\b{re.escape(name)}\b", own)]
    if first in named:
        named, own = [first], rest
    at = (*path, named[0]) if len(named) == 1 else path
    is_clear = first in given or own.startswith("expected ")
    faults.note(at, own if is_clear else f"{who} rejects the options: {why}")


@dataclass(frozen=True, slots=True)
class _Wrong:
    """A fault that pydantic found, by its place in the data."""

    path: KeyPath  # of the value, or of the mapping with a missing or unknown key
    kind: Literal["value", "missing", "unknown"] = "value"
    key: str = ""
    why: str = ""  # message of the type's check
    tags: tuple[tuple[KeyPath, str], ...] = ()  # branches of unions, with their places


class _Reader:
    """Reads one mapping with its model."""

    def __init__(
        self, model: type[Settings], data: dict[str, Any], path: KeyPath, faults: Faults
    ) -> None:
        self._model, self._path, self._faults = model, path, faults
        self._keys = {field.alias or name: field for name, field in model.model_fields.items()}
        self._given = data
        self._data = {key: self._as_read(key, value) for key, value in data.items()}
        self._apart = {key for key in data if APART in self._marks(key)}
        self._unclear: list[KeyPath] = []
        self._clean = self._cleaned(self._data, ())

    def read(self) -> dict[str, Any]:
        """Return the values without a fault, and note the faults of the others."""
        values, wrong = self._check(self._clean)
        if not self._unclear and not wrong:
            return {key: values[key] for key in self._data if key not in self._apart}
        wrong = [each for each in _chosen(wrong) if not self._is_explained(each)]
        unknown = [(*each.path, each.key) for each in wrong if each.kind == "unknown"]
        for path in self._unclear:
            is_known = not any(_is_under(path, key) for key in unknown)
            if is_known and _at(self._given, path) is not REFUSED:
                self._explain(_Wrong(path), is_whole=len(path) == 1)
        self._note(wrong)
        bad = {each.path[0] for each in wrong if each.path} | {path[0] for path in self._unclear}
        bad |= {each.key for each in wrong if not each.path}
        kept = {key: value for key, value in self._clean.items() if key not in bad}
        values, _ = self._check(kept, _optional(self._model))
        return {key: values[key] for key in kept if key not in self._apart}

    def _marks(self, key: str) -> Sequence[Any]:
        return self._keys[key].metadata if key in self._keys else ()

    def _as_read(self, key: str, value: Any) -> Any:
        marks = self._marks(key)
        if APART in marks and value is not REFUSED:
            return True  # or any other value, because it is read separately
        return self._faults.written((*self._path, key), value) if AS_WRITTEN in marks else value

    def _cleaned(self, data: Any, path: KeyPath) -> Any:
        """Return data that JSON can hold, and note values that no setting accepts."""
        match data:
            case dict():
                return {key: self._cleaned(each, (*path, key)) for key, each in data.items()}
            case list():
                return [self._cleaned(each, (*path, at)) for at, each in enumerate(data)]
        if not _is_unclear(data, self._faults.raw((*self._path, *path), data)):
            return data
        self._unclear.append(path)
        return None

    def _check(
        self, data: Any, model: type[Settings] | None = None
    ) -> tuple[dict[str, Any], list[_Wrong]]:
        """Validate data with pydantic; return the values, or the faults."""
        try:
            # JSON mode: strict validation then accepts a list for a tuple and text for an Enum.
            found = (model or self._model).model_validate_json(json.dumps(data), strict=True)
        except ValidationError as error:
            errors = error.errors(include_url=False, include_input=False)
            return {}, [_wrong_of(each, data) for each in errors]
        values = given_settings(found)
        # Pydantic accepts true for 1 in a Literal.
        others = [key for key, each in values.items() if not _is_same_kind(data[key], each)]
        return values, [_Wrong((key,)) for key in others]

    def _is_explained(self, wrong: _Wrong) -> bool:
        """Check whether a fault comes from an ambiguous value."""
        return wrong.kind == "value" and any(_is_near(path, wrong.path) for path in self._unclear)

    def _note(self, wrong: Sequence[_Wrong]) -> None:
        """Note the faults that pydantic found, one for each value and each key."""
        values: dict[KeyPath, list[_Wrong]] = defaultdict(list)
        mappings: dict[KeyPath, list[_Wrong]] = defaultdict(list)
        for each in wrong:
            kinds = values if each.kind == "value" else mappings
            path = self._row(each) if each.kind == "value" else each.path
            kinds[path].append(each)
        for path, found in values.items():
            if any(other != path and _is_under(other, path) for other in values):
                continue  # pydantic also calls a list with wrong values too short
            why = [each.why for each in found if each.why]
            self._explain(
                dataclasses.replace(found[0], path=path, why=why[0] if len(why) == 1 else ""),
                is_whole=True,
            )
        for path, found in mappings.items():
            self._note_keys(path, found)

    def _note_keys(self, path: KeyPath, wrong: Sequence[_Wrong]) -> None:
        """Note keys of a mapping that are unknown or missing."""
        known = self._schema(path, wrong[0].tags).get("properties", {})
        given = _at(self._given, path)
        meant = {each.key: _meant(each.key, known, given) for each in wrong}
        all_keys = self._model.keys_shown_by
        for each in wrong:
            here = (*self._path, *path)
            if each.kind == "unknown":
                remedy = (
                    f"choose {joined(tuple(known), shown_by=all_keys)}" if known else "remove it"
                )
                message = f"unknown setting {quoted(each.key)}; {remedy}{hint(meant[each.key])}"
                self._faults.note((*here, each.key), message, at_key=True)
            elif each.key not in {meant[other.key] for other in wrong if other.kind == "unknown"}:
                meaning = known.get(each.key, {}).get("description", "")
                message = f"{quoted(each.key)} is missing{_aside(meaning)}"
                self._faults.note(here, message)

    def _row(self, wrong: _Wrong) -> KeyPath:
        """Return the path of the list around a value, if its values differ in meaning."""
        for length in range(1, len(wrong.path)):
            if "prefixItems" in self._schema(wrong.path[:length], wrong.tags):
                return wrong.path[:length]
        return wrong.path

    def _explain(self, wrong: _Wrong, *, is_whole: bool) -> None:
        """Note that a value has a wrong type or is out of range."""
        path = wrong.path
        schema, value = self._schema(path, wrong.tags), _at(self._given, path)
        where = (*self._path, *path)
        choices = text_choices(schema)
        meant = closest(value, choices) if isinstance(value, str) and value else None
        raw = self._faults.raw(where, value)
        remedy = self._remedy(path, value, raw) or (wrong.why if is_whole else "")
        name = next((each for each in reversed(where) if isinstance(each, str)), "")
        expected = type_words(schema, f"`tourney list {LISTS[name]}`" if name in LISTS else "")
        if name in LISTS and choices and value and isinstance(value, str) and not remedy:
            if remedy := _typed_remedy(name, value):
                meant = None
            elif not meant:
                remedy = "if a plugin has it, install its package"
        got = value_words(value, raw, bare=bool(choices) or "maxLength" in schema)
        if isinstance(value, list) and "prefixItems" in schema:
            got = shortened(f"[{', '.join(_flat(self._faults.written(where, value)))}]")
        self._faults.note(where, said(expected, got, remedy, meant))

    def _remedy(self, path: KeyPath, value: Any, raw: str) -> str:
        """Find the smallest change that makes a value acceptable."""
        match value:
            case Trap():
                if self._accepts(path, raw):
                    return "put it in quotes"
                words = [number_words(it) for it in value.alternatives if self._accepts(path, it)]
                return f"write {joined(words)}" if words else ""
            case str():
                plain = plain_value(value)
                is_usable = isinstance(plain, (bool, int, float)) and self._accepts(path, plain)
                return "remove the quotes" if is_usable else ""
            case float() if value.is_integer() and self._accepts(path, int(value)):
                return f"write {int(value)}"
            case bool() | int() | float() if self._accepts(path, raw):
                return "put it in quotes"
        return ""

    def _accepts(self, path: KeyPath, value: Any) -> bool:
        """Check whether a path accepts a value."""
        _, wrong = self._check(_replaced(self._clean, path, value))
        return not any(
            _is_near(each.path, path) if each.kind == "value" else _is_under(each.path, path)
            for each in wrong
        )

    def _schema(self, path: KeyPath, tags: Iterable[tuple[KeyPath, str]]) -> dict[str, Any]:
        """Find the JSON Schema of a value."""
        schema, chosen = schema_of(self._model), dict(tags)
        for length in range(len(path) + 1):
            tag, branches = chosen.get(path[:length], ""), schema.get("anyOf", ())
            schema = next((each for each in branches if each.get("title") == tag), schema)
            if length < len(path):
                schema = _inside(schema, path[length])
        return schema


@lru_cache(maxsize=MOST_MODELS)
def _optional(model: type[Settings]) -> type[Settings]:
    """Make the same model with every setting optional."""
    fields: dict[str, Any] = {
        name: (Annotated[field.rebuild_annotation(), Field(alias=field.alias)], None)
        for name, field in model.model_fields.items()
    }
    return create_model(model.__name__, __base__=model, **fields)


def _wrong_of(error: Any, data: Any) -> _Wrong:
    """Find the place of a pydantic error; parts that are not keys of the data name a union's
    branch.
    """
    parts, kind = error["loc"], error["type"]
    name = str(parts[-1]) if parts else ""
    is_missing = kind == "missing" and not isinstance(parts[-1], int)
    path: KeyPath = ()
    tags: list[tuple[KeyPath, str]] = []
    for part in parts[:-1] if is_missing else parts:
        is_key = isinstance(data, dict) and part in data
        if is_key or (isinstance(data, list) and isinstance(part, int) and part < len(data)):
            path, data = (*path, part), data[part]
        elif not isinstance(part, int):
            tags.append((path, str(part)))
    if is_missing:
        return _Wrong(path, "missing", name, tags=tuple(tags))
    if kind in {"extra_forbidden", "unexpected_keyword_argument"}:
        return _Wrong(path[:-1], "unknown", name, tags=tuple(tags))
    why = str(error["ctx"]["error"]) if kind == "value_error" else ""
    return _Wrong(path, why=why, tags=tuple(tags))


def _chosen(wrong: Sequence[_Wrong], level: int = 0) -> list[_Wrong]:
    """Keep, of every union, the faults of the branch that the organiser probably meant.

    That is the branch that most keys fit. If there is no such branch, the whole value is wrong.
    """
    kept = [each for each in wrong if len(each.tags) <= level]
    unions: dict[KeyPath, dict[str, list[_Wrong]]] = defaultdict(lambda: defaultdict(list))
    for each in wrong:
        if len(each.tags) > level:
            at, tag = each.tags[level]
            unions[at][tag].append(each)
    for at, parts in unions.items():
        misfits = {
            tag: _misfit(found)
            for tag, found in parts.items()
            if all(each.path != at or each.kind != "value" for each in found)
        }
        best = [tag for tag, number in misfits.items() if number == min(misfits.values())]
        if len(best) == 1:
            kept += _chosen(parts[best[0]], level + 1)
        else:
            whys = [each.why for found in parts.values() for each in found if each.why]
            why = whys[0] if len(whys) == 1 else ""
            kept.append(_Wrong(at, why=why, tags=wrong[0].tags[:level]))
    return kept


def _misfit(wrong: Sequence[_Wrong]) -> float:
    """Count unknown and missing keys; a misspelled key counts less."""
    unknown = [each.key for each in wrong if each.kind == "unknown"]
    missing = [each.key for each in wrong if each.kind == "missing"]
    near = (max((similarity(key, each) for each in missing), default=0.0) for key in unknown)
    return len(unknown) + len(missing) - sum(near)


def _meant(key: str, known: Collection[str], given: Collection[str]) -> str | None:
    """Find the setting that an unknown key probably means, first among the missing ones."""
    return closest(key, [name for name in known if name not in given]) or closest(key, known)


def _aside(meaning: str) -> str:
    """Put the description of a setting in brackets.

    >>> _aside("Entrants that advance from each table.")
    ' (entrants that advance from each table)'
    """
    first = meaning.partition("\n")[0].rstrip(".")
    return f" ({first[0].lower()}{first[1:]})" if first else ""


def _inside(schema: Mapping[str, Any], part: str | int) -> dict[str, Any]:
    """Return the schema of a key or an index; an empty schema accepts anything."""
    for branch in (schema, *schema.get("anyOf", ())):
        if isinstance(part, str):
            found = branch.get("properties", {}).get(part, branch.get("additionalProperties"))
        else:
            row = branch.get("prefixItems", ())
            found = row[part] if part < len(row) else branch.get("items")
        if isinstance(found, dict):
            return found
    return {}


def _typed_remedy(name: str, value: str) -> str:
    """Return how a file, or a name with settings as on the command line, is written in YAML.

    >>> _typed_remedy("game", "ve280,decks=2"), _typed_remedy("strategy", "bots/mine.py")
    ('write {preset: ve280, decks: 2}', "write 'file: bots/mine.py'")
    """
    head, *typed = (" ".join(each.split()) for each in value.split(","))
    if name == "strategy" and value.endswith((".py", ".cpp")):
        return f"write {quoted(f'file: {value}')}"
    if not typed or not all("=" in each for each in typed):
        return ""
    settings = ", ".join(each.replace("=", ": ", 1) for each in typed)
    if name == "strategy":
        return f"write {quoted(head)}, and below it {quoted(f'options: {{{settings}}}')}"
    return f"write {{{'kind' if name in {'format', 'kind'} else 'preset'}: {head}, {settings}}}"


def _is_unclear(value: Any, raw: str) -> bool:
    """Check whether a value is ambiguous, so that no setting accepts it."""
    match value:
        case None:
            return not raw
        case float():
            return not math.isfinite(value)
        case str():
            return not _is_unicode(value)
    return isinstance(value, Trap) or value is REFUSED


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _is_same_kind(data: Any, value: Any) -> bool:
    """Check that pydantic did not convert between true and 1, or between 1.0 and 1."""
    if isinstance(data, list) and isinstance(value, (list, tuple)):
        return all(map(_is_same_kind, data, value))
    if isinstance(value, bool) or isinstance(data, bool):
        return isinstance(value, bool) == isinstance(data, bool)
    return not (isinstance(data, float) and isinstance(value, int))


def _is_under(path: KeyPath, other: KeyPath) -> bool:
    """Check whether a path is the same as another or below it."""
    return path[: len(other)] == other


def _is_near(path: KeyPath, other: KeyPath) -> bool:
    """Check whether one of two paths is the same as the other or below it."""
    return _is_under(path, other) or _is_under(other, path)


def _at(data: Any, path: KeyPath) -> Any:
    """Return the value at a path."""
    for part in path:
        data = data[part]
    return data


def _replaced(data: Any, path: KeyPath, value: Any) -> Any:
    """Return the data with another value at a path."""
    if not path:
        return value
    copy: Any = dict(data) if isinstance(data, dict) else list(data)
    copy[path[0]] = _replaced(data[path[0]], path[1:], value)
    return copy


def _flat(written: Any) -> Iterator[str]:
    """Yield every text in lists and mappings."""
    inside = written.values() if isinstance(written, dict) else written
    for each in inside:
        yield from [each] if isinstance(each, str) else _flat(each)
