"""The binary protocol between a referee and a host, and reading it from an untrusted host.

All layouts are fixed and have exact lengths; no pickle or general parser is used. Each valid frame
is the only encoding of its content. Programs in other languages use the protocol, too:
docs/reference/protocol.md describes it for them, and any change that affects them changes VERSION.
"""

from array import array
from collections.abc import Collection, Iterable, Sequence
from enum import IntEnum
from struct import Struct
from typing import Any, NamedTuple

from tourney.game.asking.exchange import SeatRequest

VERSION = 1
"""The version of the protocol. New columns and new lines of an opening do not change it."""
MAGIC = 0x59544F54
HEADER = Struct("<IIII")  # magic, kind, sequence number, bytes of the body
SIZES = Struct("<IIII")
OPENING = Struct("<IIII")  # version, seats, bytes of a key, bytes of the lines
SOURCE = Struct("<IIIII")  # lengths of the parts that only players in Python need
FAULT = Struct("<IqqHHHHH")  # index, round, decision; then the lengths of five texts

CAUSES = ("raised", "illegal", "memory")
"""Causes that a host may report about its competitor; the referee detects all others."""
NAME_BYTES = 32  # of a cause or a call
TEXT_BYTES = 20_000  # of any other text: 2,000 characters, the worst of them escaped
SHORT_BYTES = 200  # of a text after the long texts have used up their space
SEATING_CALLS = frozenset({"import", "constructor"})
"""Calls that a fault may name before a question is asked."""
BATCH_CALL = "decide"
"""The call of a fault that concerns a whole batch instead of a method."""
FAULT_ANSWER = -1
"""The answer to a question that led to a fault."""
TEXT_ROOM = 4 << 20
"""Bytes for long texts in one frame; all players of a batch may raise together."""


class Kind(IntEnum):
    """The kind of a frame."""

    OPEN = 1  # contains the competitor
    ASK = 2  # contains questions
    READY = 3  # the host is locked down
    LOADED = 4  # the competitor is read, or has failed
    ANSWER = 5


class ProtocolError(Exception):
    """The received bytes do not follow the protocol."""


class Faulted(NamedTuple):
    """A fault within a batch, as reported by a host; the fields are those of a verdict."""

    question: int  # its place in the batch
    round: int
    decision: int
    cause: str
    call: str
    message: str
    place: str
    traceback: str


class Submitted(NamedTuple):
    """A competitor as submitted."""

    name: str  # of its file
    source: bytes  # of the file, or several as `memory_modules` writes them
    strategy: str = ""  # name of the player in it; empty if there is only one
    options: str = ""  # of its constructor, as JSON; empty without options
    entry: str = ""  # name of the main module; empty for a single file
    program: bytes = b""  # that answers itself, instead of Python; empty for Python
    pool: str = ""  # place of the function that makes its pool, without a sandbox; usually empty
    files: tuple[tuple[str, int], ...] = ()  # of a program: names, and numbers of lines

    def opened(self) -> dict[str, Any]:
        """Return the fields that a host receives after the lockdown, as for `Opening`."""
        return {each: getattr(self, each) for each in self._fields if each in Opening._fields}


class Opening(NamedTuple):
    """The data that a host receives after the lockdown."""

    name: str  # of the competitor's file, for tracebacks
    source: bytes  # a file, or several as `memory_modules` writes them
    strategy: str  # name of the player in the file; empty if there is only one
    seat_requests: Sequence[SeatRequest]
    options: str = ""  # of the competitor, as JSON; empty without options
    entry: str = ""  # name of the main module; empty for a single file
    lines: str = ""  # the game and its columns, for programs that answer themselves


class Report(NamedTuple):
    """The restrictions that a host reports before untrusted code runs; see `lockdown.Report`."""

    landlock: int
    is_filtered: int
    has_listener: int
    user: int


def frame(kind: Kind, sequence: int, *parts: bytes | memoryview) -> bytes:
    """Write a frame."""
    body = sum(len(part) for part in parts)
    return b"".join((HEADER.pack(MAGIC, kind, sequence, body), *parts))


