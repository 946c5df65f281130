"""Starting hosts: a fork server for each kind of them, kept by the thread that starts them.

To start Python and import everything takes a hundred times as long as to fork a process that has
done so. A fork server ends with the thread that made it, as the kernel counts parents, and its
hosts end with it. What it does is in `fork_server`.
"""

import os
import select
import socket
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Sequence
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from tourney.errors import SandboxLostError
from tourney.sandbox.fork_server import DESCRIPTORS, MOST_BYTES, REAP, START, STATUS
from tourney.sandbox.kernel import fix_addresses, restore_personality
from tourney.sandbox.native.launcher import sealed

PROGRAM = "import time; n = time.time_ns(); from tourney.sandbox.fork_server import main; main(n)"
MOST_FORK_SERVERS = 3
"""Kept by a thread. One that is given up lives on until its last host has ended."""
REHEARSALS = 6
PATIENCE_SECONDS = 60.0
"""How long a fork server may take to answer; the first time it imports everything."""
LOOK_SECONDS = 0.5
"""Between two looks whether it still lives, while its answer is awaited."""


class Preload(NamedTuple):
    """What a fork server has loaded: hosts that need the same are forked from the same."""

    is_confined: bool = True  # at fixed addresses, and ended with the referee
    has_numpy: bool = False
    module: str = ""  # of the pools, or where to find what makes them
    roots: tuple[str, ...] = ()  # folders to import from, besides where tourney lies
    launcher: bytes = b""  # the program that serves, in the place of Python; empty for Python


