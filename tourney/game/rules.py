"""The interface of a game's rules: the data that defines a variant."""

from collections.abc import Hashable, Mapping
from dataclasses import replace
from typing import Any, Protocol, runtime_checkable

from tourney.game import Game


@runtime_checkable
class Rules(Hashable, Protocol):
    """One variant of a game, as frozen data."""

    @property
    def game(self) -> Game[Any, Any, Any]:
        """The game that these rules belong to; a class attribute."""

    @property
    def unit(self) -> int:
        """Parts that a chip is counted in: 2 if the game pays half chips."""

    @property
    def deals_fresh(self) -> bool:
        """Whether every round starts with a new shoe, as from a shuffling machine."""

    @property
    def seats(self) -> range:
        """Possible numbers of seats at one table."""

    def may_play(self, bankroll: int, minimum: int) -> bool:
        """Return whether a seat with this bankroll plays another round."""

    def decisions(self, rounds: int, seat_rounds: int, cards: int) -> int:
        """Return the number of wagers and moves, exact or estimated.

        Args:
            rounds: Rounds that a table has played.
            seat_rounds: Rounds of all its seats together.
            cards: Dealt cards.
        """

    @property
    def minimum(self) -> int | None:
        """Least wager in chips, if the rules fix it."""

    @property
    def most_points(self) -> int | None:
        """Most points of a seat in a round, where points are bad.

        A game of chips has no points (`None`): its seats have bankrolls and wager them.
        """

    @property
    def limit(self) -> int | None:
        """Points of a seat at which a game ends; otherwise it plays all scheduled rounds."""


def changed_rules(rules: Any, settings: Mapping[str, Any]) -> Any:
    """Return rules with other settings.

    Rules may have a method `changed`, which takes the settings by name, if one setting follows from
    another.

    Args:
        rules: A frozen dataclass instance.
        settings: New values by name.
    Raises: RulesError, if the settings do not fit each other.
    """
    change = getattr(rules, "changed", None)
    return change(**settings) if change else replace(rules, **settings)


def fewest_seats(rules: Rules) -> int:
    """Return the size of the smallest table at which entrants meet."""
    return max(2, rules.seats.start)
