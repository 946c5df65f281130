"""The modules that a competitor can import in its process: a fixed library, and its own files.

No files can be read there, so all other modules seem to be missing.
"""

import json
import linecache
import os
import re
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

from tourney.games import BATCH_MODULES, PLAYER_METHODS, PLAYER_MODULES
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
"""Standard modules that a competitor can rely on.

Python needs more, such as `os` and `sys`. They can be imported, too, but differ between versions.
"""

CONTRACT = ("tourney.game.cards.card", "tourney.game.cards.deck", "tourney.game.view")
"""Modules that define public names for players of any game."""

BUNDLED = "tourney.strategies"
"""The package of the bundled strategies, which a competitor may use."""

COMPETITOR = "competitor"
"""The name of a competitor's module; and of the variable in it that names the competing class."""

FOR_AUTHORS = {"tourney.research", "tourney.testing", "tourney.tournament"}
"""Packages that authors use in their own runs and tests, such as `tourney.ev`."""


class Output:
    """Standard output of a competitor: kept for its author up to a limit, then dropped."""

    encoding = "utf-8"

    def __init__(self, most: int) -> None:
        """Begin.

        Args:
            most: Number of bytes to keep.
        """
        self._room = most

    def write(self, text: str) -> int:
        """Write a text."""
        data = text.encode("utf-8", "backslashreplace")[: self._room]
        self._room -= len(data)
        if data:
            os.write(1, data)
        return len(text)

    def flush(self) -> None:
        """Do nothing: output is not buffered."""


class PlayerError(LookupError):
    """A file without exactly one player; the message is complete."""

    def __init__(self, message: str, place: str = "") -> None:
        """Begin.

        Args:
            message: The message.
            place: "file:line" of a class that is nearly a player; empty without one.
        """
        super().__init__(message)
        self.place = place


class NoMore:
    """Raises an explanation for modules that are missing here."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> NoReturn:
        """Reject the import.

        Raises: ModuleNotFoundError, always.
        """
        del path, target
        if name in FOR_AUTHORS:
            raise ModuleNotFoundError(f"{name!r}: not in the sandbox, as it is for your own runs")
        module, _, wanted = name.rpartition(".")
        if module in sys.modules:
            # With its name, Python turns this into an ImportError for `from MODULE import NAME`.
            raise ModuleNotFoundError(f"{module!r} has no {wanted!r}", name=name)
        known = ", ".join(allowed(has_numpy="numpy" in sys.modules))
        raise ModuleNotFoundError(
            f"{name!r}: not in the sandbox, where players can rely on {known}"
        )


def allowed(*, has_numpy: bool = True) -> list[str]:
    """Return the names of modules that a competitor may import.

    >>> allowed()[:5]
    ['tourney', 'tourney.strategies', 'numpy', 'math', 'random']
    """
    pythons = [name for name in LIBRARY.split() if not name.startswith(("_", "encodings"))]
    return ["tourney", BUNDLED, *(["numpy"] if has_numpy else []), *pythons]


def open_library(*, has_numpy: bool) -> None:
    """Import the modules that a competitor may import.

    Args:
        has_numpy: Whether to include NumPy.
    """
    for name in (*LIBRARY.split(), *CONTRACT, *PLAYER_MODULES):
        import_module(name)
    if has_numpy:
        for name in ("numpy.random", *BATCH_MODULES):
            import_module(name)
    traceback.format_exception(ValueError())  # its first use imports more modules
    # Last, so that processes that can read files, such as tests, find the files first.
    sys.meta_path.append(Finder(_bundled()))


def close_library(output: int) -> None:
    """Make all further imports impossible.

    Args:
        output: Number of bytes of a competitor's output to keep.
    """
    os.environ.clear()
    sys.argv[:] = [COMPETITOR]
    sys.path.clear()
    sys.path_hooks.clear()
    sys.path_importer_cache.clear()
    bundled = [each for each in sys.meta_path if isinstance(each, Finder)]
    sys.meta_path[:] = [*sys.meta_path[:2], *bundled, NoMore]  # modules built into Python stay
    for each in bundled:
        open_resources(each.others)
    sys.stdout = sys.stderr = Output(output)
    page = vars(sys.modules["tourney"])
    # A plugin file uses this marker, which has no meaning here.
    page["hookimpl"] = lambda function: function
    # `from tourney import *` takes the names for players; the modules of the others are not here.
    homes = page["_HOMES"]
    page["__all__"] = [
        name for name in page["__all__"] if name in page or homes[name] in sys.modules
    ]


def _bundled() -> Iterator[ModuleText]:
    """Read the files of the bundled strategies, without running them."""
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
        opening: The file, the name of the player in it, and the options of its constructor.
    Returns: A function that makes a player.
    Raises: LookupError or TypeError, if there is no such player; and all errors of the file.
    """
    made = _load_package(opening) if opening.entry else _load_file(opening)
    options = json.loads(opening.options or "{}")
    if not options:
        return made
    return partial(made, **{name: _unchanging(value) for name, value in options.items()})


