"""The format `ladder`: neighbours meet where their order is least certain.

Ratings are computed from all matches after each wave, before the next wave is drawn.
docs/rules/ladder.md numbers the rules.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, ClassVar

from annotated_types import Ge, Le

from tourney.formats.field import Field
from tourney.formats.matches.options import Matches
from tourney.formats.matches.ratings import Pair, Ratings, rated
from tourney.formats.matches.schedules import SortedSchedule
from tourney.formats.matches.scores import counts_of
from tourney.formats.matches.table import WIN, MatchTable
from tourney.standings.places import Finish, by_score


@dataclass(frozen=True, slots=True, kw_only=True)
class Ladder(Matches):
    """Matches where the ranking is least certain."""

    waves: Annotated[int, Ge(1), Le(100_000)]
    """Number of waves; each is drawn by the ratings."""

    tables: Annotated[int, Ge(1), Le(100_000)] | None = None
    """Most matches of a wave; by default as many as neighbours can play."""

    summary: ClassVar[str] = "neighbours in the ranking meet where their order is least certain"

    def schedule(self, field: Field) -> "LadderSchedule":
        """Create the schedule of a field."""
        return LadderSchedule(self, field)


class LadderSchedule(SortedSchedule):
    """Draws each wave by the ratings after the one before."""

    def __init__(self, options: Ladder, field: Field) -> None:
        """Start with equal ratings."""
        super().__init__(options, field, options.waves)
        self._most = options.tables or field.entrants
        self._played_matches = 0
        self._rated_after = -1
        self._ratings: Ratings | None = None

    def settle(self, match: MatchTable) -> None:
        """Count a match."""
        super().settle(match)
        self._played_matches += 1

    def finishes(self) -> tuple[Finish, ...]:
        """Return places by rating; entrants with a verdict come last, unless `on_fault` is keep."""
        ratings = self.ratings()
        widths = ratings.half_widths()
        entrants = range(self.field.entrants)
        behind = set() if self.plan.fault == "stands" else self.faulted
        worths = [(each not in behind, ratings.points[each]) for each in entrants]
        return tuple(
            Finish(
                entrant,
                place,
                self.bankroll(entrant),
                f"rating {points:+.0f}" + ("" if widths is None else f" ± {widths[entrant]:.0f}"),
                counts=counts_of(self.scores.total(entrant)),
            )
            for entrant, place, (_, points) in by_score(enumerate(worths))
        )

    def ratings(self) -> Ratings:
        """Return the ratings after the finished matches."""
        if self._ratings is None or self._rated_after != self._played_matches:
            without = self.struck_out
            counting = [each for each in range(self.field.entrants) if each not in without]
            pairs = [
                Pair(each, other, record.halves / WIN, record.meetings)
                for each in counting
                for other, record in self.scores.opponents(each)
                if each < other and other not in without
            ]
            self._ratings = rated(self.field.entrants, pairs)
            self._rated_after = self._played_matches
        return self._ratings

    def companies(self, lots: Sequence[int]) -> list[list[int]]:
        """Choose disjoint groups of neighbours, the least certain first."""
        ratings, seats = self.ratings(), self.plan.seats
        order = sorted(
            lots, key=lambda each: ratings.points[each], reverse=True
        )  # stable: ties keep the order of the lots
        certainties = [ratings.certainty(one, other) for one, other in pairwise(order)]
        sums = [
            sum(certainties[first : first + seats - 1]) for first in range(len(order) - seats + 1)
        ]
        ranks = self.field.shuffled((1, -self.drawn), range(len(sums)))
        free = [True] * len(order)
        chosen: list[int] = []
        for first in sorted(ranks, key=lambda each: sums[each]):  # also stable
            if len(chosen) < self._most and all(free[first : first + seats]):
                free[first : first + seats] = [False] * seats
                chosen.append(first)
        return [order[first : first + seats] for first in sorted(chosen)]
