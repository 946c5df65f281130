"""Who decides: the contracts of players, charts, and what players may see."""

from tourney.players.base import BasePlayer, give_luck
from tourney.players.chart import Chart, ChartPlayer
from tourney.players.chart_text import chart_player, load_chart, read_chart, write_chart
from tourney.players.contracts import CONTRACTS, AnyPlayer, contract_of
from tourney.players.player import ActPlayer, Player, acts, sit_down, watches_cards
from tourney.players.straights import StraightsPlayer
from tourney.players.view import TableView

__all__ = [
    "CONTRACTS",
    "ActPlayer",
    "AnyPlayer",
    "BasePlayer",
    "Chart",
    "ChartPlayer",
    "Player",
    "StraightsPlayer",
    "TableView",
    "acts",
    "chart_player",
    "contract_of",
    "give_luck",
    "load_chart",
    "read_chart",
    "sit_down",
    "watches_cards",
    "write_chart",
]
