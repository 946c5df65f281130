"""What every contract asks of a player, whatever the game."""

import random
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeVar

from tourney.game.rules import Rules
from tourney.testing.stories import first_difference, table_played

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
        difference = first_difference(self.tell(), self.tell())
        assert not difference, (
            f"expected equal answers of two new players, got {difference}: keep what is "
            "remembered in the player, and take chance from self.random only"
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
