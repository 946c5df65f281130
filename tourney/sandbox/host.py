"""The process a competitor plays in: shut in first, then given its source, then asked.

Only what is imported before it shuts itself in can be imported afterwards. Nothing in here is
secret, and nothing in here is trusted by the referee once the competitor has been read.
"""

import os
from collections.abc import Callable, Collection, Sequence
from functools import reduce
from importlib import import_module
from io import FileIO
from typing import Any, NamedTuple, NoReturn, Protocol

from tourney.game.asking.printable_text import exception_line, place_and_trace, printable
from tourney.sandbox import wire
from tourney.sandbox.determinism import make_same
from tourney.sandbox.host_modules import close_library, files_of, load
from tourney.sandbox.lockdown import Limits, Report, confine, die_with_parent
from tourney.sandbox.syscall_filter import HANDOVER

FROM_REFEREE, TO_REFEREE = 3, 4
PIPE_LOST = 97
"""The exit status when the referee cannot be written to."""
ABOVE = 64
"""Descriptors from here on are free while the pipes are moved to their places."""


class Order(NamedTuple):
    """How a host is to start."""

    is_confined: bool
    has_numpy: bool
    pool: str  # where to find what makes a pool; see `host.find_pool`
    limits: Limits

    def write(self) -> str:
        """Write the word.

        >>> Order.read(Order(True, False, "a:b", Limits()).write()).pool
        'a:b'
        """
        *numbers, layers = self.limits
        words = (int(self.is_confined), int(self.has_numpy), self.pool or "-", *numbers, *layers)
        return " ".join(map(str, words))

    @classmethod
    def read(cls, word: str) -> "Order":
        """Read the word."""
        confined, numpy, pool, *rest = word.split()
        memory, cpu, output, user = map(int, rest[:4])
        return cls(
            is_confined=confined == "1",
            has_numpy=numpy == "1",
            pool=pool.removeprefix("-"),
            limits=Limits(memory, cpu, output, user, tuple(rest[4:])),
        )


class Pool(Protocol):
    """Who asks the competitor's players: see `tourney.game.pool`."""

    def sit(self, seat_requests: Sequence[Any], /) -> Sequence[Any]:
        """Make players; say of each whether it `acts` and `watches`, and its `verdict`."""

    def read(self, body: bytes, /) -> Any:
        """Read a batch of questions; it has the numbers of their `rounds`."""

    def decide(self, questions: Any, /) -> tuple[Any, dict[int, Any]]:
        """Answer a batch; faults are verdicts by the places of their questions."""


MakePool = Callable[[Callable[[], Any]], Pool]
"""Makes a pool, of what makes a new player."""


def find_pool(place: str) -> MakePool:
    """Import what makes pools, and with it all that they need.

    Args:
        place: "module:name", with "()" after it if that is called for what makes them, or with
            the place of what it is called with between them.

    >>> find_pool("builtins:len(builtins:str())")
    0
    """
    path, called, given = place.partition("(")
    module, _, name = path.partition(":")
    found: Any = reduce(getattr, name.split("."), import_module(module))
    if called:
        return found(*map(find_pool, filter(None, [given.removesuffix(")")])))  # type: ignore[no-any-return]  # by its place
    return found  # type: ignore[no-any-return]  # as above


def begin(order: Order, given: Sequence[int], fork_server: int) -> NoReturn:
    """Be a host, in a process that was forked for it a moment ago.

    Args:
        order: How to start.
        given: Descriptors: two pipes, the line for the listener, and what is printed.
        fork_server: The number of the process it was forked from, with which it ends.
    """
    os.setsid()
    _take_places(given)
    if order.is_confined:
        die_with_parent(fork_server)
    serve(find_pool(order.pool), order, fork_server)


def serve(make_pool: MakePool, order: Order, fork_server: int) -> NoReturn:
    """Shut this process in, read the competitor, and answer until the pipe ends.

    Args:
        make_pool: Makes who asks the players.
        order: What holds this process.
        fork_server: The number of the process it ends with.
    """
    held = _shut_in(order, fork_server)
    close_library(order.limits.output)
    _send(wire.Kind.READY, 0, wire.write_report(held))
    opening = wire.read_opening(_receive()[1])
    pool, loaded = _open(make_pool, opening)
    _send(wire.Kind.LOADED, 0, loaded)
    while True:
        sequence, body = _receive()
        _send(wire.Kind.ANSWER, sequence, _answer(pool, body, opening))


def _take_places(given: Sequence[int]) -> None:
    """Move what the referee has given to fixed places, and close all else."""
    import fcntl  # noqa: PLC0415 - only on systems that can confine

    moved = [fcntl.fcntl(each, fcntl.F_DUPFD, ABOVE) for each in given]
    *lines, output = moved
    os.closerange(FROM_REFEREE, ABOVE)
    for place, each in (*enumerate(lines, FROM_REFEREE), (1, output), (2, output)):
        os.dup2(each, place)
    os.closerange(ABOVE, ABOVE + len(given))
    # The fork server's would be one file to all hosts, with one place in it; this one is its own.
    os.close(0)
    os.open(os.devnull, os.O_RDONLY)


