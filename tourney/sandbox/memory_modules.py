"""Importing a package of several modules from memory.

A sandboxed process cannot read files, so the referee sends all files of a package, and Python finds
its modules here. `host_modules` then chooses the player.
"""

import json
import linecache
import sys
from collections.abc import Iterable, Sequence
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, NamedTuple, Self


class ModuleText(NamedTuple):
    """A file of a package."""

    module: str  # its full name; empty for a file that is not a module
    path: str  # within the package, with '/'; shown in tracebacks
    text: str


def write_parts(parts: Iterable[ModuleText]) -> bytes:
    """Write a package as bytes.

    >>> read_parts(write_parts([ModuleText("ada", "ada.py", "x = 1")]))
    [ModuleText(module='ada', path='ada.py', text='x = 1')]
    """
    return json.dumps(list(parts)).encode()


def read_parts(source: bytes) -> list[ModuleText]:
    """Read the files of a package from bytes that a referee wrote."""
    return [ModuleText(*each) for each in json.loads(source)]


def import_entry(parts: Sequence[ModuleText], entry: str) -> ModuleType:
    """Import a module of a package, with the other modules that it imports.

    Args:
        parts: The package.
        entry: The name of the module.
    Raises: All errors of the package.
    """
    sys.meta_path.insert(0, Finder(parts))
    open_resources(parts)
    return import_module(entry)


class _Loader:
    """Runs a module."""

    def __init__(self, part: ModuleText) -> None:
        self._part = part
        lines = part.text.splitlines(keepends=True)
        # Lets tracebacks show the author's lines without a file.
        linecache.cache[part.path] = (len(part.text), None, lines, part.path)

    def create_module(self, spec: ModuleSpec) -> None:
        """Let Python create it."""
        del spec

    def exec_module(self, module: ModuleType) -> None:
        """Run the module."""
        code = compile(self._part.text, self._part.path, "exec", dont_inherit=True)
        exec(code, module.__dict__)  # noqa: S102 - the purpose of this process

    def get_source(self, name: str) -> str:
        """Return the text, for `inspect`."""
        del name
        return self._part.text


class Finder:
    """Finds the modules of a package, and the packages above them."""

    def __init__(self, parts: Iterable[ModuleText]) -> None:
        """Index the files of the package."""
        parts = list(parts)
        self._parts = {part.module: part for part in parts if part.module}
        self.others = [part for part in parts if not part.module]
        """Its files that are not modules."""
        for name in list(self._parts):
            while name := name.rpartition(".")[0]:
                # A folder without `__init__.py` is an empty package.
                empty = ModuleText(name, f"{name.replace('.', '/')}/__init__.py", "")
                self._parts.setdefault(name, empty)

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """Return the module of this name, if the package has it."""
        del path, target
        part = self._parts.get(name)
        if part is None:
            return None
        is_package = part.path.endswith("__init__.py")
        loader: Any = _Loader(part)  # no `importlib.abc.Loader`, which imports much
        spec = ModuleSpec(name, loader, origin=part.path, is_package=is_package)
        spec.has_location = True
        return spec


class Resource:
    """A file or folder of a package, as `importlib.resources.files` returns it."""

    def __init__(self, texts: dict[str, str], name: str = "") -> None:
        """Point to a file or folder.

        Args:
            texts: Files that are not modules, by the last part of their paths.
            name: The last part of this one's path.
        """
        self._texts, self.name = texts, name

    def joinpath(self, *names: str) -> Self:
        """Point to a file or folder inside."""
        name = "/".join(names).rpartition("/")[2]
        return type(self)(self._texts, name or self.name)

    __truediv__ = joinpath

    def read_text(self, encoding: str | None = None, errors: str | None = None) -> str:
        """Return the text.

        Raises: FileNotFoundError, if the package has no such file.
        """
        del encoding, errors
        if self.name not in self._texts:
            raise FileNotFoundError(f"{self.name!r} is not a file of the package")
        return self._texts[self.name]

    def read_bytes(self) -> bytes:
        """Return the text in UTF-8."""
        return self.read_text().encode()


def open_resources(parts: Iterable[ModuleText]) -> None:
    """Let `importlib.resources` find the other files of a package, in addition to known ones."""
    known = getattr(sys.modules.get("importlib.resources"), "texts", {})
    own = {part.path.rpartition("/")[2]: part.text for part in parts if not part.module}
    texts = {**known, **own}
    resources = ModuleType("importlib.resources")
    vars(resources)["texts"] = texts
    vars(resources)["files"] = lambda package=None: Resource(texts)  # noqa: ARG005 - there is one
    sys.modules[resources.__name__] = resources
