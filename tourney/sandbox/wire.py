"""What a referee and a host say to each other, in bytes; and reading it from somebody hostile.

Fixed binary layouts with exact lengths, read without pickle or any parser that could do more than
count. Every frame that is accepted is the only way to write what it says. Programs in other
languages speak it, too: what they have to know stands in docs/reference/protocol.md, and whatever
changes for them changes VERSION. Knows no pipes.
"""

from array import array
from collections.abc import Collection, Iterable, Sequence
from enum import IntEnum
from struct import Struct
from typing import Any, NamedTuple

from tourney.game.asking.seat_request import SeatRequest

VERSION = 1
"""Of the protocol. More columns and more lines of an opening are no other version."""
MAGIC = 0x59544F54
HEADER = Struct("<IIII")  # magic, kind, sequence number, bytes of the body
SIZES = Struct("<IIII")
OPENING = Struct("<IIII")  # version, seats, bytes of a key, bytes of the lines
SOURCE = Struct("<IIIII")  # lengths of what only players in Python need
FAULT = Struct("<IqqHHHHH")  # index, round, decision; then the lengths of five texts

CAUSES = ("raised", "illegal", "memory")
"""What a host may say about its competitor; everything else the referee sees for itself."""
NAME_BYTES = 32  # of a cause or a call
TEXT_BYTES = 20_000  # of any other text: 2,000 characters, the worst of them escaped
SHORT_BYTES = 200  # of a text that comes after too many others
SEATING_CALLS = frozenset({"import", "constructor"})
"""What a fault may be a fault of before anything is asked."""
BATCH_CALL = "decide"
"""What a fault is a fault of that concerns a whole batch and no method alone."""
FAULT_ANSWER = -1
"""Stands for the answer to a question that led to a fault."""
TEXT_ROOM = 4 << 20
"""Bytes of long texts in one frame: a whole batch may raise at once."""


class Kind(IntEnum):
    """What a frame is for."""

    OPEN = 1  # here is the competitor
    ASK = 2  # here are questions
    READY = 3  # shut in
    LOADED = 4  # the competitor is read; or a fault at that
    ANSWER = 5


class ProtocolError(Exception):
    """What came is not what a host sends."""


class Faulted(NamedTuple):
    """A fault within a batch, as a host tells it; the fields are those of a verdict."""

    question: int  # its place in the batch
    round: int
    decision: int
    cause: str
    call: str
    message: str
    place: str
    traceback: str


class Submitted(NamedTuple):
    """A competitor as it was handed in."""

    name: str  # of its file, as its author knows it
    source: bytes  # of the file, or several as `memory_modules` writes them
    strategy: str = ""  # which of the players in it; empty for the only one
    options: str = ""  # what its constructor is given, as JSON; empty for nothing
    entry: str = ""  # which of several modules holds it; empty for a single file
    program: bytes = b""  # that answers by itself, in the place of Python; empty for none
    pool: str = ""  # where to find what makes its pool, if it is not the game's; not confined
    files: tuple[tuple[str, int], ...] = ()  # of a program: names, and numbers of lines

    def opened(self) -> dict[str, Any]:
        """Give what a host is told of it once it is shut in, by the fields of an `Opening`."""
        return {each: getattr(self, each) for each in self._fields if each in Opening._fields}


class Opening(NamedTuple):
    """What a host is given once it is shut in."""

    name: str  # of the competitor's file, for tracebacks
    source: bytes  # a file, or several as `memory_modules` writes them
    strategy: str  # which of those in the file; empty for the only one
    seat_requests: Sequence[SeatRequest]
    options: str = ""  # of the competitor, as JSON; empty for none
    entry: str = ""  # which of several modules holds it; empty for a single file
    lines: str = ""  # the game and its columns, for programs that answer by themselves


class Report(NamedTuple):
    """What a host says holds it, before it is hostile; see `lockdown.Report`."""

    landlock: int
    is_filtered: int
    has_listener: int
    user: int


def frame(kind: Kind, sequence: int, *parts: bytes | memoryview) -> bytes:
    """Write a frame."""
    body = sum(len(part) for part in parts)
    return b"".join((HEADER.pack(MAGIC, kind, sequence, body), *parts))


