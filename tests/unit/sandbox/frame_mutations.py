"""Frames as somebody hostile sends them: good ones changed here and there, and noise."""

import random
import struct
from typing import NamedTuple

from tourney.game.asking.exchange import SeatRequest
from tourney.sandbox.wire import (
    FAULT,
    HEADER,
    OPENING,
    SIZES,
    Awaited,
    Faulted,
    Kind,
    Opening,
    ProtocolError,
    frame,
    most_bytes,
    read_answers,
    read_opening,
    write_answers,
    write_opening,
)

COUNT, SEQUENCE = 4, 7

CHANGES = ("flip", "set", "cut", "add", "swap", "length", "word", "repeat")


class Tried(NamedTuple):
    """What a reader made of so many frames."""

    accepted: int
    refused: int
    incomplete: int


def good_frame(luck: random.Random) -> bytes:
    """Give what an honest host could send."""
    faulted = sorted(luck.sample(range(COUNT), luck.randrange(COUNT + 1)))
    faults = [
        Faulted(
            place,
            luck.randrange(1 << 40),
            luck.randrange(9),
            luck.choice(("raised", "illegal", "memory")),
            "bet",
            "é" * luck.randrange(9),
            "file.py:3",
            "line\n" * luck.randrange(3),
        )
        for place in faulted
    ]
    answers = [luck.randrange(-(1 << 63), 1 << 63) for _ in range(COUNT)]
    return frame(Kind.ANSWER, SEQUENCE, write_answers(answers, faults))


def mutated(luck: random.Random, data: bytes) -> bytes:
    """Change a frame in a few places, or not at all."""
    changed = bytearray(data)
    for _ in range(luck.randrange(4)):
        _change(luck, changed)
    return bytes(changed)


def _change(luck: random.Random, data: bytearray) -> None:
    at = luck.randrange(len(data)) if data else 0
    words = (0, 1, COUNT, 255, 0xFFFF, 1 << 31, (1 << 32) - 1)
    kind = luck.choice(CHANGES) if data else "add"
    if kind == "flip":
        data[at] ^= 1 << luck.randrange(8)
    elif kind == "set":
        data[at] = luck.choice((0, 1, 27, 127, 128, 255))
    elif kind == "cut":
        del data[at : at + luck.randrange(1, 40)]
    elif kind == "add":
        data[at:at] = luck.randbytes(luck.randrange(1, 40))
    elif kind == "swap":
        data[at:] = data[at:][::-1]
    elif kind == "length":
        # A length that fits again, so that what lies deeper is reached.
        data[12:16] = struct.pack("<I", max(len(data) - HEADER.size, 0))
    elif kind == "word":
        at = luck.choice((0, 4, 8, 12, 16, 20, HEADER.size + SIZES.size + 8 * COUNT, at))
        data[at : at + 4] = struct.pack("<I", luck.choice(words))
    else:
        data += data[at : at + FAULT.size]


def try_frames(times: int, rng_seed: int) -> Tried:
    """Feed a reader with hostile frames, in pieces.

    Raises: AssertionError, if one is accepted that is not the only way to write what it says; and
        whatever the reader raises besides ProtocolError.
    """
    luck = random.Random(rng_seed)
    accepted = refused = incomplete = 0
    for number in range(times):
        data = luck.randbytes(luck.randrange(120)) if number % 8 == 0 else good_frame(luck)
        data = mutated(luck, data)
        awaited = Awaited(Kind.ANSWER, SEQUENCE, most_bytes(COUNT))
        cut = luck.randrange(len(data) + 1)
        try:
            body = awaited.feed(data[:cut])
            body = awaited.feed(data[cut:]) if body is None else body
            if body is None:
                incomplete += 1
                continue
            answers, faults = read_answers(body, COUNT, ("bet",))
        except ProtocolError:
            refused += 1
            continue
        again = frame(Kind.ANSWER, SEQUENCE, write_answers(answers, faults))
        assert again in (data, data[:cut]), data
        accepted += 1
    return Tried(accepted, refused, incomplete)


def good_opening(luck: random.Random) -> bytes:
    """Give the body of what a referee could send."""
    length = luck.randrange(9)
    seats = [
        SeatRequest(luck.randrange(1 << 62), luck.randbytes(length))
        for _ in range(luck.randrange(4))
    ]
    lines = "game blackjack\ncolumn seats i 1\n" * luck.randrange(3)
    source = luck.randbytes(luck.randrange(20))
    return write_opening(Opening("é.py", source, "x" * luck.randrange(3), seats, lines=lines))


def try_openings(times: int, rng_seed: int) -> Tried:
    """Have changed openings read.

    Raises: AssertionError, if one is accepted that is not the only way to write what it says; and
        whatever the reader raises besides ProtocolError.
    """
    luck = random.Random(rng_seed)
    accepted = refused = 0
    for number in range(times):
        data = luck.randbytes(luck.randrange(90)) if number % 8 == 0 else good_opening(luck)
        changed = bytearray(data)
        if len(changed) >= OPENING.size and luck.random() < 1 / 2:
            at = 4 * luck.randrange(OPENING.size // 4)  # a version, or a length that lies
            changed[at] ^= 1 << luck.randrange(8)
        data = mutated(luck, bytes(changed))
        try:
            opening = read_opening(data)
        except ProtocolError:
            refused += 1
            continue
        assert write_opening(opening) == data, data
        accepted += 1
    return Tried(accepted, refused, 0)
