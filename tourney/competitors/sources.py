"""The source a strategy's behaviour comes from, for the archive and for its digest.

Follows what a module imports and what stands in its globals, within the author's own
modules: libraries, the platform, the game and Python itself are named by their versions elsewhere.
Charts that a class plays by are part of it, wherever their text came from.
"""

import ast
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from hashlib import blake2b
from importlib.util import resolve_name
from pathlib import Path, PurePath
from types import FunctionType, ModuleType
from typing import Any

from tourney.competitors.files import TextLoader
from tourney.competitors.module_ownership import Family, find_module, is_authors, spec_of
from tourney.config.words import quoted
from tourney.errors import PluginError
from tourney.game.contracts import contract_of
from tourney.game.notations import texts_in
from tourney.plugins.fault_text import error_words

Sources = tuple[tuple[str, str], ...]
"""Files as (name, text), sorted by name."""


def sources_of(kind: type) -> Sources:
    """Collect the source of every module that a class's behaviour comes from, and its charts.

    Args:
        kind: A strategy.
    Returns: (name relative to where it is imported from, text) of each module, and (name of
        its file, text) of each chart.
    Raises: PluginError, if the source of one of them is not there.
    """
    texts = _texts_of(kind)
    return tuple(sorted({*texts.values(), *_written_in(kind, texts)}))


def _written_in(kind: type, modules: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Give charts and the like that stand in a class, its bases, and all classes of its modules.

    Whoever loads those modules again reads them all.
    """
    classes = dict.fromkeys(kind.__mro__)
    for name in modules:
        for value in vars(sys.modules.get(name, object)).copy().values():
            if isinstance(value, type) and value.__module__ == name:
                classes[value] = None
    for each in classes:
        yield from texts_in(each)


@cache
def modules_of(kind: type) -> tuple[str, ...]:
    """Name the modules that a class's behaviour comes from.

    Args:
        kind: A strategy.
    Raises: PluginError, if the source of one of them is not there.
    """
    return tuple(sorted(_texts_of(kind)))


def _texts_of(kind: type) -> dict[str, tuple[str, str]]:
    """Follow the modules; give the name and the text of each one's file."""
    contract = contract_of(kind)
    of_game = contract.__mro__ if contract is not kind and contract else ()
    homes = {
        base.__module__
        for base in kind.__mro__
        if base not in of_game and is_authors(base.__module__)
    }
    # The game's are not loaded anew either: the table's actions would be of another class then.
    games = set(modules_of(contract)) - homes if of_game and contract else set()
    family = Family(homes)
    waiting = sorted(homes)
    texts: dict[str, tuple[str, str]] = {}
    while waiting:
        name = waiting.pop()
        module = find_module(name)
        if module is None and name in homes:
            raise PluginError(
                f"{kind.__name__}: expected its module {quoted(name)} to be imported, got none of "
                "that name; define the class in a file that is imported"
            )
        if module is None or name in texts or name in games:
            continue
        text = _text_of(module, kind)
        texts[name] = (_file_name(module), text)
        waiting += _names_in(module, text, family)
    return texts


def digest_of(
    sources: Iterable[tuple[str, str]], options: Mapping[str, object] | Sequence[tuple[str, object]]
) -> bytes:
    """Name a strategy by what it does: its sources and its options.

    Args:
        sources: Files as (name, text); neither their order nor their newlines count.
        options: Options of the entrant; their order does not count.
    Returns: 16 bytes.
    Raises: PluginError, if an option cannot be written as JSON.

    >>> digest_of([("bold.py", "x = 1")], {"units": 2}).hex()[:8]
    'c42912f0'
    """
    try:
        told = json.dumps(dict(options), sort_keys=True, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise PluginError(
            f"options: expected numbers, text, lists and mappings, got {error_words(error)}"
        ) from error
    hasher = blake2b(digest_size=16, person=b"tourney.strat")
    for part in (*(part for source in sorted(sources) for part in source), told):
        text = part.replace("\r\n", "\n").replace("\r", "\n").encode("utf-8", "surrogatepass")
        # With its length before it, no text can run over into the next.
        hasher.update(len(text).to_bytes(8, "little") + text)
    return hasher.digest()


def _text_of(module: ModuleType, kind: type) -> str:
    """Give the source of a module.

    Raises: PluginError, if it was left out or is not Python.
    """
    name = module.__name__
    text: str | None = None
    try:
        loader: Any = getattr(module, "__loader__", None)
        if hasattr(loader, "get_source"):
            text = loader.get_source(name)
        elif str(getattr(module, "__file__", "")).endswith(".py"):
            text = Path(str(module.__file__)).read_text(encoding="utf-8")
    except Exception as error:
        raise _no_source(name, kind, error_words(error)) from error
    if text is None:
        raise _no_source(name, kind, "none")
    return text


def _no_source(name: str, kind: type, got: str) -> PluginError:
    return PluginError(
        f"{kind.__name__}: expected the source of its module {quoted(name)}, got {got}; "
        "install the distribution with its .py files, so that its rounds can be played again"
    )


def _file_name(module: ModuleType) -> str:
    """Name a module's file from where it is imported; never a place on this machine."""
    if isinstance(module.__loader__, TextLoader) or module.__name__ == "__main__":
        return PurePath(str(module.__file__)).name
    path = module.__name__.replace(".", "/")
    return f"{path}/__init__.py" if hasattr(module, "__path__") else f"{path}.py"


def _names_in(module: ModuleType, text: str, family: Family) -> list[str]:
    """List the family's modules that a module has in its globals or imports anywhere."""
    names = set(_names_in_globals(module))
    for node in ast.walk(ast.parse(text)):
        # Constants leave no trace of where they came from, so globals are not enough.
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            home = _home_of(node, module)
            if home and family.has(home):
                names.update(_imported(home, alias.name) for alias in node.names)
    return sorted(name for name in names if family.has(name))


def _names_in_globals(module: ModuleType) -> Iterator[str]:
    """Give the homes of what stands in a module's globals."""
    for name, value in vars(module).copy().items():
        if isinstance(value, ModuleType):
            # Python hangs every loaded submodule into its package, whoever asked for it.
            if value.__name__ != f"{module.__name__}.{name}":
                yield value.__name__
        else:
            owner = value if isinstance(value, type | FunctionType) else type(value)
            yield str(owner.__module__)


def _home_of(node: ast.ImportFrom, module: ModuleType) -> str:
    """Give the HOME of `from HOME import NAME` in full; empty if it leads nowhere."""
    package = module.__name__ if hasattr(module, "__path__") else module.__name__.rpartition(".")[0]
    try:
        return resolve_name("." * node.level + (node.module or ""), package)
    except ImportError:
        return ""


def _imported(home: str, name: str) -> str:
    """Give what `from HOME import NAME` refers to: the module of that name, else its home."""
    held = getattr(find_module(home), name, None)
    if isinstance(held, ModuleType):
        return held.__name__
    inner = f"{home}.{name}"
    return inner if held is None and spec_of(inner) else home
