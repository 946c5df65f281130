"""The process a competitor plays in: shut in first, then given its source, then asked.

Only what is imported before it shuts itself in can be imported afterwards. Nothing in here is
secret, and nothing in here is trusted by the referee once the competitor has been read.
"""

import os
from collections.abc import Callable, Container, Sequence
from functools import reduce
from importlib import import_module
from traceback import StackSummary, extract_tb
from typing import Any, NamedTuple, NoReturn, Protocol

from tourney.game.asking.wording import MOST_TEXT, exception_line, printable
from tourney.jail import frames
from tourney.jail.filters import HANDOVER
from tourney.jail.jail import Limits, Report, confine, die_with_parent
from tourney.jail.loading import close_library, files_of, load
from tourney.jail.sameness import make_same

FROM_REFEREE, TO_REFEREE = 3, 4
PIPE_LOST = 97
"""The exit status when the referee cannot be written to."""
ABOVE = 64
"""Descriptors from here on are free while the pipes are moved to their places."""


class Order(NamedTuple):
    """How a host is to start."""

    is_confined: bool
    has_numpy: bool
    desk: str  # where to find what makes a desk; see `host.find_desk`
    limits: Limits

    def write(self) -> str:
        """Write the word.

        >>> Order.read(Order(True, False, "a:b", Limits()).write()).desk
        'a:b'
        """
        *numbers, layers = self.limits
        words = (*map(int, self[:2]), self.desk, *numbers, *layers)
        return " ".join(map(str, words))

    @classmethod
    def read(cls, word: str) -> "Order":
        """Read the word."""
        confined, numpy, desk, *rest = word.split()
        memory, cpu, output, user = map(int, rest[:4])
        return cls(
            is_confined=confined == "1",
            has_numpy=numpy == "1",
            desk=desk,
            limits=Limits(memory, cpu, output, user, tuple(rest[4:])),
        )


class Desk(Protocol):
    """Who asks the competitor's players: see `tourney.game.pool`."""

    def sit(self, newcomers: Sequence[Any], /) -> Sequence[Any]:
        """Make players; say of each whether it `acts` and `watches`, and its `verdict`."""

    def read(self, body: bytes, /) -> Any:
        """Read a batch of questions; it has the numbers of their `rounds`."""

    def decide(self, questions: Any, /) -> tuple[Any, dict[int, Any]]:
        """Answer a batch; faults are verdicts by the places of their questions."""


MakeDesk = Callable[[Callable[[], Any]], Desk]
"""Makes a desk, of what makes a new player."""


def find_desk(place: str) -> MakeDesk:
    """Import what makes desks, and with it all that they need.

    Args:
        place: "module:name", with "()" after it if that is called for what makes them, or with
            the place of what it is called with between them.

    >>> find_desk("builtins:len(builtins:str())")
    0
    """
    path, called, given = place.partition("(")
    module, _, name = path.partition(":")
    found: Any = reduce(getattr, name.split("."), import_module(module))
    if called:
        return found(*map(find_desk, filter(None, [given.removesuffix(")")])))  # type: ignore[no-any-return]  # by its place
    return found  # type: ignore[no-any-return]  # as above


def begin(order: Order, given: Sequence[int], mother: int) -> NoReturn:
    """Be a host, in a process that was forked for it a moment ago.

    Args:
        order: How to start.
        given: Descriptors: two pipes, the line for the listener, and what is printed.
        mother: The number of the process it was forked from, with which it ends.
    """
    os.setsid()
    _take_places(given)
    if order.is_confined:
        die_with_parent(mother)
    serve(find_desk(order.desk), order, mother)


def serve(make_desk: MakeDesk, order: Order, mother: int) -> NoReturn:
    """Shut this process in, read the competitor, and answer until the pipe ends.

    Args:
        make_desk: Makes who asks the players.
        order: What holds this process.
        mother: The number of the process it ends with.
    """
    held = _shut_in(order, mother)
    close_library(order.limits.output)
    _send(frames.Kind.READY, 0, frames.write_report(held))
    opening = frames.read_opening(_receive()[1])
    desk, loaded = _open(make_desk, opening)
    _send(frames.Kind.LOADED, 0, loaded)
    while True:
        sequence, body = _receive()
        _send(frames.Kind.ANSWER, sequence, _answer(desk, body, opening))


