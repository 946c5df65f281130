"""What a competitor finds in its process: a library chosen before, and its own file.

There are no files to import from any more, so a module either stands here or does not exist.
"""

import json
import linecache
import os
import sys
import traceback
from collections.abc import Callable, Collection, Iterator
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from inspect import isabstract
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

from tourney.sandbox.memory_modules import (
    Finder,
    ModuleText,
    import_entry,
    open_resources,
    read_parts,
)
from tourney.sandbox.wire import Opening

LIBRARY = """
math random itertools functools collections bisect heapq statistics dataclasses
enum typing operator copy abc string re fractions decimal array traceback types
io contextlib time collections.abc __future__ json pprint textwrap numbers struct
cmath warnings weakref inspect unicodedata codecs logging secrets encodings.ascii encodings.latin_1
encodings.utf_8_sig encodings.unicode_escape
"""
"""Modules of Python that a competitor may import."""

CONTRACT = """
tourney.games.blackjack.players tourney.game.cards.card tourney.game.cards.deck
tourney.games.blackjack.hand tourney.games.blackjack.action
tourney.game.view tourney.games.straights.player tourney.games.straights.declared_players
"""
"""Where the names of the public page live that a player needs."""

BUNDLED = "tourney.strategies"
"""The package of the strategies that come with the platform, on which a competitor may build."""

COMPETITOR = "competitor"
"""The name of a competitor's module, whatever its file is called; and in it, of who competes."""


class Output:
    """Where a competitor prints: kept for its author up to a limit, and dropped beyond."""

    encoding = "utf-8"

    def __init__(self, most: int) -> None:
        """Begin.

        Args:
            most: Bytes kept.
        """
        self._room = most

    def write(self, text: str) -> int:
        """Take a text."""
        data = text.encode("utf-8", "backslashreplace")[: self._room]
        self._room -= len(data)
        if data:
            os.write(1, data)
        return len(text)

    def flush(self) -> None:
        """Do nothing: nothing is held back."""


class NoMore:
    """Says of modules that are not here that they are not here."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> NoReturn:
        """Refuse.

        Raises: ModuleNotFoundError, always.
        """
        del path, target
        module, _, wanted = name.rpartition(".")
        if module in sys.modules:  # what is imported from it is no module either
            raise ModuleNotFoundError(f"{module!r} has no {wanted!r}")
        known = ", ".join(allowed(has_numpy="numpy" in sys.modules))
        raise ModuleNotFoundError(f"{name!r}: a confined player has {known}")


def allowed(*, has_numpy: bool = True) -> list[str]:
    """Name the modules that a competitor may import.

    >>> allowed()[:5]
    ['tourney', 'tourney.strategies', 'numpy', 'math', 'random']
    """
    pythons = [name for name in LIBRARY.split() if not name.startswith(("_", "encodings"))]
    return ["tourney", BUNDLED, *(["numpy"] if has_numpy else []), *pythons]


def open_library(*, has_numpy: bool) -> None:
    """Import what a competitor may import.

    Args:
        has_numpy: NumPy, too.
    """
    for name in (LIBRARY + CONTRACT).split():
        import_module(name)
    if has_numpy:
        import_module("numpy.random")
        import_module("tourney.games.blackjack.players.questions")
    traceback.format_exception(ValueError())  # what it imports on its first use
    # Last, so that whoever may still read files, such as a test of these, finds them there.
    sys.meta_path.append(Finder(_bundled()))


def close_library(output: int) -> None:
    """Leave nothing to import from.

    Args:
        output: Bytes kept of what a competitor prints.
    """
    os.environ.clear()
    sys.argv[:] = [COMPETITOR]
    sys.path.clear()
    sys.path_hooks.clear()
    sys.path_importer_cache.clear()
    bundled = [each for each in sys.meta_path if isinstance(each, Finder)]
    sys.meta_path[:] = [*sys.meta_path[:2], *bundled, NoMore]  # what is built into Python stays
    for each in bundled:
        open_resources(each.others)
    sys.stdout = sys.stderr = Output(output)
    # A file written as a plugin is marked with it; here nobody looks for marks.
    vars(sys.modules["tourney"])["hookimpl"] = lambda function: function


def _bundled() -> Iterator[ModuleText]:
    """Read the strategies that come with the platform; none of them is run."""
    package = find_spec(BUNDLED)
    for folder in map(Path, package.submodule_search_locations or () if package else ()):
        for path in sorted(folder.rglob("*.*")):
            if path.suffix in {".py", ".txt"}:
                shown = Path(*BUNDLED.split("."), path.relative_to(folder))
                module = ".".join(shown.with_suffix("").parts).removesuffix(".__init__")
                text = path.read_text(encoding="utf-8")
                yield ModuleText(module if path.suffix == ".py" else "", shown.as_posix(), text)


def load(opening: Opening) -> Callable[[], Any]:
    """Run a competitor's file, or its package.

    Args:
        opening: The file, which of its players is meant, and what its constructor is given.
    Returns: What makes a new player.
    Raises: LookupError or TypeError, if there is no such player; and whatever the file raises.
    """
    made = _load_package(opening) if opening.entry else _load_file(opening)
    options = json.loads(opening.options or "{}")
    if not options:
        return made
    return partial(made, **{name: _unchanging(value) for name, value in options.items()})


def files_of(opening: Opening) -> Collection[str]:
    """Give the names of a competitor's files, as tracebacks show them."""
    if opening.entry:
        return {part.path for part in read_parts(opening.source)}
    return {opening.name}


