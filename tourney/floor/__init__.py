"""When things happen: tables, dealers, levels and breaks on a simulated clock.

The only home of simpy. Knows no cards, chips or results: a block is how many
seats, rounds and shuffles it took, and its real results come from the workers.
"""

from tourney.floor.pace import Sitting
from tourney.floor.report import FloorReport, ResourceUse
from tourney.floor.room import Floor
from tourney.floor.words import duration_words

__all__ = ["Floor", "FloorReport", "ResourceUse", "Sitting", "duration_words"]
