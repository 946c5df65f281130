"""What a format decides between two waves, for those who watch and for the floor's clock."""

from enum import StrEnum
from typing import NamedTuple


class Event(StrEnum):
    """Kinds of what happens at a tournament, besides hands."""

    SEAT = "seat"  # somebody sits down for the first time
    MOVE = "move"  # somebody changes tables
    LEVEL = "level"  # a level begins; the value is its minimum
    OUT = "out"  # somebody is out; the value is the place, 0 if it is not known yet
    REBUY = "rebuy"  # somebody buys chips again; the value is how many
    ADDON = "add-on"  # somebody buys chips on top; the value is how many
    BREAK_TABLE = "break table"  # a table closes
    FINAL_TABLE = "final table"  # all who are left sit at one table
    ADVANCE = "advance"  # somebody goes on to the next round or stage
    BYE = "bye"  # somebody goes on without playing
    # Not decided by formats, but seen by whoever follows them:
    BREAK = "break"  # all tables rest; the value is how many breaks there have been
    VERDICT = "verdict"  # a competitor failed for the first time; the value is the round


class Happening(NamedTuple):
    """Something that a format decided between two waves."""

    event: Event
    entrant: int = -1  # by the field's numbers; -1 if it is about nobody
    table: int = -1  # -1 if it is about none
    value: int = 0
