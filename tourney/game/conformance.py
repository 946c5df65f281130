"""What every contract asks of a player: tests that authors inherit and run on their own class.

The suites of games build on these. Leaves out what only one game knows, and which rules are
installed; see `tourney.testing` for those that authors import.
"""

import random
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import Any, ClassVar, Generic, TypeVar

from tourney.game.blocks import Block, Seat
from tourney.game.ledger import BlockKey, BlockResult
from tourney.game.players import BasePlayer, give_luck
from tourney.game.rules import Rules
from tourney.game.seats import accounts_of
from tourney.game.situations import BANKROLL, LEAST, ROUNDS, situations
from tourney.game.turns import Turn

Kind = TypeVar("Kind")


class Conformance(Generic[Kind]):
    """Tests that hold in every game; the suites of the games inherit them."""

    competitor: ClassVar[type]
    """The class under test."""

    options: ClassVar[Mapping[str, Any]] = {}
    """What its constructor is given, by name."""

    tables: ClassVar[Sequence[tuple[Rules, int]]]
    """Rules to play 200 rounds by, and numbers of seats."""

    contract: ClassVar[type]
    """What the class is a subclass of."""

    def make(self) -> Kind:
        """Make a new player."""
        player: Kind = self.competitor(**self.options)
        return player

    @abstractmethod
    def tell(self, *, shuffles: bool = False) -> list[object]:
        """Tell a new player a long story and note whatever it answers.

        Args:
            shuffles: Shuffle between any two questions, not only now and then.
        """

    def test_it_can_be_made(self) -> None:
        """Every block is played by a player of its own."""
        first, second = self.make(), self.make()
        name, contract = type(first).__name__, self.contract
        assert isinstance(first, contract), (
            f"{name}: expected a subclass of tourney.{contract.__name__}"
        )
        assert first is not second, f"{name}: expected a new player each time, got the same one"

    def test_equal_players_answer_alike(self) -> None:
        """Two new players who see the same say the same, so a run can be played again."""
        for number, (one, other) in enumerate(zip(self.tell(), self.tell(), strict=True), 1):
            assert one == other, (
                f"expected equal answers of two new players, got {one!r} and {other!r} as answer "
                f"{number}: keep what is remembered in the player, and take chance from "
                "self.random only"
            )

    def test_it_takes_a_shuffle_at_any_time(self) -> None:
        """The shoe may be shuffled twice at once, between rounds, and within one."""
        self.tell(shuffles=True)

    def test_it_plays_two_hundred_rounds(self) -> None:
        """A table plays it to the end without a verdict, alone and with others, twice alike."""
        for rules, seats in self.tables:
            result = table_played(self.make, rules, seats)
            for seat in result.seats:
                assert seat.verdict is None, (
                    f"{rules.game}, seat {seat.seat + 1} of {seats}, round {seat.verdict.round}: "
                    f"{seat.verdict.message}\n{seat.verdict.traceback}"
                )
            assert table_played(self.make, rules, seats).digest == result.digest, (
                f"{rules.game}: expected the same 200 rounds again, got others: keep what is "
                "remembered in the player, and take chance from self.random only"
            )

    def test_it_leaves_the_common_generator_alone(self) -> None:
        """The process-wide generator belongs to nobody; a player has its own."""
        before = random.getstate()
        self.tell()
        assert random.getstate() == before, (
            "expected the module random untouched, got another state: use self.random, "
            "which every player is given at the table"
        )


class TurnConformance(Conformance[BasePlayer]):
    """Asks what rounds at random bring, in any game whose table has a flow."""

    rounds: ClassVar[int] = ROUNDS
    """At most so many of each rules."""

    def tell(self, *, shuffles: bool = False) -> list[object]:
        """Ask a new player at the turns of rounds at random."""
        del shuffles  # there is nothing to tell of them but turns
        return [answer for _, _, answer in self._answers()]

    def test_it_answers_legally(self) -> None:
        """At every turn of rounds at random, in every seat."""
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
    """Play 200 rounds at a table of the game, every seat taken by a new player."""
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
