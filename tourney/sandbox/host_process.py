"""Starting a host, exchanging frames with it, and ending it.

All received bytes are untrusted, and no call here waits for the host without a limit. `referee`
interprets the frames, and `fork_servers` forks the hosts.
"""

import os
import select
import signal
import socket
import struct
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from tourney.errors import ConfinementError
from tourney.game import Game
from tourney.sandbox import wire
from tourney.sandbox.budgets import Sleep, Stopwatch
from tourney.sandbox.fork_servers import FORK_SERVERS, Preload
from tourney.sandbox.host import PIPE_LOST, Order
from tourney.sandbox.lockdown import Limits, user_to_become
from tourney.sandbox.native.checks import wrong_segment
from tourney.sandbox.native.compilation import launch_order, launcher, sealed
from tourney.sandbox.syscalls import purpose_of, this_machine

if sys.platform != "win32":
    import fcntl

F_SETPIPE_SZ = 1031
PIPE_BYTES = 1 << 20
TICK_SECONDS = 0.02
READ_BYTES = 1 << 16  # a larger buffer would be new memory at every read
END_SECONDS = 2.0
"""Seconds that the end of a process may take, because the kernel frees its memory."""
TELLING_SECONDS = 0.5
"""Seconds that a program that exceeds its CPU limit may take to report its place."""

RECEIVE = 0xC0502100  # SECCOMP_IOCTL_NOTIF_RECV
NOTICE = struct.Struct("<QIIiIQ6Q")  # struct seccomp_notif

FATAL = ("SIGABRT", "SIGSEGV", "SIGBUS", "SIGFPE", "SIGILL", "SIGTRAP")
"""Signals by which a program ends itself after an error."""
UNKNOWN_VERSION = 96
"""The exit status of a program that does not know the version of the protocol."""


class HostEndedError(Exception):
    """A host has ended, or must be ended."""

    def __init__(self, cause: str, message: str) -> None:
        super().__init__(message)
        self.cause = cause


class Setup(NamedTuple):
    """The settings for starting hosts."""

    pool: str = ""  # place of the function that makes a pool, if not a game's; see `find_pool`
    limits: Limits = Limits()
    is_confined: bool = True
    has_numpy: bool = True
    roots: tuple[str, ...] = ()  # import folders for the pool, in addition to tourney's
    program: bytes = b""  # that hosts run instead of Python; empty for Python


def at_game(setup: Setup, game: Game[Any, Any, Any]) -> Setup:
    """Let hosts load a game and its pool, unless another pool is given."""
    if setup.pool:
        return setup
    pool = f"{place_of(game)}.pool()"
    return setup._replace(pool=pool, roots=(*setup.roots, *roots_of(game)))


def place_of(game: Game[Any, Any, Any]) -> str:
    """Return the place of a game's class, as `find_pool` takes it."""
    return f"{type(game).__module__}:{type(game).__qualname__}"


def roots_of(game: Game[Any, Any, Any]) -> tuple[str, ...]:
    """Return the import folders of a game, in addition to tourney's."""
    modules = type(game).__module__, game.contract().__module__
    return tuple(filter(None, dict.fromkeys(map(_folder_of, modules))))


def _folder_of(module: str) -> str:
    """Return the import folder of a module's package; empty for tourney's own."""
    top = module.partition(".")[0]
    file = getattr(sys.modules[top], "__file__", None)
    if top == __name__.partition(".")[0] or file is None:
        return ""
    is_package = hasattr(sys.modules[top], "__path__")
    return str(Path(file).absolute().parents[1 if is_package else 0])


