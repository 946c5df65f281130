"""What a game may give to have its players checked closely: rare situations, and a short match.

A game without an examiner has its players checked by whole rounds; so have all games of points.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol

from tourney.game.asking.exchange import AnyPool
from tourney.game.blocks import HOUSE_LIMIT
from tourney.game.ledger import Verdict
from tourney.game.players import BasePlayer


@dataclass(slots=True)
class Situations:
    """What came of asking about situations."""

    count: int  # situations
    unseated: Verdict | None = None  # if no player could be made
    faults: list[tuple[str, Verdict]] = field(default_factory=list)  # words and verdict
    unasked: int = 0  # hands that nobody was asked about, as the wager before was at fault


class Match(Protocol):
    """What came of a match of one player alone at many tables."""

    verdicts: list[Verdict]
    same: list[int]  # decisions in which each onlooker agrees

    @property
    def tables(self) -> Iterable[int]:
        """Numbers of the tables, in the order they were seated."""

    @property
    def net(self) -> Iterable[int]:
        """Won or lost at each of them, in the unit of the rules."""

    @property
    def decisions(self) -> int:
        """Questions that were answered."""


class Examiner(ABC):
    """Asks players of some rules of a game of chips, and has them play a match."""

    beside: ClassVar[tuple[str, ...]]
    """Strategies that everybody knows, whom a player is compared with, by their names; at tables
    of its own it is measured against the first."""

    @property
    @abstractmethod
    def tables(self) -> int:
        """Tables of a match."""

    @property
    @abstractmethod
    def rounds(self) -> int:
        """Rounds at each of them."""

    @abstractmethod
    def ask(
        self,
        pool: AnyPool,
        minimum: int,
        maximum: int = HOUSE_LIMIT,
        *,
        hands_only: bool = False,
    ) -> Situations:
        """Ask about everything that the rules make possible and games seldom bring.

        Args:
            pool: With nobody seated yet.
            minimum: The least wager, in chips.
            maximum: The greatest.
            hands_only: Ask for no wagers; done only where hands were left `unasked`.
        """

    @abstractmethod
    def play(
        self,
        pool: AnyPool,
        minimum: int,
        tables: Sequence[int],
        onlookers: Sequence[type[BasePlayer]] = (),
        maximum: int = HOUSE_LIMIT,
    ) -> Match:
        """Play a match.

        Args:
            pool: Of who plays, with nobody seated yet.
            minimum: The least wager, in chips.
            tables: Their numbers; each always has the same cards and the same luck.
            onlookers: Players that watch and choose: of those `beside`.
            maximum: The greatest wager, in chips.
        """

    @abstractmethod
    def is_repeated(self, pool: AnyPool, match: Any, tables: Sequence[int]) -> bool:
        """Ask again what was asked in a match without faults; say whether all answers are the same.

        Args:
            pool: Of who played, with nobody seated yet.
            match: The match.
            tables: Some or all of its tables, in any order.
        """

    @abstractmethod
    def difference(self, one: Any, other: Any) -> str:
        """Say where two matches first differ; empty if they are the same.

        Args:
            one: A match.
            other: Another at some or all of its tables, in any order.
        """

    @abstractmethod
    def answers(self, match: Any, tables: Sequence[int]) -> str:
        """Name all that was asked and answered at some tables of a match, by a digest."""
