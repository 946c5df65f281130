"""The fork server of hosts: a process with all necessary modules, which is forked for each host.

It never reads any data of a competitor, so no data can pass between competitors. A host receives
its data through its own pipe, after the fork and the lockdown. Between two forks the fork server
always does the same, so that all hosts start in the same state.
"""

import _socket  # not `socket`, which imports much
import gc
import os
import sys
from contextlib import suppress
from importlib import import_module
from traceback import print_exc
from typing import NoReturn

from tourney.sandbox.host import Order, begin, find_pool
from tourney.sandbox.host_modules import open_library
from tourney.sandbox.lockdown import die_with_parent, filter_code
from tourney.sandbox.neutral_paths import neutralise_paths
from tourney.sandbox.syscall_filter import Then

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
    with suppress(ImportError):  # the host will report it
        find_pool(module) if ":" in module else import_module(module)
    if confined == "1":
        filter_code(Then.REPORT)
    with suppress(ImportError):  # missing on systems without a sandbox
        import_module("fcntl")
    if _was_compiled(began - COARSE):
        os.execv(sys.executable, sys.orig_argv)  # noqa: S606 - this very Python
    neutralise_paths()
    sys.dont_write_bytecode = True
    # Loaded objects stay: garbage collection in a host would copy all of their memory.
    gc.collect()
    gc.freeze()
    while True:
        _attend(line)


def _was_compiled(began: int) -> bool:
    """Return whether Python has just compiled modules to files, which affects memory."""
    for module in list(sys.modules.values()):
        with suppress(OSError):
            kept = getattr(module, "__cached__", None)
            if kept and os.stat(kept).st_mtime_ns > began:  # noqa: PTH116 - pathlib is slow to import
                return True
    return False


def _attend(line: _socket.socket) -> None:
    """Handle the next request of the referee; exit when there are no more."""
    request, given = _receive(line)
    if not request:
        os._exit(0)
    what, _, rest = request.partition(" ")
    if what == START:
        fork_server = os.getpid()
        process = os.fork()
        if not process:
            _be_host(line, rest, given, fork_server)
        for descriptor in given:
            os.close(descriptor)
        line.send(str(process).encode())
        return
    _, status = os.waitpid(int(rest), 0)
    if what == STATUS:
        line.send(str(os.waitstatus_to_exitcode(status)).encode())


def _be_host(line: _socket.socket, order: str, given: list[int], fork_server: int) -> NoReturn:
    try:
        line.close()
        begin(Order.read(order), given, fork_server)
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
