"""Formats: who meets whom, how often, and who goes on.

Whoever writes a format of their own finds here all that it needs; docs/how-to/add-a-format.md.
"""

from tourney.errors import FormatError
from tourney.game.blocks import Batch, Block, TableState
from tourney.game.ledger import BlockKey, BlockResult
from tourney.game.rules import Rules
from tourney.schedule.field import Field
from tourney.schedule.formats.base import Event, FaultCost, Format, Happening, OnFault, Schedule
from tourney.schedule.formats.knockout import EliminationBlackjack, Knockout
from tourney.schedule.formats.match import Match
from tourney.schedule.formats.matches import Gauntlet, Ladder, RoundRobin, Swiss
from tourney.schedule.formats.multi_table import MultiTable
from tourney.schedule.formats.solo import Duplicate, Independent, Solo
from tourney.standings.bounded import Bounds
from tourney.standings.places import Finish, by_score
from tourney.standings.standing import BANKROLL, FINISH, Measure

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
    "BANKROLL",
    "FINISH",
    "FORMATS",
    "Batch",
    "Block",
    "BlockKey",
    "BlockResult",
    "Bounds",
    "Duplicate",
    "EliminationBlackjack",
    "Event",
    "FaultCost",
    "Field",
    "Finish",
    "Format",
    "FormatError",
    "Gauntlet",
    "Happening",
    "Independent",
    "Knockout",
    "Ladder",
    "Match",
    "Measure",
    "MultiTable",
    "OnFault",
    "RoundRobin",
    "Rules",
    "Schedule",
    "Solo",
    "Swiss",
    "TableState",
    "by_score",
]