def _take_places(given: Sequence[int]) -> None:
    """Move what the referee has given to fixed places, and close all else."""
    import fcntl  # noqa: PLC0415 - only on systems that can confine

    *lines, output = (fcntl.fcntl(each, fcntl.F_DUPFD, ABOVE) for each in given)
    os.closerange(FROM_REFEREE, ABOVE)
    for place, each in (*enumerate(lines, FROM_REFEREE), (1, output), (2, output)):
        os.dup2(each, place)
    os.closerange(ABOVE, ABOVE + len(given))
    # Its mother's would be one file to all her hosts, with one place in it; this one is its own.
    os.close(0)
    os.open(os.devnull, os.O_RDONLY)


def _shut_in(order: Order, mother: int) -> frames.Report:
    """Confine, and hand the listener over so that nobody in here can answer for the referee."""
    import _socket  # noqa: PLC0415 - not `socket`, which imports much; and only where there is one

    handover = _socket.socket(fileno=HANDOVER)
    report = confine(order.limits, mother) if order.is_confined else Report()
    if report.listener >= 0:
        message = report.listener.to_bytes(4, "little")
        handover.sendmsg([b"!"], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, message)])
        os.close(report.listener)
    handover.close()
    return frames.Report(
        report.landlock, report.is_filtered, int(report.listener >= 0), report.user
    )


def _open(make_desk: MakeDesk, opening: frames.Opening) -> tuple[Desk | None, bytes]:
    """Read the competitor and seat its players."""
    newcomers = opening.newcomers
    make_same(newcomers[0].random_key if newcomers else b"")
    try:
        desk = make_desk(load(opening))
        seatings = desk.sit(newcomers)
    except BaseException as error:  # noqa: BLE001 - the author's code; becomes a verdict
        faults = [
            _fault(place, newcomer.first_round, "import", error, opening)
            for place, newcomer in enumerate(newcomers)
        ]
        return None, frames.write_answers([0] * len(newcomers), faults)
    flags = [bool(each.acts) | bool(each.watches) << 1 for each in seatings]
    verdicts = {place: each.verdict for place, each in enumerate(seatings) if each.verdict}
    return desk, frames.write_answers(flags, frames.as_faults(verdicts))


def _answer(desk: Desk | None, body: bytes, opening: frames.Opening) -> bytes:
    assert desk is not None, "asked although nobody sits here"
    questions = desk.read(body)
    try:
        answers, verdicts = desk.decide(questions)
        return frames.write_answers(answers, frames.as_faults(verdicts))
    except BaseException as error:  # noqa: BLE001 - what a desk lets through, such as Control-C
        rounds = list(questions.rounds)
        faults = [
            _fault(place, int(round_), "decide", error, opening)
            for place, round_ in enumerate(rounds)
        ]
        return frames.write_answers([frames.FAULT_ANSWER] * len(rounds), faults)


def _fault(
    place: int, round_: int, call: str, error: BaseException, opening: frames.Opening
) -> frames.Faulted:
    cause = "memory" if isinstance(error, MemoryError) else "raised"
    message = f"{call}: expected no exception, got {printable(last_line(error))}"
    return frames.Faulted(
        place, max(round_, 0), 0, cause, call, message, *place_and_trace(error, files_of(opening))
    )


def _receive() -> tuple[int, bytes]:
    """Read a frame of the referee; end when there are no more."""
    header = _read(frames.HEADER.size)
    _, _, sequence, size = frames.HEADER.unpack(header)
    return sequence, _read(size)


def _read(size: int) -> bytes:
    data = _some(size)
    if len(data) == size:
        return data
    pieces, got = [data], len(data)
    while got < size:
        data = _some(size - got)
        if not data:
            # Not by way of `sys.exit`, so that nothing of the competitor runs any more.
            os._exit(0)
        pieces.append(data)
        got += len(data)
    return b"".join(pieces)


def _some(size: int) -> bytes:
    try:
        return os.read(FROM_REFEREE, size) if size else b""
    except OSError:
        os._exit(PIPE_LOST)


def _send(kind: frames.Kind, sequence: int, body: bytes) -> None:
    view = memoryview(frames.frame(kind, sequence, body))
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


def place_and_trace(error: BaseException, names: Container[str]) -> tuple[str, str]:
    """Give "file:line" and the traceback within some files; empty where there is none.

    Args:
        error: What was raised.
        names: Of the author's files.
    """
    found = extract_tb(error.__traceback__)
    frames = [frame for frame in found if frame.filename in names]
    if isinstance(error, SyntaxError) and error.filename in names and error.lineno:
        return printable(f"{error.filename}:{error.lineno}"), ""
    if not frames:
        return "", ""
    trace = "".join(StackSummary.from_list(frames).format())[-MOST_TEXT:]
    place = f"{frames[-1].filename}:{frames[-1].lineno}"
    return printable(place), printable(trace, keep="\n")