class Awaited:
    """An expected frame, which is fed with received bytes."""

    __slots__ = ("_body", "_data", "kind", "most", "sequence")

    def __init__(self, kind: Kind, sequence: int, most: int) -> None:
        """Expect a frame.

        Args:
            kind: Its kind.
            sequence: Its number.
            most: Largest number of bytes of its body.
        """
        self.kind, self.sequence, self.most = kind, sequence, most
        self._data = bytearray()
        self._body = -1

    @property
    def missing(self) -> int:
        """Number of bytes until the next step; 0 once the frame is complete."""
        whole = HEADER.size + max(self._body, 0)
        return whole - len(self._data)

    def feed(self, data: bytes) -> bytes | None:
        """Add received bytes.

        Returns: The body, once the frame is complete.
        Raises: ProtocolError, as soon as the bytes cannot be the expected frame.
        """
        self._data += data
        if self._body < 0 and len(self._data) >= HEADER.size:
            self._body = self._check(*HEADER.unpack_from(self._data))
        if self._body < 0 or self.missing > 0:
            return None
        if self.missing < 0:
            raise ProtocolError(f"{-self.missing} bytes follow the frame")
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
    """Write the body of OPEN; all random keys have the same length."""
    fields = opening.lines, opening.name, opening.strategy, opening.options, opening.entry
    lines, *texts = (text.encode() for text in fields)
    keys = b"".join(seat_request.random_key for seat_request in opening.seat_requests)
    rounds = array("q", [seat_request.first_round for seat_request in opening.seat_requests])
    head = OPENING.pack(VERSION, len(rounds), len(keys) // (len(rounds) or 1), len(lines))
    sizes = SOURCE.pack(len(opening.source), *map(len, texts))
    return b"".join((head, rounds.tobytes(), keys, lines, sizes, opening.source, *texts))


def read_opening(body: bytes) -> Opening:
    """Read the body of OPEN.

    Raises: ProtocolError, if it is not valid in this version.
    """
    version, count, key, size = _sizes(OPENING, body, 0)
    if version != VERSION or (key and not count):
        raise ProtocolError(f"the opening has version {version}; this host supports only {VERSION}")
    lengths = (8 * count, key * count, size)
    texts = _sizes(SOURCE, body, OPENING.size + sum(lengths))
    at, pieces = OPENING.size, []
    for length in (*lengths, SOURCE.size, *texts):
        pieces.append(body[at : at + length])
        at += length
    if at != len(body):
        raise ProtocolError(f"the opening has {len(body)} bytes instead of {at}")
    rounds, keys, lines, _, source, *fields = pieces
    try:
        name, strategy, options, entry, columns = (text.decode() for text in (*fields, lines))
    except UnicodeDecodeError:
        raise ProtocolError("the texts of the opening are not valid UTF-8") from None
    firsts = memoryview(rounds).cast("q")
    seats = [SeatRequest(firsts[i], keys[i * key : (i + 1) * key]) for i in range(count)]
    return Opening(name, source, strategy, seats, options, entry, columns)


def _sizes(sizes: Struct, body: bytes, at: int) -> tuple[int, ...]:
    if len(body) < at + sizes.size:
        raise ProtocolError(f"an opening of {len(body)} bytes is too short")
    return sizes.unpack_from(body, at)


def write_report(report: Report) -> bytes:
    """Write the body of READY."""
    return SIZES.pack(*report)


def read_report(body: bytes) -> Report:
    """Read the body of READY.

    Raises: ProtocolError, if it is not a report.
    """
    if len(body) != SIZES.size:
        raise ProtocolError(f"the report has {len(body)} bytes instead of {SIZES.size}")
    return Report(*SIZES.unpack(body))


def most_bytes(count: int) -> int:
    """Return the largest size of the body of an answer to `count` questions."""
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
        body: Untrusted bytes.
        count: Number of questions.
        calls: Calls that a fault may name, such as the methods of the game's contract.
    Returns: The answers as unchecked 64-bit numbers, and the faults, by index.
    Raises: ProtocolError, if the bytes are not valid.
    """
    at = SIZES.size + 8 * count
    if len(body) < SIZES.size:
        raise ProtocolError(f"{count} answers need {at} bytes, but only {len(body)} came")
    answered, faults, *zeros = SIZES.unpack_from(body)
    if answered != count or faults > count or any(zeros):
        raise ProtocolError(f"expected {count} answers, got {answered} and {faults} faults")
    if len(body) < at:
        raise ProtocolError(f"{count} answers need {at} bytes, but only {len(body)} came")
    answers = memoryview(body)[SIZES.size : at].cast("q")
    found: list[Faulted] = []
    for _ in range(faults):
        fault, at = _read_fault(body, at)
        if fault.call not in calls:
            raise ProtocolError("a fault names a call that is not a method of the game")
        if not (found[-1].question if found else -1) < fault.question < count:
            raise ProtocolError(f"faults must be in the order of the {count} questions")
        found.append(fault)
    if at != len(body):
        raise ProtocolError(f"the answer has {len(body)} bytes instead of {at}")
    return answers, tuple(found)


def _read_fault(body: bytes, at: int) -> tuple[Faulted, int]:
    if len(body) < at + FAULT.size:
        raise ProtocolError("the last fault is cut off")
    index, round_, decision, *lengths = FAULT.unpack_from(body, at)
    at += FAULT.size
    texts = []
    for number, length in enumerate(lengths):
        most = TEXT_BYTES if number > 1 else NAME_BYTES
        texts.append(_read_text(body[at : at + length], length, most))
        at += length
    fault = Faulted(index, round_, decision, *texts)
    if fault.cause not in CAUSES or min(round_, decision) < 0 or "\n" in fault.message:
        raise ProtocolError("a fault needs a known cause and a message of one line")
    return fault, at


def _read_text(data: bytes, length: int, most: int) -> str:
    if len(data) != length or length > most:
        raise ProtocolError(f"expected a text of at most {most} bytes, got {length}")
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise ProtocolError("a text is not valid UTF-8") from None
    if not text.replace("\n", "").isprintable():
        raise ProtocolError("a text contains control characters")
    return text


NO_MEMORY = "got MemoryError"
"""The end of a pool's message when a player exceeds its memory limit."""


def as_faults(verdicts: dict[int, Any]) -> Sequence[Faulted]:
    """Return a pool's verdicts, by index, in the form that a host reports."""
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
