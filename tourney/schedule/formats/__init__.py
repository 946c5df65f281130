"""Formats: who meets whom, how often, and who goes on."""

from tourney.schedule.formats.base import FaultCost, Format, Schedule
from tourney.schedule.formats.elimination import EliminationBlackjack
from tourney.schedule.formats.knockout import Knockout
from tourney.schedule.formats.match import Match
from tourney.schedule.formats.matches import Gauntlet, Ladder, RoundRobin, Swiss
from tourney.schedule.formats.multi_table import MultiTable
from tourney.schedule.formats.solo import Duplicate, Independent, Solo

FORMATS: dict[str, type[Format]] = {
    "duplicate": Duplicate,
    "independent": Independent,
    "match": Match,
    "knockout": Knockout,
    "elimination-blackjack": EliminationBlackjack,
    "multi-table": MultiTable,
    "roundrobin": RoundRobin,
    "gauntlet": Gauntlet,
    "swiss": Swiss,
    "ladder": Ladder,
}
"""The platform's own formats, by the name of their `kind`."""

__all__ = [
    "FORMATS",
    "Duplicate",
    "EliminationBlackjack",
    "FaultCost",
    "Format",
    "Gauntlet",
    "Independent",
    "Knockout",
    "Ladder",
    "Match",
    "MultiTable",
    "RoundRobin",
    "Schedule",
    "Solo",
    "Swiss",
]
