"""Who decides: the contracts of players and what they may see."""

from tourney.players.player import Player, sit_down, watches_cards
from tourney.players.view import TableView

__all__ = ["Player", "TableView", "sit_down", "watches_cards"]
