"""Where machine code is kept, and what it is kept by: the code that it was made of.

Machine code holds what its function calls and the constants it names, so it depends on its own
module and on all that is imported with it, and on nothing else: what functions import when they
are called, and what is named for type checkers alone, is in no machine code. Modules are compared
as Python reads them: comments, docstrings, the places of lines and the times of files do not count.
To import this page does not load numba.
"""

import ast
import json
import os
import platform
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple, TypeGuard

PACKAGE = "tourney"
HERE = Path(__file__).parent
ROOT = HERE.parents[2]  # of the package's folder
MADE, MISSED, LOCK = "made", "missed", "lock"
SOURCES = "sources.json"
"""Of the folder that machine code is kept in: what was read of modules."""
LATER = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
TYPE_CHECKING = ast.Name("TYPE_CHECKING", ast.Load())


class CodeUnit(NamedTuple):
    """Machine code that is made and loaded together."""

    name: str
    module: str  # from which all of it is reached


def is_made(part: CodeUnit) -> bool:
    """Say whether a part is kept for this machine, or can be kept nowhere."""
    place = folder()
    return place is None or (place / _mark(part, MADE)).exists()


def note_made(part: CodeUnit, seconds: float = 0.0) -> None:
    """Note that a part has been made, all of it, and is kept.

    Args:
        part: What was made.
        seconds: Of a processor that it took.
    """
    if place := folder():
        (place / _mark(part, MADE)).write_text(f"{seconds:.3f}", encoding="ascii")


def seconds_of(part: CodeUnit) -> float:
    """Give the seconds of a processor that it took to make a part; 0 if nobody noted them."""
    place = folder()
    try:
        return float((place / _mark(part, MADE)).read_text(encoding="ascii")) if place else 0.0
    except (OSError, ValueError):  # it is gone, or another version wrote it
        return 0.0


def note_missed(part: CodeUnit) -> None:
    """Note that much was played without a part, so that the next run has it made at once."""
    if place := folder():
        (place / _mark(part, MISSED)).touch(mode=0o600)


def was_missed(part: CodeUnit) -> bool:
    """Say whether that has been noted."""
    place = folder()
    return place is not None and (place / _mark(part, MISSED)).exists()


def lock_of(part: CodeUnit) -> Path | None:
    """Give the file that is locked by whoever makes a part; None if nothing is kept."""
    place = folder()
    return place / _mark(part, LOCK) if place else None


def locks() -> list[Path]:
    """Give the files that are locked by whoever makes a part, or have been, of all states."""
    place = folder()
    return list(place.glob(f"*.{LOCK}")) if place else []


@cache
def _mark(part: CodeUnit, what: str) -> str:
    # Machines that share a folder may have other processors: numba tells these apart.
    whose = (platform.node(), platform.machine(), platform.python_version(), version("numba"))
    hasher = blake2b(repr((state_of(part.module), whose)).encode(), digest_size=8)
    return f"{part.name}-{hasher.hexdigest()}.{what}"


def is_kept(module: str) -> bool:
    """Say whether machine code of a module is kept: those of this package, if there is a place."""
    return folder() is not None and _file_of(module) is not None


@cache
def folder() -> Path | None:
    """Give the folder that machine code is kept in; None if there is none to write to.

    Numba's own NUMBA_CACHE_DIR if that is set, else beside this module where that can be written,
    else the user's cache folder.
    """
    if os.environ.get("NUMBA_DISABLE_JIT", "0") != "0":
        return None
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser())
    named = os.environ.get("NUMBA_CACHE_DIR")
    # No folder that others can write to, such as /tmp: what is loaded from here is executed.
    for place in [Path(named)] if named else [HERE / "__pycache__", home / PACKAGE]:
        kept = place / "machine-code"
        try:
            kept.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError:
            continue
        if os.access(kept, os.W_OK):
            return kept
    return None


class Locator:
    """Tells numba where the machine code of a function is kept, and what it is kept by.

    Numba's own go by the function's file alone: by its text, and by the line of the function.
    """

    def __init__(self, place: Path, state: str, file: str) -> None:
        self._place, self._state = place, state
        self._py_file = file  # numba names it in warnings

    @classmethod
    def from_function(cls, function: Callable[..., Any], file: str) -> "Locator | None":
        """Give one for a function of this package; None if nothing is kept."""
        place = folder()
        return cls(place, state_of(function.__module__), file) if place else None

    def ensure_cache_path(self) -> None:
        """Do nothing: the folder is there."""

    def get_cache_path(self) -> str:
        """Give the folder."""
        return str(self._place)

    def get_source_stamp(self) -> str:
        """Give what must be the same for the code to be used."""
        return self._state

    def get_disambiguator(self) -> str:
        """Give a part of the name of a file, so that several states are kept side by side."""
        return self._state


