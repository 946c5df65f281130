"""What the rules allow: games as pure states, without clock, players or randomness."""

from tourney.games.base import Rules, State

__all__ = ["Rules", "State"]
