"""What a seat may see of its table besides cards."""

from typing import NamedTuple


class TableView(NamedTuple):
    """The public state of a table, current when a player looks; chips are whole."""

    seat: int  # the player's own place, from 0, in order of play
    minimum: int  # least wager
    maximum: int  # greatest wager
    rounds_left: int  # rounds of the heat still to be dealt at most, this one included
    bankrolls: tuple[int, ...]  # of every seat, chips behind
    wagers: tuple[int, ...]  # of every seat in this round; 0 if not placed, or not shown, yet
    button: int = 0  # the seat that wagers, and plays, first in this round
    level: int = 1  # of the tournament's clock
    advance: int = 0  # places of this table that go on; 0 where it decides nobody's place
