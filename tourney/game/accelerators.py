"""Optional faster ways to play a game: kernels, lockstep play, and players in C++.

They must give the same results as the game's table. A game without them is played by its table;
sandboxed players are then asked through the flows of all tables together.

The headers and sources for players in C++ are in the folder of the game.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from tourney.game.ledger import BlockKey, BlockResult

if TYPE_CHECKING:
    from tourney.game.blocks import Block, RecordedFault
    from tourney.game.lineup import Lineup
    from tourney.game.machine.compile_cache import CodeUnit
    from tourney.game.players import BasePlayer
    from tourney.game.rules import Rules
    from tourney.game.turns import Watcher

ROUNDS_WORTH_LOADING = 30_000
"""Rounds that the reference engine plays in about the time that it takes to load machine code."""
LONG_ROUNDS = 300_000
"""Rounds of an entrant from which on parts of the machine code that start slowly pay off."""
FEW_ROUNDS = 2
"""Rounds that suffice to load the other parts."""


class Usual(NamedTuple):
    """A short match that only serves to load a part of the machine code."""

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
        """Play blocks with players made in this process; return results in any order."""

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


INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^>"\n]+)[>"]', re.MULTILINE)


class NativeContract(NamedTuple):
    """A contract for players in C++; a player's files include its header."""

    game: str  # its name
    player: str  # the class that is inherited, such as "Player"
    header: str  # the file that declares it, such as "player.h"
    functions: tuple[str, ...]  # the first one that an author's files define returns the player
    headers: tuple[Path, ...]  # all that authors may include, with distinct names
    parts: tuple[Path, ...]  # sources that call the player, and their headers
    alike: frozenset[str] = frozenset()
    """Names of sources that belong to the headers, even if a project has files of these names."""
    others: tuple[tuple[str, str], ...] = ()
    """Functions that return players of other interfaces, and the owners of these interfaces."""

    @property
    def ours(self) -> frozenset[str]:
        """Names of files that are the same for every competitor."""
        return self.alike.union(path.name for path in self.headers)

    @property
    def remedy(self) -> str:
        """Explain how a file provides its player."""
        return self.remedy_for("competitor")

    def remedy_for(self, competitor: str) -> str:
        """Explain how a file provides the player of this name."""
        given = f"{self.player} *{self.functions[0]}() {{ return &{competitor}; }}"
        return f'begin with #include "{self.header}", and add at the end: {given}'

    def texts(self) -> Mapping[str, bytes]:
        """Read all files that are compiled with a competitor's files, by name."""
        return {path.name: path.read_bytes() for path in (*self.headers, *self.parts)}


def written_to(
    files: Sequence[tuple[str, str]], contracts: Sequence[NativeContract]
) -> Sequence[NativeContract]:
    """Return the contracts with a header that an author's files include.

    A project may contain a copy of a header; includes of other headers take precedence.

    Args:
        files: Names and texts.
        contracts: Contracts of one game or several.
    """
    included = {_folded(name) for _, text in files for name in INCLUDE.findall(text)}
    found = [each for each in contracts if each.header in included]
    own = {_folded(name) for name, _ in files}
    return [each for each in found if each.header not in own] or found[:1]


def first_missing(files: Sequence[tuple[str, str]]) -> tuple[str, str] | None:
    """Return "file:line" and the line of the first include of a missing project file, if any."""
    own = {_folded(name) for name, _ in files}
    for name, text in files:
        for found in INCLUDE.finditer(text):
            if found[0].endswith('"') and _folded(found[1]) not in own:
                return f"{name}:{text.count(chr(10), 0, found.end()) + 1}", found[0].strip()
    return None


def _folded(name: str) -> str:
    """Give a file's name as systems know it that ignore case."""
    return PureWindowsPath(name).name.lower()


def in_folder(folder: Path, names: str) -> tuple[Path, ...]:
    """Return the paths of files in a folder, from their names separated by white space."""
    return tuple(folder / PurePosixPath(name) for name in names.split())
