"""Tournament formats: which entrants meet, how often, and which of them advance.

Start with `base`, the interface of a format. `solo`, `knockout`, `matches` and `multi_table` hold
the built-in formats. A format sees entrants as numbers and depends on no game.

This package exports every name that a new format needs; see docs/how-to/add-a-format.md.
"""

from typing import TYPE_CHECKING

from tourney.lazy import exports

if TYPE_CHECKING:
    from tourney.errors import FormatError as FormatError
    from tourney.formats.base import (
        Event as Event,
        FaultCost as FaultCost,
        Format as Format,
        Happening as Happening,
        OnFault as OnFault,
        Schedule as Schedule,
    )
    from tourney.formats.field import Field as Field
    from tourney.formats.knockout import (
        EliminationBlackjack as EliminationBlackjack,
        Knockout as Knockout,
    )
    from tourney.formats.match import Match as Match
    from tourney.formats.matches.gauntlet import Gauntlet as Gauntlet
    from tourney.formats.matches.ladder import Ladder as Ladder
    from tourney.formats.matches.roundrobin import RoundRobin as RoundRobin
    from tourney.formats.matches.swiss import Swiss as Swiss
    from tourney.formats.matches.table import PairwiseResults as PairwiseResults
    from tourney.formats.multi_table.schedule import MultiTable as MultiTable
    from tourney.formats.solo import (
        Duplicate as Duplicate,
        Independent as Independent,
        Solo as Solo,
    )
    from tourney.game.blocks import Batch as Batch, Block as Block, TableState as TableState
    from tourney.game.ledger import BlockKey as BlockKey, BlockResult as BlockResult
    from tourney.game.rules import Rules as Rules
    from tourney.standings.bounded_differences import Bounds as Bounds
    from tourney.standings.places import Finish as Finish, by_score as by_score
    from tourney.standings.standing import (
        BANKROLL as BANKROLL,
        FINISH as FINISH,
        Measure as Measure,
    )
else:
    __getattr__ = exports(__name__)
