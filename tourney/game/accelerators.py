"""What a game may give besides its table, to be played faster: always to the same results.

A game without any is played by its table: by the reference engine, and where players are confined
by all tables' flows together.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from tourney.game.ledger import BlockKey, BlockResult

if TYPE_CHECKING:  # rules name their game, so what knows rules is loaded after this
    from tourney.game.blocks import Block, RecordedFault
    from tourney.game.lineup import Lineup
    from tourney.game.machine.compile_cache import CodeUnit
    from tourney.game.players import BasePlayer
    from tourney.game.rules import Rules
    from tourney.game.watcher import Watcher

ROUNDS_WORTH_LOADING = 30_000
"""Rounds that the reference engine plays while machine code is loaded from disk, or nearly so."""
LONG_ROUNDS = 300_000
"""Rounds of an entrant that are worth loading parts of the machine code that begin slowly."""
FEW_ROUNDS = 2
"""Rounds that are worth nothing but loading the others."""


class Usual(NamedTuple):
    """What is played to load a part of the machine code."""

    rules: "Rules"  # any: the code is the same
    kinds: "tuple[Callable[[], BasePlayer], ...]"  # that between them need all of it
    rounds: int = FEW_ROUNDS


class Kernels(ABC):
    """Tables that machine code plays to their ends, by what all their players declare.

    A class of kernels is made without arguments, in other processes, too.
    """

    parts: ClassVar["tuple[CodeUnit, ...]"]
    """What machine code is made and loaded in, one by one: the first plays everything, the others
    play some of it faster."""

    def parts_for(self, block: "Block") -> "tuple[CodeUnit, ...]":
        """Give the parts that play a block, in the order in which they are to be made."""
        del block
        return self.parts

    @abstractmethod
    def usual(self, part: "CodeUnit") -> Usual:
        """Say what has to be played so that all of a part is made or loaded."""

    @abstractmethod
    def why_not(self, block: "Block", declared: Sequence[Any]) -> str:
        """Say why a block cannot be played so; empty if it can.

        Args:
            block: What is to be played.
            declared: By its players, seat by seat: of this game, or `Undeclared`.
        """

    @abstractmethod
    def play(
        self,
        blocks: Sequence["Block"],
        declared: Callable[[int], Any],
        ways: "Collection[CodeUnit]",
    ) -> Sequence[BlockResult]:
        """Play blocks: a pure function of the blocks and the declarations.

        Args:
            blocks: Those that can be played so, of the same rules.
            declared: Gives the declaration of an entrant.
            ways: Those of its parts to play by; others may still be made.
        Returns: Their results, in any order, but for those that none of these ways can play.
        """


class Confined(NamedTuple):
    """What came of blocks with confined players."""

    results: list[BlockResult]
    warnings: dict[int, str]  # by entrant
    differing: dict[int, str]  # how those differ who are never the same twice, by entrant


class Lockstep(ABC):
    """Tables that machine code plays up to their questions, so that a batch is asked at once."""

    @abstractmethod
    def why_not(self, block: "Block") -> str:
        """Say why a block cannot be played so, whoever plays it; empty if it can."""

    @abstractmethod
    def play(self, blocks: Sequence["Block"], lineup: "Lineup") -> list[BlockResult]:
        """Play blocks whose players are all made in this process; give results in any order."""

    @abstractmethod
    def play_confined(
        self,
        blocks: Sequence["Block"],
        lineup: "Lineup",
        watchers: Mapping[BlockKey, "Watcher"],
        recorded: Sequence["RecordedFault"] = (),
        *,
        asks_again: Collection[int] = (),
    ) -> Confined:
        """Play blocks: a pure function of the blocks, their players and what is recorded of them.

        Args:
            blocks: Those that can be played so.
            lineup: Who plays; a pool is opened for everybody confined and closed again, come what
                may.
            watchers: Who is told what happens in a block, for some of them.
            recorded: Faults of the confined that are not to be found again, but happen once more.
            asks_again: Entrants who are asked the first of it again, to see who is the same twice.
        Raises: ConfinementError, if a player's process could not be shut in.
        """
