"""Who meets whom: blocks, batches and the formats that draw them up. Pure."""

from typing import TYPE_CHECKING

from tourney.lazy import exports

if TYPE_CHECKING:
    from tourney.schedule.checked import schedule_of
    from tourney.schedule.field import Field
    from tourney.schedule.formats import FORMATS, Format, Schedule
    from tourney.schedule.formats.base import Event, Happening, scoring_of
    from tourney.schedule.luck import why_luck_is_left, why_luck_stays
    from tourney.schedule.stages import is_of_plugins, staged
else:
    __getattr__ = exports(__name__)
