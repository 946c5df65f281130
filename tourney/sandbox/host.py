"""The process of a competitor: it locks itself down, then reads the source, then answers.

Only modules that were imported before the lockdown can be imported later. This process has no
secrets, and once it has read the competitor, the referee does not trust it.

A host replaces its clock and its random numbers, so that players are reproducible; `host_process`
fixes addresses and hashes before a host starts. All this helps honest players that, for example,
read a clock. A player that makes an effort can find the machine's real clock, and learn from it how
busy the machine is.
"""

import json
import os
import random
import sys
import time
from collections.abc import Callable, Collection, Sequence
from functools import reduce
from importlib import import_module
from io import FileIO
from typing import Any, NamedTuple, NoReturn, Protocol

from tourney.game.asking.printable_text import exception_line, place_and_trace, printable
from tourney.sandbox import wire
from tourney.sandbox.host_modules import PlayerError, close_library, files_of, load
from tourney.sandbox.lockdown import Limits, Report, confine, die_with_parent
from tourney.sandbox.syscall_filter import HANDOVER

NANOSECONDS = 1_000_000_000
EPOCH = 946_684_800 * NANOSECONDS  # the year 2000 begins
LOOK = 1_000_003
"""Nanoseconds that pass at each look at a clock: a player that waits for a time comes to an end,
and the last digits vary."""

SINCE_START = ("monotonic", "perf_counter", "process_time", "thread_time")
"""Clocks of Python that count from an arbitrary moment."""

PAST_PYTHON = ("datetime",)
"""Modules that read the machine's clock directly, and were loaded because others use them."""


class Clock:
    """A clock that advances only when it is read, or during sleep."""

    def __init__(self) -> None:
        self._passed = 0  # nanoseconds

    def passed(self) -> int:
        """Return the nanoseconds since the start."""
        self._passed += LOOK
        return self._passed

    def now(self) -> int:
        """Return the nanoseconds since 1970."""
        return EPOCH + self.passed()

    def sleep(self, seconds: float, /) -> None:
        """Advance the clock, and return immediately.

        Raises: ValueError, if the time is negative.
        """
        if seconds < 0:
            raise ValueError("sleep length must be non-negative")
        self._passed += int(seconds * NANOSECONDS)


def make_same(key: bytes) -> None:
    """Replace Python's clocks, and derive all random numbers from a key.

    Args:
        key: The random key of the first player in this process.
    """
    replace_time(Clock())
    replace_chance(key)
    for name in PAST_PYTHON:
        sys.modules.pop(name, None)


def replace_time(clock: Clock) -> None:
    """Make all functions of Python's module `time` use this clock."""
    gmtime, asctime, strftime = time.gmtime, time.asctime, time.strftime

    def of_day() -> float:
        return clock.now() / NANOSECONDS

    def since_start() -> float:
        return clock.passed() / NANOSECONDS

    def date(seconds: float | None = None, /) -> time.struct_time:
        return gmtime(of_day() if seconds is None else seconds)

    replaced: dict[str, Any] = {
        "time": of_day,
        "time_ns": clock.now,
        **dict.fromkeys(SINCE_START, since_start),
        **{f"{name}_ns": clock.passed for name in SINCE_START},
        "clock_gettime": lambda _number, /: of_day(),  # noqa: PLW0108 - takes a number
        "clock_gettime_ns": lambda _number, /: clock.now(),  # noqa: PLW0108 - as above
        "sleep": clock.sleep,
        "gmtime": date,
        "localtime": date,
        "ctime": lambda seconds=None, /: asctime(date(seconds)),
        "asctime": lambda day=None, /: asctime(day or date()),
        "strftime": lambda words, day=None, /: strftime(words, day or date()),
    }
    vars(time).update(replaced)


def replace_chance(key: bytes) -> None:
    """Seed all random generators that are not seeded explicitly."""
    chance = random.Random(key)  # noqa: S311 - for a player's decisions, not for secrets
    seed = random.Random.seed

    def seed_always(self: random.Random, a: Any = None, version: int = 2) -> None:
        seed(self, chance.getrandbits(256) if a is None else a, version)

    os.urandom = chance.randbytes
    random.Random.seed = seed_always  # type: ignore[method-assign]  # in this process only
    shared = vars(random)["_inst"]  # its methods are the functions of the module
    vars(random).update(_urandom=chance.randbytes, seed=shared.seed)
    shared.seed()
    if numpy_random := sys.modules.get("numpy.random"):
        vars(numpy_random)["seed"](chance.getrandbits(32))


