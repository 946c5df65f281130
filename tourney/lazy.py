"""What is imported, and when: the names of a room's front page, slow modules, and whose files.

A command loads what it uses and no more, or `tourney list` would load a numerical library. All the
same every import stands at the top of its module, under `TYPE_CHECKING`, where people, type
checkers and the rules on imports find it. Leaves out imports that most callers need: those are
written as usual.
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
    """Stands for a module that is imported when the first of its names is asked for.

    >>> maths = Module("math")
    >>> maths.floor(2.5)
    2
    """

    def __init__(self, name: str) -> None:
        """Take the full name of the module."""
        self.__name__ = name

    def __getattr__(self, attribute: str) -> Any:
        """Import the module and share its names, which then cost no more than in any module."""
        found = import_module(self.__name__)
        self.__dict__ = found.__dict__
        return getattr(found, attribute)


def exports(page: str) -> Callable[[str], object]:
    """Give the `__getattr__` of a front page, by the imports under its `if TYPE_CHECKING:`.

    What is imported there is what the page shows, so `__all__` says the same. A name that is also
    the name of the module that holds it is imported at once: else whoever imported that module
    first would make it an attribute of the page, in the name's place.

    Args:
        page: `__name__` of the page.
    """
    module = sys.modules[page]
    homes = dict(_imports_of(page))
    module.__dict__.setdefault("__all__", sorted(homes))

    def import_name(name: str) -> object:
        """Import a name of the page, once."""
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
    """Give the names that a page imports for type checkers, and the modules that hold them."""
    source = Path(sys.modules[page].__file__ or "").read_text(encoding="utf-8")
    for statement in ast.parse(source).body:
        if isinstance(statement, ast.If):
            for each in statement.body:
                assert isinstance(each, ast.ImportFrom)
                assert each.module
                yield from ((name.name, each.module) for name in each.names)


@contextmanager
def safe_path() -> Iterator[None]:
    """Keep any Python that starts meanwhile from taking files of the current folder for modules.

    Competitors' files lie there, whatever they are called, and would run with all rights.
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
