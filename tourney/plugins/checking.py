"""What a plugin's answers must be: names, strategies, rules, formats and columns.

Knows one answer at a time; whether a name is already taken is seen when it is registered.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from unicodedata import category

from tourney.players import CONTRACTS, AnyPlayer, Player, contract_of
from tourney.plugins.language import Language
from tourney.plugins.places import place_of_class
from tourney.plugins.words import joined, quoted, value_words
from tourney.standings import Column

LONGEST_NAME = 60  # characters
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
NAME_WORDS = (
    f"a name of 1 to {LONGEST_NAME} letters, digits, '.', '-' and '_' "
    "that begins with a letter or digit"
)
WHAT_RULES_HAVE = ("game", "unit", "seats", "minimum", "most_points")
NO_LANGUAGES = frozenset(
    {"as", "author", "count", "group", "options", "policy", "rule", "submissions"}
)
"""Other settings of an entrant, beside which the names of languages stand."""
WHAT_FORMATS_HAVE = ("fault", "scheduled_rounds", "check", "measure", "table_words", "schedule")
WHAT_PLAYERS_ANSWER = {
    game: tuple(sorted(base.__abstractmethods__)) for game, base in CONTRACTS.items()
}
A_CONTRACT = joined([f"tourney.{base.__name__}" for base in CONTRACTS.values()])


class PluginFault(Exception):  # noqa: N818 - a finding, turned into a quarantine or an error
    """What is wrong with a plugin or a competitor's file."""

    def __init__(self, message: str, place: str = "", remedy: str = "") -> None:
        """Keep what was expected and what came, where, and how to mend it."""
        super().__init__(message)
        self.message = message
        self.place = place
        self.remedy = remedy

    def __str__(self) -> str:
        """Read `place: message; remedy`."""
        return fault_words(self.message, self.place, self.remedy)


def fault_words(message: str, place: str, remedy: str) -> str:
    """Put a fault on one line.

    >>> fault_words("expected a class, got 3", "bold.py:7", "write a class")
    'bold.py:7: expected a class, got 3; write a class'
    """
    return "; ".join(part for part in (f"{place}: {message}" if place else message, remedy) if part)


def checked_name(what: str, name: object) -> str:
    """Return a name as plain text, if it can be one."""
    if not isinstance(name, str):
        raise PluginFault(
            f"{what}: expected {NAME_WORDS}, got {value_words(name)}",
            remedy="write the name in quotes",
        )
    plain = str.__str__(name)
    if len(plain) > LONGEST_NAME:
        raise PluginFault(
            f"{what} {quoted(plain)}: expected {NAME_WORDS}, got {len(plain)} characters",
            remedy="choose a shorter name",
        )
    if not NAME.fullmatch(plain):
        raise PluginFault(
            f"{what}: expected {NAME_WORDS}, got {quoted(plain)}", remedy="choose another name"
        )
    return plain


def named_items(plural: str, what: str, answer: object) -> Iterator[tuple[str, object]]:
    """Take a mapping from names apart."""
    if not isinstance(answer, Mapping):
        raise PluginFault(
            f"expected a mapping from names to {plural}, got {value_words(answer)}",
            remedy='end the function with: return {"NAME": …}',
        )
    for name, value in answer.items():
        yield checked_name(what, name), value


def check_strategy(what: str, kind: object) -> type[AnyPlayer]:
    """Return a class that can play."""
    expected = f"{what}: expected a subclass of {A_CONTRACT}, got"
    if not isinstance(kind, type):
        remedy = ""
        if isinstance(kind, tuple(CONTRACTS.values())):
            remedy = f"name the class, {type(kind).__name__}, without calling it"
        raise PluginFault(f"{expected} {value_words(kind)}", remedy=remedy)
    game = contract_of(kind)
    place = place_of_class(kind)
    if game is None:
        remedy = f"write: class {kind.__name__}(Player)" if place else ""
        raise PluginFault(f"{expected} {value_words(kind)}", place, remedy)
    answers = joined(WHAT_PLAYERS_ANSWER[game], "and")
    if kind is CONTRACTS[game]:
        raise PluginFault(
            f"{expected} {kind.__name__} itself", remedy=f"write a subclass with {answers}"
        )
    missing = missing_methods(kind)
    if missing:
        # The closest contract, which may be a narrower one such as ActPlayer's.
        base = next(each for each in kind.__mro__ if each.__module__.startswith("tourney.players"))
        answers = joined(sorted(missing_methods(base)), "and")
        raise PluginFault(
            f"{what}: expected a class that answers {answers}, "
            f"got {kind.__name__} without {joined(missing, 'and')}",
            place,
            _remedy_for(kind, missing),
        )
    return kind


