"""Programs that a game brings, such as the one of the course it comes from: `tourney play NAME`."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:  # a listing of programs loads no more than their names
    from tourney.game.asking.exchange import AnyPool
    from tourney.game.ledger import Verdict
    from tourney.game.players import BasePlayer


class Program(NamedTuple):
    """A program, which is imported when it is called."""

    home: str  # module whose NAME_command, of click, is the program
    summary: str  # first sentence of its help


class Found(NamedTuple):
    """Who plays at a program: a class of players of this process, or a pool for one elsewhere."""

    kind: "type[BasePlayer] | None" = None
    pool: "AnyPool | None" = None
    words: "Callable[[Verdict], str] | None" = None
    """Says to the player's author what was wrong; None for the program's own words."""


class Competitors(ABC):
    """Whom programs seat: the object of click's context, given by the platform."""

    @abstractmethod
    def found(self, player: str, rules: Any, *, trusts: bool) -> AbstractContextManager[Found]:
        """Find who plays; a process of its own ends with the context.

        Args:
            player: As typed: a name, or the path of a file.
            rules: That it is to play by.
            trusts: Whether a file may run with all rights of who plays.
        Raises: TourneyError, if there is none that can play.
        """
