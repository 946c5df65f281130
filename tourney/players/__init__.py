"""Who decides: the contracts of players and what they may see."""

from tourney.players.player import ActPlayer, Player, acts, sit_down, watches_cards
from tourney.players.view import TableView

__all__ = ["ActPlayer", "Player", "TableView", "acts", "sit_down", "watches_cards"]
