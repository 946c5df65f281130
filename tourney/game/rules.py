"""Rules of a game, as data: all that is said of a variant before anybody plays."""

from collections.abc import Hashable
from typing import Any, Protocol, runtime_checkable

from tourney.game import Game


@runtime_checkable
class Rules(Hashable, Protocol):
    """One variant of a game, as frozen data."""

    @property
    def game(self) -> Game[Any, Any, Any]:
        """The game that they are rules of; a class attribute."""

    @property
    def unit(self) -> int:
        """Parts that a chip is counted in: 2 where the game pays half chips."""

    @property
    def deals_fresh(self) -> bool:
        """Whether every round begins a new shoe, as from a shuffling machine."""

    @property
    def seats(self) -> range:
        """Numbers of seats that can play at one table."""

    def may_play(self, bankroll: int, minimum: int) -> bool:
        """Say whether a seat with this bankroll plays another round."""

    def decisions(self, rounds: int, seat_rounds: int, cards: int) -> int:
        """Say how many wagers and moves were asked for, or about how many.

        Args:
            rounds: That a table played.
            seat_rounds: The rounds of all its seats together.
            cards: That were dealt.
        """

    @property
    def minimum(self) -> int | None:
        """Least wager in chips, if the rules fix it."""

    @property
    def most_points(self) -> int | None:
        """Most points that a round can bring a seat, where points are bad.

        None in a game of chips: there seats have bankrolls and wager them.
        """

    @property
    def limit(self) -> int | None:
        """Points of a seat at which a game ends; None if it goes on as scheduled."""


def fewest_seats(rules: Rules) -> int:
    """Say how many sit at the smallest table at which some of them meet."""
    return max(2, rules.seats.start)
