"""Small packages of pure Python as competitors: checked and loaded without installation."""

import re
import sys
import tomllib
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module, invalidate_caches
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from operator import attrgetter
from pathlib import PurePosixPath
from types import FrameType, ModuleType
from typing import Any

from tourney.competitors.files import TextLoader, competitor_in, shown_name
from tourney.errors import DISTRIBUTION, PluginError, SubmissionError
from tourney.game.players import AnyPlayer
from tourney.plugins.discovery import normalised
from tourney.plugins.fault_text import error_words, place_of_error
from tourney.plugins.hook_spec import GROUP
from tourney.plugins.language import Texts
from tourney.plugins.validation import PluginFaultError, check_strategy, named_items

BROUGHT = frozenset({DISTRIBUTION, "numpy", "scipy"})
"""Distributions that are installed with the platform, as pip names them."""

TAKEN = sys.stdlib_module_names | {"tourney", "numpy", "scipy"}
"""Modules that a package must not hide."""

SUFFIXES = frozenset({".py", ".toml", ".txt", ".md", ".rst", ".csv", ".json", ".typed", ""})
"""Suffixes of the files in a package of pure Python."""

UNUSED_SUFFIXES = (
    *(".lock", ".cfg", ".ini", ".sh", ".bat", ".ps1", ".log"),
    *(".ipynb", ".pdf", ".docx", ".html", ".png", ".jpg", ".jpeg", ".gif", ".svg"),
)
"""Suffixes of files that tools and authors keep in a project, and that no package plays with."""


def check_package(files: Texts) -> Texts:
    """Return the files of a package that can play.

    Args:
        files: (relative path, text), with a project file.
    Raises: SubmissionError, with the problem and a fix.
    """
    for name, _ in files:
        suffix = PurePosixPath(name).suffix.lower()
        if suffix not in SUFFIXES:
            raise SubmissionError(
                f"{name}: a package of pure Python cannot contain {suffix} files; leave it out"
            )
    try:
        entry_of(files)
        needs = project_of(files).get("dependencies", [])
    except PluginError as error:
        raise SubmissionError(str(error)) from error
    _check_needs(needs if isinstance(needs, list) else [needs])
    _check_modules(files)
    return files


def _check_needs(needs: list[object]) -> None:
    """Reject a package with dependencies that the organiser would have to install."""
    names = [normalised(re.split(r"[^\w.-]", str(need).strip())[0]) for need in needs]
    others = sorted(set(names) - BROUGHT)
    if others:
        raise SubmissionError(
            f"pyproject.toml: these dependencies are not available: {', '.join(others)[:100]}; "
            f"remove them; only {', '.join(sorted(BROUGHT))} are installed"
        )


def _check_modules(files: Texts) -> None:
    """Reject a package that would replace modules of another one."""
    if hidden := sorted({name.partition(".")[0] for name in _modules(files)} & TAKEN):
        raise SubmissionError(
            f"module {hidden[0]} would hide an installed one of the same name; rename it"
        )


PROJECT = "pyproject.toml"
HOOK = f"{GROUP}_strategies"
FOLDERS = ("", "src/")
"""Where in a package its modules may lie."""


def entry_of(files: Texts) -> tuple[str, str]:
    """Return the module of a package's only entry point, and the class that it names.

    Returns: The module, and the name of the class; empty for the only player of the module.
    Raises: PluginError, if it is missing or ambiguous, or its module is missing.
    """
    points = table_of(project_of(files), "entry-points").get(GROUP)
    if not isinstance(points, dict) or len(points) != 1:
        count = len(points) if isinstance(points, dict) else 0
        raise PluginError(
            f"{PROJECT}: [project.entry-points.{GROUP}] must have one entry, not {count}; "
            'write: name = "module"'
        )
    ((name, value),) = points.items()
    module, _, kind = (part.strip() for part in str(value).partition(":"))
    if not re.fullmatch(r"\w+(\.\w+)*", module) or module not in _modules(files):
        raise PluginError(
            f"{PROJECT}: entry point {name!r}: {module[:60]!r} is not a module of the package; "
            "add it, or name a module of the package"
        )
    if kind and not re.fullmatch(r"\w+(\.\w+)*", kind):
        raise PluginError(
            f"{PROJECT}: entry point {name!r}: {kind[:60]!r} is not the name of a class; "
            'write: name = "module:Class"'
        )
    return module, kind


def project_of(files: Texts) -> dict[str, Any]:
    """Return the table [project] of a package's project file.

    Raises: PluginError, if the file is not TOML.
    """
    try:
        whole = tomllib.loads(dict(files).get(PROJECT, ""))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise PluginError(
            f"{PROJECT}: not valid TOML: {error_words(error)}; fix the line"
        ) from error
    return table_of(whole, "project")


