"""Checks of the things that plugins provide: names, strategies, rules, formats and columns.

Each thing is checked alone; duplicate names are found at registration.
"""

import pickle
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import Field, fields, is_dataclass
from difflib import get_close_matches
from types import SimpleNamespace
from typing import Any
from unicodedata import category

from tourney.config.words import closest, hint, joined, quoted
from tourney.errors import ConfigError
from tourney.formats.base import Format
from tourney.game import Game
from tourney.game.players import (
    AnyPlayer,
    BasePlayer,
    contract_name,
    contract_of,
    contracts,
    game_of,
)
from tourney.game.rules import Rules
from tourney.plugins.fault_text import error_words, place_of_class, value_words
from tourney.plugins.hook_spec import EntrantSource
from tourney.plugins.language import Language
from tourney.standings.columns import Column
from tourney.standings.standing import MEASURES, Standing

LONGEST_NAME = 60  # characters
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
NAME_WORDS = (
    f"a name of 1 to {LONGEST_NAME} letters, digits, '.', '-' and '_' "
    "that begins with a letter or digit"
)
WHAT_RULES_HAVE = tuple(name for name in vars(Rules) if not name.startswith("_"))
NO_LANGUAGES = frozenset(
    {"as", "author", "count", "group", "options", "policy", "rule", "submissions"}
)
"""Settings of an entrant that a language must not be named like."""
NEARLY = 0.8
"""Similarity of two names, from 0 to 1, from which one is taken for a typing error."""


class PluginFaultError(Exception):
    """A fault of a plugin or of a competitor's file."""

    def __init__(self, message: str, place: str = "", remedy: str = "") -> None:
        """Keep the problem, the place and the fix."""
        super().__init__(message)
        self.message = message
        self.place = place
        self.remedy = remedy

    def __str__(self) -> str:
        """Format as `place: message; remedy`."""
        return fault_words(self.message, self.place, self.remedy)


def fault_words(message: str, place: str, remedy: str) -> str:
    """Put a fault on one line.

    >>> fault_words("expected a class, got 3", "bold.py:7", "write a class")
    'bold.py:7: expected a class, got 3; write a class'
    """
    return "; ".join(part for part in (f"{place}: {message}" if place else message, remedy) if part)


def checked_name(what: str, name: object) -> str:
    """Return a name as plain text, after checking it."""
    if not isinstance(name, str):
        raise PluginFaultError(
            f"{what}: expected {NAME_WORDS}, got {value_words(name)}",
            remedy="write the name in quotes",
        )
    plain = str.__str__(name)
    if len(plain) > LONGEST_NAME:
        raise PluginFaultError(
            f"{what} {quoted(plain)}: a name has at most {LONGEST_NAME} characters, this one has "
            f"{len(plain)}",
            remedy="choose a shorter name",
        )
    if not NAME.fullmatch(plain):
        raise PluginFaultError(
            f"{what}: {quoted(plain)} is not {NAME_WORDS}", remedy="choose another name"
        )
    return plain


def named_items(plural: str, what: str, answer: object) -> Iterator[tuple[str, object]]:
    """Yield the names and values of a mapping."""
    if not isinstance(answer, Mapping):
        raise PluginFaultError(
            f"expected a mapping from names to {plural}, got {value_words(answer)}",
            remedy='end the function with: return {"NAME": …}',
        )
    for name, value in answer.items():
        yield checked_name(what, name), value


def a_contract() -> str:
    """Name all contracts, for a message."""
    return joined(sorted(contract_name(each) for each in contracts()))


def _class_of(what: str, given: object, base: type, expected: str) -> type:
    """Return a class; reject other objects, such as an instance of one."""
    if isinstance(given, type):
        return given
    remedy = ""
    if isinstance(given, base):
        remedy = f"name the class, {type(given).__name__}, without calling it"
    raise PluginFaultError(f"{what}: expected {expected}, got {value_words(given)}", remedy=remedy)


