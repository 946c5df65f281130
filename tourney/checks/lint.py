"""Findings from reading the source of a player, without running it.

Python accepts code that never does what its author expects: the platform does not call a method
with a misspelled name, such as `exposed`, and an `async` method does nothing unless it is awaited.
The source also shows why a player may not repeat its play. A required method that is missing is
found when the file is loaded.
"""

import ast
import inspect
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from typing import NamedTuple, TypeAlias

from tourney.checks.remedies import BY_WORDS, COROUTINE, UNFINISHED, advice_for
from tourney.checks.report import Finding
from tourney.checks.source import Source, parsed
from tourney.config.words import joined
from tourney.game.asking.printable_text import (
    REORDERING,
    escape,
    hidden_characters,
    with_article,
)
from tourney.game.players import BasePlayer
from tourney.plugins.language import Texts
from tourney.sandbox.host_modules import COMPETITOR

ENDINGS = re.compile(r"(?:ing|ion|ed|es|e|d|s|n)$")
TWICE = re.compile(r"([b-df-hj-np-tv-z])\1$")
SEVERAL = 2
CODING = re.compile(r"[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
"""A comment that declares the encoding of a file, in its first two lines.

Source: Python Enhancement Proposal 263.
"""
UTF_8 = {"utf-8", "utf8", "utf-8-sig", "ascii", "us-ascii"}
"""Names of UTF-8, the encoding of every file, and of its subset ASCII."""

MOST_HIDDEN = 5
"""Most hidden characters of a source that a check reports one by one."""
Method: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef

IMPORTS = r"^[ \t]*(?:import|from)[ \t]+(?:[\w.]+,[ \t]*)*"
USES_RANDOM = re.compile(rf"{IMPORTS}random\b", re.MULTILINE)
USE_OWN = "use self.random, which repeats when a block is played again"
SEEDED = (
    "make the generator in the first decision, by "
    "np.random.default_rng(self.random.getrandbits(64)), which repeats when a block is played again"
)
REPEAT_REMEDIES = (
    (USES_RANDOM, USE_OWN),
    (
        re.compile(
            r"\b(?:np|numpy)\.random\b(?!\.default_rng\(self\.random\.)"
            r"|\bfrom[ \t]+numpy\.random\b|^[ \t]*from[ \t]+numpy[ \t]+import\b.*\brandom\b",
            re.MULTILINE,
        ),
        SEEDED,
    ),
    (re.compile(rf"{IMPORTS}secrets\b|\bos\.urandom\b", re.MULTILINE), USE_OWN),
    (
        re.compile(rf"{IMPORTS}(?:time|datetime)\b", re.MULTILINE),
        "decide by the cards and the chips, not by the clock, and store state in self only",
    ),
)
"""Code that may be why a player does not repeat its play, with remedies."""

CARD_ATTRIBUTES = {
    "rank": (1, "write, after `from tourney import Rank`: Rank.ACE, or another of its members"),
    "suit": (4, "write, after `from tourney import Suit`: Suit.SPADES, or another of its members"),
    "value": (1, "write a number: an ace has the value 11, and a court card has 10"),
}
"""Attributes of a card, each with an impossible number and the remedy."""


class Slip(NamedTuple):
    """A method that never runs, or a comparison that is never true."""

    warning: Finding
    name: str
    meant: str  # the method of the contract; in a comparison the name of the type


def slips(source: Source, contract: type[BasePlayer]) -> Iterator[Slip]:
    """Warn of methods with a misspelled name of the contract, of `async` methods, and of
    comparisons that are never true.

    A method that the files call themselves is a helper, whatever its name. So is a method in a
    class that also defines the method with the similar name.

    Args:
        source: Files of a competitor; other languages and syntax errors give no warnings.
        contract: Contract of its game.
    """
    trees = {name: parsed(text) for name, text in source.files if name.endswith(".py")}
    used = {word for tree in trees.values() for word in _words_of(tree)}
    known = vars(contract).items()
    asked = {name for name, each in known if not name.startswith("_") and callable(each)}
    watching = asked - contract.__abstractmethods__  # a coroutine is no legal answer of the others
    for name, tree in trees.items():
        for kind in _players(tree):
            # One with decorators may be a property.
            defined = [each for each in kind.body if isinstance(each, Method)]
            methods = [each for each in defined if not each.decorator_list]
            open_ = asked - {each.name for each in methods}
            for method in methods:
                yield from _never_equal(name, method, contract)
                yield from _never_of_a_card(name, method, tree, contract)
                if isinstance(method, ast.AsyncFunctionDef) and method.name in watching:
                    warning = _awaited(f"{name}:{method.lineno}", method.name)
                    yield Slip(warning, method.name, method.name)
                meant = next((each for each in sorted(open_) if is_slip(method.name, each)), "")
                if meant and method.name not in used and not hasattr(contract, method.name):
                    warning = _finding(f"{name}:{method.lineno}", method.name, meant, contract)
                    yield Slip(warning, method.name, meant)


def loading_words(source: Source) -> str:
    """Describe the player that was found; name it if the file has several that could play."""
    text = "found one player"
    tree = parsed(source.text if source.name.endswith(".py") else "")
    bases = {each.name: set(map(_first_word, each.bases)) for each in _players(tree)}
    used = set[str]().union(*bases.values())
    chosen = [_chosen_name(each) for each in tree.body if _chosen_name(each)]
    playing = chosen[-1:] or [name for name in bases if name not in used]
    if len(bases) < SEVERAL or len(playing) != 1 or playing[0] not in bases:
        return text
    others = [name for name in bases if name != playing[0]]
    if not used.issuperset(others):
        return f"{text}, {playing[0]}"
    verb = "is its base" if len(others) == 1 else "are its bases"
    return f"{text}, {playing[0]} ({joined(others, 'and')} {verb})"


def _chosen_name(node: ast.stmt) -> str:
    """Return NAME of `competitor = NAME`; otherwise empty."""
    match node:
        case ast.Assign(targets=[ast.Name(id=target)], value=ast.Name(id=name)) if (
            target == COMPETITOR
        ):
            return name
    return ""


def with_slips(
    findings: Sequence[Finding], slipped: Iterable[Slip]
) -> tuple[list[Finding], list[Finding]]:
    """Name a misspelled method in the finding about the method that is missing because of it.

    Args:
        findings: Findings of a check.
        slipped: Slips of the same source.
    Returns: The findings, and the warnings of other slips at places without a finding.
    """
    reported = {each.place for each in findings}
    found, left = list(findings), [each for each in slipped if each.warning.place not in reported]
    for at, each in enumerate(found):
        lacking = UNFINISHED.search(each.message)
        methods = (lacking[2] or "").split(" and ") if lacking else []
        for method in methods:
            near = next((each for each in left if each.meant == method), None)
            if not near:
                continue
            left.remove(near)
            begin = f"{found[at].remedy}; " if len(methods) > 1 else ""
            line = near.warning.place.rpartition(":")[2]
            told = f"{begin}line {line} defines {near.name}: {near.warning.remedy}"
            found[at] = replace(found[at], remedy=told)
    return found, [each.warning for each in left]


def is_slip(name: str, meant: str) -> bool:
    """Return whether a name differs from another by a letter, an ending or its case.

    >>> [is_slip(name, "expose") for name in ("exposed", "Expose", "exopse", "exposing", "close")]
    [True, True, True, True, False]
    """
    one, other = name.casefold(), meant.casefold()
    if name == meant or name.startswith("_"):
        return False
    # After one wrong, missing, extra or moved letter, the other letters still match in order.
    alike = SequenceMatcher(None, one, other).ratio()
    return alike >= 1 - 1 / max(len(one), len(other)) or _stem(one) == _stem(other)


def _stem(word: str) -> str:
    return TWICE.sub(r"\1", ENDINGS.sub("", word)) or word


def _never_equal(file: str, method: Method, contract: type[BasePlayer]) -> Iterator[Slip]:
    """Warn of `==` and `!=` between a number and a parameter that is an object of the game."""
    types = _objects_of(method, contract)
    for node in ast.walk(method):
        match node:
            case (
                ast.Compare(
                    left=ast.Name(id=name), ops=[ast.Eq() | ast.NotEq()], comparators=[number]
                )
                | ast.Compare(
                    left=number, ops=[ast.Eq() | ast.NotEq()], comparators=[ast.Name(id=name)]
                )
            ) if name in types and isinstance(number, ast.Constant) and type(number.value) is int:
                noun = with_article(types[name])
                words = f"{name} is {noun}, which never equals a number"
                as_raised = f"{method.name}: TypeError: between instances of '{types[name]}' and"
                remedy = advice_for(as_raised, contract)
                warning = Finding(words, f"{file}:{node.lineno}", remedy, is_warning=True)
                yield Slip(warning, method.name, types[name])


def _never_of_a_card(
    file: str, method: Method, tree: ast.Module, contract: type[BasePlayer]
) -> Iterator[Slip]:
    """Warn of comparing an attribute of a card with an impossible value."""
    types = _objects_of(method, contract)
    classes = (each for each in ast.walk(tree) if isinstance(each, ast.ClassDef))
    own = {each.name for each in classes if {"Enum", "enum"} & set(map(_first_word, each.bases))}
    for node in ast.walk(method):
        match node:
            case ast.Compare(
                left=ast.Attribute(value=ast.Name(id=name), attr=part),
                ops=[ast.Eq() | ast.NotEq() | ast.In() | ast.NotIn()],
                comparators=[other],
            ) if types.get(name) == "Card" and part in CARD_ATTRIBUTES:
                number, remedy = CARD_ATTRIBUTES[part]
                for each in getattr(other, "elts", [other]):
                    given, kind = getattr(each, "value", None), ast.unparse(each).rpartition(".")[0]
                    is_number = each is other and given == number
                    if is_number or isinstance(given, str) or kind in own:
                        words = f"{name}.{part} never equals {ast.unparse(each)}"
                        place = f"{file}:{node.lineno}"
                        warning = Finding(words, place, remedy, is_warning=True)
                        yield Slip(warning, method.name, "Card")
                        break


def _objects_of(method: Method, contract: type[BasePlayer]) -> dict[str, str]:
    """Return the types of the parameters of a player's method that are classes of the game."""
    asked = getattr(contract, method.name, None) if method.name in vars(contract) else None
    expected = [*inspect.signature(asked).parameters.values()][1:] if callable(asked) else []
    changed = {
        each.id
        for each in ast.walk(method)
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
    }
    return {
        own.arg: each.annotation.__name__
        for own, each in zip(method.args.args[1:], expected, strict=False)
        if isinstance(each.annotation, type)
        and each.annotation.__module__ != "builtins"
        and own.arg not in changed
    }


def _players(tree: ast.Module) -> Iterator[ast.ClassDef]:
    """Yield classes that may be players: their base class is not from the standard library."""
    known: set[str] = set()  # names from other modules, and such classes of this file
    for node in ast.walk(tree):
        match node:
            case ast.ImportFrom(module=str(module), level=0) if (
                module.partition(".")[0] in sys.stdlib_module_names
            ):
                continue
            case ast.ImportFrom(names=names):
                known |= {each.asname or each.name for each in names}
            case ast.Import(names=names):
                words = {each.asname or each.name.partition(".")[0] for each in names}
                known |= words - sys.stdlib_module_names
            case ast.ClassDef(bases=[_, *_] as bases) if known & {"*", *map(_first_word, bases)}:
                known.add(node.name)
                yield node


def _first_word(base: ast.expr) -> str:
    return ast.unparse(base).partition(".")[0]


def _words_of(tree: ast.Module) -> set[str]:
    """Return all names and strings that a file reads."""
    words = set()
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(attr=word) | ast.Name(id=word) | ast.Constant(value=str(word)):
                words.add(word)
    return words


def _awaited(place: str, name: str) -> Finding:
    return Finding(
        f"{name} is an async method, so calling it runs no code: write def, without async",
        place,
        BY_WORDS[COROUTINE],
        is_warning=True,
    )


def _finding(place: str, name: str, meant: str, contract: type[BasePlayer]) -> Finding:
    return Finding(
        f"{name} is not a method of {contract.__name__}, so it is never called",
        place,
        f"if you mean {meant}, write: def {meant}(…)",
        is_warning=True,
    )


def coding_findings(source: Source) -> Iterator[Finding]:
    """Warn of files that declare another encoding, in which they may mean something else."""
    for name, text in source.files:
        for number, line in enumerate(text.splitlines()[:2], 1):
            found = CODING.match(line) if name.endswith(".py") else None
            if found and found[1].lower().replace("_", "-") not in UTF_8:
                yield Finding(
                    f"this comment declares the encoding {found[1]}, but the platform reads every "
                    "file as UTF-8; other programs may run different code",
                    f"{name}:{number}",
                    "remove the comment",
                    is_warning=True,
                )


def hidden_findings(source: Source) -> Iterator[Finding]:
    """Warn of the first invisible characters of a source."""
    found = list(hidden_characters(source.files))
    for each in found[:MOST_HIDDEN]:
        effect = (
            "it shows the line in another order than it runs"
            if each.char in REORDERING
            else "readers cannot see it"
        )
        yield Finding(
            f"hidden character {each.words} at line {each.line}, column {each.column}: {effect}",
            f"{each.file}:{each.line}",
            f"delete it, or write it in a text as {escape(each.char)}",
            is_warning=True,
        )
    for each in found[MOST_HIDDEN : MOST_HIDDEN + 1]:
        count = len(found) - MOST_HIDDEN
        yield Finding(
            f"{count} more hidden characters, the next at line {each.line}, column {each.column}",
            f"{each.file}:{each.line}",
            "delete them",
            is_warning=True,
        )


def repeat_finding(where: object, source: Source, *, is_shared: bool) -> Finding:
    """Return a finding about a player that does not repeat its play.

    Args:
        where: Description of the first difference.
        source: Source of the player.
        is_shared: Whether it differs only if the same tables are played in another order.
    """
    place, cause, is_luck = source.name, "", False
    for pattern, each in REPEAT_REMEDIES:
        if found := _first_line(pattern, source.files):
            place, cause, is_luck = found, each, pattern is USES_RANDOM
            break
    when, usual = "again", "decide by the cards and the chips, not by the clock"
    if is_shared:
        when = "in another order"
        usual = "store state in self only, not in the class or the module"
    return Finding(
        f"its answers changed when the same tables were played {when}: {where}",
        place,
        source.language.remedies.get("unrepeatable") or cause or usual,
        is_warning=is_shared and not is_luck,
    )


def _first_line(pattern: re.Pattern[str], files: Texts) -> str:
    """Return "file:line" of the first match in files of Python; empty without a match."""
    for name, text in files:
        if name.endswith(".py") and (found := pattern.search(text)):
            return f"{name}:{text.count(chr(10), 0, found.end()) + 1}"
    return ""