def table_of(tree: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return a table within a table; empty if it is missing."""
    found = tree.get(name, {})
    return found if isinstance(found, dict) else {}


def parts_of(files: Texts) -> Iterator[tuple[str, str, str]]:
    """Return module, path and text of every file; the module is empty for other files.

    A file below `src` has two names, as when a package is loaded.
    """
    for module, (path, text) in _modules(files).items():
        yield module, path, text
    yield from (("", path, text) for path, text in files if not path.endswith(".py"))


def load_package(files: Texts, name: str) -> type[AnyPlayer]:
    """Execute a package and find the class that competes.

    Args:
        files: The package.
        name: Its name in messages.
    Returns: The class that its entry point names, or the only strategy of its module, or else the
        class of its module, as for a single file.
    Raises: PluginError, if it cannot be executed or the class is not clear.
    """
    entry, kind = entry_of(files)
    modules = _modules(files)
    loaders = {
        module: TextLoader(content, shown_name(content, path))
        for module, (path, content) in modules.items()
    }
    packages = {each for each, (path, _) in modules.items() if path.endswith("/__init__.py")}
    try:
        with _found(loaders, packages):
            module = _execute(entry, loaders)
            return _named(module, kind) if kind else _offered(module, loaders)
    except PluginFaultError as fault:
        raise PluginError(f"{name}: {fault}") from fault.__cause__


def _modules(files: Texts) -> dict[str, tuple[str, str]]:
    """Return path and text of every module, by its name."""
    found: dict[str, tuple[str, str]] = {}
    for folder in reversed(FOLDERS):
        for path, text in files:
            inner = path.removeprefix(folder)
            if path.startswith(folder) and inner.endswith(".py"):
                name = inner.removesuffix(".py").removesuffix("/__init__")
                found[name.replace("/", ".")] = path, text
    return found


class _Finder(MetaPathFinder):
    """Finds the modules of one package."""

    def __init__(self, loaders: Mapping[str, TextLoader], packages: set[str]) -> None:
        self._loaders = loaders
        self._packages = packages

    def find_spec(self, fullname: str, path: object, target: object = None) -> ModuleSpec | None:
        """Return the module of this name, if the package has it."""
        del path, target
        loader = self._loaders.get(fullname)
        if loader is None:
            return None
        is_package = fullname in self._packages
        spec = ModuleSpec(fullname, loader, origin=loader.filename, is_package=is_package)
        spec.has_location = True
        return spec


@contextmanager
def _found(loaders: Mapping[str, TextLoader], packages: set[str]) -> Iterator[None]:
    """Make some modules importable for a while, before others of the same names."""
    tops = {name.partition(".")[0] for name in loaders}

    def forget() -> dict[str, ModuleType]:
        names = [name for name in sys.modules if name.partition(".")[0] in tops]
        return {name: sys.modules.pop(name) for name in names}

    finder, before = _Finder(loaders, packages), forget()
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        forget()
        sys.modules.update(before)
        invalidate_caches()


def _execute(entry: str, loaders: Mapping[str, TextLoader]) -> ModuleType:
    """Import the module of the entry point; an exception becomes a fault with its line."""
    own = {loader.filename for loader in loaders.values()}

    def is_own(frame: FrameType) -> bool:
        return frame.f_code.co_filename in own

    try:
        return import_module(entry)
    except (Exception, SystemExit) as error:
        raise PluginFaultError(
            f"expected Python that runs, got {error_words(error)}",
            place_of_error(error, is_own) or entry,
            "mend the line; a package is run once before it competes",
        ) from error


def _named(module: ModuleType, name: str) -> type[AnyPlayer]:
    """Return the class that the entry point names."""
    try:
        found = attrgetter(name)(module)
    except AttributeError as error:
        raise PluginFaultError(
            error_words(error), PROJECT, f"name a class of {module.__name__} in the entry point"
        ) from error
    return check_strategy(name, found)


def _offered(module: ModuleType, family: Collection[str]) -> type[AnyPlayer]:
    """Find the class that competes in a module of a package."""
    hook = getattr(module, HOOK, None)
    if hook is None:
        return competitor_in(module, family)
    try:
        offered = list(named_items("strategies", "strategy", hook()))
    except (TypeError, ValueError, LookupError, AttributeError) as error:
        raise PluginFaultError(f"{HOOK} failed: {error_words(error)}") from error
    if len(offered) != 1:
        raise PluginFaultError(
            f"{HOOK} returns {len(offered)} strategies",
            remedy="return only the one that competes",
        )
    ((name, kind),) = offered
    return check_strategy(name, kind)
