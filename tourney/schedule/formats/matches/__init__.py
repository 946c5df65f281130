"""Formats in which entrants meet in matches, and whoever has more at the end has won.

The rules are numbered in docs/rules/matches.md and on a page for each of the formats.
"""

from tourney.schedule.formats.matches.gauntlet import Gauntlet
from tourney.schedule.formats.matches.ladder import Ladder
from tourney.schedule.formats.matches.roundrobin import RoundRobin
from tourney.schedule.formats.matches.swiss import Swiss

__all__ = ["Gauntlet", "Ladder", "RoundRobin", "Swiss"]