class Awaited:
    """One frame that is to come, fed with whatever comes."""

    __slots__ = ("_body", "_data", "kind", "most", "sequence")

    def __init__(self, kind: Kind, sequence: int, most: int) -> None:
        """Await a frame.

        Args:
            kind: The only kind it may be.
            sequence: The only number it may have.
            most: Bytes its body may have.
        """
        self.kind, self.sequence, self.most = kind, sequence, most
        self._data = bytearray()
        self._body = -1

    @property
    def missing(self) -> int:
        """Bytes to come before there is more to say; 0 once the frame is whole."""
        whole = HEADER.size + max(self._body, 0)
        return whole - len(self._data)

    def feed(self, data: bytes) -> bytes | None:
        """Take what came.

        Returns: The body, once the frame is whole.
        Raises: ProtocolError, as soon as it cannot become the frame that is awaited.
        """
        self._data += data
        if self._body < 0 and len(self._data) >= HEADER.size:
            self._body = self._check(*HEADER.unpack_from(self._data))
        if self._body < 0 or self.missing > 0:
            return None
        if self.missing < 0:
            raise ProtocolError(f"expected one frame, got {-self.missing} bytes more")
        return bytes(self._data[HEADER.size :])

    def _check(self, magic: int, kind: int, sequence: int, body: int) -> int:
        if magic != MAGIC:
            raise ProtocolError(f"expected a frame, got bytes that begin with {magic:#010x}")
        if kind != self.kind:
            raise ProtocolError(f"expected a frame of kind {self.kind.name}, got kind {kind}")
        if sequence != self.sequence:
            raise ProtocolError(f"expected frame {self.sequence}, got frame {sequence}")
        if body > self.most:
            raise ProtocolError(f"expected at most {self.most} bytes in a frame, got {body}")
        return body


