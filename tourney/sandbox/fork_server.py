"""The fork server of hosts, whose memory holds no path of this machine.

It never reads any data of a competitor, so no data can pass between competitors. A host receives
its data through its own pipe, after the fork and the lockdown. Between two forks the fork server
always does the same, so that all hosts start in the same state.

The fork server removes the paths once, after all imports and before it forks a host. Afterwards
Python finds no files, so the paths are not needed. Paths outside of Python objects stay; see
docs/explanation/confinement.md.
"""

import _imp
import _socket  # not `socket`, which imports much
import gc
import linecache
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import lru_cache
from importlib import import_module
from pathlib import PurePath
from traceback import print_exc
from types import CodeType, FrameType, FunctionType, ModuleType
from typing import Any, NoReturn

from tourney.game.asking import redaction
from tourney.sandbox.host import Order, begin, find_pool
from tourney.sandbox.host_modules import open_library
from tourney.sandbox.lockdown import die_with_parent, filter_code
from tourney.sandbox.syscall_filter import Then

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


START, STATUS, REAP = "start", "status", "reap"
"""Requests of a referee: start a host, report how one has ended, or only reap it."""

DESCRIPTORS = 4  # two pipes, the socket for the listener, and the output
INT_BYTES = 4
MOST_BYTES = 4096


COARSE = 10_000_000
"""Nanoseconds by which a file's timestamp may be behind the clock."""


def main(began: int) -> NoReturn:
    """Run as a fork server, with the arguments of the command line.

    Args:
        began: The time of the process's start, in nanoseconds.
    """
    descriptor, parent, confined, numpy, module = sys.argv[1].split()
    line = _socket.socket(fileno=int(descriptor))
    if confined == "1":
        die_with_parent(int(parent))
    open_library(has_numpy=numpy == "1")
    missing = ""
    try:
        find_pool(module) if ":" in module else import_module(module)
    except ImportError as error:  # hosts report it
        missing = redaction.replacing_here()(str(error))
    if confined == "1":
        filter_code(Then.REPORT)
    import_module("fcntl")  # not above, because systems without a sandbox lack it
    if _was_compiled(began - COARSE):
        os.execv(sys.executable, sys.orig_argv)  # noqa: S606 - this very Python
    neutralise_paths()
    sys.dont_write_bytecode = True
    # Loaded objects stay: garbage collection in a host would copy all of their memory.
    gc.collect()
    gc.freeze()
    while True:
        _attend(line, missing)


def _was_compiled(began: int) -> bool:
    """Return whether Python has just compiled modules to files, which affects memory."""
    for module in list(sys.modules.values()):
        with suppress(OSError):
            kept = getattr(module, "__cached__", None)
            if kept and os.stat(kept).st_mtime_ns > began:  # noqa: PTH116 - pathlib is slow to import
                return True
    return False


def _attend(line: _socket.socket, missing: str) -> None:
    """Handle the next request of the referee; exit when there are no more.

    Args:
        line: To the referee.
        missing: The reason why the pool's module could not be imported; otherwise empty.
    """
    request, given = _receive(line)
    if not request:
        os._exit(0)
    what, _, rest = request.partition(" ")
    if what == START:
        fork_server = os.getpid()
        process = os.fork()
        if not process:
            _be_host(line, rest, given, fork_server, missing)
        for descriptor in given:
            os.close(descriptor)
        line.send(str(process).encode())
        return
    _, status = os.waitpid(int(rest), 0)
    if what == STATUS:
        line.send(str(os.waitstatus_to_exitcode(status)).encode())


def _be_host(
    line: _socket.socket, order: str, given: list[int], fork_server: int, missing: str
) -> NoReturn:
    try:
        line.close()
        begin(Order.read(order), given, fork_server, missing)
    except BaseException:  # noqa: BLE001 - a host must not continue as a fork server
        print_exc()
    finally:
        os._exit(1)


def _receive(line: _socket.socket) -> tuple[str, list[int]]:
    """Receive a message and its file descriptors."""
    room = _socket.CMSG_SPACE(DESCRIPTORS * INT_BYTES)
    message, gifts, _, _ = line.recvmsg(MOST_BYTES, room)
    numbers = memoryview(gifts[0][2]).cast("i").tolist() if gifts else []
    return message.decode(), numbers
