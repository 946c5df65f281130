"""Tournaments of card-game strategies: reproducible, crash-proof and fair.

A competitor needs one line: `from tourney import Player, Card, Hand, Rank, Suit`.
Names are imported when they are asked for, so that a player's process loads no more than
the player's contract.
"""

from importlib import import_module

TYPE_CHECKING = False  # as `typing` says, which takes longer to import than all of this
if TYPE_CHECKING:
    from tourney.entrants import hookimpl
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
    from tourney.research import (
        Checked,
        Compared,
        Deviations,
        Measured,
        Planned,
        Replayed,
        Solved,
        StoredRun,
        StoredRuns,
        Sweep,
        check,
        check_game,
        compare,
        deviations,
        ev,
        load_rules,
        new_competitor,
        open_store,
        plan,
        replay,
        solve,
        sweep,
    )

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
    "Checked": "tourney.research",
    "Compared": "tourney.research",
    "Deviations": "tourney.research",
    "Measured": "tourney.research",
    "Planned": "tourney.research",
    "Replayed": "tourney.research",
    "Solved": "tourney.research",
    "StoredRun": "tourney.research",
    "StoredRuns": "tourney.research",
    "Sweep": "tourney.research",
    "check": "tourney.research",
    "check_game": "tourney.research",
    "compare": "tourney.research",
    "deviations": "tourney.research",
    "ev": "tourney.research",
    "load_rules": "tourney.research",
    "new_competitor": "tourney.research",
    "open_store": "tourney.research",
    "plan": "tourney.research",
    "replay": "tourney.research",
    "solve": "tourney.research",
    "sweep": "tourney.research",
    "hookimpl": "tourney.entrants",
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
