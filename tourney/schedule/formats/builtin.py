"""The platform's own formats, by the name of their `kind`."""

from tourney.schedule.formats.base import Format
from tourney.schedule.formats.knockout import EliminationBlackjack, Knockout
from tourney.schedule.formats.match import Match
from tourney.schedule.formats.matches.gauntlet import Gauntlet
from tourney.schedule.formats.matches.ladder import Ladder
from tourney.schedule.formats.matches.roundrobin import RoundRobin
from tourney.schedule.formats.matches.swiss import Swiss
from tourney.schedule.formats.multi_table import MultiTable
from tourney.schedule.formats.solo import Duplicate, Independent

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
