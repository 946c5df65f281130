"""Tournament formats: which entrants meet, how often, and which of them advance.

Start with `base`, the interface of a format. `solo`, `knockout`, `matches` and `multi_table` hold
the built-in formats. A format sees entrants as numbers and depends on no game.

This package exports every name that a new format needs; see docs/how-to/add-a-format.md.
"""

from typing import TYPE_CHECKING

from tourney.lazy import exports

if TYPE_CHECKING:
    from tourney.errors import FormatError
    from tourney.formats.base import Event, FaultCost, Format, Happening, OnFault, Schedule
    from tourney.formats.field import Field
    from tourney.formats.knockout import EliminationBlackjack, Knockout
    from tourney.formats.match import Match
    from tourney.formats.matches.gauntlet import Gauntlet
    from tourney.formats.matches.ladder import Ladder
    from tourney.formats.matches.roundrobin import RoundRobin
    from tourney.formats.matches.swiss import Swiss
    from tourney.formats.matches.table import PairwiseResults
    from tourney.formats.multi_table import MultiTable
    from tourney.formats.solo import Duplicate, Independent, Solo
    from tourney.game.blocks import Batch, Block, TableState
    from tourney.game.ledger import BlockKey, BlockResult
    from tourney.game.rules import Rules
    from tourney.standings.bounded_differences import Bounds
    from tourney.standings.places import Finish, by_score
    from tourney.standings.standing import BANKROLL, FINISH, Measure
else:
    __getattr__ = exports(__name__)
