"""Optional faster ways to play a game: compiled kernels and lockstep play.

They must give the same results as the game's table. A game without them is played by its table;
sandboxed players are then asked through the flows of all tables together.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from tourney.game.ledger import BlockKey, BlockResult

if TYPE_CHECKING:  # rules import their game, so this would be a cycle
    from tourney.game.blocks import Block, RecordedFault
    from tourney.game.lineup import Lineup
    from tourney.game.machine.compile_cache import CodeUnit
    from tourney.game.players import BasePlayer
    from tourney.game.rules import Rules
    from tourney.game.watcher import Watcher

ROUNDS_WORTH_LOADING = 30_000
"""Rounds that the reference engine plays in about the time that it takes to load machine code."""
LONG_ROUNDS = 300_000
"""Rounds of an entrant from which on parts of the machine code that start slowly pay off."""
FEW_ROUNDS = 2
"""Rounds that suffice to load the other parts."""


class Usual(NamedTuple):
    """A short match whose only purpose is to load a part of the machine code."""

    rules: "Rules"  # any: the code is the same
    kinds: "tuple[Callable[[], BasePlayer], ...]"  # that between them need all of it
    rounds: int = FEW_ROUNDS


class Kernels(ABC):
    """Plays tables to their ends in machine code, from the declarations of all their players.

    Subclasses are created without arguments, also in other processes.
    """

    parts: ClassVar["tuple[CodeUnit, ...]"]
    """Units that are compiled and loaded separately: the first plays everything, the others play
    some blocks faster.
    """

    def parts_for(self, block: "Block") -> "tuple[CodeUnit, ...]":
        """Return the parts that play a block, in the order in which they should be compiled."""
        del block
        return self.parts

    @abstractmethod
    def usual(self, part: "CodeUnit") -> Usual:
        """Return a match that compiles or loads all of a part."""

    @abstractmethod
    def why_not(self, block: "Block", declared: Sequence[Any]) -> str:
        """Return the reason why the kernels cannot play a block; empty if they can.

        Args:
            block: The block to play.
            declared: Declarations of its players, seat by seat: of this game, or `Undeclared`.
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
            blocks: Blocks of equal rules that the kernels can play.
            declared: Returns the declaration of an entrant.
            ways: Parts that may be used; the others may still be compiling.
        Returns: Results in any order; a block that these parts cannot play has no result.
        """


class Confined(NamedTuple):
    """Results of blocks with sandboxed players."""

    results: list[BlockResult]
    warnings: dict[int, str]  # by entrant
    differing: dict[int, str]  # by entrant: how its answers differed when it was asked again


class Lockstep(ABC):
    """Plays tables in machine code up to their questions, so that players are asked in batches."""

    @abstractmethod
    def why_not(self, block: "Block") -> str:
        """Return why a block cannot be played in lockstep, by any players; empty if it can."""

    @abstractmethod
    def play(self, blocks: Sequence["Block"], lineup: "Lineup") -> list[BlockResult]:
        """Play blocks whose players are all made in this process; return results in any order."""

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
        """Play blocks: a pure function of the blocks, their players and the recorded faults.

        Args:
            blocks: Blocks that can be played in lockstep.
            lineup: The players. A pool is opened for every sandboxed entrant and closed at the end,
                even after an error.
            watchers: Observers of some of the blocks.
            recorded: Faults of sandboxed players that happen again by this record.
            asks_again: Entrants to ask the first questions again, to check that they repeat.
        Raises: ConfinementError, if the sandbox of a player could not be set up.
        """
