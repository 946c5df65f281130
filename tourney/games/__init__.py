"""What the rules allow: games as pure states, without clock, players or randomness."""

__all__ = ["Rules"]
