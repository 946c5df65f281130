"""What every game owes the platform: rules as data, and a state that referees itself.

A state is pure: no clock, no input or output, no randomness. Chance comes in through
`deal`, players through `apply_action`, and both refuse what the rules do not allow.
"""

from collections.abc import Hashable, Iterator
from typing import Any, Protocol, runtime_checkable

from tourney.cards.card import Card


@runtime_checkable
class Rules(Hashable, Protocol):
    """One variant of a game, as frozen data."""

    @property
    def game(self) -> str:
        """Name of the game, such as `blackjack`."""

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


class State(Protocol):
    """A round in play."""

    @property
    def to_act(self) -> int | None:
        """Seat that must act, or None while chance must deal or the round is over."""

    @property
    def is_over(self) -> bool:
        """Whether nothing is left to happen."""

    def deal(self, cards: Iterator[Card]) -> None:
        """Let chance deal until a seat must act or the round is over."""

    def observation(self, seat: int) -> Any:
        """Give what a person in that seat sees."""

    def legal_actions(self) -> tuple[Any, ...]:
        """Give the actions open to the seat that must act."""

    def check_action(self, action: Any) -> None:
        """Raise IllegalAction unless the seat that must act may do this."""

    def apply_action(self, action: Any) -> Any:
        """Check the action, do it and return the frozen record of it."""

    def results(self) -> tuple[int, ...]:
        """Give the net result of every seat, once the round is over."""
