"""The format `swiss`: in each wave entrants with equal scores meet, if possible without rematches.

docs/rules/swiss.md numbers the rules.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from annotated_types import Ge, Le

from tourney.formats.base import Event, Happening
from tourney.formats.field import Field
from tourney.formats.matches.pairing import filled, paired
from tourney.formats.matches.schedules import Matches, SortedSchedule
from tourney.formats.matches.table import WIN, counts_of, points_words
from tourney.standings.places import Finish, by_score

TWO = 2
ORDERS = 20
"""Number of orders tried to find tables without repeated meetings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Swiss(Matches):
    """Waves of matches in which entrants with equal scores meet."""

    waves: Annotated[int, Ge(1), Le(1_000)]
    """Matches of each entrant, one in each wave."""

    tiebreak: Literal["none", "buchholz"] = "none"
    """Order of equal scores: they share a place, or the sum of the opponents' scores decides
    (buchholz)."""

    summary: ClassVar[str] = "waves of matches in which those with equal scores meet"

    def schedule(self, field: Field) -> "SwissSchedule":
        """Create the schedule of a field."""
        return SwissSchedule(self, field)


class SwissSchedule(SortedSchedule):
    """Draws each wave by the scores after the one before."""

    def __init__(self, options: Swiss, field: Field) -> None:
        """Start with equal scores."""
        super().__init__(options, field, options.waves)
        self._has_tiebreak = options.tiebreak == "buchholz"
        self._byes = [0] * field.entrants

    def companies(self, lots: Sequence[int]) -> Sequence[Sequence[int]]:
        """Group entrants with equal scores."""
        return self._pairs(lots) if self.plan.seats == TWO else self._tables(lots)

    def finishes(self) -> tuple[Finish, ...]:
        """Return places by score, and by the tie-break if there is one."""
        entrants = range(self.field.entrants)
        scores = [self.score(each) for each in entrants]
        breaks = [self._buchholz(each, scores) if self._has_tiebreak else 0 for each in entrants]
        possible = points_words(WIN * self.drawn * (self.plan.seats - 1))
        return tuple(
            Finish(
                entrant,
                place,
                self.bankroll(entrant),
                f"{points_words(score)} of {possible}"
                + (f", Buchholz {points_words(tiebreak)}" if self._has_tiebreak else ""),
                counts=(*counts_of(self.scores.total(entrant)), ("byes", self._byes[entrant])),
            )
            for entrant, place, (score, tiebreak) in by_score(
                enumerate(zip(scores, breaks, strict=True))
            )
        )

    def score(self, entrant: int) -> int:
        """Return an entrant's points, in halves."""
        # At larger tables all but one may be left over, and a win for each would be too much.
        bye = WIN if self.plan.seats == TWO else self.plan.seats - 1
        return self.scores.total(entrant).halves + self._byes[entrant] * bye

    def _buchholz(self, entrant: int, scores: Sequence[int]) -> int:
        """Sum the scores of all opponents; a bye counts as an opponent with the same score."""
        met = sum(
            scores[other] * record.meetings for other, record in self.scores.opponents(entrant)
        )
        return met + scores[entrant] * self._byes[entrant]

    def _pairs(self, lots: Sequence[int]) -> Sequence[Sequence[int]]:
        """Pair entrants; if their number is odd, one gets a bye."""
        order = self._by_score(lots)
        fewest = min(self._byes[each] for each in order)
        may_wait = {each for each in order if self._byes[each] == fewest}
        pairs, bye = paired(order, self.scores.meetings, may_wait)
        if bye is not None:
            self._give_byes([bye])
        return pairs

    def _tables(self, lots: Sequence[int]) -> Sequence[Sequence[int]]:
        """Fill tables of more than two; entrants left over get a bye."""
        order, seats = self._by_score(lots), self.plan.seats
        byes = set(self._waiting(order)[: len(order) % seats])
        self._give_byes(sorted(byes))
        playing = [each for each in order if each not in byes]
        return filled(self._orders(playing), seats, self.scores.meetings)

    def _orders(self, playing: Sequence[int]) -> Iterator[Sequence[int]]:
        """Iterate over orders by score, each with other lots among equals."""
        yield playing
        for number in range(1, ORDERS):
            yield self._by_score(self.field.shuffled((number, -self.drawn), sorted(playing)))

    def _by_score(self, lots: Sequence[int]) -> list[int]:
        """Order players by score; ties keep the order of the lots."""
        return sorted(lots, key=lambda each: -self.score(each))

    def _waiting(self, order: Sequence[int]) -> list[int]:
        """Order players for the bye: fewest byes first, then from the end."""
        places = range(len(order))
        by_byes = sorted(places, key=lambda place: (self._byes[order[place]], -place))
        return [order[place] for place in by_byes]

    def _give_byes(self, entrants: Sequence[int]) -> None:
        for each in entrants:
            self._byes[each] += 1
            self.told.append(Happening(Event.BYE, each))
