"""Tests that every player must pass, and turns of random rounds to test with.

The suites of the games build on these; `tourney.testing` exports the suites that authors import.
"""

import random
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from hashlib import blake2b
from random import Random
from typing import Any, ClassVar, Generic, TypeVar

from tourney.game.blocks import Block, Seat
from tourney.game.ledger import BlockKey, BlockResult
from tourney.game.players import BasePlayer, give_luck
from tourney.game.rules import Rules
from tourney.game.seats import accounts_of
from tourney.game.turns import FlowTable, Turn

ROUNDS = 200
LEAST, BANKROLL = 10, 10_000
"""The least wager and the bankroll in chips, if the rules leave them open."""


def situations(rules: Rules, rounds: int = ROUNDS) -> Iterator[Turn[Any, Any]]:
    """Yield the turns of rounds in which seats act at random; the same in every call.

    Args:
        rules: Rules of a game whose table has a flow.
        rounds: Number of rounds, at most.
    """
    chips = BANKROLL * rules.unit if rules.most_points is None else 0
    least = (rules.minimum or LEAST) * rules.unit
    seats = tuple(Seat(seat, chips, bytes(16)) for seat in range(rules.seats.start))
    block = Block(BlockKey(0, 0, 0, 0, 1), rules, seats, least, chips, rounds, bytes(16))
    table = rules.game.table(block, accounts_of(block))
    assert isinstance(table, FlowTable), "a table without a flow yields no turns"
    flow, dice, action = table.flow(), Random(13), None  # noqa: S311 - any moves do
    with suppress(StopIteration):
        while True:
            turn = flow.send(action)
            yield turn
            action = dice.choice(turn.legal)


Kind = TypeVar("Kind")


class Conformance(Generic[Kind]):
    """Tests that hold in every game; the suites of the games inherit them."""

    competitor: ClassVar[type]
    """The class under test."""

    options: ClassVar[Mapping[str, Any]] = {}
    """Arguments of its constructor, by name."""

    tables: ClassVar[Sequence[tuple[Rules, int]]]
    """Rules to play 200 rounds by, each with a number of seats."""

    contract: ClassVar[type]
    """The class that the class under test must inherit."""

    def make(self) -> Kind:
        """Make a new player."""
        player: Kind = self.competitor(**self.options)
        return player

    @abstractmethod
    def tell(self, *, shuffles: bool = False) -> list[object]:
        """Ask a new player many questions and return its answers.

        Args:
            shuffles: Shuffle between any two questions, not only now and then.
        """

    def test_it_can_be_made(self) -> None:
        """A new player can be made for every block."""
        first, second = self.make(), self.make()
        name, contract = type(first).__name__, self.contract
        assert isinstance(first, contract), (
            f"{name} is not a subclass of tourney.{contract.__name__}; inherit from it"
        )
        assert first is not second, f"{name}: calling the class must make a new player each time"

    def test_equal_players_answer_alike(self) -> None:
        """Two new players give the same answers to the same questions, so a run can be replayed."""
        for number, (one, other) in enumerate(zip(self.tell(), self.tell(), strict=True), 1):
            assert one == other, (
                f"two new players gave different answers to question {number}: {one!r} and "
                f"{other!r}; store state in self only, and draw random numbers from self.random"
            )

    def test_it_takes_a_shuffle_at_any_time(self) -> None:
        """The shoe may be shuffled twice in a row, between rounds, and within a round."""
        self.tell(shuffles=True)

    def test_it_plays_two_hundred_rounds(self) -> None:
        """It plays 200 rounds without a fault, alone and with others, and repeats them exactly."""
        for rules, seats in self.tables:
            result = table_played(self.make, rules, seats)
            for seat in result.seats:
                assert seat.verdict is None, (
                    f"{rules.game}, seat {seat.seat + 1} of {seats}, round {seat.verdict.round}: "
                    f"{seat.verdict.message}\n{seat.verdict.traceback}"
                )
            assert table_played(self.make, rules, seats).digest == result.digest, (
                f"{rules.game}: the same 200 rounds gave a different result the second time; "
                "store state in self only, and draw random numbers from self.random"
            )

    def test_it_leaves_the_common_generator_alone(self) -> None:
        """A player uses `self.random`, not the process-wide generator."""
        before = random.getstate()
        self.tell()
        assert random.getstate() == before, (
            "the player used the module random; use self.random, which every player gets "
            "at the table"
        )


class TurnConformance(Conformance[BasePlayer]):
    """Asks at the turns of random rounds, in any game whose table has a flow."""

    rounds: ClassVar[int] = ROUNDS
    """Most rounds to play by each of the rules."""

    def tell(self, *, shuffles: bool = False) -> list[object]:
        """Ask a new player at the turns of random rounds."""
        del shuffles  # these players see turns only
        return [answer for _, _, answer in self._answers()]

    def test_it_answers_legally(self) -> None:
        """It answers legally at every turn of random rounds, in every seat."""
        for rules, turn, answer in self._answers():
            assert rules.game.accept(answer, turn) is not None, (
                f"{turn.call}, {rules.game.seen(turn)}: expected {rules.game.expected(turn)}, "
                f"got {answer!r}"
            )

    def _answers(self) -> Iterator[tuple[Rules, Turn[Any, Any], object]]:
        for rules, _ in self.tables:
            player = self.make()
            give_luck(player, 1)
            for turn in situations(rules, self.rounds):
                yield rules, turn, rules.game.ask(player, turn)


def table_played(make: Callable[[], Any], rules: Rules, seats: int) -> BlockResult:
    """Play 200 rounds at a table of the game with a new player in every seat."""
    chips = BANKROLL if rules.most_points is None else 0
    keys = [blake2b(bytes([seat]), digest_size=16).digest() for seat in range(seats + 1)]
    block = Block(
        key=BlockKey(stage=0, heat=0, table=0, seating=0, first_round=1),
        rules=rules,
        seats=tuple(Seat(entrant, chips, keys[entrant]) for entrant in range(seats)),
        minimum=LEAST,
        maximum=20 * LEAST,
        rounds=ROUNDS,
        shoe_key=keys[-1],
    )
    return rules.game.table(block, accounts_of(block)).play(lambda _: make())
