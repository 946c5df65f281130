"""The lineup of a batch: how its players are made, and their declarations.

Asking a player for its declaration runs its author's code, so this is done with players that
never sit at a table.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias

from tourney.game import MakePlayer
from tourney.game.asking.exchange import AnyPool
from tourney.game.players import AnyPlayer, Undeclared
from tourney.game.rules import Rules

Declared: TypeAlias = Any
"""A declaration, in a form that each game defines, or `Undeclared`."""
OpenPool: TypeAlias = Callable[[int], AnyPool | None]
"""Returns a pool for the sandboxed players of an entrant; None if its players are made here."""


def nobody_is_confined(_entrant: int) -> None:
    """Make all players in this process."""


def _nothing_to_load(_entrants: Iterable[int]) -> None:
    """Do nothing: the players are loaded already."""


@dataclass(frozen=True, slots=True)
class Lineup:
    """The entrants of a batch, by number."""

    make: MakePlayer
    declared: Callable[[int, Rules], Declared]
    load: Callable[[Iterable[int]], None] = _nothing_to_load
    """Called with the entrants that Python plays, before the first player of a batch is made: an
    error in here is no fault of a player at a table.
    """
    confined: OpenPool = nobody_is_confined
    """An entrant with a pool is never made, loaded or asked for a declaration in this process,
    because all of that would run its code. Its process starts when it is seated.
    """


def lineup_of(make: MakePlayer) -> Lineup:
    """Return a lineup whose entrants have the declarations of their new players."""

    def declared(entrant: int, rules: Rules) -> Declared:
        return declare(lambda: make(entrant), rules)

    return Lineup(make, declared)


def declare(make: Callable[[], AnyPlayer], rules: Rules) -> Declared:
    """Make a player and return its declaration.

    Args:
        make: Makes the player, which is discarded afterwards.
        rules: Rules of the game.
    """
    try:
        player = make()
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 - author's code; it fails again at a table
        return Undeclared(f"its constructor raises {type(error).__name__}")
    return declared_by(player, rules)


def declared_by(player: AnyPlayer, rules: Rules) -> Declared:
    """Return the declaration of a player.

    Args:
        player: A new player that does not sit at a table.
        rules: Rules of the game that the player should play.
    """
    game = rules.game
    if not isinstance(player, game.contract()):
        return Undeclared(f"it does not play {game}")
    return game.declare(player, rules)
