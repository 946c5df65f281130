"""The platform's own formats, by the name of their `kind`."""

from tourney.formats.base import Format
from tourney.formats.knockout import EliminationBlackjack, Knockout
from tourney.formats.match import Match
from tourney.formats.matches.gauntlet import Gauntlet
from tourney.formats.matches.ladder import Ladder
from tourney.formats.matches.roundrobin import RoundRobin
from tourney.formats.matches.swiss import Swiss
from tourney.formats.multi_table import MultiTable
from tourney.formats.solo import Duplicate, Independent

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
