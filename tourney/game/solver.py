"""What a game may give to have values worked out instead of measured."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Protocol

from tourney.errors import RulesError

if TYPE_CHECKING:  # rules name their game, so what knows rules is loaded after this
    from tourney.game.players import BasePlayer


ATTENTIONS = ("totals", "two-cards", "cards")
"""What of a hand somebody looks at: what it counts, also its first two cards, or all of them."""
TOTALS, *_ = ATTENTIONS


class Value(Protocol):
    """What a round is worth."""

    @property
    def mean(self) -> Fraction | float:
        """Mean result per round, in minimums; a fraction where no digit was lost."""

    @property
    def sd(self) -> float | None:
        """Standard deviation of the result of one round, in minimums.

        None where only the mean is worked out.
        """

    @property
    def results(self) -> Mapping[float, float] | None:
        """Probability of each result of a round, in minimums; None as for `sd`."""


class Solved(Protocol):
    """The best way to play that can be written down."""

    @property
    def value(self) -> Value:
        """What it is worth."""

    @property
    def text_value(self) -> Value:
        """What it is worth by its text alone; asked only where there are notes."""

    @property
    def text(self) -> str:
        """It, in a notation of the game."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What else is to be said about it, a line each."""


class Deviates(Protocol):
    """A move that is better than another one from some count on, or up to it."""

    @property
    def worth(self) -> float:
        """Minimums gained in 100 rounds of one minimum each, against the play without a count."""

    @property
    def true_count(self) -> int:
        """The count that it begins or ends at."""

    @property
    def is_from(self) -> bool:
        """Whether it is better from this count on; else up to it."""

    def row(self) -> Sequence[str]:
        """Give what is shown of it: the situation (two cells), move, from when, and else what."""


class Solver(ABC):
    """Works out values by some rules of its game, for one seat alone that wagers the minimum."""

    @abstractmethod
    def value(self, kind: "type[BasePlayer]", name: str, minimum: int) -> Value:
        """Work out what players of a class are worth per round.

        Args:
            kind: Of this game.
            name: What messages call it.
            minimum: The least wager in chips.
        Raises: RulesError, if this cannot be worked out; CompetitorFailedError, if a player breaks
            its contract.
        """

    @abstractmethod
    def best(self, minimum: int, *, surrender: bool = True, by: str = TOTALS) -> Solved:
        """Find what is best.

        Args:
            minimum: The wager in chips.
            surrender: Whether it may surrender, in a game that allows it.
            by: One of ATTENTIONS.
        Raises: RulesError, if this cannot be worked out.
        """

    def deviations(self, tags: Sequence[int] = ()) -> Sequence[Deviates]:
        """Find which moves change with a count of the cards, those that are worth most first.

        Args:
            tags: Points of cards, as the game orders them; its usual count if there are none.
        Raises: RulesError, if a count says nothing of this game, or for tags that are no count.
        """
        del tags
        raise RulesError("game: expected one whose best moves change with a count of its cards")

    @abstractmethod
    def written(self, kind: "type[BasePlayer]", name: str) -> Any:
        """Give what players of a class play by, for `compare`.

        Raises: TourneyError, if they play by nothing that is written down.
        """

    @abstractmethod
    def compare(self, best: Any, written: Any, minimum: int) -> Iterator[str]:
        """Say how much less something is worth than the best, and where it differs."""