def check_strategy(what: str, given: object) -> type[AnyPlayer]:
    """Return a class that can play."""
    kind = _class_of(what, given, BasePlayer, f"a subclass of {a_contract()}")
    contract = contract_of(kind)
    if contract is None:
        place = place_of_class(kind)
        remedy = f"write: class {kind.__name__}(Player)" if place else ""
        raise PluginFaultError(
            f"{what}: {kind.__name__} is not a subclass of {a_contract()}", place, remedy
        )
    answers = joined(missing_methods(contract), "and")
    if kind is contract:
        raise PluginFaultError(
            f"{what}: {kind.__name__} itself cannot play", remedy=f"write a subclass with {answers}"
        )
    missing = missing_methods(kind)
    if kind.__module__ == contract.__module__ and not missing:
        raise PluginFaultError(
            f"{what}: {kind.__name__} is in the module of its game, {kind.__module__}; players are "
            "loaded again for a run, and games are not",
            place_of_class(kind),
            "move it into a separate module, and name that as an entry point, too",
        )
    if missing:
        # The closest contract, which may be a narrower one such as ActPlayer's.
        platforms = (each for each in kind.__mro__ if each.__module__.startswith("tourney."))
        base = next(platforms) if contract.__module__.startswith("tourney.") else contract
        answers = joined(sorted(missing_methods(base)), "and")
        raise PluginFaultError(
            f"{what} lacks {joined(missing, 'and')} (a player needs {answers})",
            place_of_class(kind),
            _remedy_for(kind, contract, missing),
        )
    return kind


def _remedy_for(kind: type[BasePlayer], contract: type[BasePlayer], missing: Sequence[str]) -> str:
    """Describe how to complete a class, or which contract it seems to mean."""
    for lacking, (method, remedy) in contract.instead.items():
        if lacking in missing and getattr(kind, method, None) is not getattr(contract, method, 0):
            return remedy.replace("NAME", kind.__name__)
    answered = len(missing_methods(contract)) - len(missing)
    for other in contracts():
        asked = [] if other is contract else missing_methods(other)
        if len(asked) >= max(1, answered) and all(hasattr(kind, method) for method in asked):
            game = game_of(other).capitalize()
            return f"write: class {kind.__name__}({other.__name__}), if it is for {game}"
    return f"define {joined(missing, 'and')} in {kind.__name__}"


def missing_methods(kind: type) -> list[str]:
    """List the abstract methods that a class does not define."""
    return sorted(getattr(kind, "__abstractmethods__", ()))


def check_game(what: str, rules: object) -> None:
    """Reject objects that are not rules, and rules that could change during a run."""
    if isinstance(rules, type):
        raise PluginFaultError(
            f"{what}: expected rules, got {value_words(rules)}",
            place_of_class(rules),
            f"make an instance: {rules.__name__}(…)",
        )
    missing = [name for name in WHAT_RULES_HAVE if not hasattr(rules, name)]
    if missing:
        raise PluginFaultError(
            f"{what}: {value_words(rules)}, lacks {joined(missing, 'and')}, which rules need",
            remedy=f"define {joined(missing, 'and')} in {type(rules).__name__}: docs/how-to/"
            "add-a-game.md#attributes-of-rules",
        )
    if not _is_frozen(type(rules)):
        raise PluginFaultError(
            f"{what}: {type(rules).__name__} is not a frozen dataclass",
            place_of_class(type(rules)),
            f"write @dataclass(frozen=True, slots=True) above class {type(rules).__name__}",
        )
    _check_sendable(what, rules)
    _check_their_game(what, rules.game, type(rules))  # type: ignore[attr-defined]  # checked above


def _check_sendable(what: str, rules: object) -> None:
    """Reject rules that workers cannot receive."""
    kind = type(rules)
    if "<locals>" in kind.__qualname__:
        raise PluginFaultError(
            f"{what}: the class of the rules must be at the top of a module, and "
            f"{kind.__name__} is inside a function",
            place_of_class(kind),
            f"move class {kind.__name__} out of the function",
        )
    try:
        pickle.dumps(rules)
    except Exception as error:
        raise PluginFaultError(
            f"{what}: workers cannot receive the rules: {error_words(error)}",
            place_of_class(kind),
            "put only plain data, such as numbers and text, into the fields of the rules",
        ) from error


def check_values(preset: str, rules: Any) -> None:
    """Reject a preset with values that a configuration could not set.

    Args:
        preset: Its words in messages.
        rules: Rules that `check_game` accepted.
    """
    from tourney.config.documents import Faults  # noqa: PLC0415 - pydantic loads slowly
    from tourney.config.settings import settings_of  # noqa: PLC0415 - pydantic loads slowly
    from tourney.config.validation import read_settings  # noqa: PLC0415 - pydantic loads slowly

    values = {
        each.name: getattr(rules, each.name) for each in fields(rules) if _is_set(each, rules)
    }
    faults = Faults(preset)
    read_settings(settings_of(type(rules), is_partial=True), values, (), faults)
    try:
        faults.raise_any()
    except ConfigError as error:
        raise PluginFaultError(
            "; ".join(str(error).splitlines()), remedy="correct the rules of the preset"
        ) from error


