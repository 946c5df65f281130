"""Methods that do nothing, although Python has nothing against them, at a table.

Python takes `exposed` for a method like any other, and nobody calls it; and of an `async` method
that nobody waits for it runs no line. Read from the text, which is not run. Leaves out what a
player lacks: without a method that it must have it does not load.
"""

import ast
import re
import sys
import warnings
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import TypeAlias, TypeGuard

from tourney.checks.remedies import BY_WORDS, COROUTINE
from tourney.checks.report import Finding
from tourney.checks.source import Source
from tourney.game.players import BasePlayer

ENDINGS = re.compile(r"(?:ing|ion|ed|es|e|d|s|n)$")
TWICE = re.compile(r"([b-df-hj-np-tv-z])\1$")
Method: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef


def slips(source: Source, contract: type[BasePlayer]) -> Iterator[Finding]:
    """Warn of methods a letter, an ending or a case away from one of the contract's, and of those
    that would have to be awaited.

    A method that the files call by themselves is a helper, whatever its name; and so is one beside
    the method that it resembles.

    Args:
        source: Of a competitor; what is no Python, or cannot be read, has none.
        contract: Of the game that it plays.
    """
    trees = {name: parsed(text) for name, text in source.files if name.endswith(".py")}
    used = {word for tree in trees.values() for word in _words_of(tree)}
    asked = {name for name in vars(contract) if _is_asked(contract, name)}
    watching = asked - contract.__abstractmethods__  # what others answer is refused at a table
    for name, tree in trees.items():
        for kind in _players(tree):
            methods = [each for each in kind.body if _is_method(each)]
            open_ = asked - {each.name for each in methods}
            for method in methods:
                if isinstance(method, ast.AsyncFunctionDef) and method.name in watching:
                    yield _awaited(f"{name}:{method.lineno}", method.name)
                meant = next((each for each in sorted(open_) if is_slip(method.name, each)), "")
                if meant and method.name not in used and not hasattr(contract, method.name):
                    yield _finding(f"{name}:{method.lineno}", method.name, meant, contract)


def is_slip(name: str, meant: str) -> bool:
    """Say whether a name is a letter, an ending or a case away from another.

    >>> [is_slip(name, "expose") for name in ("exposed", "Expose", "exopse", "exposing", "close")]
    [True, True, True, True, False]
    """
    one, other = name.casefold(), meant.casefold()
    if name == meant or name.startswith("_"):
        return False
    # With one letter wrong, missing, too many or elsewhere, all the others are alike in order.
    alike = SequenceMatcher(None, one, other).ratio()
    return alike >= 1 - 1 / max(len(one), len(other)) or _stem(one) == _stem(other)


def _stem(word: str) -> str:
    return TWICE.sub(r"\1", ENDINGS.sub("", word)) or word


def _players(tree: ast.Module) -> Iterator[ast.ClassDef]:
    """Give the classes that may be players: those that inherit from what is none of Python's."""
    known: set[str] = set()  # what comes from elsewhere, and such classes of the file
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


def _is_method(node: ast.stmt) -> TypeGuard[Method]:
    """Leave out properties and the like, which no contract has asked for."""
    return isinstance(node, Method) and not node.decorator_list


def _is_asked(contract: type[BasePlayer], name: str) -> bool:
    return not name.startswith("_") and callable(vars(contract)[name])


def parsed(text: str) -> ast.Module:
    """Read the text of a file of Python; what cannot be read is empty."""
    try:
        with warnings.catch_warnings(action="ignore"):  # of odd escapes and the like
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # which its loading tells
        return ast.Module([], [])


def _words_of(tree: ast.Module) -> set[str]:
    """Give all names that are read, as variables, attributes or texts."""
    words = set()
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(attr=word) | ast.Name(id=word) | ast.Constant(value=str(word)):
                words.add(word)
    return words


def _awaited(place: str, name: str) -> Finding:
    return Finding(
        f"{name}: expected what is done at once, got a coroutine, of which nothing runs: write "
        "def, without async",
        place,
        BY_WORDS[COROUTINE],
        is_warning=True,
    )


def _finding(place: str, name: str, meant: str, contract: type[BasePlayer]) -> Finding:
    return Finding(
        f"expected the methods of {contract.__name__}, got {name}, which nobody calls",
        place,
        f"if {meant} is meant, write: def {meant}(…)",
        is_warning=True,
    )