def files_of(opening: Opening) -> Collection[str]:
    """Return the names of a competitor's files, as tracebacks show them."""
    if opening.entry:
        return {part.path for part in read_parts(opening.source)}
    return {opening.name}


def _unchanging(value: Any) -> Any:
    """Turn lists into tuples, as everywhere in options."""
    return tuple(map(_unchanging, value)) if isinstance(value, list) else value


def _load_package(opening: Opening) -> Callable[[], Any]:
    parts = read_parts(opening.source)
    found: Any = import_entry(parts, opening.entry)
    if not opening.strategy:
        return _offered(found, "", {part.module for part in parts})
    # The name of a class in the entry point, or the place of an installed class, which was found
    # before in the same way.
    for name in opening.strategy.split("."):
        found = getattr(found, name)
    return _chosen(found, opening.strategy)


def _load_file(opening: Opening) -> Callable[[], Any]:
    # As text, like everywhere: in bytes, a comment could name an encoding in which the code is
    # different from the text that people read.
    text = opening.source.decode("utf-8-sig")
    # Lets tracebacks show the author's lines without a file.
    linecache.cache[opening.name] = (len(text), None, text.splitlines(keepends=True), opening.name)
    module = ModuleType(COMPETITOR)
    module.__file__ = opening.name
    sys.modules[COMPETITOR] = module
    exec(compile(text, opening.name, "exec", dont_inherit=True), module.__dict__)  # noqa: S102 - the purpose of this process
    return _offered(module, opening.strategy)


def _offered(module: ModuleType, strategy: str, family: Collection[str] = ()) -> Callable[[], Any]:
    if not strategy and COMPETITOR in vars(module):
        return _chosen(vars(module)[COMPETITOR], COMPETITOR)
    hook = getattr(module, "tourney_strategies", None)
    if str(getattr(hook, "__module__", "")).startswith(f"{BUNDLED}."):  # from `import *`
        hook = None
    offered = dict(hook()) if hook else _players(module, family)
    if strategy:
        if strategy not in offered:
            raise LookupError(
                f"the file has no player {strategy!r}, only {', '.join(offered) or 'others'}"
            )
        return offered[strategy]  # type: ignore[no-any-return]  # from an untrusted file
    if not offered and (found := _unfinished(module)):
        name, message = found
        raise PlayerError(f"{name}: {message}", _place_of(name, module))
    if len(offered) != 1:
        raise PlayerError(f"expected one player in the file, got {', '.join(offered) or 'none'}")
    (only,) = offered.values()
    return only  # type: ignore[no-any-return]  # as above


def _unfinished(module: ModuleType) -> tuple[str, str] | None:
    """Find a class that is nearly a player; return its name and what is wrong with it."""
    classes = [each for each in list(vars(module).values()) if isinstance(each, type)]
    own = [each for each in classes if each.__module__ == module.__name__]
    last = [each for each in own if not any(each in other.__mro__[1:] for other in own)]
    for each in last:
        if missing := getattr(each, "__abstractmethods__", None):
            answers = " and ".join(sorted(missing))
            return each.__name__, f"expected a class that answers {answers}, got one without"
    for each in last:
        if any(hasattr(each, call) for call in PLAYER_METHODS) or last == [each]:
            return each.__name__, "expected a player, got a class that is no Player"
    return None


def _place_of(name: str, module: ModuleType) -> str:
    """Return "file:line" of a class of a file; empty if it is not found."""
    file = module.__file__ or ""
    lines = linecache.getlines(file) if file in linecache.cache else []
    begin = re.compile(rf"class[ \t]+{re.escape(name)}\b")
    return next((f"{file}:{at}" for at, line in enumerate(lines, 1) if begin.match(line)), "")


def _chosen(chosen: Any, name: str) -> Callable[[], Any]:
    """Return the class that a file or an entry point names."""
    if not isinstance(chosen, type):
        raise TypeError(f"{name}: expected a class, got {type(chosen).__name__}")
    return chosen


def _players(module: ModuleType, family: Collection[str]) -> dict[str, Any]:
    """Return the players of a module: its own, or else those from other modules of its package."""
    from tourney.game.players import BasePlayer  # noqa: PLC0415 - loaded by `open_library`

    values = vars(module).values()
    classes = [each for each in values if isinstance(each, type) and issubclass(each, BasePlayer)]
    classes = list(dict.fromkeys(classes))
    own = [each for each in classes if each.__module__ == module.__name__]
    own = own or [each for each in classes if each.__module__ in family]
    # A class from which another class of the file derives is a helper, not a competitor.
    ends = [each for each in own if not any(each in other.__mro__[1:] for other in own)]
    return {each.__name__: each for each in ends if not isabstract(each)}
