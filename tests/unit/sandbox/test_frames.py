"""Frames: what is written is read back, and nothing else is read."""

import numpy as np
import pytest

from tests.support.proving import with_more
from tourney.game.asking.exchange import SeatRequest
from tourney.games.blackjack.players.questions import (
    WIDTH,
    Questions,
    read_questions,
    write_questions,
)
from tourney.sandbox import wire
from tourney.sandbox.host import Order
from tourney.sandbox.lockdown import Limits
from tourney.sandbox.wire import Awaited, Faulted, Kind, ProtocolError

from .frame_mutations import try_frames, try_openings

CALLS = ("bet", "draw")
FAULTED = Faulted(1, 5, 2, "raised", "bet", "bet: expected …", "a.py:3", "  File\n")


def test_answers_come_back() -> None:
    """Numbers and texts, exactly."""
    body = wire.write_answers([10, -1, 1 << 62], [FAULTED])
    answers, faults = wire.read_answers(body, 3, CALLS)
    assert (answers.tolist(), faults) == ([10, -1, 1 << 62], (FAULTED,))


def test_arrays_are_written_like_lists() -> None:
    """A pool answers with an array, a host without NumPy with a list."""
    assert wire.write_answers(np.array([4, 5]), []) == wire.write_answers([4, 5], [])


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"question": 3}, "of the 3 questions"),
        ({"cause": "cpu"}, "a fault needs a known cause"),
        ({"call": "import"}, "a method of the game"),
        ({"call": "bet\nhonest: raised"}, "a method of the game"),
        ({"call": ""}, "a method of the game"),
        ({"round": -1}, "a fault needs a known cause"),
        ({"message": "a\x1b[2J"}, "control characters"),
        ({"message": "two\nlines"}, "a fault needs a known cause"),
        ({"place": "x" * 30_000}, None),
    ],
)
def test_a_fault_that_no_host_tells_is_refused(change: dict[str, object], said: str | None) -> None:
    """Causes that only the referee can see, seats that were not asked, texts that draw."""
    body = wire.write_answers([0, 0, 0], [FAULTED._replace(**change)])
    if said is None:  # the writer cut it
        assert len(wire.read_answers(body, 3, CALLS)[1][0].place) == wire.TEXT_BYTES
        return
    with pytest.raises(ProtocolError, match=said):
        wire.read_answers(body, 3, CALLS)


def test_faults_stand_in_order_and_once() -> None:
    """Two verdicts on one question would be one too many."""
    with pytest.raises(ProtocolError, match="in the order"):
        wire.read_answers(wire.write_answers([0, 0], [FAULTED, FAULTED]), 2, CALLS)


@pytest.mark.parametrize("body", [b"", b"x", bytes(16), bytes(15 + 16), bytes(17 + 16)])
def test_an_answer_has_one_length(body: bytes) -> None:
    """A byte more or less is no answer."""
    with pytest.raises(ProtocolError):
        wire.read_answers(body, 2, CALLS)


def test_a_whole_batch_may_fail_at_once() -> None:
    """Texts are cut when there are too many, and the frame stays within its bounds."""
    faults = [FAULTED._replace(question=place, traceback="é" * 2_000) for place in range(4_000)]
    body = wire.write_answers([-1] * 4_000, faults)
    assert len(body) <= wire.most_bytes(4_000)
    read = wire.read_answers(body, 4_000, CALLS)[1]
    assert read[0].traceback == "é" * 2_000
    assert read[-1].traceback == "é" * 100


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (bytes(16), "bytes that begin with 0x00000000"),
        (wire.frame(Kind.READY, 1, b""), "of kind ANSWER, got kind 3"),
        (wire.frame(Kind.ANSWER, 2, b""), "expected frame 1, got frame 2"),
        (wire.frame(Kind.ANSWER, 1, bytes(200)), "at most 100 bytes in a frame, got 200"),
        (wire.frame(Kind.ANSWER, 1, b"a") + b"b", "1 bytes follow the frame"),
    ],
)
def test_a_frame_nobody_waits_for_is_refused(data: bytes, said: str) -> None:
    """As soon as its header is there."""
    with pytest.raises(ProtocolError, match=said):
        Awaited(Kind.ANSWER, 1, 100).feed(data)


def test_a_frame_may_come_byte_by_byte() -> None:
    """Pipes cut where they like."""
    awaited = Awaited(Kind.ANSWER, 1, 100)
    *first, last = (bytes([byte]) for byte in wire.frame(Kind.ANSWER, 1, b"body"))
    assert [awaited.feed(byte) for byte in first] == [None] * len(first)
    assert awaited.feed(last) == b"body"


@pytest.mark.parametrize("times", with_more([20_000], [1_000_000]))
def test_hostile_frames_are_refused_or_mean_what_they_say(times: int) -> None:
    """No crash, and no lie that is accepted."""
    tried = try_frames(times, rng_seed=5)
    assert tried.accepted > times // 40
    assert tried.refused > times // 4


@pytest.mark.parametrize("count", [0, 1, 3])
def test_questions_come_back(count: int) -> None:
    """As the same arrays."""
    table = np.arange(WIDTH * count).reshape(count, WIDTH)
    questions = Questions(
        seats=np.arange(count, dtype=np.int32),
        calls=np.ones(count, np.uint8),
        rounds=np.arange(count) << 40,
        legal=np.full(count, 6, np.uint8),
        dealer=np.full((count, 2), 255, np.uint8),
        cards=np.arange(2 * count, dtype=np.uint8),
        card_stops=2 * np.arange(1, count + 1),
        exposed=np.arange(count, dtype=np.uint8),
        exposed_stops=np.arange(1, count + 1),
        table=table,
    )
    arrays = read_questions(write_questions(questions))
    for name, column in questions._asdict().items():
        assert getattr(arrays, name).tolist() == column.tolist(), name
        assert getattr(arrays, name).dtype == column.dtype, name


def test_an_opening_comes_back() -> None:
    """The file, which player is meant, and the seats with their keys."""
    seats = [SeatRequest(1, b"12345678"), SeatRequest(101, b"abcdefgh")]
    opening = wire.Opening("my file.py", b"\xff\0", "simple", seats)
    assert wire.read_opening(wire.write_opening(opening)) == opening
    lined = opening._replace(lines="game blackjack\ncolumn seats i 1\n")
    assert wire.read_opening(wire.write_opening(lined)) == lined
    empty = wire.Opening("", b"", "", [])
    assert wire.read_opening(wire.write_opening(empty)) == empty


def test_an_opening_of_another_version_is_refused() -> None:
    """Whatever else it may be."""
    body = wire.write_opening(wire.Opening("", b"", "", []))
    with pytest.raises(ProtocolError, match="supports only 1"):
        wire.read_opening(b"\2" + body[1:])


@pytest.mark.parametrize("times", with_more([20_000], [1_000_000]))
def test_changed_openings_are_refused_or_mean_what_they_say(times: int) -> None:
    """A host never reads beyond what came, nor takes a part of it for the whole."""
    tried = try_openings(times, rng_seed=6)
    assert tried.accepted > times // 40
    assert tried.refused > times // 4


def test_an_order_comes_back() -> None:
    """It is one word of a message to a fork server."""
    order = Order(is_confined=True, pool="a:b", limits=Limits())
    assert Order.read(order.write()) == order
