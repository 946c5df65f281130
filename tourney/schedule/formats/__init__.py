"""Formats: who meets whom, how often, and who goes on."""

from tourney.schedule.formats.base import FaultCost, Format, Schedule
from tourney.schedule.formats.match import Match
from tourney.schedule.formats.solo import Duplicate, Independent

FORMATS: dict[str, type[Format]] = {
    "duplicate": Duplicate,
    "independent": Independent,
    "match": Match,
}
"""The platform's own formats, by the name of their `kind`."""

__all__ = ["FORMATS", "Duplicate", "FaultCost", "Format", "Independent", "Match", "Schedule"]