def _remedy_for(kind: type, missing: Sequence[str]) -> str:
    """Say how to complete a class, or which contract it seems to mean."""
    if "draw" in missing and getattr(kind, "act", None) is not Player.act:
        return f"write: class {kind.__name__}(ActPlayer)"
    if "draw" in missing and hasattr(kind, "play"):
        return f"write: class {kind.__name__}(StraightsPlayer), if it is for Straights"
    return f"define {joined(missing, 'and')} in {kind.__name__}"


def missing_methods(kind: type) -> list[str]:
    """List the abstract methods that a class leaves open."""
    return sorted(getattr(kind, "__abstractmethods__", ()))


def check_game(what: str, rules: object) -> None:
    """Refuse what are not rules, or rules that could change under a run."""
    if isinstance(rules, type):
        raise PluginFault(
            f"{what}: expected rules, got {value_words(rules)}",
            place_of_class(rules),
            f"make an instance: {rules.__name__}(…)",
        )
    missing = [name for name in WHAT_RULES_HAVE if not hasattr(rules, name)]
    if missing:
        raise PluginFault(
            f"{what}: expected rules with {joined(WHAT_RULES_HAVE, 'and')}, "
            f"got {value_words(rules)}, without {joined(missing, 'and')}",
            remedy="use BlackjackRules(…), or see tourney.games.Rules",
        )
    if not _is_frozen(type(rules)):
        raise PluginFault(
            f"{what}: expected an instance of a frozen dataclass, got {value_words(rules)}",
            place_of_class(type(rules)),
            f"write @dataclass(frozen=True, slots=True) above class {type(rules).__name__}",
        )


def check_format(what: str, kind: object) -> type:
    """Return a class whose fields can be options."""
    if not isinstance(kind, type):
        raise PluginFault(
            f"{what}: expected a frozen dataclass, got {value_words(kind)}",
            remedy="name the class, without calling it",
        )
    if not _is_frozen(kind):
        raise PluginFault(
            f"{what}: expected a frozen dataclass, got {value_words(kind)}",
            place_of_class(kind),
            f"write @dataclass(frozen=True, slots=True) above class {kind.__name__}",
        )
    has = {*dir(kind), *(field.name for field in fields(kind))}
    if missing := [name for name in WHAT_FORMATS_HAVE if name not in has]:
        raise PluginFault(
            f"{what}: expected a format with {joined(WHAT_FORMATS_HAVE, 'and')}, "
            f"got {value_words(kind)}, without {joined(missing, 'and')}",
            place_of_class(kind),
            "see tourney.schedule.Format",
        )
    return kind


def check_language(what: str, name: str, language: object) -> None:
    """Refuse what is no language, or would take the place of a setting."""
    if not isinstance(language, Language):
        remedy = f"make an instance: {language.__name__}()" if isinstance(language, type) else ""
        raise PluginFault(
            f"{what}: expected a tourney.plugins.Language, got {value_words(language)}",
            remedy=remedy,
        )
    if name in NO_LANGUAGES:
        raise PluginFault(
            f"{what}: expected a name that no other setting of an entrant has, got it",
            remedy="choose another name",
        )


def named_columns(answer: object) -> Iterator[tuple[str, object]]:
    """Take a sequence of columns apart."""
    if not isinstance(answer, Sequence) or isinstance(answer, str | bytes):
        raise PluginFault(
            f"expected a list of columns, got {value_words(answer)}",
            remedy="end the function with: return [Column(…)]",
        )
    for number, column in enumerate(answer, start=1):
        if not isinstance(column, Column):
            raise PluginFault(
                f"column {number}: expected a Column, got {value_words(column)}",
                remedy="use tourney.standings.Column",
            )
        name = checked_name("column", column.name)
        title = column.title
        if not isinstance(title, str) or not title.strip() or _has_controls(title):
            raise PluginFault(
                f"column {quoted(name)}: expected a title of one line, got {value_words(title)}",
                remedy="give the column a title for its heading",
            )
        yield name, column


def _has_controls(text: str) -> bool:
    # Not isprintable(), which refuses the narrow spaces that units are set with.
    return any(category(char).startswith("C") for char in text)


def _is_frozen(kind: type) -> bool:
    # What @dataclass was told is kept in this attribute and nowhere else.
    return is_dataclass(kind) and bool(kind.__dataclass_params__.frozen)  # type: ignore[attr-defined]  # not in typeshed
