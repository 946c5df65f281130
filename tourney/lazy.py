"""Deferred imports: the names of a package's front page, slow modules, and a safe import path.

A command loads only the modules it uses; otherwise `tourney list` would load a numerical library.
Every import still stands at the top of its module, under `TYPE_CHECKING`, where readers, type
checkers and the import rules find it.
"""

import ast
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

SAFE_PATH = "PYTHONSAFEPATH"


class Module:
    """A stand-in for a module, which is imported when one of its names is first used.

    >>> maths = Module("math")
    >>> maths.floor(2.5)
    2
    """

    def __init__(self, name: str) -> None:
        """Take the full name of the module."""
        self.__name__ = name

    def __getattr__(self, attribute: str) -> Any:
        """Import the module and share its names, so that later look-ups cost nothing extra."""
        found = import_module(self.__name__)
        self.__dict__ = found.__dict__
        return getattr(found, attribute)


def exports(page: str) -> Callable[[str], object]:
    """Return a package's `__getattr__`, which imports the names under its `if TYPE_CHECKING:`.

    Also sets `__all__` to these names. A name equal to the name of its module is imported
    immediately: otherwise the first import of that module would put the module in the name's place.

    Args:
        page: `__name__` of the package.
    """
    module = sys.modules[page]
    homes = dict(_imports_of(page))
    module.__dict__.setdefault("__all__", sorted(homes))

    def import_name(name: str) -> object:
        """Import a name and keep it."""
        if name not in homes:
            raise AttributeError(f"module {page!r} has no attribute {name!r}")
        found: object = getattr(import_module(homes[name]), name)
        setattr(module, name, found)
        return found

    for name, home in homes.items():
        if home == f"{page}.{name}":
            import_name(name)
    return import_name


def _imports_of(page: str) -> Iterator[tuple[str, str]]:
    """Return the names that a package imports for type checkers, and their modules."""
    source = Path(sys.modules[page].__file__ or "").read_text(encoding="utf-8")
    for statement in ast.parse(source).body:
        if isinstance(statement, ast.If):
            for each in statement.body:
                assert isinstance(each, ast.ImportFrom)
                assert each.module
                yield from ((name.name, each.module) for name in each.names)


@contextmanager
def safe_path() -> Iterator[None]:
    """Stop every Python that starts meanwhile from importing modules of the current folder.

    Competitors' files are in that folder. Imported, they would run with all permissions.
    """
    before = os.environ.get(SAFE_PATH)
    os.environ[SAFE_PATH] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[SAFE_PATH]
        else:
            os.environ[SAFE_PATH] = before
