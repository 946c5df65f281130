"""Who meets whom: blocks, batches and the formats that draw them up. Pure."""

from tourney.schedule.blocks import Batch, Block, RecordedFault, Seat, TableState
from tourney.schedule.field import Field
from tourney.schedule.formats import FORMATS, Format, Schedule
from tourney.schedule.formats.base import Event, Happening, scoring_of
from tourney.schedule.luck import why_luck_is_left, why_luck_stays
from tourney.schedule.stages import staged

__all__ = [
    "FORMATS",
    "Batch",
    "Block",
    "Event",
    "Field",
    "Format",
    "Happening",
    "RecordedFault",
    "Schedule",
    "Seat",
    "TableState",
    "scoring_of",
    "staged",
    "why_luck_is_left",
    "why_luck_stays",
]