def _shut_in(order: Order, fork_server: int) -> wire.Report:
    """Confine, and hand the listener over so that nobody in here can answer for the referee."""
    import _socket  # noqa: PLC0415 - not `socket`, which imports much; and only where there is one

    handover = _socket.socket(fileno=HANDOVER)
    report = confine(order.limits, fork_server) if order.is_confined else Report()
    if report.listener >= 0:
        message = report.listener.to_bytes(4, "little")
        handover.sendmsg([b"!"], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, message)])
        os.close(report.listener)
    handover.close()
    return wire.Report(report.landlock, report.is_filtered, int(report.listener >= 0), report.user)


def _open(make_pool: MakePool, opening: wire.Opening) -> tuple[Pool | None, bytes]:
    """Read the competitor and seat its players."""
    seat_requests = opening.seat_requests
    make_same(seat_requests[0].random_key if seat_requests else b"")
    try:
        given = opening if getattr(make_pool, "takes_opening", False) else load(opening)
        pool = make_pool(given)  # type: ignore[arg-type]  # as it says itself
        seatings = pool.sit(seat_requests)
    except BaseException as error:  # noqa: BLE001 - the author's code; becomes a verdict
        faults = [
            _fault(place, seat_request.first_round, "import", error, opening)
            for place, seat_request in enumerate(seat_requests)
        ]
        return None, wire.write_answers([0] * len(seat_requests), faults)
    flags = [bool(each.acts) | bool(each.watches) << 1 for each in seatings]
    verdicts = {place: each.verdict for place, each in enumerate(seatings) if each.verdict}
    return pool, wire.write_answers(flags, wire.as_faults(verdicts))


def _answer(pool: Pool | None, body: bytes, opening: wire.Opening) -> bytes:
    assert pool is not None, "asked although nobody sits here"
    questions = pool.read(body)
    try:
        answers, verdicts = pool.decide(questions)
        return wire.write_answers(answers, wire.as_faults(verdicts))
    except BaseException as error:  # noqa: BLE001 - what a pool lets through, such as Control-C
        rounds = list(questions.rounds)
        faults = [
            _fault(place, int(round_), wire.BATCH_CALL, error, opening)
            for place, round_ in enumerate(rounds)
        ]
        return wire.write_answers([wire.FAULT_ANSWER] * len(rounds), faults)


def _fault(
    place: int, round_: int, call: str, error: BaseException, opening: wire.Opening
) -> wire.Faulted:
    cause = "memory" if isinstance(error, MemoryError) else "raised"
    message = f"{call}: expected no exception, got {printable(last_line(error))}"
    if isinstance(error, wire.ProtocolError):  # of a command, which says itself what it got
        message = f"{call}: {error}"
    told = _place_and_trace(error, files_of(opening))
    return wire.Faulted(place, max(round_, 0), 0, cause, call, message, *told)


def _receive() -> tuple[int, bytes]:
    """Read a frame of the referee; end when there are no more."""
    header = _read(wire.HEADER.size)
    _, _, sequence, size = wire.HEADER.unpack(header)
    return sequence, _read(size)


def _read(size: int) -> bytes:
    """Read so many bytes, into the same memory in however many pieces they come.

    Where objects lie must not follow from that: players see it, by `id`.
    """
    data, got = bytearray(size), 0
    with FileIO(FROM_REFEREE, closefd=False) as pipe, memoryview(data) as view:
        while got < size:
            try:
                count = pipe.readinto(view[got:])
            except OSError:
                os._exit(PIPE_LOST)
            if not count:
                # Not by way of `sys.exit`, so that nothing of the competitor runs any more.
                os._exit(0)
            got += count
    return bytes(data)


def _send(kind: wire.Kind, sequence: int, body: bytes) -> None:
    view = memoryview(wire.frame(kind, sequence, body))
    try:
        while view:
            view = view[os.write(TO_REFEREE, view) :]
    except OSError:
        os._exit(PIPE_LOST)


def last_line(error: BaseException) -> str:
    """Say what an exception says, whatever its author thought of."""
    try:
        return exception_line(error)
    except BaseException as second:  # noqa: BLE001 - even saying it is the author's code
        return f"{type(error).__name__}, whose text raises {type(second).__name__}"


def _place_and_trace(error: BaseException, names: Collection[str]) -> tuple[str, str]:
    """Give "file:line" and the traceback within an author's files; empty where there is none."""
    if isinstance(error, SyntaxError) and error.filename in names and error.lineno:
        return printable(f"{error.filename}:{error.lineno}"), ""
    return place_and_trace(error, names.__contains__)