class ForkServer:
    """A process that hosts are forked from."""

    def __init__(self, preload: Preload) -> None:
        """Start it."""
        self._output = os.memfd_create("output")
        self._line, line = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._line.settimeout(PATIENCE_SECONDS)
        self._is_rehearsed = bool(preload.launcher)  # what follows has a memory of its own
        with line:
            self._process = _started(preload, line.fileno(), self._output)
        _take_turns(self._process.pid)
        owned = (self._process, self._line, self._output, os.getpid())
        self._leash = weakref.finalize(self, _end, *owned)

    @property
    def number(self) -> int:
        """Give the number of the process."""
        return self._process.pid

    @property
    def lives(self) -> bool:
        """Say whether it can be asked."""
        return self._process.poll() is None

    def bear(self, order: bytes, descriptors: Sequence[int]) -> int:
        """Fork a host.

        Args:
            order: How it starts.
            descriptors: What it is given: two pipes, a line and a file; and a program, if it is
                to become one.
        Returns: The number of its process. It stays that of nobody else until it is reaped.
        Raises: SandboxLostError, if it has ended.
        """
        try:
            if not self._is_rehearsed:
                self._rehearse(order)
            return self._fork(order, descriptors)
        except (OSError, EOFError) as error:
            raise self.lost() from error

    def status(self, host: int) -> int:
        """Give the exit status of a host that has ended, negative for a signal.

        Raises: SandboxLostError, if it has ended, and the host with it.
        """
        try:
            self._line.send(f"{STATUS} {host}".encode())
            return self._answer()
        except (OSError, EOFError) as error:
            raise self.lost() from error

    def reap(self, host: int) -> None:
        """Forget a host that has ended.

        There is no answer, as this may be called while another one is awaited: by Python's search
        for garbage, in which a forgotten pool lets its host go.
        """
        try:
            self._line.send(f"{REAP} {host}".encode())
        except OSError:
            return  # it has ended, and the host with it

    def _rehearse(self, order: bytes) -> None:
        """Fork some that end at once.

        Until then its memory changes from one to the next, and hosts have to begin alike.
        """
        with Path(os.devnull).open("r+b", buffering=0) as nowhere:
            for _ in range(REHEARSALS):
                self.reap(self._fork(order, [nowhere.fileno()] * DESCRIPTORS))
        self._is_rehearsed = True

    def _fork(self, order: bytes, descriptors: Sequence[int]) -> int:
        message = f"{START} ".encode() + order
        socket.send_fds(self._line, [message], list(descriptors))
        return self._answer()

    def _answer(self) -> int:
        """Wait for a number, as long as it lives: somebody newborn may hold its line open."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        polled = select.poll()
        polled.register(self._line, select.POLLIN)
        while not polled.poll(1000 * LOOK_SECONDS):
            if not self.lives:
                raise EOFError
            if time.monotonic() > deadline:
                raise TimeoutError
        data = self._line.recv(MOST_BYTES)
        if not data:
            raise EOFError
        return int(data)

    def lost(self) -> SandboxLostError:
        """Say that it has ended, and with what words; nobody asks it again."""
        self._process.kill()  # it may have closed its line, and be about to end
        self._process.wait()
        printed = os.pread(self._output, MOST_BYTES, 0).decode("utf-8", "replace")
        return SandboxLostError(
            "the process that players' processes are forked from: expected an answer, "
            f"got its end\n{printed}"
        )


class ForkServers(threading.local):
    """The fork servers that a thread has started."""

    def __init__(self) -> None:
        """Begin with none."""
        self._owner = os.getpid()
        self._by_upbringing: dict[Preload, ForkServer] = {}

    def of(self, preload: Preload) -> ForkServer:
        """Give the fork server of hosts of a kind; start it if there is none."""
        if self._owner != os.getpid():  # this process was forked from theirs
            self.__init__()  # type: ignore[misc]  # there is nothing to keep
        found = self._by_upbringing.pop(preload, None)
        fork_server = found if found and found.lives else ForkServer(preload)
        self._by_upbringing[preload] = fork_server
        for oldest in list(self._by_upbringing)[:-MOST_FORK_SERVERS]:
            del self._by_upbringing[oldest]
        return fork_server


FORK_SERVERS = ForkServers()


def _take_turns(process: int) -> None:
    """Have a process, and all that it forks, not interrupt whoever wakes it.

    Referees wake all hosts of a wave; on one processor each would have its turn at once, and the
    referee be put off once for each of them.
    """
    if hasattr(os, "SCHED_BATCH"):
        with suppress(OSError):  # only speed depends on it
            os.sched_setscheduler(process, os.SCHED_BATCH, os.sched_param(0))


def _started(preload: Preload, line: int, output: int) -> subprocess.Popen[bytes]:
    programs = [sealed(preload.launcher)] if preload.launcher else []
    command, environment = _interpreted(preload, line)
    if programs:
        command, environment = [f"/proc/self/fd/{programs[0]}", str(line), str(os.getpid())], {}
    personality = fix_addresses() if preload.is_confined else None
    try:
        return subprocess.Popen(  # noqa: S603 - this very Python, or a program of ours
            command,
            env=environment,
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            pass_fds=(line, *programs),
            start_new_session=True,
        )
    finally:
        if personality is not None:
            restore_personality(personality)
        for each in programs:
            os.close(each)


def _interpreted(preload: Preload, line: int) -> tuple[list[str], dict[str, str]]:
    """Give command and environment of a fork server that is Python."""
    environment = {
        "PYTHONHASHSEED": "0",
        "OPENBLAS_NUM_THREADS": "1",
        "LC_ALL": "C.UTF-8",
        "PYTHONPATH": os.pathsep.join((*preload.roots, *_roots(has_numpy=preload.has_numpy))),
    }
    # Of the same length always, as it moves what comes after it in memory.
    flags = f"{preload.is_confined:d} {preload.has_numpy:d}"
    word = f"{line:05d} {os.getpid():07d} {flags} {preload.module}"
    return [sys.executable, "-s", "-P", "-S", "-c", PROGRAM, word], environment


def _roots(*, has_numpy: bool) -> list[str]:
    """Give the folders of what is imported: a host has no site-packages of its own."""
    roots = [str(Path(__file__).parents[2])]
    for name in ("annotated_types", *(("numpy",) if has_numpy else ())):
        found = find_spec(name)
        if found and found.origin and (root := str(Path(found.origin).parents[1])) not in roots:
            roots.append(root)
    return roots


def _end(process: subprocess.Popen[bytes], line: socket.socket, output: int, owner: int) -> None:
    line.close()
    os.close(output)
    if owner == os.getpid():
        process.kill()
        process.wait()
    else:
        process.returncode = 0  # somebody else's child: of no concern here, and no leak
