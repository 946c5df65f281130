"""What a seat may see of its table besides cards."""

from typing import NamedTuple


class TableView(NamedTuple):
    """The public state of a table, current when a player looks; chips are whole."""

    seat: int  # the player's own place, from 0, in order of play
    minimum: int  # least wager
    maximum: int  # greatest wager
    rounds_left: int  # rounds the table will still deal at most, this one included
    bankrolls: tuple[int, ...]  # of every seat, chips behind
    wagers: tuple[int, ...]  # of every seat in this round; 0 if not placed yet
