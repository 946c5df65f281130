"""Stopping early: at a look the board so far decides whether more tables are played.

A look sees whole waves only, and nothing but their results; so whoever plays, and in whatever
order, a run stops at the same look, and so does one that was interrupted.
"""

from itertools import pairwise

from tourney.formats.field import Field
from tourney.game.ledger import BlockResult
from tourney.standings.confidence import is_told_apart
from tourney.standings.fold import rank
from tourney.standings.standing import EntrantLabel
from tourney.standings.tallies import Count, Scoring


class Stopping:
    """Takes in results, and says at every look whether they are enough."""

    def __init__(self, field: Field, scoring: Scoring, tables: int) -> None:
        """Begin.

        Args:
            field: Who plays.
            scoring: How results count, and when to look; without looks all tables are played.
            tables: How many there are at most.
        """
        self._scoring = scoring
        self._count = Count(field.entrants, scoring)
        self._labels = [EntrantLabel(str(number), "") for number in range(field.entrants)]
        ends = scoring.looks or (tables,)
        self.parts = tuple(range(*each) for each in pairwise((0, *ends)))
        """The tables that are played before each look."""

    def take(self, result: BlockResult) -> None:
        """Take in a result, if anybody is going to look at it."""
        if self._scoring.looks:
            self._count.take(result)

    def is_over(self) -> bool:
        """Say, after a look's last wave, whether more tables would tell nothing."""
        if not self._scoring.looks:
            return False
        return is_told_apart(rank(self._count.tallies, self._labels, self._scoring))
