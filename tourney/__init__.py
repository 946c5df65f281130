"""Tournaments of card-game strategies: reproducible, crash-proof and fair.

A competitor needs one line: `from tourney import Player, Card, Hand, Rank, Suit`.
Names are imported when they are asked for, so that a player's process loads no more than
the player's contract.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tourney.cards.card import Card, Rank, Suit
    from tourney.cards.deck import Deck
    from tourney.errors import DeckEmpty, TourneyError
    from tourney.games.blackjack.action import Action
    from tourney.games.blackjack.hand import Hand
    from tourney.players import ActPlayer, Player, TableView
    from tourney.plugins import hookimpl
    from tourney.tournament import TournamentResult, play_tournament, resume_tournament

_HOMES = {
    "ActPlayer": "tourney.players",
    "Action": "tourney.games.blackjack.action",
    "Card": "tourney.cards.card",
    "Deck": "tourney.cards.deck",
    "DeckEmpty": "tourney.errors",
    "Hand": "tourney.games.blackjack.hand",
    "Player": "tourney.players",
    "Rank": "tourney.cards.card",
    "Suit": "tourney.cards.card",
    "TableView": "tourney.players",
    "TournamentResult": "tourney.tournament",
    "TourneyError": "tourney.errors",
    "hookimpl": "tourney.plugins",
    "play_tournament": "tourney.tournament",
    "resume_tournament": "tourney.tournament",
}

__all__ = [
    "ActPlayer",
    "Action",
    "Card",
    "Deck",
    "DeckEmpty",
    "Hand",
    "Player",
    "Rank",
    "Suit",
    "TableView",
    "TournamentResult",
    "TourneyError",
    "hookimpl",
    "play_tournament",
    "resume_tournament",
]


def __getattr__(name: str) -> object:
    """Import a public name from its home."""
    if home := _HOMES.get(name):
        return getattr(import_module(home), name)
    raise AttributeError(f"module 'tourney' has no attribute {name!r}")


def __dir__() -> list[str]:
    """List the public names."""
    return sorted(__all__)
