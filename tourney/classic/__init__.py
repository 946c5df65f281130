"""The original course programs, byte for byte, thin over the games."""

from tourney.classic.driver import Session, asked_at, made_by, play_session, read_cuts
from tourney.classic.straights_replay import StraightsReplay
from tourney.classic.transcript import Excerpt, Transcript

__all__ = [
    "Excerpt",
    "Session",
    "StraightsReplay",
    "Transcript",
    "asked_at",
    "made_by",
    "play_session",
    "read_cuts",
]
