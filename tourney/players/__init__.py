"""Who decides: the contracts of players, charts, and what players may see."""

from tourney.game.accelerators import Undeclared
from tourney.players.base import BasePlayer, give_luck
from tourney.players.chart import Chart, ChartPlayer
from tourney.players.chart_text import chart_player, load_chart, read_chart, write_chart
from tourney.players.contracts import (
    AnyPlayer,
    contract_name,
    contract_of,
    contracts,
    game_of,
)
from tourney.players.declared import (
    BetLine,
    BetRamp,
    CountingPlayer,
    CountSystem,
    InsuringPlayer,
    deviates,
    pure,
)
from tourney.players.declares import Declared, declared_by
from tourney.players.declaring import declaration_of
from tourney.players.player import ActPlayer, Player, acts, sit_down, watches_cards
from tourney.players.straights import StraightsPlayer
from tourney.players.straights_declared import (
    PreferencePlayer,
    WeighsDiscards,
    WeighsPlays,
    straights_declaration_of,
)
from tourney.players.view import TableView

__all__ = [
    "ActPlayer",
    "AnyPlayer",
    "BasePlayer",
    "BetLine",
    "BetRamp",
    "Chart",
    "ChartPlayer",
    "CountSystem",
    "CountingPlayer",
    "Declared",
    "InsuringPlayer",
    "Player",
    "PreferencePlayer",
    "StraightsPlayer",
    "TableView",
    "Undeclared",
    "WeighsDiscards",
    "WeighsPlays",
    "acts",
    "chart_player",
    "contract_name",
    "contract_of",
    "contracts",
    "declaration_of",
    "declared_by",
    "deviates",
    "game_of",
    "give_luck",
    "load_chart",
    "pure",
    "read_chart",
    "sit_down",
    "straights_declaration_of",
    "watches_cards",
    "write_chart",
]
