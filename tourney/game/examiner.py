"""Optional close checks of players: rare situations, and a short match.

Players of a game without an examiner, and of all games of points, are checked by whole rounds.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol

from tourney.game.asking.exchange import AnyPool
from tourney.game.blocks import HOUSE_LIMIT
from tourney.game.hand_history import JudgedDecision
from tourney.game.ledger import Verdict
from tourney.game.players import BasePlayer


@dataclass(slots=True)
class Situations:
    """Result of asking about rare situations."""

    count: int  # number of situations
    unseated: Verdict | None = None  # if no player could be made
    faults: list[tuple[str, Verdict]] = field(default_factory=list)  # description and verdict
    unasked: int = 0  # hands that were skipped because the wager before them was at fault


class Match(Protocol):
    """Result of a match of one player alone at many tables."""

    verdicts: list[Verdict]
    same: list[int]  # decisions in which each onlooker agreed, by onlooker

    @property
    def tables(self) -> Iterable[int]:
        """Numbers of the tables, in the order in which they were seated."""

    @property
    def net(self) -> Iterable[int]:
        """Net result at each table, in the unit of the rules."""

    @property
    def decisions(self) -> int:
        """Number of answered questions."""


class Examiner(ABC):
    """Asks players about rare situations in a game of chips, and has them play a match."""

    beside: ClassVar[tuple[str, ...]]
    """Names of well-known strategies to compare a player with; its results are compared with those
    of the first.
    """

    @property
    @abstractmethod
    def tables(self) -> int:
        """Tables of a match."""

    @property
    @abstractmethod
    def rounds(self) -> int:
        """Rounds at each table."""

    @abstractmethod
    def ask(
        self,
        pool: AnyPool,
        minimum: int,
        maximum: int = HOUSE_LIMIT,
        *,
        hands_only: bool = False,
    ) -> Situations:
        """Ask about the situations that the rules allow and that rarely come up.

        Args:
            pool: A pool without seated players.
            minimum: Least wager, in chips.
            maximum: Greatest wager, in chips.
            hands_only: Ask for no wagers; used only if hands were left `unasked`.
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
            pool: The player's pool, without seated players.
            minimum: Least wager, in chips.
            tables: Numbers of tables; a number always stands for the same cards and random keys.
            onlookers: Classes from `beside` whose players watch and choose, too.
            maximum: Greatest wager, in chips.
        """

    @abstractmethod
    def is_repeated(self, pool: AnyPool, match: Any, tables: Sequence[int]) -> bool:
        """Repeat the questions of a match without faults; return whether all answers are the same.

        Args:
            pool: A pool of the same player, without seated players.
            match: The match.
            tables: Some or all of its tables, in any order.
        """

    @abstractmethod
    def difference(self, one: Any, other: Any) -> str:
        """Describe where two matches first differ; empty if they are equal.

        Args:
            one: A match.
            other: Another match at some or all of its tables, in any order.
        """

    def judged(self, match: Any) -> Iterator[tuple[int, JudgedDecision]]:
        """Yield the decisions of a match with known values, each with the number of its table.

        The default yields none.
        """
        del match
        yield from ()

    @abstractmethod
    def answers(self, match: Any, tables: Sequence[int]) -> str:
        """Return a digest of all questions and answers at some tables of a match."""