class HostProcess:
    """A host, from its start to its end."""

    def __init__(self, setup: Setup) -> None:
        """Start the host.

        Raises: ConfinementError, if the fork server fails, or if the program cannot run in a
            sandbox.
        """
        if fault := wrong_segment(setup.program):
            raise ConfinementError(f"the program cannot run in a sandbox: {fault}")
        self.listener = -1
        self._rest = memoryview(b"")
        self.status: int | None = None
        """The exit status, negative for a signal, after `receive` has noticed the end."""
        self._output = os.memfd_create("output")
        source, self.sink = os.pipe()
        self.source, sink = os.pipe()
        self._handover, handover = socket.socketpair()
        programs = [sealed(setup.program)] if setup.program else []
        for pipe in (self.sink, self.source):
            os.set_blocking(pipe, False)
            with suppress(OSError):  # this affects only speed
                fcntl.fcntl(pipe, F_SETPIPE_SZ, PIPE_BYTES)
        try:
            self._fork_server = FORK_SERVERS.of(preload(setup))
            given = (source, sink, handover.fileno(), self._output, *programs)
            self.number = self._fork_server.fork(order(setup), given)
            self._handle = os.pidfd_open(self.number)
            self.sleep = Sleep(self.number)
            self._polled = select.poll()
            self._polled.register(self.source, select.POLLIN)
        except BaseException:
            self._close(self.source, self.sink, self._output)
            raise
        finally:
            for descriptor in (source, sink, *programs):
                os.close(descriptor)
            handover.close()

    def take_listener(self) -> None:
        """Receive the listener for forbidden calls, after the host has reported the handover.

        Raises: HostEndedError, if it was not handed over.
        """
        self._handover.setblocking(False)  # noqa: FBT003 - only takes it by position
        try:
            _, given, _, _ = socket.recv_fds(self._handover, 1, 1)
        except OSError:
            given = []
        if not given:
            raise HostEndedError("protocol", "it did not hand over its listener")
        self.listener = given[0]
        self._polled.register(self.listener, select.POLLIN)

    def send(self, data: bytes) -> None:
        """Write a frame, or the part that the pipe takes; `receive` writes the rest.

        Raises: HostEndedError, if the host has closed its pipe.
        """
        self._rest = memoryview(data)
        if data:
            self._write()

    def receive(self, awaited: wire.Awaited, watch: Stopwatch) -> bytes:
        """Read the frame that answers the last one.

        Args:
            awaited: The expected frame.
            watch: The time limits.
        Returns: The body of the frame.
        Raises: HostEndedError, if anything else happens; SandboxLostError, if the fork server has
            ended.
        """
        if self._rest:
            self._polled.register(self.sink, select.POLLOUT)
        while True:
            happened = self._polled.poll(1000 * TICK_SECONDS)
            for descriptor, event in happened:
                body = self._attend(descriptor, event, awaited)
                if body is not None:
                    return body
            if happened:  # the host may have waited until this process was scheduled
                watch.resume()
            elif not self._fork_server.lives:  # a stopped host would not end with it
                raise self._fork_server.lost()
            if late := watch.late():
                raise HostEndedError(*late)

    def check_silent(self) -> None:
        """Make sure that the host has sent no unexpected data.

        Raises: HostEndedError, if it has.
        """
        if not self._polled.poll(0):
            return
        with suppress(BlockingIOError):  # the event may be of its listener
            data = os.read(self.source, READ_BYTES)
            if not data:
                raise self._death()
            raise HostEndedError("protocol", f"it sent {len(data)} bytes before it was asked")

    def ask_where(self) -> None:
        """Ask a program that exceeds its CPU limit to report its place."""
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._handle, signal.SIGXCPU)
        self._has_ended(TELLING_SECONDS)

    def end(self) -> str:
        """Kill the process and its group, and return its output."""
        if self.status is None:
            try:
                os.killpg(self.number, signal.SIGKILL)
            except ProcessLookupError:  # it has no group yet, or has ended
                with suppress(ProcessLookupError):
                    signal.pidfd_send_signal(self._handle, signal.SIGKILL)
            self._has_ended()
            self._fork_server.reap(self.number)
        printed = _printed(self._output)
        self._close(self.source, self.sink, self._output, self.listener, self._handle)
        self.listener = -1
        return printed

    def _has_ended(self, seconds: float = END_SECONDS) -> bool:
        """Wait for the end of the process; return whether it has ended."""
        polled = select.poll()
        polled.register(self._handle, select.POLLIN)
        return bool(polled.poll(1000 * seconds))

    def _close(self, *descriptors: int) -> None:
        for descriptor in descriptors:
            if descriptor >= 0:
                os.close(descriptor)
        self._handover.close()

    def _attend(self, descriptor: int, event: int, awaited: wire.Awaited) -> bytes | None:
        """Handle an event of a descriptor; return the answer once it is complete."""
        if descriptor == self.listener:
            if event & select.POLLIN:
                raise self._forbidden()
            self._polled.unregister(descriptor)
        elif descriptor == self.sink:
            self._write()
            if not self._rest:
                self._polled.unregister(descriptor)
        elif (body := self._read(awaited)) is not None:
            if self._rest:
                raise HostEndedError("protocol", "it answered before it had read the question")
            return body
        return None

    def _write(self) -> None:
        try:
            self._rest = self._rest[os.write(self.sink, self._rest) :]
        except BlockingIOError:
            pass
        except BrokenPipeError:
            raise self._death() from None

    def _read(self, awaited: wire.Awaited) -> bytes | None:
        try:
            data = os.read(self.source, READ_BYTES)
        except BlockingIOError:
            return None
        if not data:
            raise self._death()
        try:
            return awaited.feed(data)
        except wire.ProtocolError as fault:
            raise HostEndedError("protocol", str(fault)) from None

    def _forbidden(self) -> HostEndedError:
        """Describe the forbidden call in which the process waits until it is killed."""
        notice = bytearray(NOTICE.size)
        try:
            fcntl.ioctl(self.listener, RECEIVE, notice)
        except OSError:
            return self._death()
        _, _, _, number, _, _, *arguments = NOTICE.unpack(notice)
        machine = this_machine()
        name = machine.name_of(number) if machine else "unknown"
        if own := _own_signal(name, arguments, self.number):
            return HostEndedError("died", f"it ended itself with {own}")
        words = ", ".join(f"{argument:#x}" for argument in arguments[:3])
        call = f"forbidden system call {number}, {name}({words}, …)"
        purpose = purpose_of(name, arguments)
        return HostEndedError("syscall", f"it tried to {purpose} ({call})" if purpose else call)

    def _death(self) -> HostEndedError:
        """Describe how the process ended."""
        if not self._has_ended():
            return HostEndedError("protocol", "it closed its pipe")
        if self.status is None:
            self.status = self._fork_server.status(self.number)
        status = self.status
        if status == -signal.SIGSYS:
            return HostEndedError("syscall", "a forbidden system call of another kind")
        if status == -signal.SIGXCPU:
            return HostEndedError("cpu", "it reached the CPU limit of its process")
        if status == PIPE_LOST:
            return HostEndedError("protocol", "it closed its pipe")
        how = f"exit status {status}" if status >= 0 else signal.Signals(-status).name
        if status == UNKNOWN_VERSION:
            how += ", which means that it does not know this version of the protocol"
        return HostEndedError("died", f"its process ended: {how}")


def _own_signal(name: str, arguments: Sequence[int], process: int) -> str:
    """Return the signal by which a process tried to end itself, as `abort` of the C library does.

    It may use 0 for its own number, because the filter hides the number from it.
    """
    found = next((each for each in FATAL if getattr(signal, each, None) == arguments[2]), "")
    return found if name == "tgkill" and {*arguments[:2]} <= {0, process} else ""


def preload(setup: Setup) -> Preload:
    """Return the kind of fork server that hosts need."""
    if setup.program:
        return Preload(launcher=launcher())
    module = setup.pool if setup.pool.endswith(")") else setup.pool.partition(":")[0]
    return Preload(setup.is_confined, setup.has_numpy, module, setup.roots)


def order(setup: Setup) -> bytes:
    """Return the start settings of a host as bytes."""
    limits = setup.limits._replace(user=user_to_become())
    if setup.program:
        return launch_order(limits)
    return Order(setup.is_confined, setup.pool, limits).write().encode()


def _printed(output: int) -> str:
    size = os.fstat(output).st_size
    return os.pread(output, size, 0).decode("utf-8", "replace")