def _unchanging(value: Any) -> Any:
    """Give tuples for lists, as everywhere in options."""
    return tuple(map(_unchanging, value)) if isinstance(value, list) else value


def _load_package(opening: Opening) -> Callable[[], Any]:
    found: Any = import_entry(read_parts(opening.source), opening.entry)
    if not opening.strategy:
        return _offered(found, "")
    # The place of a class that is installed, and so was found there before.
    for name in opening.strategy.split("."):
        found = getattr(found, name)
    return found  # type: ignore[no-any-return]  # of a hostile file


def _load_file(opening: Opening) -> Callable[[], Any]:
    # As text, like everywhere else: of bytes, a remark could name an alphabet in which other code
    # stands there than people read.
    text = opening.source.decode("utf-8-sig")
    # So that tracebacks show the author's lines although there is no file.
    linecache.cache[opening.name] = (len(text), None, text.splitlines(keepends=True), opening.name)
    module = ModuleType(COMPETITOR)
    module.__file__ = opening.name
    sys.modules[COMPETITOR] = module
    exec(compile(text, opening.name, "exec", dont_inherit=True), module.__dict__)  # noqa: S102 - what this process is for
    return _offered(module, opening.strategy)


def _offered(module: ModuleType, strategy: str) -> Callable[[], Any]:
    if not strategy and COMPETITOR in vars(module):
        return _chosen(vars(module)[COMPETITOR])
    hook = getattr(module, "tourney_strategies", None)
    if str(getattr(hook, "__module__", "")).startswith(f"{BUNDLED}."):  # what `import *` brings
        hook = None
    offered = dict(hook()) if hook else _players(module)
    if strategy:
        if strategy not in offered:
            raise LookupError(f"expected a player {strategy!r}, got {', '.join(offered) or 'none'}")
        return offered[strategy]  # type: ignore[no-any-return]  # of a hostile file
    if len(offered) != 1:
        raise LookupError(f"expected one player in the file, got {', '.join(offered) or 'none'}")
    (only,) = offered.values()
    return only  # type: ignore[no-any-return]  # as above


def _chosen(chosen: Any) -> Callable[[], Any]:
    """Give the class that a file names itself."""
    if not isinstance(chosen, type):
        raise TypeError(f"{COMPETITOR}: expected a class, got {type(chosen).__name__}")
    return chosen


def _players(module: ModuleType) -> dict[str, Any]:
    from tourney.game.players import BasePlayer  # noqa: PLC0415 - loaded by `open_library`

    values = vars(module).values()
    classes = [each for each in values if isinstance(each, type) and issubclass(each, BasePlayer)]
    own = [each for each in dict.fromkeys(classes) if each.__module__ == module.__name__]
    # What another class of the file builds on is its helper, not a competitor of its own.
    ends = [each for each in own if not any(each in other.__mro__[1:] for other in own)]
    return {each.__name__: each for each in ends if not isabstract(each)}
