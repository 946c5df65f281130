"""The games: blackjack and Straights, each complete in its own folder.

Start with `blackjack.game` and `straights.game`, which list the features of a game; the rules of a
round are in `round`. No game imports another, and of the other rooms only `environments` and
`testing` import a game. The sandbox knows games by the lists below.
"""

__all__ = ["BATCH_MODULES", "PLAYER_METHODS", "PLAYER_MODULES"]

PLAYER_MODULES = (
    "tourney.games.blackjack.players",
    "tourney.games.blackjack.hand",
    "tourney.games.blackjack.action",
    "tourney.games.straights.player",
    "tourney.games.straights.declared_players",
)
"""Modules with the public names for players. A sandboxed process loads them, for any game."""
BATCH_MODULES = ("tourney.games.blackjack.players.questions",)
"""Those that need NumPy, too."""
PLAYER_METHODS = ("bet", "draw", "act", "play")
"""Methods of players. A class with one of them is meant as a player, whatever it inherits."""
