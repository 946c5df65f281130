"""Starting hosts from fork servers, which each thread keeps for each kind of host.

Starting Python with all imports takes a hundred times as long as forking a prepared process. A fork
server ends with the thread that started it, because the kernel counts that as its parent, and its
hosts end with it. `fork_server` is the code that runs in it.
"""

import os
import select
import socket
import subprocess
import sys
import sysconfig
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
from tourney.sandbox.native.compilation import sealed

PROGRAM = "import time; n = time.time_ns(); from tourney.sandbox.fork_server import main; main(n)"
MOST_FORK_SERVERS = 3
"""Fork servers that a thread keeps. A dropped one lives until its last host has ended."""
REHEARSALS = 6
PATIENCE_SECONDS = 60.0
"""Seconds that a fork server may take to answer; at first it imports all modules."""
LOOK_SECONDS = 0.5
"""Seconds between two checks whether it is alive, while its answer is awaited."""


class Preload(NamedTuple):
    """The modules of a fork server; hosts with the same needs share one."""

    is_confined: bool = True  # with fixed addresses, and ended with the referee
    has_numpy: bool = False
    module: str = ""  # of the pools, or the place of the function that makes them
    roots: tuple[str, ...] = ()  # import folders in addition to tourney's
    launcher: bytes = b""  # the program that serves instead of Python; empty for Python


class ForkServer:
    """A process from which hosts are forked."""

    def __init__(self, preload: Preload) -> None:
        """Start the process."""
        self._output = os.memfd_create("output")
        self._line, line = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._line.settimeout(PATIENCE_SECONDS)
        self._is_rehearsed = bool(preload.launcher)  # programs have their own memory
        with line:
            self._process = _started(preload, line.fileno(), self._output)
        _avoid_preemption(self._process.pid)
        owned = (self._process, self._line, self._output, os.getpid())
        self._leash = weakref.finalize(self, _end, *owned)

    @property
    def number(self) -> int:
        """The number of the process."""
        return self._process.pid

    @property
    def lives(self) -> bool:
        """Whether the process is alive."""
        return self._process.poll() is None

    def fork(self, order: bytes, descriptors: Sequence[int]) -> int:
        """Fork a host.

        Args:
            order: How it starts.
            descriptors: Its two pipes, socket and output file, and the file of its program if it
                runs one.
        Returns: The number of its process, which stays reserved until it is reaped.
        Raises: SandboxLostError, if the fork server has ended.
        """
        try:
            if not self._is_rehearsed:
                self._rehearse(order)
            return self._fork(order, descriptors)
        except (OSError, EOFError) as error:
            raise self.lost() from error

    def status(self, host: int) -> int:
        """Return the exit status of a host that has ended, negative for a signal.

        Raises: SandboxLostError, if the fork server has ended, and the host with it.
        """
        try:
            self._line.send(f"{STATUS} {host}".encode())
            return self._answer()
        except (OSError, EOFError) as error:
            raise self.lost() from error

    def reap(self, host: int) -> None:
        """Release a host that has ended.

        There is no answer, because garbage collection may call this while another answer is
        awaited.
        """
        try:
            self._line.send(f"{REAP} {host}".encode())
        except OSError:
            return  # the fork server has ended, and the host with it

    def _rehearse(self, order: bytes) -> None:
        """Fork some hosts that end immediately.

        The memory of the fork server changes during the first forks, but hosts must start alike.
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
        """Wait for a number while the process is alive; a new host may still hold its socket."""
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
        """Kill the process and return an error with its output; it is not used again."""
        self._process.kill()  # it may have closed its socket and be about to end
        self._process.wait()
        printed = os.pread(self._output, MOST_BYTES, 0).decode("utf-8", "replace")
        return SandboxLostError(
            f"the process that players' processes are forked from has ended\n{printed}"
        )


class ForkServers(threading.local):
    """The fork servers that a thread has started."""

    def __init__(self) -> None:
        """Begin without fork servers."""
        self._owner = os.getpid()
        self._by_preload: dict[Preload, ForkServer] = {}

    def of(self, preload: Preload) -> ForkServer:
        """Return the fork server for a kind of hosts; start it if necessary."""
        if self._owner != os.getpid():  # this process is a fork of the owner
            self.__init__()  # type: ignore[misc]  # starts with an empty state
        found = self._by_preload.pop(preload, None)
        fork_server = found if found and found.lives else ForkServer(preload)
        self._by_preload[preload] = fork_server
        for oldest in list(self._by_preload)[:-MOST_FORK_SERVERS]:
            del self._by_preload[oldest]
        return fork_server


FORK_SERVERS = ForkServers()


def _avoid_preemption(process: int) -> None:
    """Keep a process and its forks from interrupting the process that wakes them.

    A referee wakes all hosts of a wave. On one processor each of them would run immediately, and
    the referee would be interrupted once for each.
    """
    with suppress(OSError):  # this affects only speed
        os.sched_setscheduler(process, os.SCHED_BATCH, os.sched_param(0))


def _started(preload: Preload, line: int, output: int) -> subprocess.Popen[bytes]:
    programs = [sealed(preload.launcher)] if preload.launcher else []
    command, environment = _interpreted(preload, line)
    if programs:
        command, environment = [f"/proc/self/fd/{programs[0]}", str(line), str(os.getpid())], {}
    personality = fix_addresses() if preload.is_confined else None
    try:
        return subprocess.Popen(  # noqa: S603 - this very Python, or a program of the platform
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
    """Return the command and the environment of a fork server that is Python."""
    environment = {
        "PYTHONHASHSEED": "0",
        "OPENBLAS_NUM_THREADS": "1",
        "LC_ALL": "C.UTF-8",
        "PYTHONPATH": os.pathsep.join((*preload.roots, *_roots(preload))),
    }
    # Always of the same length, because it shifts the memory behind it.
    flags = f"{preload.is_confined:d} {preload.has_numpy:d}"
    word = f"{line:05d} {os.getpid():07d} {flags} {preload.module}"
    return [sys.executable, "-s", "-P", "-S", "-c", PROGRAM, word], environment


def _roots(preload: Preload) -> list[str]:
    """Return the import folders: a host has no site-packages, unless a package's game needs them.

    Such a game may be developed in a folder of its own, with its dependencies installed.
    """
    names = ("annotated_types", *(("numpy",) if preload.has_numpy else ()))
    places = [each.origin for each in map(find_spec, names) if each and each.origin]
    roots = [str(Path(__file__).parents[2]), *(str(Path(each).parents[1]) for each in places)]
    if preload.roots:
        roots += [sysconfig.get_path(each) for each in ("purelib", "platlib")]
    return list(dict.fromkeys(roots))


def _end(process: subprocess.Popen[bytes], line: socket.socket, output: int, owner: int) -> None:
    line.close()
    os.close(output)
    if owner == os.getpid():
        process.kill()
        process.wait()
    else:
        process.returncode = 0  # a child of another process: avoids a warning
