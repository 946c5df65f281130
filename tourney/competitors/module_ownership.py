"""Which modules have one author: those of a package, a distribution or a source folder."""

import sys
from collections.abc import Iterable
from functools import cache, lru_cache
from importlib import import_module
from importlib.machinery import ModuleSpec
from importlib.metadata import Distribution, distributions
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

from tourney.competitors.files import TextLoader

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

    def has(self, module: str) -> bool:
        """Say whether a module is of the family."""
        if not is_authors(module):
            return False
        top = _top(module)
        if top in self._tops or _folder(top) in self._folders:
            return True
        return any(_are_packed_together(top, own, _folders_now()) for own in self._tops)


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


Folders = tuple[tuple[str, int], ...]
"""Where Python looks for modules: each folder, and when something was last put in or taken out."""


def _folders_now() -> Folders:
    return tuple((name, _changed(name)) for name in sys.path)


def _changed(folder: str) -> int:
    try:
        return Path(folder).stat().st_mtime_ns
    except OSError:  # it is not there, so nothing is installed in it
        return 0


@cache
def _are_packed_together(top: str, own: str, folders: Folders) -> bool:
    """Say whether one distribution installed both packages."""
    return any(_holds(listed, own) and _holds(listed, top) for listed in _lists(folders))


@lru_cache(maxsize=1)
def _lists(_folders: Folders) -> tuple[str, ...]:
    """Give the files that each distribution of these folders was installed with."""
    return tuple(map(_files_of, distributions()))


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
