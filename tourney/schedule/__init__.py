"""Who meets whom: blocks, batches and the formats that draw them up. Pure."""

from tourney.schedule.blocks import Batch, Block, Seat
from tourney.schedule.field import Field
from tourney.schedule.formats import FORMATS, Format, Schedule

__all__ = ["FORMATS", "Batch", "Block", "Field", "Format", "Schedule", "Seat"]
