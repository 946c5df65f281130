"""Who plays a batch: what makes its players, and what they declare.

To ask a player what it declares runs its author's code, so that is done with players that never
sit at a table.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from tourney.game import MakePlayer
from tourney.game.asking.exchange import AnyPool
from tourney.game.contracts import AnyPlayer
from tourney.game.declaration_result import Declared, declared_by
from tourney.game.players import Undeclared
from tourney.game.rules import Rules

OpenPool: TypeAlias = Callable[[int], AnyPool | None]
"""Gives a pool for the confined players of an entrant; None if its players are made here."""


def nobody_is_confined(_entrant: int) -> None:
    """Have all players made in this process."""


def _nothing_to_load(_entrants: Iterable[int]) -> None:
    """Do nothing: whoever makes the players has them."""


@dataclass(frozen=True, slots=True)
class Lineup:
    """The entrants of a batch, by number."""

    make: MakePlayer
    declared: Callable[[int, Rules], Declared]
    load: Callable[[Iterable[int]], None] = _nothing_to_load
    """Called before the first player of a batch is made, with the entrants that Python plays:
    what fails in here is no fault of a player at a table."""
    confined: OpenPool = nobody_is_confined
    """Whoever has a pool of its own is never made here, nor loaded, nor asked what it declares:
    all of that would run its code. Its process starts when it is seated."""


def lineup_of(make: MakePlayer) -> Lineup:
    """Give a lineup whose players declare what a new one of them says."""

    def declared(entrant: int, rules: Rules) -> Declared:
        return declare(lambda: make(entrant), rules)

    return Lineup(make, declared)


def declare(make: Callable[[], AnyPlayer], rules: Rules) -> Declared:
    """Make a player and ask it what it declares for a game.

    Args:
        make: Makes it; it is thrown away afterwards.
        rules: Of the game.
    """
    try:
        player = make()
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 - an author's code; it fails again at a table
        return Undeclared(f"its constructor raises {type(error).__name__}")
    return declared_by(player, rules)
