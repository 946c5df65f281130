"""Settings of a mapping: which keys there are, and what each of them takes.

The settings of a dataclass are its fields, those of a strategy the parameters of
its constructor. Knows no particular setting.
"""

import ast
import dataclasses
import inspect
import re
import textwrap
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import MISSING, dataclass
from functools import cache, partial
from itertools import pairwise
from types import SimpleNamespace
from typing import Any, get_args, get_type_hints

from tourney.config.located import Entries, Faults, Refused, Tree
from tourney.config.typed import FREE_VALUE, INVALID, Typed, typed_from
from tourney.config.words import closest, joined, quoted, said, value_words

KEYWORDS = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)


@dataclass(frozen=True, slots=True)
class Setting:
    """One key of a mapping."""

    name: str
    said_as: str | Callable[[], str]  # or what finds it out, as only few are ever told
    read: Callable[[Tree, Faults], Any]  # returns the value or INVALID
    required: bool = False
    schema: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    default: Any = None  # shown by an editor

    @property
    def meaning(self) -> str:
        """What it means, for a message and for an editor; "" if nobody said it."""
        return self.said_as if isinstance(self.said_as, str) else self.said_as()


def setting(
    name: str,
    meaning: str | Callable[[], str],
    typed: Typed,
    *,
    required: bool = False,
    default: Any = None,
) -> Setting:
    """Make a setting that takes a value of this type."""
    return Setting(name, meaning, typed.read, required, typed.schema, default)


def read_settings(entries: Entries, settings: Sequence[Setting], faults: Faults) -> dict[str, Any]:
    """Read every setting of a mapping.

    Args:
        entries: The mapping.
        settings: Every key there may be.
        faults: Notes unknown keys, missing keys and wrong values.
    Returns: The values that are there and have no fault, by name.
    """
    known = {each.name: each for each in settings}
    values: dict[str, Any] = {}
    misspelt: set[str] = set()
    for key, tree in entries.entries:
        if key.name in known:
            value = known[key.name].read(tree, faults)
            if value is not INVALID:
                values[key.name] = value
            continue
        absent = [name for name in known if entries.key(name) is None]
        meant = closest(key.name, absent) or closest(key.name, known)
        misspelt |= {meant} if meant else set()
        expected = joined(tuple(known)) if known else "no settings here"
        faults.note(key, said(expected, quoted(key.name), meant=meant))
    _note_missing(entries, [each for each in settings if each.name not in misspelt], faults)
    return values


def _note_missing(entries: Entries, settings: Sequence[Setting], faults: Faults) -> None:
    """Note each required setting that is not there."""
    for each in settings:
        if each.required and entries.key(each.name) is None:
            faults.note(entries, said(quoted(each.name) + _aside(each.meaning), "nothing"))


def _aside(meaning: str) -> str:
    """Put what a setting means in brackets.

    >>> _aside("Entrants that go on from each table.")
    ' (entrants that go on from each table)'
    """
    first = meaning.partition("\n")[0].rstrip(".")
    return f" ({first[0].lower()}{first[1:]})" if first else ""


def read_mapping(tree: Tree, faults: Faults) -> Any:
    """Return a mapping as it is, or note that this is none and return INVALID."""
    if isinstance(tree, Entries):
        return tree
    if isinstance(tree, Refused):
        return INVALID
    faults.note(tree, said("a mapping such as {name: value}", value_words(tree)))
    return INVALID


def field_settings(kind: type[Any]) -> tuple[Setting, ...]:
    """Return the settings of a dataclass: one for each field of its constructor."""
    hints = get_type_hints(kind, include_extras=True)
    meanings = cache(partial(field_meanings, kind))
    return tuple(
        _with_parts(
            hints[field.name],
            setting(
                field.name,
                partial(_meaning, meanings, field.name),
                typed_from(hints[field.name]),
                required=field.default is MISSING and field.default_factory is MISSING,
                default=None if field.default is MISSING else field.default,
            ),
        )
        for field in dataclasses.fields(kind)
        if field.init
    )


def _with_parts(annotation: Any, whole: Setting) -> Setting:
    """Have a setting that takes one of several mappings say which part of one is wrong."""
    kinds = [
        each
        for each in get_args(annotation)
        if isinstance(each, type) and dataclasses.is_dataclass(each)
    ]
    return dataclasses.replace(whole, read=partial(_read_parts, whole, kinds)) if kinds else whole


def _read_parts(whole: Setting, kinds: Sequence[type[Any]], tree: Tree, faults: Faults) -> Any:
    unheard = Faults("")
    value = whole.read(tree, unheard)
    if not unheard.count:
        return value
    before = faults.count
    if isinstance(tree, Entries) and (kind := _meant(kinds, tree)):
        read_settings(tree, field_settings(kind), faults)
    return INVALID if faults.count > before else whole.read(tree, faults)


