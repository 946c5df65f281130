"""The luck of games without cards is keyed, reproducible with NumPy alone, and part of digests."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, ClassVar

import numpy as np
import pytest

from tourney.game import Game
from tourney.game.blocks import Block, Seat
from tourney.game.cards.generator import Luck
from tourney.game.ledger import BlockKey, BlockResult
from tourney.game.players import BasePlayer
from tourney.game.rounds import RoundTable
from tourney.game.seats import accounts_of

KEY = bytes(range(16))


def luck_at(round_number: int, key: bytes = KEY) -> Luck:
    """Make the luck of a round."""
    luck = Luck(key)
    luck.begin(round_number)
    return luck


def numpy_halves(round_number: int, count: int) -> list[int]:
    """Draw the numbers as docs/reference/randomness.md describes, without the platform."""
    key = blake2b(key=KEY, digest_size=16, person=b"tourney.luck").digest()
    philox = np.random.Philox(key=int.from_bytes(key, "little"), counter=round_number << 64)
    return philox.random_raw(-(-count // 2)).astype("<u8").view("<u4").tolist()[:count]


def test_numpy_alone_reproduces_the_numbers_of_a_round() -> None:
    """Bits are halves of Philox words, and a float has the upper 53 of 64 bits."""
    luck, halves = luck_at(7), numpy_halves(7, 6)
    assert [luck.getrandbits(32) for _ in range(2)] == halves[:2]
    low, high = halves[2:4]
    assert luck.random() == ((high << 32 | low) >> 11) / 2**53
    assert luck.getrandbits(5) == halves[4] >> 27
    assert luck.randbytes(3) == (halves[5] >> 8).to_bytes(3, "little")


def test_a_round_starts_anew_whatever_the_last_one_drew() -> None:
    """The numbers depend on key and round only, also after half a pair of normal numbers."""
    luck = luck_at(1)
    luck.gauss()
    luck.begin(2)
    assert [luck.gauss(), *luck.sample(range(100), 5)] == [
        (again := luck_at(2)).gauss(),
        *again.sample(range(100), 5),
    ]
    assert luck_at(2).random() != luck_at(3).random()
    assert luck_at(2).random() != luck_at(2, bytes(16)).random()


def test_every_face_of_a_die_is_equally_likely() -> None:
    """A chi-square of 6,000 throws with 5 degrees of freedom stays below its 99.9 % quantile."""
    luck = luck_at(1)
    faces = Counter(luck.randint(1, 6) for _ in range(6_000))
    assert sum((seen - 1_000) ** 2 / 1_000 for seen in faces.values()) < 20.5


def test_no_bits_draw_nothing_and_the_state_stays_inside() -> None:
    """A generator without seeds and states cannot be turned into another one."""
    luck = luck_at(1)
    assert luck.getrandbits(0) == 0
    assert luck.word == 0
    luck.seed(3)
    assert luck.random() == luck_at(1).random()
    assert luck.word != 0
    with pytest.raises(NotImplementedError, match="starts its own stream"):
        luck.getstate()
    with pytest.raises(NotImplementedError, match="starts its own stream"):
        luck.setstate(())
    with pytest.raises(ValueError, match="from 0"):
        luck.getrandbits(-1)


class _Player(BasePlayer):  # without a game: a contract would appear in messages of other tests
    def act(self, view: int) -> int:
        return view


class _Round:
    """One throw of a die by the house, which nobody sees and nothing depends on."""

    def __init__(self, luck: Luck, cards: Iterator[Any]) -> None:
        self.left = [0, 1]
        assert next(cards, None) is None, "a game without cards has an empty shoe"
        luck.randint(1, 6)

    @property
    def to_act(self) -> int | None:
        return self.left[0] if self.left else None

    def observation(self, seat: int) -> int:
        return 0

    def legal_actions(self) -> tuple[int, ...]:
        return (0,)

    def apply_action(self, action: int) -> int:
        return self.left.pop(0)

    def wagers(self) -> tuple[int, int]:
        return 1, 1

    def results(self) -> tuple[int, int]:
        return 0, 0


class _Table(RoundTable[int, int]):
    decks = 0

    def open(self, bankrolls: tuple[int, ...], cards: Iterator[Any]) -> _Round:
        return _Round(self.luck, cards)


class _Dice(Game[_Player, int, int]):
    name, version = "dice", 1

    def contract(self) -> type[_Player]:
        return _Player

    def table(self, block: Any, accounts: Any, watcher: Any = None) -> _Table:
        return _Table(self, block, accounts, watcher)


@dataclass(frozen=True)
class _Rules:
    game: ClassVar[_Dice] = _Dice()
    seats: ClassVar[range] = range(2, 3)
    unit: ClassVar[int] = 1
    deals_fresh: ClassVar[bool] = True
    minimum: ClassVar[int] = 1
    most_points = limit = None

    def may_play(self, bankroll: int, minimum: int) -> bool:
        return bankroll >= 1

    def decisions(self, rounds: int, seat_rounds: int, cards: int) -> int:
        return seat_rounds


def played(shoe_key: bytes) -> BlockResult:
    """Play three rounds with the shoes of a key."""
    seats = (Seat(0, 10, bytes(16)), Seat(1, 10, bytes(16)))
    block = Block(BlockKey(0, 0, 0, 0, 1), _Rules(), seats, 1, 10, 3, shoe_key)
    return _Dice().table(block, accounts_of(block)).play(lambda _: _Player())


def test_drawn_numbers_are_part_of_the_digest() -> None:
    """Another throw gives another digest, also if no result shows the throw."""
    assert played(KEY).digest == played(KEY).digest
    assert played(KEY).digest != played(bytes(16)).digest
    assert played(KEY).cards == 0