FROM_REFEREE, TO_REFEREE = 3, 4
PIPE_LOST = 97
"""The exit status if writing to the referee fails."""
ABOVE = 64
"""Descriptors from here on are free while the pipes are moved to their places."""


class Order(NamedTuple):
    """The settings of a host."""

    is_confined: bool
    pool: str  # place of the function that makes a pool; see `host.find_pool`
    limits: Limits

    def write(self) -> str:
        """Write the settings as text.

        >>> Order.read(Order(True, "a:b", Limits()).write()).pool
        'a:b'
        """
        return json.dumps(self)

    @classmethod
    def read(cls, word: str) -> "Order":
        """Read the settings from text."""
        is_confined, pool, (memory, cpu, output, user, layers) = json.loads(word)
        return cls(is_confined, pool, Limits(memory, cpu, output, user, tuple(layers)))


class Pool(Protocol):
    """Asks the players of a competitor; see `tourney.game.protocol`."""

    def sit(self, seat_requests: Sequence[Any], /) -> Sequence[Any]:
        """Make players; the results have `acts`, `watches` and `verdict`."""

    def read(self, body: bytes, /) -> Any:
        """Read a batch of questions, which has the `rounds` of the questions."""

    def decide(self, questions: Any, /) -> tuple[Any, dict[int, Any]]:
        """Answer a batch; also return verdicts, by the places of their questions."""


MakePool = Callable[[Callable[[], Any]], Pool]
"""Makes a pool from a function that makes a player."""


def find_pool(place: str) -> MakePool:
    """Import the function that makes pools, with all its dependencies.

    Args:
        place: "module:name"; followed by "()" if that must be called to get the function, with the
            place of an argument between the brackets, if any.

    >>> find_pool("builtins:len(builtins:str())")
    0
    """
    path, called, given = place.partition("(")
    module, _, name = path.partition(":")
    found: Any = reduce(getattr, name.split("."), import_module(module))
    if called:
        return found(*map(find_pool, filter(None, [given.removesuffix(")")])))  # type: ignore[no-any-return]  # by its place
    return found  # type: ignore[no-any-return]  # as above


def begin(order: Order, given: Sequence[int], fork_server: int, missing: str) -> NoReturn:
    """Run as a host, in a process that was just forked for it.

    It locks itself down, reads the competitor, and answers until the pipe ends.

    Args:
        order: The settings.
        given: Descriptors: two pipes, the socket for the listener, and the output.
        fork_server: The number of the parent process, with which this one ends.
        missing: The reason why the pool could not be imported; otherwise empty.
    Raises: ImportError, with that reason.
    """
    os.setsid()
    _take_places(given)
    if missing:
        raise ImportError(missing)
    if order.is_confined:
        die_with_parent(fork_server)
    make_pool = find_pool(order.pool)
    held = _lock_down(order, fork_server)
    close_library(order.limits.output)
    _send(wire.Kind.READY, 0, wire.write_report(held))
    pipe = FileIO(FROM_REFEREE, closefd=False)
    opening = wire.read_opening(_receive(pipe)[1])
    pool, loaded = _open(make_pool, opening)
    _send(wire.Kind.LOADED, 0, loaded)
    while True:
        sequence, body = _receive(pipe)
        _send(wire.Kind.ANSWER, sequence, _answer(pool, body, opening))


def _take_places(given: Sequence[int]) -> None:
    """Move the descriptors from the referee to fixed numbers, and close all others."""
    import fcntl  # noqa: PLC0415 - only on systems with a sandbox

    moved = [fcntl.fcntl(each, fcntl.F_DUPFD, ABOVE) for each in given]
    *lines, output = moved
    os.closerange(FROM_REFEREE, ABOVE)
    for place, each in (*enumerate(lines, FROM_REFEREE), (1, output), (2, output)):
        os.dup2(each, place)
    os.closerange(ABOVE, ABOVE + len(given))
    # A separate open file: hosts would otherwise share the position of the fork server's.
    os.close(0)
    os.open(os.devnull, os.O_RDONLY)


