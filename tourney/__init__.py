"""Tournaments of card-game strategies: reproducible, crash-proof and fair.

A competitor needs one line: `from tourney import Player, Card, Hand, Rank, Suit`.
Names are imported when they are asked for, so that a player's process loads no more than
the player's contract.
"""

from importlib import import_module

TYPE_CHECKING = False  # as `typing` says, which takes longer to import than all of this
if TYPE_CHECKING:
    from tourney.entrants.spec import hookimpl
    from tourney.errors import ChartError, DeckEmpty, TourneyError
    from tourney.event.tournament import TournamentResult, play_tournament, resume_tournament
    from tourney.game.cards.card import Card, Rank, Suit
    from tourney.game.cards.deck import Deck
    from tourney.game.view import TableView
    from tourney.games.blackjack.action import Action
    from tourney.games.blackjack.hand import Hand
    from tourney.games.blackjack.players import (
        ActPlayer,
        BetLine,
        BetRamp,
        ChartPlayer,
        CountingPlayer,
        CountSystem,
        DeviatingPlayer,
        InsuringPlayer,
        Player,
        chart_player,
        deviates,
        pure,
        read_chart,
    )
    from tourney.games.blackjack.players.batch import BatchPlayer
    from tourney.games.blackjack.players.questions import Call, Questions
    from tourney.games.straights.declared import PreferencePlayer, WeighsDiscards, WeighsPlays
    from tourney.games.straights.player import StraightsPlayer
    from tourney.games.straights.view import StraightsView
    from tourney.research.asked import load_rules
    from tourney.research.checked import Checked, check, check_game, new_competitor
    from tourney.research.compared import Compared, compare
    from tourney.research.measured import Measured, Sweep, ev, sweep
    from tourney.research.planned import Planned, plan
    from tourney.research.solved import Deviations, Solved, deviations, solve
    from tourney.research.stored import Replayed, StoredRun, StoredRuns, open_store, replay

_HOMES = {
    "ActPlayer": "tourney.games.blackjack.players",
    "Action": "tourney.games.blackjack.action",
    "BatchPlayer": "tourney.games.blackjack.players.batch",
    "BetLine": "tourney.games.blackjack.players",
    "BetRamp": "tourney.games.blackjack.players",
    "Call": "tourney.games.blackjack.players.questions",
    "Card": "tourney.game.cards.card",
    "ChartError": "tourney.errors",
    "ChartPlayer": "tourney.games.blackjack.players",
    "CountSystem": "tourney.games.blackjack.players",
    "CountingPlayer": "tourney.games.blackjack.players",
    "DeviatingPlayer": "tourney.games.blackjack.players",
    "InsuringPlayer": "tourney.games.blackjack.players",
    "Deck": "tourney.game.cards.deck",
    "DeckEmpty": "tourney.errors",
    "Hand": "tourney.games.blackjack.hand",
    "Player": "tourney.games.blackjack.players",
    "PreferencePlayer": "tourney.games.straights.declared",
    "Questions": "tourney.games.blackjack.players.questions",
    "Rank": "tourney.game.cards.card",
    "StraightsPlayer": "tourney.games.straights.player",
    "StraightsView": "tourney.games.straights.view",
    "Suit": "tourney.game.cards.card",
    "TableView": "tourney.game.view",
    "TournamentResult": "tourney.event.tournament",
    "TourneyError": "tourney.errors",
    "WeighsDiscards": "tourney.games.straights.declared",
    "WeighsPlays": "tourney.games.straights.declared",
    "chart_player": "tourney.games.blackjack.players",
    "deviates": "tourney.games.blackjack.players",
    "Checked": "tourney.research.checked",
    "Compared": "tourney.research.compared",
    "Deviations": "tourney.research.solved",
    "Measured": "tourney.research.measured",
    "Planned": "tourney.research.planned",
    "Replayed": "tourney.research.stored",
    "Solved": "tourney.research.solved",
    "StoredRun": "tourney.research.stored",
    "StoredRuns": "tourney.research.stored",
    "Sweep": "tourney.research.measured",
    "check": "tourney.research.checked",
    "check_game": "tourney.research.checked",
    "compare": "tourney.research.compared",
    "deviations": "tourney.research.solved",
    "ev": "tourney.research.measured",
    "load_rules": "tourney.research.asked",
    "new_competitor": "tourney.research.checked",
    "open_store": "tourney.research.stored",
    "plan": "tourney.research.planned",
    "replay": "tourney.research.stored",
    "solve": "tourney.research.solved",
    "sweep": "tourney.research.measured",
    "hookimpl": "tourney.entrants.spec",
    "play_tournament": "tourney.event.tournament",
    "pure": "tourney.games.blackjack.players",
    "read_chart": "tourney.games.blackjack.players",
    "resume_tournament": "tourney.event.tournament",
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
    "Checked",
    "Compared",
    "CountSystem",
    "CountingPlayer",
    "Deck",
    "DeckEmpty",
    "DeviatingPlayer",
    "Deviations",
    "Hand",
    "InsuringPlayer",
    "Measured",
    "Planned",
    "Player",
    "PreferencePlayer",
    "Questions",
    "Rank",
    "Replayed",
    "Solved",
    "StoredRun",
    "StoredRuns",
    "StraightsPlayer",
    "StraightsView",
    "Suit",
    "Sweep",
    "TableView",
    "TournamentResult",
    "TourneyError",
    "WeighsDiscards",
    "WeighsPlays",
    "chart_player",
    "check",
    "check_game",
    "compare",
    "deviates",
    "deviations",
    "ev",
    "hookimpl",
    "load_rules",
    "new_competitor",
    "open_store",
    "plan",
    "play_tournament",
    "pure",
    "read_chart",
    "replay",
    "resume_tournament",
    "solve",
    "sweep",
]


def __getattr__(name: str) -> object:
    """Import a public name from its home."""
    if home := _HOMES.get(name):
        return getattr(import_module(home), name)
    raise AttributeError(f"module 'tourney' has no attribute {name!r}")


def __dir__() -> list[str]:
    """List the public names."""
    return sorted(__all__)
