"""The original course programs, byte for byte, thin over the games."""

from tourney.classic.driver import Session, play_session, read_cuts
from tourney.classic.straights_replay import StraightsReplay
from tourney.classic.transcript import Excerpt, Transcript

__all__ = ["Excerpt", "Session", "StraightsReplay", "Transcript", "play_session", "read_cuts"]
