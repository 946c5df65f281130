"""Settings: the keys of a mapping as a pydantic model, and the types of their values.

A model is a class, or is made from a plugin: from the fields of a dataclass (rules and formats) or
the parameters of a constructor (strategies). `validation` reads a mapping with it.
"""

import ast
import dataclasses
import inspect
import textwrap
from collections.abc import Callable, Collection, Mapping
from dataclasses import MISSING
from datetime import UTC, datetime
from functools import cache, lru_cache
from itertools import pairwise
from types import SimpleNamespace, UnionType
from typing import (
    Annotated,
    Any,
    ClassVar,
    Final,
    Literal,
    TypeAlias,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    TypeAdapter,
    WithJsonSchema,
    create_model,
)
from pydantic.errors import PydanticUserError
from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import PydanticCustomError

from tourney.config.words import (
    EXPECTED,
)

PLAIN_TYPES = (int, float, str, bool, type(None))
KEYWORDS = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
LONGEST_NAME = 80  # characters
LONGEST_PATH = 4000
DEEPEST_TYPE = 3  # levels of nested definitions that a schema inlines
MOST_MODELS = 64  # in the cache of schemas


class Mark:
    """Metadata of a setting's type: how to read its value."""


APART: Final = Mark()
"""Read the value separately, with a model that depends on it."""
AS_WRITTEN: Final = Mark()
"""Keep the text as written of a number, date or word that YAML would convert."""
Part: TypeAlias = Annotated[Any, APART]


def _title(name: str, info: Any) -> str:
    return (info.alias or name).replace("_", " ").capitalize()


