"""Interactive programs of a game, such as the original program of a course: `tourney play NAME`."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:  # a listing of programs loads no more than their names
    from tourney.game.asking.exchange import AnyPool
    from tourney.game.ledger import Verdict
    from tourney.game.players import BasePlayer


class Program(NamedTuple):
    """A program, imported when it is called."""

    home: str  # module with the click command NAME_command
    summary: str  # first sentence of its help


class Found(NamedTuple):
    """A player for a program: a class of this process, or a pool in another process."""

    kind: "type[BasePlayer] | None" = None
    pool: "AnyPool | None" = None
    words: "Callable[[Verdict], str] | None" = None
    """Explains a fault to the player's author; None for the program's own words."""


class Competitors(ABC):
    """Finds the players of a program: the object of click's context, set by the platform."""

    @abstractmethod
    def found(self, player: str, rules: Any, *, trusts: bool) -> AbstractContextManager[Found]:
        """Find a player; its process ends with the context.

        Args:
            player: A name or the path of a file, as typed.
            rules: The rules to play by.
            trusts: Whether a file may run with the user's permissions.
        Raises: TourneyError, if there is no such player or it cannot play.
        """