def _meant(kinds: Sequence[type[Any]], tree: Entries) -> type[Any] | None:
    """Return the dataclass that a mapping is probably meant for, by a key that is its alone."""
    names = [(field.name, kind) for kind in kinds for field in dataclasses.fields(kind)]
    often = Counter(name for name, _ in names)
    own = {name: kind for name, kind in names if often[name] == 1}
    keys = [key.name for key, _ in tree.entries]
    near = (closest(key, own) for key in keys)
    return next((own[key] for key in (*keys, *near) if key in own), None)


def _meaning(meanings: Callable[[], Mapping[str, str]], name: str) -> str:
    return meanings().get(name, "")


def field_meanings(kind: type[Any]) -> dict[str, str]:
    """Read the text below each field of a dataclass, as its author wrote it.

    Returns: Texts by the names of the fields; empty where the source is not at hand.
    """
    meanings: dict[str, str] = {}
    for parent in reversed(kind.__mro__[:-1]):
        try:
            body = ast.parse(textwrap.dedent(inspect.getsource(parent))).body[0]
        except (OSError, TypeError, SyntaxError):
            continue
        statements = body.body if isinstance(body, ast.ClassDef) else []
        for field, text in pairwise(statements):
            match field, text:
                case (
                    ast.AnnAssign(target=ast.Name(id=name)),
                    ast.Expr(value=ast.Constant(value=str(meaning))),
                ):
                    meanings[name] = inspect.cleandoc(meaning)
    return meanings


@dataclass(frozen=True, slots=True)
class Parameters:
    """The options that the constructor of a strategy takes."""

    settings: tuple[Setting, ...]
    takes_others: bool = False  # it has **options, or cannot be looked into

    def read(self, entries: Entries, faults: Faults) -> tuple[tuple[str, Any], ...]:
        """Read the options of an entrant, in the order of the file."""
        known = {each.name for each in self.settings}
        others: tuple[Setting, ...] = ()
        if self.takes_others:
            others = tuple(
                setting(key.name, "", FREE_VALUE)
                for key, _ in entries.entries
                if key.name not in known
            )
        return tuple(read_settings(entries, (*self.settings, *others), faults).items())


ANY_OPTIONS = Parameters((), takes_others=True)
"""The options of a strategy that is not loaded yet."""


def parameters_of(strategy: Callable[..., Any]) -> Parameters:
    """Find out which options a strategy takes.

    Args:
        strategy: A class, or anything else that makes a player when called.
    """
    try:
        parameters = tuple(inspect.signature(strategy).parameters.values())
    except (TypeError, ValueError):  # written in C without a signature
        return ANY_OPTIONS
    function = strategy.__init__ if isinstance(strategy, type) else strategy  # type: ignore[misc]  # a class
    if (
        getattr(function, "__module__", "") == "typing"
    ):  # what a Protocol gives a class without a constructor
        return Parameters(())
    namespace = getattr(inspect.unwrap(function), "__globals__", {})
    settings = tuple(
        setting(
            parameter.name,
            "",
            typed_from(_resolved(parameter.annotation, namespace)),
            required=parameter.default is parameter.empty,
            default=None if parameter.default is parameter.empty else parameter.default,
        )
        for parameter in parameters
        if parameter.kind in KEYWORDS
    )
    return Parameters(settings, any(each.kind is each.VAR_KEYWORD for each in parameters))


def note_refused(
    given: Entries, options: Collection[str], why: str, who: str, faults: Faults
) -> None:
    """Note that a constructor refuses options, at the one that it names.

    Args:
        given: The options as they were written.
        options: Their names.
        why: What the constructor raised, such as "ValueError: spread: expected …, got -5".
        who: Whose constructor it is.
        faults: Notes what is wrong.
    """
    own = why.partition(": ")[2]
    first, _, rest = own.partition(": ")
    named = [name for name in options if re.search(rf"\b{re.escape(name)}\b", own)]
    if first in named:
        named, own = [first], rest
    at = given.get(named[0]) if len(named) == 1 else None
    is_said = own.startswith("expected ")
    faults.note(at or given, own if is_said else said(f"options that {who} takes", why))


def _resolved(annotation: Any, namespace: Mapping[str, Any]) -> Any:
    """Return the type that an annotation names; Any, if it names none."""
    holder = SimpleNamespace(__annotations__={"it": annotation})
    if annotation is inspect.Parameter.empty:
        return Any
    try:
        return get_type_hints(holder, globalns=dict(namespace), include_extras=True)["it"]
    except Exception:  # noqa: BLE001 - an annotation may name anything, and fail in any way
        return Any
