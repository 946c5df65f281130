"""What the rules allow: games as pure states, without clock, players or randomness."""

from tourney.games.base import Rules

__all__ = ["Rules"]