class Settings(BaseModel):
    """A mapping with these keys and no others."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        frozen=True,
        allow_inf_nan=False,
        defer_build=True,  # a file uses few of the settings
        field_title_generator=_title,
    )
    declared_by: ClassVar[type[Any] | None] = None  # the dataclass that declares the settings
    keys_shown_by: ClassVar[str] = "`tourney schema`"


class OpenSettings(Settings):
    """A mapping that may have further keys with single values or lists."""

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: "dict[str, FreeValue]" = Field(init=False)


def field_texts(kind: type[Any]) -> dict[str, str]:
    """Read the text below each field of a class.

    Returns: Texts by the names of the fields; empty where the source is not available.
    """
    texts: dict[str, str] = {}
    for parent in reversed(kind.__mro__[:-1]):
        try:
            body = ast.parse(textwrap.dedent(inspect.getsource(parent))).body[0]
        except (OSError, TypeError, SyntaxError):
            continue
        for field, text in pairwise(body.body if isinstance(body, ast.ClassDef) else ()):
            match field, text:
                case (
                    ast.AnnAssign(target=ast.Name(id=name)),
                    ast.Expr(value=ast.Constant(value=str(found))),
                ):
                    texts[name] = inspect.cleandoc(found)
    return texts


# Types of settings


def _printable(text: str) -> str:
    if not text.strip() or not text.isprintable():
        raise PydanticCustomError("unprintable", "blank or unprintable text")
    return text


def text_type(words: str, longest: int = LONGEST_NAME) -> Any:
    """Make the type of printable text that is not blank.

    Args:
        words: A description such as "a name".
        longest: In characters.
    """
    expected: dict[str, Any] = {EXPECTED: f"{words} of 1 to {longest} printable characters"}
    limits = Field(min_length=1, max_length=longest, json_schema_extra=expected)
    return Annotated[str, limits, AfterValidator(_printable)]


def choice_type(names: Collection[str]) -> Any:
    """Make the type of one of these names."""

    def check(name: str) -> str:
        if name not in names:
            raise PydanticCustomError("choice", "not one of the names")
        return name

    schema = {"type": "string", "enum": sorted(names)}
    return Annotated[str, AfterValidator(check), WithJsonSchema(schema)]


def expecting(words: str, **schema: Any) -> Any:
    """Make metadata for a type whose schema does not describe the expected value well."""
    return Field(json_schema_extra={EXPECTED: words, **schema})


def _single_value(data: Any) -> Any:
    if isinstance(data, (list, dict)):
        raise PydanticCustomError("single", "not a single value")
    return data


def _free_value(data: Any) -> Any:
    if isinstance(data, dict):
        raise PydanticCustomError("free", "a mapping")
    return tuple(map(_free_value, data)) if isinstance(data, list) else data


SingleValue: TypeAlias = Annotated[Any, AfterValidator(_single_value)]
"""Anything but lists and mappings."""
FreeValue: TypeAlias = Annotated[
    Any, AfterValidator(_free_value), WithJsonSchema({EXPECTED: "a single value or a list"})
]
"""Anything but mappings; lists become tuples, which cannot change."""
Name: TypeAlias = text_type("a name")  # type: ignore[valid-type]  # made by a function
PathText: TypeAlias = text_type("a path", LONGEST_PATH)  # type: ignore[valid-type]  # made by a function

A_PAGE = "an address such as https://example.edu/cs101"
PAGE_PATTERN = r"^(https?://[^\s\\]+|[^:\s\\]+)$"
"""An address that no browser runs as a script."""
PageAddress: TypeAlias = Annotated[str, Field(pattern=PAGE_PATTERN), expecting(A_PAGE)]


def _moment(text: Any) -> datetime:
    try:
        time = datetime.fromisoformat(text)
    except (TypeError, ValueError):
        raise PydanticCustomError("moment", "not a time") from None
    return time if time.tzinfo else time.replace(tzinfo=UTC)


A_TIME = "a time such as 2026-05-01T12:00"
Moment: TypeAlias = Annotated[
    datetime,
    AS_WRITTEN,  # YAML versions read it as a date or as text
    BeforeValidator(_moment),
    WithJsonSchema({"type": "string", "examples": ["2026-05-01T12:00"], EXPECTED: A_TIME}),
]


def left_out(alias: str | None = None) -> Any:
    """Make the default of an optional setting that rejects null."""
    return Field(default=None, alias=alias)


def is_name(text: str) -> bool:
    """Check whether a text could be a name."""
    return 0 < len(text) <= LONGEST_NAME and bool(text.strip()) and text.isprintable()


# Models of plugins


def _settings_of(kind: type[Any], *, is_partial: bool = False) -> type[Settings]:
    """Make the model of a dataclass: a setting for each field of its constructor.

    Args:
        is_partial: Make all settings optional, for changes of an existing instance.
    """
    hints = get_type_hints(kind, include_extras=True)
    fields = {
        field.name: (_usable(hints[field.name]), _default_of(field, is_partial=is_partial))
        for field in dataclasses.fields(kind)
        if field.init
    }
    model = model_of(kind.__name__, fields)
    model.declared_by = kind
    return model


settings_of: Callable[..., type[Settings]] = cache(_settings_of)


def _default_of(field: dataclasses.Field[Any], *, is_partial: bool) -> Any:
    if field.default is not MISSING:
        return field.default
    return None if is_partial or field.default_factory is not MISSING else ...


def options_of(strategy: Callable[..., Any]) -> type[Settings]:
    """Make the model of a strategy's options.

    Args:
        strategy: A class, or another callable that makes a player.
    """
    try:
        parameters = tuple(inspect.signature(strategy).parameters.values())
    except (TypeError, ValueError):  # written in C without a signature
        return OpenSettings
    function = strategy.__init__ if isinstance(strategy, type) else strategy  # type: ignore[misc]  # a class
    if getattr(function, "__module__", "") == "typing":  # a Protocol's constructor
        return Settings
    namespace = getattr(inspect.unwrap(function), "__globals__", {})
    fields = {
        each.name: (
            _usable(_resolved(each.annotation, namespace)),
            ... if each.default is each.empty else each.default,
        )
        for each in parameters
        if each.kind in KEYWORDS
    }
    takes_others = any(each.kind is each.VAR_KEYWORD for each in parameters)
    return model_of("Options", fields, OpenSettings if takes_others else Settings)


def _resolved(annotation: Any, namespace: Mapping[str, Any]) -> Any:
    """Return the type of an annotation; Any, if it is not a type."""
    holder = SimpleNamespace(__annotations__={"it": annotation})
    if annotation is inspect.Parameter.empty:
        return Any
    try:
        return get_type_hints(holder, globalns=dict(namespace), include_extras=True)["it"]
    except Exception:  # noqa: BLE001 - evaluating it may fail in any way
        return Any


def model_of(
    name: str, fields: Mapping[str, tuple[Any, Any]], base: type[Settings] = Settings
) -> type[Settings]:
    """Make a model.

    Args:
        fields: Type and default of each setting: `...` for a required one, and a FieldInfo to
            describe it.
    """
    made: dict[str, Any] = {}
    for number, (key, (annotation, default)) in enumerate(fields.items()):
        # A setting may have the name of a method of BaseModel.
        made[f"setting_{number}"] = (Annotated[annotation, Field(alias=key)], default)
    return create_model(name, __base__=base, **made)


def _usable(annotation: Any) -> Any:
    """Return a type that YAML can fill, or one that accepts any single value."""
    return annotation if _is_plain(annotation) or _is_described(annotation) else SingleValue


def _is_plain(annotation: Any) -> bool:
    """Check whether YAML can surely fill a type, without asking pydantic."""
    origin, inner = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _is_plain(inner[0])
    if origin in {Union, UnionType, tuple, list}:
        return all(each is Ellipsis or _is_plain(each) for each in inner)
    if dataclasses.is_dataclass(annotation):
        hints = get_type_hints(annotation, include_extras=True)
        return all(_is_plain(hints[field.name]) for field in dataclasses.fields(annotation))
    return origin is Literal or any(annotation is kind for kind in PLAIN_TYPES)


def _is_described(annotation: Any) -> bool:
    if annotation is Any:
        return False
    try:
        TypeAdapter(annotation).json_schema()
    except PydanticUserError:
        return False
    return True


@lru_cache(maxsize=MOST_MODELS)
def schema_of(kind: Any) -> dict[str, Any]:
    """Return the JSON Schema of a model or a dataclass, with all definitions inlined."""
    schema = TypeAdapter(kind).json_schema(schema_generator=_Schemas)
    whole: dict[str, Any] = _inlined(schema, schema.get("$defs", {}))
    return whole


class _Schemas(GenerateJsonSchema):
    """Describes settings by the texts below their fields."""

    ignored_warning_kinds = {"skipped-choice", "non-serializable-default"}  # noqa: RUF012 - as in the base

    def model_schema(self, schema: Any) -> dict[str, Any]:
        """Describe a model by the class that declares its settings."""
        kind, described = schema["cls"], super().model_schema(schema)
        if issubclass(kind, Settings):
            described.pop("description", None)
            described[EXPECTED] = "a mapping such as {name: value}"
        return _with_texts(described, getattr(kind, "declared_by", None) or kind)

    def dataclass_schema(self, schema: Any) -> dict[str, Any]:
        """Describe a dataclass."""
        return _with_texts(super().dataclass_schema(schema), schema["cls"])


def _with_texts(schema: dict[str, Any], kind: type[Any]) -> dict[str, Any]:
    """Add the texts below the fields of a class to its schema."""
    texts = field_texts(kind)
    for key, each in schema.get("properties", {}).items():
        each.setdefault("title", _title(key, SimpleNamespace(alias=None)))
        if text := texts.get(key) or texts.get(f"{key}_"):  # `as` is a keyword
            each.setdefault("description", text)
        if each.get("default", MISSING) is None:
            del each["default"]
    return schema


def _inlined(schema: Any, definitions: Mapping[str, Any], depth: int = 0) -> Any:
    """Inline the definitions of a JSON Schema, up to a limited depth."""
    if isinstance(schema, list):
        return [_inlined(part, definitions, depth) for part in schema]
    if not isinstance(schema, dict):
        return schema
    parts = {
        name: _inlined(part, definitions, depth)
        for name, part in schema.items()
        if name not in {"$defs", "$ref"}
    }
    if "$ref" not in schema or depth > DEEPEST_TYPE:
        return parts
    found = definitions.get(schema["$ref"].rpartition("/")[2], {})
    return {**_inlined(found, definitions, depth + 1), **parts}


def given_settings(model: BaseModel) -> dict[str, Any]:
    """Return the settings that were given, by key."""
    fields = type(model).model_fields
    given = {
        field.alias or name: getattr(model, name)
        for name, field in fields.items()
        if name in model.model_fields_set
    }
    return given | (model.model_extra or {})
