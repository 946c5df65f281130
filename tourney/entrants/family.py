"""Which modules have one author: those of a package, a distribution or a source folder."""

import sys
from collections.abc import Iterable
from importlib import import_module
from importlib.machinery import ModuleSpec
from importlib.metadata import Distribution, distributions
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

from tourney.entrants.files import TextLoader

NOT_AUTHORS = sys.stdlib_module_names | {"tourney"}
SHARED_FOLDERS = ("site-packages", "dist-packages")  # neighbours there are strangers


class Family:
    """The modules that have the same author as those a class is defined in."""

    def __init__(self, modules: Iterable[str]) -> None:
        """Begin with the modules of the class and its bases."""
        self._tops = {_top(name) for name in modules}
        self._folders = {
            folder
            for top in self._tops
            if (folder := _folder(top)) and folder.name not in SHARED_FOLDERS
        }
        self._packed: dict[str, bool] = {}

    def has(self, module: str) -> bool:
        """Say whether a module is of the family."""
        if not is_authors(module):
            return False
        top = _top(module)
        return top in self._tops or _folder(top) in self._folders or self._is_packed_with(top)

    def _is_packed_with(self, top: str) -> bool:
        """Say whether one distribution installed this package and one of the family."""
        if top not in self._packed:
            self._packed[top] = any(
                _holds(listed, top) and any(_holds(listed, own) for own in self._tops)
                for listed in map(_files_of, distributions())
            )
        return self._packed[top]


def is_authors(module: str) -> bool:
    """Say whether a module is neither Python's nor the platform's."""
    return _top(module) not in NOT_AUTHORS


def spec_of(name: str) -> ModuleSpec | None:
    """Find a module without importing it; its parents are imported."""
    try:
        return find_spec(name)
    except (Exception, SystemExit):  # noqa: BLE001 - a package that fails holds no module
        return None


def find_module(name: str) -> ModuleType | None:
    """Get a module of the author, importing it if need be.

    A module that is only imported inside a function must count whether that function has
    run or not, or two processes would find different sources.
    """
    if name not in sys.modules and spec_of(name) is not None:
        try:
            return import_module(name)
        except (Exception, SystemExit):  # noqa: BLE001 - what fails to import decides nothing
            return None
    return sys.modules.get(name)


def _files_of(distribution: Distribution) -> str:
    """Give the list of files a distribution was installed with, one to a line.

    The text is searched as it is: to parse all the lists of a machine takes a second.
    """
    try:
        return "\n" + (distribution.read_text("RECORD") or "").replace("\\", "/")
    except Exception:  # noqa: BLE001 - a list that cannot be read lists nothing
        return ""


def _holds(listed: str, top: str) -> bool:
    return f"\n{top}.py," in listed or f"\n{top}/" in listed


def _top(module: str) -> str:
    return module.partition(".")[0]


def _folder(top: str) -> Path | None:
    """Give the folder that a top-level module or package is imported from."""
    module = sys.modules.get(top)
    spec = getattr(module, "__spec__", None) if module else spec_of(top)
    file = getattr(module, "__file__", None) or getattr(spec, "origin", None)
    if not file or isinstance(getattr(spec, "loader", None), TextLoader):
        return None
    is_package = getattr(spec, "submodule_search_locations", None) is not None
    return Path(file).absolute().parents[1 if is_package else 0]
