"""Who meets whom: blocks, batches and the formats that draw them up. Pure."""

from typing import TYPE_CHECKING

from tourney.lazy import exports

if TYPE_CHECKING:
    from tourney.schedule.blocks import Batch, Block, RecordedFault, Seat, TableState
    from tourney.schedule.field import Field
    from tourney.schedule.formats import FORMATS, Format, Schedule
    from tourney.schedule.formats.base import Event, Happening, scoring_of
    from tourney.schedule.luck import why_luck_is_left, why_luck_stays
    from tourney.schedule.stages import staged
else:
    __getattr__ = exports(__name__)

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
