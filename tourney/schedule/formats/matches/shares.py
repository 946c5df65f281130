"""Places by the share of points: for formats whose plan says from the start who meets whom.

Whoever fails plays no more, so the others may have fewer matches than were planned. What they
could not play counts for nobody but who failed. The rules are numbered in docs/rules/matches.md.
"""

from abc import abstractmethod
from fractions import Fraction

from tourney.schedule.formats.matches.options import MatchSchedule
from tourney.schedule.formats.matches.scores import Record, counts_of, points_words
from tourney.schedule.formats.matches.table import WIN
from tourney.standings import Better, Finish, by_all, by_score


class PlannedSchedule(MatchSchedule):
    """Matches that are planned from the start; the share of points decides."""

    @abstractmethod
    def planned(self, entrant: int) -> int:
        """Say how often somebody was to meet others."""

    def finishes(self) -> tuple[Finish, ...]:
        """Give places by the share of the points that everybody could win."""
        entrants = range(self.field.entrants)
        records = [self.record(each) for each in entrants]
        possible = [self._possible(each, records[each]) for each in entrants]
        shares = [Fraction(records[each].halves, possible[each] or 1) for each in entrants]
        return tuple(
            Finish(
                entrant,
                place,
                self.bankroll(entrant),
                f"{points_words(records[entrant].halves)} of {points_words(possible[entrant])}",
                counts=counts_of(records[entrant]),
            )
            for entrant, place, _ in by_score(enumerate(shares))
        )

    def better(self) -> Better:
        """Say who is known to be better: by what it made of everybody."""
        return by_all(self.scores.meetings_of_all(self.struck_out), self.plan.seats)

    def record(self, entrant: int) -> Record:
        """Give what counts of somebody's matches."""
        return self.scores.total(entrant, self.struck_out - {entrant})

    def _possible(self, entrant: int, record: Record) -> int:
        if entrant in self.faulted:
            return WIN * self.planned(entrant)
        return WIN * record.meetings
