"""Replacing the paths of this machine in all memory that a sandboxed process can read.

A fork server does this once, after all imports and before it forks a host. Afterwards no files are
found, so the paths are not needed. Paths outside of Python objects stay; see
docs/explanation/confinement.md.
"""

import _imp
import gc
import linecache
import os
import re
import sys
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import PurePath
from types import CodeType, FrameType, FunctionType, ModuleType
from typing import Any

from tourney.game.asking import redaction

Replace = Callable[[str], str]


def neutralise_paths() -> None:
    """Replace the paths of this machine in this process, permanently."""
    replace = lru_cache(maxsize=None)(redaction.replacing_here())
    os.environ.clear()
    sys.path_importer_cache.clear()
    linecache.clearcache()
    fix_filename = vars(_imp)["_fix_co_filename"]  # as importers do
    for code in list(_codes()):
        neutral = replace(code.co_filename)
        if neutral != code.co_filename:
            fix_filename(code, neutral)
    objects = gc.get_objects()
    # Types cache look-ups, so their dictionaries must not be changed directly.
    of_types = {id(each) for kind in objects if isinstance(kind, type) for each in _dicts(kind)}
    for each in objects:
        if isinstance(each, dict):
            if id(each) not in of_types:
                _neutralise_dict(each, replace)
        elif isinstance(each, list):
            each[:] = [_neutral(value, replace) for value in each]
        elif isinstance(each, FunctionType):
            _neutralise_defaults(each, replace)
        elif not isinstance(each, type | ModuleType):
            _neutralise_instance(each, replace)
    sys.prefix = sys.base_prefix = sys.exec_prefix = sys.base_exec_prefix = redaction.NEUTRAL
    sys.executable = f"{redaction.NEUTRAL}/bin/python"
    sys.orig_argv = [sys.executable]
    redaction.forget()
    re.purge()


def _codes() -> Iterator[CodeType]:
    """Yield the code of all functions, and of all running frames."""
    for each in gc.get_objects():
        if isinstance(each, FunctionType):
            yield each.__code__
    frame: FrameType | None = sys._getframe()  # noqa: SLF001 - there is no other way to it
    while frame:
        yield frame.f_code
        frame = frame.f_back


def _dicts(kind: type) -> list[Any]:
    return [each for each in gc.get_referents(kind) if isinstance(each, dict)]


def _neutral(value: Any, replace: Replace) -> Any:
    """Return a value without paths; the same object if it has none."""
    if type(value) is str:
        return replace(value) if os.sep in value else value
    if isinstance(value, PurePath):
        shown = str(value)
        neutral = replace(shown)
        return value if neutral == shown else type(value)(neutral)
    if type(value) is dict and not gc.is_tracked(value):  # contains only texts and numbers
        _neutralise_dict(value, replace)
    return value


def _neutralise_dict(names: dict[Any, Any], replace: Replace) -> None:
    for key, value in list(names.items()):
        neutral = _neutral(value, replace)
        if neutral is not value and neutral != value:
            names[key] = neutral


def _neutralise_defaults(function: FunctionType, replace: Replace) -> None:
    """Replace paths in the default arguments of a function."""
    given = function.__defaults__
    if given and given != (neutral := tuple(_neutral(each, replace) for each in given)):
        function.__defaults__ = neutral
    _neutral(function.__kwdefaults__, replace)


def _neutralise_instance(each: object, replace: Replace) -> None:
    """Replace paths in the attributes of an object, which may have no dictionary yet."""
    held = gc.get_referents(each)
    for value in held:
        if type(value) is dict:
            _neutral(value, replace)
    if not any(_neutral(value, replace) != value for value in held if type(value) is str):
        return
    for name, value in list(getattr(each, "__dict__", {}).items()):
        if type(value) is str:
            setattr(each, name, replace(value))
