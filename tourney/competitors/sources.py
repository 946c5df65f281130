"""The modules that a strategy's behaviour depends on, for the archive and the digest."""

import ast
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, lru_cache
from hashlib import blake2b
from importlib import import_module
from importlib.machinery import ModuleSpec
from importlib.metadata import Distribution, distributions
from importlib.util import find_spec, resolve_name
from operator import attrgetter
from pathlib import Path, PurePath
from types import FunctionType, ModuleType
from typing import Any

from tourney.competitors.files import TextLoader
from tourney.config.words import quoted
from tourney.errors import PluginError
from tourney.game.hand_notation import texts_in
from tourney.game.players import AnyPlayer, contract_of
from tourney.plugins.discovery import metadata_text
from tourney.plugins.fault_text import error_words

NOT_AUTHORS = sys.stdlib_module_names | {"tourney"}
BUNDLED = "tourney.strategies"
"""The package of the bundled strategies; the rest of `tourney` is the platform."""

SHARED_FOLDERS = ("site-packages", "dist-packages")  # neighbours there are strangers


class Family:
    """The modules by the author of a class."""

    def __init__(self, modules: Iterable[str]) -> None:
        """Begin with the modules of the class and its bases."""
        self._tops = {_top(name) for name in modules}
        self._folders = {
            folder
            for top in self._tops
            if (folder := _folder(top)) and folder.name not in SHARED_FOLDERS
        }

    def has(self, module: str) -> bool:
        """Return whether a module is by the same author."""
        if not is_authors(module):
            return False
        top = _top(module)
        if top in self._tops or _folder(top) in self._folders:
            return True
        return any(_are_packed_together(top, own, _folders_now()) for own in self._tops)


def is_authors(module: str) -> bool:
    """Return whether a module belongs neither to Python nor to the platform."""
    return _top(module) not in NOT_AUTHORS


def spec_of(name: str) -> ModuleSpec | None:
    """Find a module without importing it; its parents are imported."""
    try:
        return find_spec(name)
    except (Exception, SystemExit):  # noqa: BLE001 - a package that fails holds no module
        return None


def find_module(name: str) -> ModuleType | None:
    """Return a module of the author, imported if necessary.

    A module that is only imported inside a function must count whether that function has
    run or not, or two processes would find different sources.
    """
    if name not in sys.modules and spec_of(name) is not None:
        try:
            return import_module(name)
        except (Exception, SystemExit):  # noqa: BLE001 - what fails to import decides nothing
            return None
    return sys.modules.get(name)


Folders = tuple[tuple[str, int], ...]
"""The folders that Python searches for modules, with the time of their last change."""


def _folders_now() -> Folders:
    return tuple((name, _changed(name)) for name in sys.path)


def _changed(folder: str) -> int:
    try:
        return Path(folder).stat().st_mtime_ns
    except OSError:  # it is not there, so nothing is installed in it
        return 0


@cache
def _are_packed_together(top: str, own: str, folders: Folders) -> bool:
    """Return whether one distribution installed both packages."""
    return any(_holds(listed, own) and _holds(listed, top) for listed in _lists(folders))


@lru_cache(maxsize=1)
def _lists(_folders: Folders) -> tuple[str, ...]:
    """Return the installed files of each distribution in these folders."""
    return tuple(map(_files_of, distributions()))


def _files_of(distribution: Distribution) -> str:
    """Return the installed files of a distribution, one to a line.

    The text is searched as it is: to parse all the lists of a machine takes a second.
    """
    return "\n" + metadata_text(distribution, "RECORD").replace("\\", "/")


def _holds(listed: str, top: str) -> bool:
    return f"\n{top}.py," in listed or f"\n{top}/" in listed


def _top(module: str) -> str:
    return BUNDLED if f"{module}.".startswith(f"{BUNDLED}.") else module.partition(".")[0]


def _folder(top: str) -> Path | None:
    """Return the folder that a top-level module or package is imported from."""
    module = sys.modules.get(top)
    spec = getattr(module, "__spec__", None) if module else spec_of(top)
    file = getattr(module, "__file__", None) or getattr(spec, "origin", None)
    if not file or isinstance(getattr(spec, "loader", None), TextLoader):
        return None
    is_package = getattr(spec, "submodule_search_locations", None) is not None
    return Path(file).absolute().parents[1 if is_package else 0]


