"""Early stopping: at interim analyses the board decides whether more tables are played.

An analysis uses whole waves and only their results. A run therefore stops at the same analysis on
any number of workers, and also after an interruption.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Annotated, TypeAlias

from annotated_types import Ge, Le

from tourney.errors import FormatError
from tourney.formats.field import Field
from tourney.game.ledger import BlockResult
from tourney.standings.confidence import is_told_apart
from tourney.standings.fold import rank
from tourney.standings.standing import EntrantLabel
from tourney.standings.tallies import Count, Scoring

Looks: TypeAlias = tuple[Annotated[int, Ge(1), Le(1_000_000)], ...]
"""Numbers of tables."""


def check_looks(looks: Sequence[int] | None, stop: str, tables: int) -> None:
    """Raise FormatError for interim analyses that are unused or not in order."""
    if looks is None:
        return
    if stop == "at-the-end":
        raise FormatError("looks: only used with stop: separated; add it, or remove looks")
    is_rising = all(one < other for one, other in pairwise((0, *looks)))
    if not is_rising or looks[-1] > tables:
        raise FormatError(
            f"looks: numbers must increase and be at most tables: {tables}; these are "
            f"{', '.join(map(str, looks))}"
        )


class Stopping:
    """Receives results, and decides at each interim analysis whether they suffice."""

    def __init__(self, field: Field, scoring: Scoring, tables: int) -> None:
        """Set up the analyses.

        Args:
            field: The entrants and the game.
            scoring: How results count, and when to analyse; without analyses all tables are played.
            tables: Greatest number of tables.
        """
        self._scoring = scoring
        self._count = Count(field.entrants, scoring)
        self._labels = [EntrantLabel(str(number), "") for number in range(field.entrants)]
        ends = scoring.looks or (tables,)
        self.parts = tuple(range(*each) for each in pairwise((0, *ends)))
        """The tables that are played before each analysis."""

    def take(self, result: BlockResult) -> None:
        """Receive a result; it is used only if there are analyses."""
        if self._scoring.looks:
            self._count.take(result)

    def is_over(self) -> bool:
        """Return, after the last wave before an analysis, whether the run can stop."""
        if not self._scoring.looks:
            return False
        return is_told_apart(rank(self._count.tallies, self._labels, self._scoring))
