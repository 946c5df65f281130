"""The cache of machine code on disk, keyed by the source that the code was compiled from.

Machine code depends on the functions it calls and the constants it names, so on its module and on
everything imported with it. It does not depend on imports inside functions or on imports for type
checkers. Comments, docstrings, line numbers and file times do not count in the comparison.
Importing this module does not load numba.
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
"""File in the cache folder with a summary of each module's source."""
LATER = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
TYPE_CHECKING = ast.Name("TYPE_CHECKING", ast.Load())


class CodeUnit(NamedTuple):
    """Machine code that is compiled and loaded together."""

    name: str
    module: str  # imports all of its source


def is_made(part: CodeUnit) -> bool:
    """Return whether a unit is cached for this machine, or there is no cache."""
    place = folder()
    return place is None or (place / _mark(part, MADE)).exists()


def note_made(part: CodeUnit, seconds: float = 0.0) -> None:
    """Record that all of a unit has been compiled and cached.

    Args:
        part: The unit.
        seconds: CPU time that it took.
    """
    if place := folder():
        (place / _mark(part, MADE)).write_text(f"{seconds:.3f}", encoding="ascii")


def seconds_of(part: CodeUnit) -> float:
    """Return the CPU seconds that compiling a unit took; 0 if unknown."""
    place = folder()
    try:
        return float((place / _mark(part, MADE)).read_text(encoding="ascii")) if place else 0.0
    except (OSError, ValueError):  # the file is gone, or another version wrote it
        return 0.0


def note_missed(part: CodeUnit) -> None:
    """Record that a unit was needed but not compiled, so that the next run compiles it first."""
    if place := folder():
        (place / _mark(part, MISSED)).touch(mode=0o600)


def was_missed(part: CodeUnit) -> bool:
    """Return whether `note_missed` was called for a unit."""
    place = folder()
    return place is not None and (place / _mark(part, MISSED)).exists()


def lock_of(part: CodeUnit) -> Path | None:
    """Return the file to lock while compiling a unit; `None` without a cache."""
    place = folder()
    return place / _mark(part, LOCK) if place else None


def locks() -> list[Path]:
    """Return all lock files in the cache, of any version of the source."""
    place = folder()
    return list(place.glob(f"*.{LOCK}")) if place else []


@cache
def _mark(part: CodeUnit, what: str) -> str:
    # Machines with different processors may share the folder; numba separates their code.
    whose = (platform.node(), platform.machine(), platform.python_version(), version("numba"))
    hasher = blake2b(repr((state_of(part.module), whose)).encode(), digest_size=8)
    return f"{part.name}-{hasher.hexdigest()}.{what}"


def is_kept(module: str) -> bool:
    """Return whether code of a module is cached: only this package, and only with a cache."""
    return folder() is not None and _file_of(module) is not None


@cache
def folder() -> Path | None:
    """Return the cache folder; `None` if there is no writable one.

    NUMBA_CACHE_DIR if that is set, else a folder next to this module if that is writable, else
    the user's cache folder.
    """
    if os.environ.get("NUMBA_DISABLE_JIT", "0") != "0":
        return None
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser())
    named = os.environ.get("NUMBA_CACHE_DIR")
    # Never a folder that others can write to, such as /tmp: its files are executed.
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
    """Gives numba the folder and the key of a function's machine code.

    Numba's own locators use the text of the function's file and the line of the function only.
    """

    def __init__(self, place: Path, state: str, file: str) -> None:
        self._place, self._state = place, state
        self._py_file = file  # numba mentions it in warnings

    @classmethod
    def from_function(cls, function: Callable[..., Any], file: str) -> "Locator | None":
        """Return a locator for a function of this package; `None` without a cache."""
        place = folder()
        return cls(place, state_of(function.__module__), file) if place else None

    def ensure_cache_path(self) -> None:
        """Do nothing: the folder exists."""

    def get_cache_path(self) -> str:
        """Return the folder."""
        return str(self._place)

    def get_source_stamp(self) -> str:
        """Return the key; cached code is used only if it is equal."""
        return self._state

    def get_disambiguator(self) -> str:
        """Return a part of the file name, so that code of several versions is kept side by side."""
        return self._state


@cache
def state_of(module: str) -> str:
    """Return a hash of the source that a module of this package depends on, as hex digits.

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
    """Summary of a module's source file, independent of other files."""

    code: str  # a digest without comments, docstrings and line numbers
    imports: Sequence[Sequence[str]]  # a module, or a module and a name in it
    offered: Mapping[str, str]  # names that a package imports lazily, with their modules


class _Sources:
    """Summaries of source files, cached because parsing all of them is slow."""

    def __init__(self, file: Path | None) -> None:
        self._file = file
        self._is_changed = False
        try:
            self._by_module = json.loads(file.read_bytes()) if file else {}
        except (FileNotFoundError, ValueError):  # missing or damaged
            self._by_module = {}
        # Another version of this module may summarise differently.
        self._reader = f"{platform.python_version()} {_digest(Path(__file__).read_bytes())}"

    def read(self, module: str, file: Path) -> _Source:
        """Return the summary of a file; parse it only if it has changed."""
        text = file.read_bytes()
        mark = f"{self._reader} {_digest(text)}"
        if self._by_module.get(module, [""])[0] != mark:
            self._by_module[module] = [mark, *_read(ast.parse(text))]
            self._is_changed = True
        return _Source(*self._by_module[module][1:])

    def keep(self) -> None:
        """Write new summaries."""
        if not (self._file and self._is_changed):
            return
        self._is_changed = False
        written = self._file.with_suffix(f".{os.getpid()}")
        with suppress(OSError):  # a failure costs only speed
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
    """Return the modules of this package that a module imports."""
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
    """Yield the imports that run when a module is imported."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield node
        elif not isinstance(node, LATER) and not _is_for_types(node):
            yield from _imports_in(node)


def _is_for_types(node: ast.AST) -> TypeGuard[ast.If]:
    """Return whether a block is for type checkers and lazy packages only; see `tourney.lazy`."""
    return isinstance(node, ast.If) and ast.dump(node.test) == ast.dump(TYPE_CHECKING)


def _home_of(module: str, name: str = "") -> str:
    """Return the module that a name is imported from; lazy packages import it on first use."""
    if not name:
        return module
    file = _file_of(module)
    if _file_of(f"{module}.{name}") or file is None or file.name != "__init__.py":
        return f"{module}.{name}"
    return _source_of(module).offered.get(name, module)


def _is_text(statement: ast.stmt) -> bool:
    """Return whether a statement is a docstring of a function, class, module or constant."""
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )


@cache
def _file_of(module: str) -> Path | None:
    """Return the file of a module of this package; `None` for other modules."""
    package, *_ = names = module.split(".")
    if package != PACKAGE:
        return None
    base = ROOT.joinpath(*names)
    files = (base.with_suffix(".py"), base / "__init__.py")
    return next((file for file in files if file.is_file()), None)