def write_opening(opening: Opening) -> bytes:
    """Write the body of OPEN; all random keys are of one length."""
    told = opening.lines, opening.name, opening.strategy, opening.options, opening.entry
    lines, *texts = (text.encode() for text in told)
    keys = b"".join(seat_request.random_key for seat_request in opening.seat_requests)
    rounds = array("q", [seat_request.first_round for seat_request in opening.seat_requests])
    head = OPENING.pack(VERSION, len(rounds), len(keys) // (len(rounds) or 1), len(lines))
    sizes = SOURCE.pack(len(opening.source), *map(len, texts))
    return b"".join((head, rounds.tobytes(), keys, lines, sizes, opening.source, *texts))


def read_opening(body: bytes) -> Opening:
    """Read the body of OPEN.

    Raises: ProtocolError, if it is none of this version.
    """
    version, count, key, size = _sizes(OPENING, body, 0)
    if version != VERSION or (key and not count):
        raise ProtocolError(f"expected an opening of version {VERSION}, got one of {version}")
    lengths = (8 * count, key * count, size)
    texts = _sizes(SOURCE, body, OPENING.size + sum(lengths))
    at, pieces = OPENING.size, []
    for length in (*lengths, SOURCE.size, *texts):
        pieces.append(body[at : at + length])
        at += length
    if at != len(body):
        raise ProtocolError(f"expected an opening of {at} bytes, got {len(body)}")
    rounds, keys, lines, _, source, *told = pieces
    try:
        name, strategy, options, entry, columns = (text.decode() for text in (*told, lines))
    except UnicodeDecodeError:
        raise ProtocolError("expected texts in an opening, got bytes that are none") from None
    firsts = memoryview(rounds).cast("q")
    seats = [SeatRequest(firsts[i], keys[i * key : (i + 1) * key]) for i in range(count)]
    return Opening(name, source, strategy, seats, options, entry, columns)


def _sizes(sizes: Struct, body: bytes, at: int) -> tuple[int, ...]:
    if len(body) < at + sizes.size:
        raise ProtocolError(f"expected an opening, got {len(body)} bytes")
    return sizes.unpack_from(body, at)


def write_report(report: Report) -> bytes:
    """Write the body of READY."""
    return SIZES.pack(*report)


def read_report(body: bytes) -> Report:
    """Read the body of READY.

    Raises: ProtocolError, if it is no report.
    """
    if len(body) != SIZES.size:
        raise ProtocolError(f"expected a report of {SIZES.size} bytes, got {len(body)}")
    return Report(*SIZES.unpack(body))


def most_bytes(count: int) -> int:
    """Say how long the body of an answer to so many questions may be."""
    each = 8 + FAULT.size + 2 * NAME_BYTES + 3 * SHORT_BYTES
    return SIZES.size + count * each + TEXT_ROOM + 3 * TEXT_BYTES


def write_answers(answers: Any, faults: Iterable[Faulted]) -> bytes:
    """Write the body of ANSWER or LOADED.

    Args:
        answers: A buffer of 64-bit numbers, or a sequence of numbers.
        faults: In the order of their indices.
    """
    numbers = memoryview(answers if hasattr(answers, "itemsize") else array("q", answers))
    written, room = [], TEXT_ROOM
    for fault in faults:
        texts = [_cut(text, NAME_BYTES) for text in (fault.cause, fault.call)]
        most = TEXT_BYTES if room > 0 else SHORT_BYTES
        texts += [_cut(text, most) for text in (fault.message, fault.place, fault.traceback)]
        room -= sum(map(len, texts))
        head = FAULT.pack(fault.question, fault.round, fault.decision, *map(len, texts))
        written.append(b"".join((head, *texts)))
    sizes = SIZES.pack(len(numbers), len(written), 0, 0)
    return b"".join((sizes, numbers.cast("B"), *written))


def _cut(text: str, most: int) -> bytes:
    return text.encode("utf-8", "replace")[:most].decode("utf-8", "ignore").encode()


def read_answers(
    body: bytes, count: int, calls: Collection[str]
) -> tuple[memoryview, tuple[Faulted, ...]]:
    """Read the body of ANSWER or LOADED.

    Args:
        body: From somebody hostile.
        count: How many questions were asked.
        calls: What a fault may be a fault of: the methods of the game's contract, for example.
    Returns: The answers as 64-bit numbers, not checked; and the faults, by index.
    Raises: ProtocolError, if it is anything else.
    """
    at = SIZES.size + 8 * count
    if len(body) < SIZES.size:
        raise ProtocolError(f"expected {count} answers, {at} bytes in all, got {len(body)} bytes")
    answered, faults, *zeros = SIZES.unpack_from(body)
    if answered != count or faults > count or any(zeros):
        raise ProtocolError(f"expected {count} answers, got {answered} and {faults} faults")
    if len(body) < at:
        raise ProtocolError(f"expected {count} answers, {at} bytes in all, got {len(body)} bytes")
    answers = memoryview(body)[SIZES.size : at].cast("q")
    found: list[Faulted] = []
    for _ in range(faults):
        fault, at = _read_fault(body, at)
        if fault.call not in calls:
            raise ProtocolError("expected a fault of a method of the game, got another name")
        if not (found[-1].question if found else -1) < fault.question < count:
            raise ProtocolError(f"expected faults of {count} questions in order")
        found.append(fault)
    if at != len(body):
        raise ProtocolError(f"expected an answer of {at} bytes, got {len(body)}")
    return answers, tuple(found)


def _read_fault(body: bytes, at: int) -> tuple[Faulted, int]:
    if len(body) < at + FAULT.size:
        raise ProtocolError("expected a fault, got the end")
    index, round_, decision, *lengths = FAULT.unpack_from(body, at)
    at += FAULT.size
    texts = []
    for number, length in enumerate(lengths):
        most = TEXT_BYTES if number > 1 else NAME_BYTES
        texts.append(_read_text(body[at : at + length], length, most))
        at += length
    fault = Faulted(index, round_, decision, *texts)
    if fault.cause not in CAUSES or min(round_, decision) < 0 or "\n" in fault.message:
        raise ProtocolError("expected a fault with a cause and a message of one line")
    return fault, at


def _read_text(data: bytes, length: int, most: int) -> str:
    if len(data) != length or length > most:
        raise ProtocolError(f"expected a text of at most {most} bytes, got {length}")
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise ProtocolError("expected a text, got bytes that are none") from None
    if not text.replace("\n", "").isprintable():
        raise ProtocolError("expected a text, got control characters")
    return text


NO_MEMORY = "got MemoryError"
"""How a pool's message ends when a player asked for more than there is."""


def as_faults(verdicts: dict[int, Any]) -> Sequence[Faulted]:
    """Give a pool's verdicts, by index, as a host tells them."""
    return [
        Faulted(
            index,
            verdict.round,
            verdict.decision,
            "memory" if verdict.message.endswith(NO_MEMORY) else verdict.cause,
            verdict.call,
            verdict.message,
            verdict.place,
            verdict.traceback,
        )
        for index, verdict in sorted(verdicts.items())
    ]
