"""Gymnasium ids of all installed games: `tourney/PRESET-v0`.

Importing this module registers them, and Gymnasium imports it for an id such as
`tourney.environments.ids:tourney/straights-v0`.
"""

import gymnasium

from tourney.games.blackjack.rules import BlackjackRules
from tourney.plugins.loading import installed_plugins


def register_games() -> tuple[str, ...]:
    """Register an id for the preset of every installed game, and return the ids.

    Blackjack is `BlackjackEnv`, also with many tables; any other game is `SeatEnv`.
    """
    ids = []
    for preset, game in installed_plugins().games.items():
        place, vector = "tourney.environments:SeatEnv", None
        if isinstance(game.rules, BlackjackRules):
            place = "tourney.environments:BlackjackEnv"
            vector = "tourney.environments:BlackjackVectorEnv"
        named = f"tourney/{preset}-v0"
        if named not in gymnasium.registry:
            gymnasium.register(
                named, entry_point=place, vector_entry_point=vector, kwargs={"game": preset}
            )
        ids.append(named)
    return tuple(ids)


IDS = register_games()
"""The registered ids."""
