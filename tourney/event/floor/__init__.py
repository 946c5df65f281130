"""When things happen: tables, dealers, levels and breaks on a simulated clock.

The only home of simpy. Knows no cards, chips or results: a block is how many
seats, rounds and shuffles it took, and its real results come from the workers.
"""

from typing import TYPE_CHECKING

from tourney.lazy import exports

if TYPE_CHECKING:
    from tourney.event.floor.account import (
        PERCENTILES,
        Account,
        DealerSeconds,
        ResourceAccount,
        Spread,
    )
    from tourney.event.floor.log import Log
    from tourney.event.floor.pace import Sitting, is_drawn
    from tourney.event.floor.report import FloorReport, ResourceUse
    from tourney.event.floor.room import Floor
    from tourney.event.floor.streams import Streams
    from tourney.event.floor.timetable import Moment, duration_words, time_words, timetable
else:
    __getattr__ = exports(__name__)
