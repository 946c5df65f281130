"""The public state of a table, apart from the cards."""

from typing import NamedTuple


class TableView(NamedTuple):
    """The public state of a table when a player looks; chips are whole."""

    seat: int  # the player's place, from 0, in order of play
    minimum: int  # least wager
    maximum: int  # greatest wager
    rounds_left: int  # most rounds of the heat still to be dealt, this one included
    bankrolls: tuple[int, ...]  # of every seat, without the chips already wagered
    wagers: tuple[int, ...]  # of every seat in this round; 0 if not placed, or not shown, yet
    button: int = 0  # the seat that wagers, and plays, first in this round
    level: int = 1  # of the tournament's clock
    advance: int = 0  # players of this table that advance; 0 if the table decides no places
