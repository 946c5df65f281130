"""Optional solvers, which compute values of strategies exactly."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Protocol

from tourney.errors import RulesError

if TYPE_CHECKING:  # rules import their game, so this would be a cycle
    from tourney.game.players import BasePlayer


ATTENTIONS = ("totals", "two-cards", "cards")
"""The part of a hand that a strategy uses: its total, also its first two cards, or all cards."""
TOTALS, *_ = ATTENTIONS


class Value(Protocol):
    """The value of a strategy."""

    @property
    def mean(self) -> Fraction | float:
        """Mean result per round, in minimums; a fraction if it is exact."""

    @property
    def sd(self) -> float | None:
        """Standard deviation of the result of one round, in minimums, if it is computed."""

    @property
    def results(self) -> Mapping[float, float] | None:
        """Probability of each result of a round, in minimums, if it is computed."""


class Solved(Protocol):
    """The best strategy that can be written down."""

    @property
    def value(self) -> Value:
        """Its value."""

    @property
    def text_value(self) -> Value:
        """Its value without the notes; used only if there are notes."""

    @property
    def text(self) -> str:
        """The strategy, in a notation of the game."""

    @property
    def notes(self) -> tuple[str, ...]:
        """Additional remarks about it, one line each."""


class Deviates(Protocol):
    """A move that is better than another one from some count on, or up to it."""

    @property
    def worth(self) -> float:
        """Gain in minimums over 100 rounds of one minimum each, against play without a count."""

    @property
    def true_count(self) -> int:
        """The count at which it begins or ends."""

    @property
    def is_from(self) -> bool:
        """Whether it is better from this count on; otherwise up to it."""

    def row(self) -> Sequence[str]:
        """Return cells for a table: situation (two cells), move, from which count, other move."""


class Solver(ABC):
    """Computes values by some rules of its game, for a single seat that wagers the minimum."""

    @abstractmethod
    def value(self, kind: "type[BasePlayer]", name: str, minimum: int) -> Value:
        """Return the value per round of players of a class.

        Args:
            kind: A class of players of this game.
            name: Its name in messages.
            minimum: Least wager in chips.
        Raises: RulesError, if this cannot be computed; CompetitorFailedError, if a player breaks
            its contract.
        """

    @abstractmethod
    def best(self, minimum: int, *, surrender: bool = True, by: str = TOTALS) -> Solved:
        """Return the best strategy.

        Args:
            minimum: The wager in chips.
            surrender: Whether it may surrender, in a game that allows it.
            by: One of ATTENTIONS.
        Raises: RulesError, if this cannot be computed.
        """

    def deviations(self, tags: Sequence[int] = ()) -> Sequence[Deviates]:
        """Return the moves that change with a count of the cards, the most valuable first.

        Args:
            tags: Points of cards, in the game's order; empty for its usual count.
        Raises: RulesError, if the game has no such moves, or for invalid tags.
        """
        del tags
        raise RulesError("this game has no moves that depend on a count of its cards")

    @abstractmethod
    def written(self, kind: "type[BasePlayer]", name: str) -> Any:
        """Return the written strategy that players of a class follow, for `compare`.

        Raises: TourneyError, if they follow no written strategy.
        """

    @abstractmethod
    def compare(self, best: Any, written: Any, minimum: int) -> Iterator[str]:
        """Yield lines on how much worse a strategy is than the best, and where it differs."""
