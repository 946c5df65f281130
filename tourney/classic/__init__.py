"""The original course programs, byte for byte, thin over the games."""

from tourney.classic.driver import Session, play_session, read_cuts
from tourney.classic.transcript import Transcript

__all__ = ["Session", "Transcript", "play_session", "read_cuts"]
