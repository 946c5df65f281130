"""Tournaments of card-game strategies: reproducible, crash-proof and fair.

A competitor needs one line: `from tourney import Player, Card, Hand, Rank, Suit`.
Names are imported at their first use, so that a player's process loads no more than the player's
contract.
"""

from importlib import import_module

TYPE_CHECKING = False  # like that of `typing`, which takes longer to import than this module
if TYPE_CHECKING:
    from tourney.errors import (
        ChartError as ChartError,
        DeckEmpty as DeckEmpty,
        TourneyError as TourneyError,
    )
    from tourney.game.cards.card import Card as Card, Rank as Rank, Suit as Suit
    from tourney.game.cards.deck import Deck as Deck
    from tourney.game.view import TableView as TableView
    from tourney.games.blackjack.action import Action as Action
    from tourney.games.blackjack.hand import Hand as Hand
    from tourney.games.blackjack.players import (
        ActPlayer as ActPlayer,
        BetLine as BetLine,
        BetRamp as BetRamp,
        ChartPlayer as ChartPlayer,
        CountingPlayer as CountingPlayer,
        CountSystem as CountSystem,
        DeviatingPlayer as DeviatingPlayer,
        InsuringPlayer as InsuringPlayer,
        Player as Player,
        chart_player as chart_player,
        deviates as deviates,
        pure as pure,
        read_chart as read_chart,
    )
    from tourney.games.blackjack.players.questions import (
        BatchPlayer as BatchPlayer,
        Call as Call,
        Questions as Questions,
    )
    from tourney.games.straights.declared_players import (
        PreferencePlayer as PreferencePlayer,
        WeighsDiscards as WeighsDiscards,
        WeighsPlays as WeighsPlays,
    )
    from tourney.games.straights.player import (
        StraightsPlayer as StraightsPlayer,
        StraightsView as StraightsView,
    )
    from tourney.plugins.hook_spec import hookimpl as hookimpl
    from tourney.research.check import (
        Checked as Checked,
        check as check,
        check_game as check_game,
        new_competitor as new_competitor,
    )
    from tourney.research.compare import Compared as Compared, compare as compare
    from tourney.research.equilibrium import (
        Equilibrium as Equilibrium,
        Exploited as Exploited,
        equilibrium as equilibrium,
        exploitability as exploitability,
    )
    from tourney.research.ev import Measured as Measured, Sweep as Sweep, ev as ev, sweep as sweep
    from tourney.research.inputs import load_rules as load_rules
    from tourney.research.mistakes import FoundMistakes as FoundMistakes, mistakes as mistakes
    from tourney.research.plan import Planned as Planned, plan as plan
    from tourney.research.solve import (
        Deviations as Deviations,
        Solved as Solved,
        deviations as deviations,
        solve as solve,
    )
    from tourney.research.stored_runs import (
        Replayed as Replayed,
        StoredRun as StoredRun,
        StoredRuns as StoredRuns,
        open_store as open_store,
        replay as replay,
    )
    from tourney.tournament.tournament import (
        TournamentResult as TournamentResult,
        play_tournament as play_tournament,
        resume_tournament as resume_tournament,
    )

_HOMES = {
    name: home
    for home, names in {
        "tourney.errors": "ChartError DeckEmpty TourneyError",
        "tourney.game.cards.card": "Card Rank Suit",
        "tourney.game.cards.deck": "Deck",
        "tourney.game.view": "TableView",
        "tourney.games.blackjack.action": "Action",
        "tourney.games.blackjack.hand": "Hand",
        "tourney.games.blackjack.players": (
            "ActPlayer BetLine BetRamp ChartPlayer CountSystem CountingPlayer DeviatingPlayer "
            "InsuringPlayer Player chart_player deviates pure read_chart"
        ),
        "tourney.games.blackjack.players.questions": "BatchPlayer Call Questions",
        "tourney.games.straights.declared_players": "PreferencePlayer WeighsDiscards WeighsPlays",
        "tourney.games.straights.player": "StraightsPlayer StraightsView",
        "tourney.plugins.hook_spec": "hookimpl",
        "tourney.research.check": "Checked check check_game new_competitor",
        "tourney.research.compare": "Compared compare",
        "tourney.research.equilibrium": "Equilibrium Exploited equilibrium exploitability",
        "tourney.research.ev": "Measured Sweep ev sweep",
        "tourney.research.inputs": "load_rules",
        "tourney.research.mistakes": "FoundMistakes mistakes",
        "tourney.research.plan": "Planned plan",
        "tourney.research.solve": "Deviations Solved deviations solve",
        "tourney.research.stored_runs": "Replayed StoredRun StoredRuns open_store replay",
        "tourney.tournament.tournament": "TournamentResult play_tournament resume_tournament",
    }.items()
    for name in names.split()
}
"""The module of each public name."""

__all__ = list(_HOMES)


def __getattr__(name: str) -> object:
    """Import a public name from its home."""
    if home := _HOMES.get(name):
        return getattr(import_module(home), name)
    raise AttributeError(f"module 'tourney' has no attribute {name!r}")


def __dir__() -> list[str]:
    """List the public names."""
    return sorted(__all__)