@cache
def state_of(module: str) -> str:
    """Give the state of the code that a module of this package depends on, as hex digits.

    >>> state_of("tourney.game.machine.jit") == state_of("tourney.game.machine.philox")
    False
    """
    found = {module}
    left = [module]
    while left:
        new = _imported_with(left.pop()) - found
        found |= new
        left += new
    hasher = blake2b(digest_size=8)
    for name in sorted(found):
        hasher.update(f"{name} {_source_of(name).code}\n".encode())
    _sources().keep()
    return hasher.hexdigest()


class _Source(NamedTuple):
    """What the file of a module says, whatever other files say."""

    code: str  # a digest of it without comments, docstrings and places
    imports: Sequence[Sequence[str]]  # a module, or a module and a name of it
    offered: Mapping[str, str]  # of a front page: names, and the modules that have them


class _Sources:
    """What files have said, kept beside machine code: to read all of them takes long."""

    def __init__(self, file: Path | None) -> None:
        self._file = file
        self._is_changed = False
        try:
            self._by_module = json.loads(file.read_bytes()) if file else {}
        except (FileNotFoundError, ValueError):  # as if it had never been written
            self._by_module = {}
        # Other readers read otherwise.
        self._reader = f"{platform.python_version()} {_digest(Path(__file__).read_bytes())}"

    def read(self, module: str, file: Path) -> _Source:
        """Read a file, unless it says what it said before."""
        text = file.read_bytes()
        mark = f"{self._reader} {_digest(text)}"
        if self._by_module.get(module, [""])[0] != mark:
            self._by_module[module] = [mark, *_read(ast.parse(text))]
            self._is_changed = True
        return _Source(*self._by_module[module][1:])

    def keep(self) -> None:
        """Write what is new."""
        if not (self._file and self._is_changed):
            return
        self._is_changed = False
        written = self._file.with_suffix(f".{os.getpid()}")
        with suppress(OSError):  # only speed depends on it
            try:
                written.write_text(json.dumps(self._by_module), encoding="utf-8")
                written.replace(self._file)
            finally:
                written.unlink(missing_ok=True)


@cache
def _sources() -> _Sources:
    place = folder()
    return _Sources(place / SOURCES if place else None)


@cache
def _source_of(module: str) -> _Source:
    file = _file_of(module)
    assert file  # it has been imported
    return _sources().read(module, file)


def _imported_with(module: str) -> set[str]:
    """Name the modules of this package that are imported when one is."""
    imports = _source_of(module).imports
    named = {name for names in imports for name in (names[0], _home_of(*names))}
    return {name for name in named if _file_of(name)}


def _read(tree: ast.Module) -> _Source:
    imports: list[tuple[str, ...]] = []
    for statement in _imports_in(tree):
        if isinstance(statement, ast.Import):
            imports += [(name.name,) for name in statement.names]
        elif statement.module:
            imports += [(statement.module, name.name) for name in statement.names]
    offered = {
        name.name: statement.module
        for page in filter(_is_for_types, tree.body)
        for statement in reversed(page.body)
        if isinstance(statement, ast.ImportFrom) and statement.module
        for name in statement.names
    }
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)):
            node.body = [each for each in node.body if not _is_text(each)]
    return _Source(_digest(ast.dump(tree).encode()), imports, offered)


def _digest(text: bytes) -> str:
    return blake2b(text, digest_size=16).hexdigest()


def _imports_in(tree: ast.AST) -> Iterator[ast.Import | ast.ImportFrom]:
    """Give what is imported when a module is."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield node
        elif not isinstance(node, LATER) and not _is_for_types(node):
            yield from _imports_in(node)


def _is_for_types(node: ast.AST) -> TypeGuard[ast.If]:
    """Say whether this is read by type checkers alone, and by front pages; see `tourney.lazy`."""
    return isinstance(node, ast.If) and ast.dump(node.test) == ast.dump(TYPE_CHECKING)


def _home_of(module: str, name: str = "") -> str:
    """Give the module that a name is imported from, which a front page does when it is asked."""
    if not name:
        return module
    file = _file_of(module)
    if _file_of(f"{module}.{name}") or file is None or file.name != "__init__.py":
        return f"{module}.{name}"
    return _source_of(module).offered.get(name, module)


def _is_text(statement: ast.stmt) -> bool:
    """Say whether a statement is a docstring, of a function, a class, a module or a constant."""
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )


@cache
def _file_of(module: str) -> Path | None:
    """Find the file of a module, if it is one of this package."""
    package, *_ = names = module.split(".")
    if package != PACKAGE:
        return None
    base = ROOT.joinpath(*names)
    files = (base.with_suffix(".py"), base / "__init__.py")
    return next((file for file in files if file.is_file()), None)