def _is_set(field: Field[Any], rules: object) -> bool:
    """Check whether a preset gives a field a single value other than its default."""
    value = getattr(rules, field.name)
    is_single = value is None or isinstance(value, bool | int | float | str)
    return field.init and is_single and value is not field.default


def _check_their_game(what: str, game: object, kind: type) -> None:
    """Reject rules whose game cannot be played."""
    if not isinstance(game, Game):
        raise PluginFaultError(
            f"{what}: expected rules whose `game` is a tourney.game.Game, got {value_words(game)}",
            place_of_class(kind),
            f"write in {kind.__name__}: game: ClassVar[Game] = …",
        )
    name = checked_name(f"{what}: name of its game", getattr(game, "name", None))
    if type(version := getattr(game, "version", None)) is not int or version < 1:
        raise PluginFaultError(
            f"{what}: expected a game with a version from 1, got {value_words(version)}",
            place_of_class(type(game)) or place_of_class(kind),
            f"write in {type(game).__name__}: version = 1",
        )
    contract = game.contract()
    if not isinstance(contract, type) or game_of(contract) != name:
        raise PluginFaultError(
            f"{what}: {value_words(contract)} is not a contract for players of {name}",
            (isinstance(contract, type) and place_of_class(contract)) or place_of_class(kind),
            f'write: class NAME(BasePlayer, game="{name}"), and give it as contract',
        )


def check_format(what: str, given: object) -> None:
    """Reject objects that are not formats, and formats whose fields cannot be options."""
    expected = "a frozen dataclass that inherits tourney.formats.Format"
    kind = _class_of(what, given, Format, expected)
    if not issubclass(kind, Format):
        raise PluginFaultError(
            f"{what}: {kind.__name__} does not inherit tourney.formats.Format",
            place_of_class(kind),
            f"write: class {kind.__name__}(Format)",
        )
    for base in kind.__mro__[: kind.__mro__.index(Format)]:
        _check_spelling(what, base)
    if missing := missing_methods(kind):
        raise PluginFaultError(
            f"{what}: {kind.__name__} lacks {joined(missing, 'and')}",
            place_of_class(kind),
            f"define {joined(missing, 'and')} in {kind.__name__}",
        )
    if not _is_frozen(kind):
        raise PluginFaultError(
            f"{what}: {kind.__name__} is not a frozen dataclass",
            place_of_class(kind),
            f"write @dataclass(frozen=True, slots=True, kw_only=True) above class {kind.__name__}",
        )
    _check_values(what, kind)
    _check_options(what, kind)


def _check_values(what: str, kind: type[Format]) -> None:
    """Reject a summary that is not text, and options that hide a property but have no default."""
    if not isinstance(kind.summary, str):
        raise PluginFaultError(
            f"{what}: expected a summary of one line, got {value_words(kind.summary)}",
            place_of_class(kind),
            'write, for example, summary = "all play the same cards"',
        )
    for each in fields(kind):  # type: ignore[arg-type]  # checked to be a dataclass
        if isinstance(each.default, property):
            raise PluginFaultError(
                f"{what}: {each.name} has no default, although every format has it",
                place_of_class(kind),
                f"write {each.name}: … = …",
            )


def _check_options(what: str, kind: type[Format]) -> None:
    """Reject class attributes without annotation that look like options."""
    annotated = vars(kind).get("__annotations__", {})  # there are none without own options
    for name, value in vars(kind).items():
        is_plain = isinstance(value, bool | int | float | str | tuple)
        if is_plain and not hasattr(Format, name) and name not in annotated:
            if name.startswith("_"):
                continue
            raise PluginFaultError(
                f"{what}: the option {name} = {value!r} has no annotation",
                place_of_class(kind),
                f"write {name}: {type(value).__name__} = {value!r}, or _{name} if it is no option",
            )