def _lock_down(order: Order, fork_server: int) -> wire.Report:
    """Lock down, and hand the listener over, so that code in here cannot act for the referee."""
    import _socket  # noqa: PLC0415 - not `socket`, which imports much; missing on some systems

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
        pool = make_pool(given)  # type: ignore[arg-type]  # chosen by its attribute
        seatings = pool.sit(seat_requests)
    except BaseException as error:  # noqa: BLE001 - author's code; becomes a verdict
        rounds = [seat_request.first_round for seat_request in seat_requests]
        return None, _all_failed(0, rounds, "import", error, opening)
    flags = [bool(each.acts) | bool(each.watches) << 1 for each in seatings]
    verdicts = {place: each.verdict for place, each in enumerate(seatings) if each.verdict}
    return pool, wire.write_answers(flags, wire.as_faults(verdicts))


def _answer(pool: Pool | None, body: bytes, opening: wire.Opening) -> bytes:
    assert pool is not None, "asked although no player is seated"
    questions = pool.read(body)
    try:
        answers, verdicts = pool.decide(questions)
        return wire.write_answers(answers, wire.as_faults(verdicts))
    except BaseException as error:  # noqa: BLE001 - such as KeyboardInterrupt
        rounds = list(map(int, questions.rounds))
        return _all_failed(wire.FAULT_ANSWER, rounds, wire.BATCH_CALL, error, opening)


def _all_failed(
    answer: int, rounds: Sequence[int], call: str, error: BaseException, opening: wire.Opening
) -> bytes:
    """Write the same answer and fault for every question; `rounds` are those of the questions."""
    faults = [_fault(place, each, call, error, opening) for place, each in enumerate(rounds)]
    return wire.write_answers([answer] * len(rounds), faults)


def _fault(
    place: int, round_: int, call: str, error: BaseException, opening: wire.Opening
) -> wire.Faulted:
    cause = "memory" if isinstance(error, MemoryError) else "raised"
    message = f"{call}: expected no exception, got {printable(last_line(error))}"
    if isinstance(error, wire.ProtocolError | PlayerError):  # with a complete message
        message = f"{call}: {printable(str(error))}"
    elif call == "import" and _is_grammar(error, files_of(opening)):
        message = f"syntax error: {printable(last_line(error).partition(': ')[2])}"
    place_and_traceback = _place_and_trace(error, files_of(opening))
    return wire.Faulted(place, max(round_, 0), 0, cause, call, message, *place_and_traceback)


def _receive(pipe: FileIO) -> tuple[int, bytes]:
    """Read a frame of the referee; exit when there are no more."""
    header = _read(pipe, wire.HEADER.size)
    _, _, sequence, size = wire.HEADER.unpack(header)
    return sequence, _read(pipe, size)


def _read(pipe: FileIO, size: int) -> bytes:
    """Read `size` bytes into one buffer, in any number of pieces.

    The number of pieces must not affect memory addresses, which players can see by `id`.
    """
    data, got = bytearray(size), 0
    with memoryview(data) as view:
        while got < size:
            try:
                count = pipe.readinto(view[got:])
            except OSError:
                os._exit(PIPE_LOST)
            if not count:
                # Not `sys.exit`, which could run code of the competitor.
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
    """Describe an exception, even if its text raises another one."""
    try:
        return exception_line(error)
    except BaseException as second:  # noqa: BLE001 - the text may run the author's code
        return f"{type(error).__name__}, whose text raises {type(second).__name__}"


def _is_grammar(error: BaseException, names: Collection[str]) -> bool:
    """Return whether an error is a line of an author's file that Python cannot read."""
    return isinstance(error, SyntaxError) and error.filename in names and bool(error.lineno)


def _place_and_trace(error: BaseException, names: Collection[str]) -> tuple[str, str]:
    """Return "file:line" and the traceback within an author's files; empty if there is none."""
    if isinstance(error, PlayerError) and error.place:
        return printable(error.place), ""
    if isinstance(error, SyntaxError) and _is_grammar(error, names):
        return printable(f"{error.filename}:{error.lineno}"), ""
    return place_and_trace(error, names.__contains__)
