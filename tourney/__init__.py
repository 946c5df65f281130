"""Tournaments of card-game strategies: reproducible, crash-proof and fair.

A competitor needs one line: `from tourney import Player, Card, Hand, Rank, Suit`.
Names are imported at their first use, so that a player's process loads no more than the player's
contract.
"""

from importlib import import_module

TYPE_CHECKING = False  # like that of `typing`, which takes longer to import than this module
if TYPE_CHECKING:
    from tourney.errors import ChartError, DeckEmpty, TourneyError
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
    from tourney.games.blackjack.players.questions import BatchPlayer, Call, Questions
    from tourney.games.straights.declared_players import (
        PreferencePlayer,
        WeighsDiscards,
        WeighsPlays,
    )
    from tourney.games.straights.player import StraightsPlayer, StraightsView
    from tourney.plugins.hook_spec import hookimpl
    from tourney.research.check import Checked, check, check_game, new_competitor
    from tourney.research.compare import Compared, compare
    from tourney.research.equilibrium import (
        Equilibrium,
        Exploited,
        equilibrium,
        exploitability,
    )
    from tourney.research.ev import Measured, Sweep, ev, sweep
    from tourney.research.inputs import load_rules
    from tourney.research.mistakes import FoundMistakes, mistakes
    from tourney.research.plan import Planned, plan
    from tourney.research.solve import Deviations, Solved, deviations, solve
    from tourney.research.stored_runs import Replayed, StoredRun, StoredRuns, open_store, replay
    from tourney.tournament.tournament import TournamentResult, play_tournament, resume_tournament

_HOMES = {
    "ActPlayer": "tourney.games.blackjack.players",
    "Action": "tourney.games.blackjack.action",
    "BatchPlayer": "tourney.games.blackjack.players.questions",
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
    "PreferencePlayer": "tourney.games.straights.declared_players",
    "Questions": "tourney.games.blackjack.players.questions",
    "Rank": "tourney.game.cards.card",
    "StraightsPlayer": "tourney.games.straights.player",
    "StraightsView": "tourney.games.straights.player",
    "Suit": "tourney.game.cards.card",
    "TableView": "tourney.game.view",
    "TournamentResult": "tourney.tournament.tournament",
    "TourneyError": "tourney.errors",
    "WeighsDiscards": "tourney.games.straights.declared_players",
    "WeighsPlays": "tourney.games.straights.declared_players",
    "chart_player": "tourney.games.blackjack.players",
    "deviates": "tourney.games.blackjack.players",
    "Checked": "tourney.research.check",
    "Compared": "tourney.research.compare",
    "Deviations": "tourney.research.solve",
    "Equilibrium": "tourney.research.equilibrium",
    "Exploited": "tourney.research.equilibrium",
    "FoundMistakes": "tourney.research.mistakes",
    "Measured": "tourney.research.ev",
    "Planned": "tourney.research.plan",
    "Replayed": "tourney.research.stored_runs",
    "Solved": "tourney.research.solve",
    "StoredRun": "tourney.research.stored_runs",
    "StoredRuns": "tourney.research.stored_runs",
    "Sweep": "tourney.research.ev",
    "check": "tourney.research.check",
    "check_game": "tourney.research.check",
    "compare": "tourney.research.compare",
    "deviations": "tourney.research.solve",
    "equilibrium": "tourney.research.equilibrium",
    "ev": "tourney.research.ev",
    "exploitability": "tourney.research.equilibrium",
    "load_rules": "tourney.research.inputs",
    "mistakes": "tourney.research.mistakes",
    "new_competitor": "tourney.research.check",
    "open_store": "tourney.research.stored_runs",
    "plan": "tourney.research.plan",
    "replay": "tourney.research.stored_runs",
    "solve": "tourney.research.solve",
    "sweep": "tourney.research.ev",
    "hookimpl": "tourney.plugins.hook_spec",
    "play_tournament": "tourney.tournament.tournament",
    "pure": "tourney.games.blackjack.players",
    "read_chart": "tourney.games.blackjack.players",
    "resume_tournament": "tourney.tournament.tournament",
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
    "Equilibrium",
    "Exploited",
    "FoundMistakes",
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
    "equilibrium",
    "ev",
    "exploitability",
    "hookimpl",
    "load_rules",
    "mistakes",
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