def reload(kind: type[AnyPlayer]) -> type[AnyPlayer]:
    """Import the author's modules again and return the new version of a class.

    A class that cannot be imported, such as one of a running script, is returned unchanged.

    Args:
        kind: A registered strategy.
    """
    if kind.__module__ == "__main__" or "<locals>" in kind.__qualname__:
        return kind
    with _set_aside(modules_of(kind)):
        fresh: type[AnyPlayer] = attrgetter(kind.__qualname__)(import_module(kind.__module__))
    return fresh


@contextmanager
def _set_aside(names: tuple[str, ...]) -> Iterator[None]:
    """Remove modules from `sys.modules` for the duration of a block."""
    kept = {name: sys.modules.pop(name) for name in names if name in sys.modules}
    try:
        yield
    finally:
        sys.modules.update(kept)
        for name, module in kept.items():
            # An import also hangs a module into its package.
            package, _, last = name.rpartition(".")
            if package in sys.modules:
                setattr(sys.modules[package], last, module)


Sources = tuple[tuple[str, str], ...]
"""Files as (name, text), sorted by name."""


def sources_of(kind: type) -> Sources:
    """Return the source of every module that determines a class's behaviour, and its charts.

    Args:
        kind: A strategy.
    Returns: (name relative to where it is imported from, text) of each module, and (name of
        its file, text) of each chart.
    Raises: PluginError, if the source of one of them is not there.
    """
    texts = _texts_of(kind)
    return tuple(sorted({*texts.values(), *_written_in(kind, texts)}))


def _written_in(kind: type, modules: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield the charts in a class, its bases and all classes of its modules.

    Loading these modules reads all of them.
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
    """Return the names of the modules that determine a class's behaviour.

    Args:
        kind: A strategy.
    Raises: PluginError, if the source of one of them is not there.
    """
    return tuple(sorted(_texts_of(kind)))


def _texts_of(kind: type) -> dict[str, tuple[str, str]]:
    """Return file name and text of each module that a class depends on, by module."""
    contract = contract_of(kind)
    of_game = contract.__mro__ if contract is not kind and contract else ()
    homes = {
        base.__module__
        for base in kind.__mro__
        if base not in of_game and is_authors(base.__module__)
    }
    # Modules of the game are not reloaded: the table's actions would have another class.
    games = set(modules_of(contract)) - homes if of_game and contract else set()
    family = Family(homes)
    waiting = sorted(homes)
    texts: dict[str, tuple[str, str]] = {}
    while waiting:
        name = waiting.pop()
        module = find_module(name)
        if module is None and name in homes:
            raise PluginError(
                f"{kind.__name__}: its module {quoted(name)} cannot be imported; define the class "
                "in a file that can"
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
    """Return the digest of a strategy's sources and options.

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
    """Return the source of a module.

    Raises: PluginError, if it is missing or not Python.
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
        raise _no_source(name, kind, "it is missing")
    return text


def _no_source(name: str, kind: type, cause: str) -> PluginError:
    return PluginError(
        f"{kind.__name__}: cannot read the source of its module {quoted(name)}: {cause}; "
        "install the distribution with its .py files, so that its rounds can be played again"
    )


def _file_name(module: ModuleType) -> str:
    """Return a module's file relative to its import folder, never a path of this machine."""
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
    """Yield the modules in which the values of a module's globals are defined."""
    for name, value in vars(module).copy().items():
        if isinstance(value, ModuleType):
            # Python adds every loaded submodule to its package.
            if value.__name__ != f"{module.__name__}.{name}":
                yield value.__name__
        else:
            owner = value if isinstance(value, type | FunctionType) else type(value)
            yield str(owner.__module__)


def _home_of(node: ast.ImportFrom, module: ModuleType) -> str:
    """Return the full HOME of `from HOME import NAME`; empty if it does not exist."""
    package = module.__name__ if hasattr(module, "__path__") else module.__name__.rpartition(".")[0]
    try:
        return resolve_name("." * node.level + (node.module or ""), package)
    except ImportError:
        return ""


def _imported(home: str, name: str) -> str:
    """Return the module that `from HOME import NAME` needs: one named NAME, or else HOME."""
    held = getattr(find_module(home), name, None)
    if isinstance(held, ModuleType):
        return held.__name__
    inner = f"{home}.{name}"
    return inner if held is None and spec_of(inner) else home
