"""The fork server of hosts: a process that has loaded what they need, and is forked for each.

It never reads anything of a competitor, so nothing of one can come to another by way of it: what
a host is given goes through that host's own pipe, after the fork, once the host is shut in.
Whatever it does between two forks is the same each time, so that all hosts begin alike.
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
"""What a referee asks for: a host, how one has ended, and only that it be forgotten."""

DESCRIPTORS = 4  # two pipes, the line for the listener, and what is printed
INT_BYTES = 4
MOST_BYTES = 4096


COARSE = 10_000_000
"""Nanoseconds by which a file's time may be behind the clock."""


def main(began: int) -> NoReturn:
    """Be a fork server, as the command line orders.

    Args:
        began: When this process did, in nanoseconds.
    """
    descriptor, parent, confined, numpy, module = sys.argv[1].split()
    line = _socket.socket(fileno=int(descriptor))
    if confined == "1":
        die_with_parent(int(parent))
    open_library(has_numpy=numpy == "1")
    with suppress(ImportError):  # the host will say so
        find_pool(module) if ":" in module else import_module(module)
    if confined == "1":
        filter_code(Then.REPORT)
    with suppress(ImportError):  # systems that cannot confine do not have it
        import_module("fcntl")
    if _was_compiled(began - COARSE):
        os.execv(sys.executable, sys.orig_argv)  # noqa: S606 - this very Python
    neutralise_paths()
    sys.dont_write_bytecode = True
    # What is loaded stays; a host that looks for garbage would copy all of it.
    gc.collect()
    gc.freeze()
    while True:
        _attend(line)


def _was_compiled(began: int) -> bool:
    """Say whether Python has compiled a module here, and kept that: memory differs by it."""
    for module in list(sys.modules.values()):
        with suppress(OSError):
            kept = getattr(module, "__cached__", None)
            if kept and os.stat(kept).st_mtime_ns > began:  # noqa: PTH116 - pathlib is slow to import
                return True
    return False


def _attend(line: _socket.socket) -> None:
    """Do the next thing that the referee asks for; end when there is nothing more."""
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
    except BaseException:  # noqa: BLE001 - a host must not go on as a fork server
        print_exc()
    finally:
        os._exit(1)


def _receive(line: _socket.socket) -> tuple[str, list[int]]:
    """Take a message and the descriptors that came with it."""
    room = _socket.CMSG_SPACE(DESCRIPTORS * INT_BYTES)
    message, gifts, _, _ = line.recvmsg(MOST_BYTES, room)
    numbers = memoryview(gifts[0][2]).cast("i").tolist() if gifts else []
    return message.decode(), numbers