def _check_spelling(what: str, kind: type) -> None:
    """Reject a name that nearly equals one of `Format`, because it would have no effect."""
    own = {*vars(kind), *vars(kind).get("__annotations__", {})}
    for name in sorted(own - vars(Format).keys()):
        if name.startswith("_"):
            continue
        if near := get_close_matches(name, vars(Format).keys() - own, n=1, cutoff=NEARLY):
            raise PluginFaultError(
                f"{what}: formats have no {quoted(name)}{hint(near[0])}",
                place_of_class(kind),
                f"correct it, or write _{name} if it is something else",
            )


def check_language(what: str, name: str, language: object) -> None:
    """Reject objects that are not languages, and names that settings use."""
    if not isinstance(language, Language):
        remedy = f"make an instance: {language.__name__}()" if isinstance(language, type) else ""
        raise PluginFaultError(
            f"{what}: expected a tourney.plugins.language.Language, got {value_words(language)}",
            remedy=remedy,
        )
    if name in NO_LANGUAGES:
        raise PluginFaultError(
            f"{what}: this is already the name of another setting of entrants",
            remedy="choose another name",
        )


def check_entrant_source(what: str, name: str, source: object) -> None:
    """Reject objects that are not entrant sources, and sources that no setting reads."""
    if name != "submissions":
        raise PluginFaultError(
            f"{what}: a source cannot have the name {quoted(name)}",
            remedy="call it 'submissions'; a configuration reads no other source",
        )
    if not isinstance(source, EntrantSource):
        raise PluginFaultError(
            f"{what}: expected an EntrantSource, got {value_words(source)}",
            remedy="inherit tourney.plugins.hook_spec.EntrantSource",
        )


def named_columns(answer: object) -> Iterator[tuple[str, object]]:
    """Yield the names of a sequence of columns, and the columns."""
    if not isinstance(answer, Sequence) or isinstance(answer, str | bytes):
        raise PluginFaultError(
            f"expected a list of columns, got {value_words(answer)}",
            remedy="end the function with: return [Column(…)]",
        )
    for number, column in enumerate(answer, start=1):
        if not isinstance(column, Column):
            raise PluginFaultError(
                f"column {number}: expected a Column, got {value_words(column)}",
                remedy="use tourney.standings.columns.Column",
            )
        name = checked_name("column", column.name)
        title = column.title
        if not isinstance(title, str) or not title.strip() or _has_controls(title):
            raise PluginFaultError(
                f"column {quoted(name)}: expected a title of one line, got {value_words(title)}",
                remedy="give the column a title for its heading",
            )
        _check_measures(name, column)
        _check_rows(name, column)
        yield name, column


def _check_measures(name: str, column: Column) -> None:
    """Reject unknown measures: the column would fit no tournament."""
    known = [measure.name for measure in MEASURES]
    for measure in () if column.measures is None else column.measures:
        if measure not in known:
            raise PluginFaultError(
                f"column {quoted(name)}: unknown measure {value_words(measure)}"
                f"{hint(closest(str(measure), known))}; the measures are {joined(known, 'and')}",
                remedy='write, for example, measures=("bankroll",)',
            )


def _check_rows(name: str, column: Column) -> None:
    """Reject a column that reads fields that rows do not have."""
    known = [each for each in dir(Standing) if not each.startswith("_")]
    row: Any = SimpleNamespace(**dict.fromkeys(known, 1))
    for function in (column.value, column.text or str):
        try:
            function(row)
        except AttributeError as error:
            if error.obj is row:
                raise PluginFaultError(
                    f"column {quoted(name)}: rows have no field {error.name}"
                    f"{hint(closest(error.name or '', known))}",
                    remedy="choose among the fields of tourney.standings.standing.Standing",
                ) from error
        except Exception:  # noqa: BLE001, S112 - this row is artificial; real ones are checked later
            continue


def _has_controls(text: str) -> bool:
    # Not isprintable(), which rejects the narrow spaces in front of units.
    return any(category(char).startswith("C") for char in text)


def _is_frozen(kind: type) -> bool:
    # A class with own options needs its own @dataclass; that of its parent does not know them.
    own = vars(kind).get("__annotations__", {}).values()
    has_options = any("ClassVar" not in str(each) for each in own)
    if has_options and "__dataclass_params__" not in vars(kind):
        return False
    # Only this attribute has the arguments of @dataclass.
    return is_dataclass(kind) and bool(kind.__dataclass_params__.frozen)  # type: ignore[attr-defined]  # not in typeshed
