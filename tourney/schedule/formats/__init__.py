"""Formats: who meets whom, how often, and who goes on.

Whoever writes a format of their own finds here all that it needs; docs/how-to/add-a-format.md.
"""

from typing import TYPE_CHECKING

from tourney.lazy import exports

if TYPE_CHECKING:
    from tourney.errors import FormatError
    from tourney.game.blocks import Batch, Block, TableState
    from tourney.game.ledger import BlockKey, BlockResult
    from tourney.game.rules import Rules
    from tourney.schedule.field import Field
    from tourney.schedule.formats.base import Event, FaultCost, Format, Happening, OnFault, Schedule
    from tourney.schedule.formats.builtin import FORMATS
    from tourney.schedule.formats.knockout import EliminationBlackjack, Knockout
    from tourney.schedule.formats.match import Match
    from tourney.schedule.formats.matches.gauntlet import Gauntlet
    from tourney.schedule.formats.matches.ladder import Ladder
    from tourney.schedule.formats.matches.roundrobin import RoundRobin
    from tourney.schedule.formats.matches.swiss import Swiss
    from tourney.schedule.formats.multi_table import MultiTable
    from tourney.schedule.formats.solo import Duplicate, Independent, Solo
    from tourney.standings.bounded import Bounds
    from tourney.standings.places import Finish, by_score
    from tourney.standings.standing import BANKROLL, FINISH, Measure
else:
    __getattr__ = exports(__name__)
