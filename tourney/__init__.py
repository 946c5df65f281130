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
    from tourney.errors import ChartError, DeckEmpty, TourneyError
    from tourney.games.blackjack.action import Action
    from tourney.games.blackjack.hand import Hand
    from tourney.games.straights.view import StraightsView
    from tourney.players import (
        ActPlayer,
        BetLine,
        BetRamp,
        ChartPlayer,
        CountingPlayer,
        CountSystem,
        InsuringPlayer,
        Player,
        PreferencePlayer,
        StraightsPlayer,
        TableView,
        WeighsDiscards,
        WeighsPlays,
        chart_player,
        deviates,
        pure,
        read_chart,
    )
    from tourney.players.batch import BatchPlayer
    from tourney.players.questions import Call, Questions
    from tourney.plugins import hookimpl
    from tourney.tournament import TournamentResult, play_tournament, resume_tournament

_HOMES = {
    "ActPlayer": "tourney.players",
    "Action": "tourney.games.blackjack.action",
    "BatchPlayer": "tourney.players.batch",
    "BetLine": "tourney.players",
    "BetRamp": "tourney.players",
    "Call": "tourney.players.questions",
    "Card": "tourney.cards.card",
    "ChartError": "tourney.errors",
    "ChartPlayer": "tourney.players",
    "CountSystem": "tourney.players",
    "CountingPlayer": "tourney.players",
    "InsuringPlayer": "tourney.players",
    "Deck": "tourney.cards.deck",
    "DeckEmpty": "tourney.errors",
    "Hand": "tourney.games.blackjack.hand",
    "Player": "tourney.players",
    "PreferencePlayer": "tourney.players",
    "Questions": "tourney.players.questions",
    "Rank": "tourney.cards.card",
    "StraightsPlayer": "tourney.players",
    "StraightsView": "tourney.games.straights.view",
    "Suit": "tourney.cards.card",
    "TableView": "tourney.players",
    "TournamentResult": "tourney.tournament",
    "TourneyError": "tourney.errors",
    "WeighsDiscards": "tourney.players",
    "WeighsPlays": "tourney.players",
    "chart_player": "tourney.players",
    "deviates": "tourney.players",
    "hookimpl": "tourney.plugins",
    "play_tournament": "tourney.tournament",
    "pure": "tourney.players",
    "read_chart": "tourney.players",
    "resume_tournament": "tourney.tournament",
}

__all__ = [
    "ActPlayer",
    "Action",
    "BatchPlayer",
    "BetLine",
    "BetRamp",
    "Call",
    "Card",
    "ChartError",
    "ChartPlayer",
    "CountSystem",
    "CountingPlayer",
    "Deck",
    "DeckEmpty",
    "Hand",
    "InsuringPlayer",
    "Player",
    "PreferencePlayer",
    "Questions",
    "Rank",
    "StraightsPlayer",
    "StraightsView",
    "Suit",
    "TableView",
    "TournamentResult",
    "TourneyError",
    "WeighsDiscards",
    "WeighsPlays",
    "chart_player",
    "deviates",
    "hookimpl",
    "play_tournament",
    "pure",
    "read_chart",
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
