"""Methods that are nearly called as the contract calls its own, and so are never asked.

Python takes `exposed` for a method like any other, and nobody calls it. Read from the text, which is
not run. Leaves out what a player lacks: without a method that it must have it does not load.
"""

import ast
import re
from collections.abc import Iterator, Set
from difflib import SequenceMatcher

from tourney.course.report import Finding
from tourney.course.source import Source
from tourney.game.players import BasePlayer

ENDINGS = re.compile(r"(?:ing|ion|ed|es|e|d|s|n)$")
TWICE = re.compile(r"([b-df-hj-np-tv-z])\1$")
Method = ast.FunctionDef | ast.AsyncFunctionDef


def slips(source: Source, contract: type[BasePlayer]) -> Iterator[Finding]:
    """Warn of methods a letter, an ending or a case away from one of the contract's.

    A method that the files call by themselves is a helper, whatever its name; and so is one beside
    the method that it resembles.

    Args:
        source: Of a competitor; what is no Python, or cannot be read, has none.
        contract: Of the game that it plays.
    """
    trees = {name: _parsed(text) for name, text in source.files if name.endswith(".py")}
    used = {word for tree in trees.values() for word in _words_of(tree)}
    asked = {name for name in vars(contract) if _is_asked(contract, name)}
    for name, tree in trees.items():
        for kind in filter(_may_play, ast.walk(tree)):
            methods = [each for each in kind.body if isinstance(each, Method)]
            open_ = asked - {each.name for each in methods}
            for method in methods:
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


def _is_asked(contract: type[BasePlayer], name: str) -> bool:
    return not name.startswith("_") and callable(vars(contract)[name])


def _may_play(node: ast.AST) -> bool:
    return isinstance(node, ast.ClassDef) and bool(node.bases)


def _parsed(text: str) -> ast.Module:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # which its loading tells
        return ast.Module([], [])


def _words_of(tree: ast.Module) -> Set[str]:
    """Give all names that are read, as variables, attributes or texts."""
    words = set()
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(attr=word) | ast.Name(id=word) | ast.Constant(value=str(word)):
                words.add(word)
    return words


def _finding(place: str, name: str, meant: str, contract: type[BasePlayer]) -> Finding:
    return Finding(
        f"expected the methods of {contract.__name__}, got {name}, which nobody calls",
        place,
        f"if {meant} is meant, write: def {meant}(…)",
        is_warning=True,
    )
