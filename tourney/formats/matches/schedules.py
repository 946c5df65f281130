"""Options of all formats of matches, and schedules that play wave by wave.

`SortedSchedule` draws each wave by the results of the waves before. `PlannedSchedule` is for
formats whose plan is fixed from the start, and ranks by the share of possible points. After a
verdict an entrant plays no more, so its opponents may play fewer matches than planned; the missing
matches count only against the entrant with the verdict. docs/rules/matches.md numbers the rules.
"""

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Annotated, Literal

from annotated_types import Ge, Le

from tourney.errors import FormatError
from tourney.formats.base import Event, Format, Happening, OnFault, Schedule
from tourney.formats.field import Field
from tourney.formats.group_tables import refuse_few, refuse_limit, refuse_no_company
from tourney.formats.knockout import seats_words
from tourney.formats.matches.table import (
    WIN,
    MatchPlan,
    MatchTable,
    Record,
    Scores,
    counts_of,
    points_words,
)
from tourney.game.blocks import Batch
from tourney.game.ledger import BlockResult
from tourney.game.rules import Rules, fewest_seats
from tourney.standings.confidence import alpha_at, doubling
from tourney.standings.places import (
    Better,
    Finish,
    are_separated,
    by_all,
    by_score,
    face_to_face,
)
from tourney.standings.standing import FINISH, Measure


@dataclass(frozen=True, slots=True, kw_only=True)
class Matches(Format):
    """Options of formats in which entrants meet in matches."""

    rounds: Annotated[int, Ge(1), Le(1_000_000)] = 30
    """Rounds or deals of a match."""

    seats: Annotated[int, Ge(2), Le(7)] | None = None
    """Seats at a table; by default two, or the least number that the game allows."""

    seatings: Literal["one", "all"] | None = None
    """Seatings of a match: one, or all. With all, each entrant plays the same cards from each seat,
    and the sum counts. By default one in games of chips, all in games of points."""

    stop: Literal["at-the-end", "separated"] = "at-the-end"
    """Play all matches (at-the-end), or stop as soon as all neighbours on the board are
    significantly different (separated)."""

    batch_tables: Annotated[int, Ge(1), Le(1_000_000)] | None = None
    """Tables that are played and stored together, in one seating."""

    on_fault: OnFault = "zero"
    """Cost of a verdict, in addition to all further matches: zero (the match), disqualify (no
    place) or keep (the chips at that time count)."""

    @property
    def scheduled_rounds(self) -> int:
        """Rounds that an entrant is scheduled to play at one table."""
        return self.rounds

    def seats_at(self, rules: Rules) -> int:
        """Return the number of seats at a table."""
        return self.seats or fewest_seats(rules)

    def check(self, entrants: int, rules: Rules) -> None:
        """Raise FormatError for tables that the game or the field cannot fill."""
        refuse_no_company(type(self).__name__.lower(), rules)
        seats = self.seats_at(rules)
        if seats not in rules.seats:
            raise FormatError(f"seats: expected {seats_words(rules.seats)}, got {seats}")
        refuse_few(entrants, seats, f"tables of {seats}")
        refuse_limit(rules)

    def measure(self, rules: Rules) -> Measure:
        """Rank by the result of the matches."""
        del rules
        return FINISH

    def table_words(self, rules: Rules) -> str:
        """Describe the play at one table."""
        seats = self.seats_at(rules)
        again = f", in {seats} seatings" if self.plays_all_seatings(rules) else ""
        return f"matches of {self.rounds:,} rounds, {seats} at a table{again}"

    def plays_all_seatings(self, rules: Rules) -> bool:
        """Return whether a match is played in all seatings."""
        if self.seatings is None:
            return rules.most_points is not None
        return self.seatings == "all"


ROUNDS_IN_A_BATCH, DEALS_IN_A_BATCH = 100_000, 4_000
"""Default sizes of a batch, times the seats."""


class MatchSchedule(Schedule):
    """Plays matches wave by wave, and counts the scores."""

    def __init__(self, options: Matches, field: Field) -> None:
        """Set up the scores."""
        rules = field.rules
        self.field = field
        self.plan = MatchPlan(
            field=field,
            seats=options.seats_at(rules),
            rounds=options.rounds,
            plays_all_seatings=options.plays_all_seatings(rules),
            fault=options.fault,
        )
        self.scores = Scores(field.entrants)
        self.stops_early = options.stop == "separated"
        self.faulted: set[int] = set()  # entrants that play no more
        self.told: list[Happening] = []  # decisions, in order
        self._outs: list[int] = []  # in the current wave, in any order
        rounds = ROUNDS_IN_A_BATCH if field.has_chips else DEALS_IN_A_BATCH
        by_default = rounds // (options.rounds * self.plan.seats)
        self._batch_tables = options.batch_tables or max(1, by_default)
        self._open: dict[tuple[int, int], MatchTable] = {}
        self._seated: set[int] = set()
        self._played = [0] * field.entrants
        self._finals = [0] * field.entrants  # sum over all seatings
        # Sum of an entrant's seats in first rounds, relative to the middle; greater is later.
        self._lateness = [0] * field.entrants

    @abstractmethod
    def draws(self) -> Iterator[Sequence[MatchTable]]:
        """Draw the matches of one wave after the other, each when the one before is over."""

    @abstractmethod
    def finishes(self) -> tuple[Finish, ...]:
        """Return the current or final places of all entrants."""

    def better(self) -> Better:
        """Compare entrants by their direct meetings, because results decide which entrants meet."""
        return face_to_face(self.scores.meetings_of_all(self.struck_out))

    def is_separated(self) -> bool:
        """Return whether all neighbours that still play are known to differ."""
        playing = [
            (each.place, each.entrant)
            for each in self.finishes()
            if each.entrant not in self.faulted
        ]
        return are_separated(playing, self.better())

    @property
    def struck_out(self) -> set[int]:
        """Return the entrants whose matches do not count."""
        return self.faulted if self.plan.fault == "out" else set()

    def waves(self) -> Iterator[Iterable[Batch]]:
        """Create the batches, wave by wave."""
        wave = number = 0
        for drawn in self.draws():
            if drawn:  # empty if all entrants of the wave have a verdict
                self._seat(drawn)
                batches = tuple(self._chunks(drawn))
                yield self._wave(wave, number, batches)
                wave, number = wave + 1, number + len(batches)
                self._tell_outs()

    def take(self, result: BlockResult) -> None:
        """Receive a result; the last one of a match decides it."""
        place = result.key.heat, result.key.table
        match = self._open[place]
        match.take(result)
        if not match.is_over:
            return
        del self._open[place]
        self.settle(match)
        for each in match.seats:
            self._played[each] += match.seatings
            self._finals[each] += match.finals[each]
        self._outs += match.faulted - self.faulted
        self.faulted |= match.faulted

    def settle(self, match: MatchTable) -> None:
        """Count a match."""
        for met in match.met():
            self.scores.add(met)

    def happenings(self) -> tuple[Happening, ...]:
        """Return the decisions since the last call, in order."""
        self._tell_outs()
        told, self.told = tuple(self.told), []
        return told

    def in_turn(self, table: int, players: Sequence[int]) -> list[int]:
        """Put the players of a table into the order of play: those that have bet later come first.

        Args:
            table: Its unique number.
            players: The entrants there.
        """
        order = self.field.shuffled((0, table), sorted(players))
        order.sort(key=lambda each: -self._lateness[each])  # stable: equals by lot
        for position, each in enumerate(order):
            self._lateness[each] += 2 * position - (len(order) - 1)
        return order

    def bankroll(self, entrant: int) -> int:
        """Return the mean final bankroll of an entrant's matches; 0 without chips."""
        if not self.field.has_chips:
            return 0
        if not self._played[entrant]:
            return self.field.begins_with(entrant)
        return self._finals[entrant] // self._played[entrant]

    def _tell_outs(self) -> None:
        """Report new verdicts, in an order that does not depend on which match ended first."""
        self.told += [Happening(Event.OUT, each) for each in sorted(self._outs)]
        self._outs.clear()

    def _seat(self, drawn: Sequence[MatchTable]) -> None:
        self._open = {match.place: match for match in drawn}
        if any(heat for heat, _ in self._open):
            return  # decisions of many tables at a time would confuse viewers
        for match in drawn:
            for each in match.seats:
                event = Event.MOVE if each in self._seated else Event.SEAT
                self.told.append(Happening(event, each, match.place[1]))
                self._seated.add(each)

    def _chunks(self, drawn: Sequence[MatchTable]) -> Iterator[tuple[int, Sequence[MatchTable]]]:
        """Group tables into batches, seating by seating."""
        for start in range(0, len(drawn), self._batch_tables):
            some = drawn[start : start + self._batch_tables]
            # A batch has one seating only: players of one batch may share data in their
            # class, and must not know cards from another seat.
            for seating in range(max(match.seatings for match in some)):
                yield seating, [match for match in some if seating < match.seatings]

    def _wave(
        self, wave: int, first: int, batches: Iterable[tuple[int, Sequence[MatchTable]]]
    ) -> Iterator[Batch]:
        for number, (seating, some) in enumerate(batches, start=first):
            yield Batch(wave, number, tuple(match.block(seating) for match in some))


class SortedSchedule(MatchSchedule):
    """Matches that are drawn wave by wave, by the results so far."""

    def __init__(self, options: Matches, field: Field, waves: int) -> None:
        """Set up the scores.

        Args:
            options: Options of the format.
            field: The entrants and the game.
            waves: Number of waves, unless too few entrants are left.
        """
        super().__init__(options, field)
        self._waves = waves
        self.drawn = 0  # waves so far

    @abstractmethod
    def companies(self, lots: Sequence[int]) -> Sequence[Sequence[int]]:
        """Return the tables of the next wave.

        Args:
            lots: Entrants that still play, in an order that was drawn.
        """

    def draws(self) -> Iterator[Sequence[MatchTable]]:
        """Draw one wave after the other."""
        tables = 0
        for wave in range(self._waves):
            playing = [each for each in range(self.field.entrants) if each not in self.faulted]
            if len(playing) < self.plan.seats:
                return
            self.drawn = wave + 1
            companies = self.companies(self.field.shuffled((0, -1 - wave), playing))
            yield [
                MatchTable(self.plan, 0, table, self.in_turn(table, each), level=wave + 1)
                for table, each in enumerate(companies, start=tables)
            ]
            tables += len(companies)
            if self.stops_early and self.is_separated():
                return


class PlannedSchedule(MatchSchedule):
    """Matches that are planned from the start, ranked by the share of points.

    A plan is played in cycles. All are played side by side, or, with `stop: separated`, the cycles
    before each look.
    """

    def __init__(self, options: Matches, field: Field, cycles: int) -> None:
        """Set up the looks.

        Args:
            options: Options of the format.
            field: The entrants and the game.
            cycles: Cycles of the plan.
        """
        super().__init__(options, field)
        self.cycles = cycles  # planned, or played if the format has stopped early
        self._looks = doubling(cycles, first=1) if self.stops_early else (cycles,)
        self._looked = 0

    @abstractmethod
    def cycle_draws(self, cycles: range) -> Iterator[Sequence[MatchTable]]:
        """Draw the matches of some cycles, one wave after the other."""

    @abstractmethod
    def planned_in_cycle(self, entrant: int) -> int:
        """Return the number of meetings of an entrant in a cycle."""

    def draws(self) -> Iterator[Sequence[MatchTable]]:
        """Draw the cycles before one look after the other."""
        for cycles in (range(*each) for each in pairwise((0, *self._looks))):
            yield from self.cycle_draws(cycles)
            self._looked += 1
            if self.stops_early and self.is_separated():
                self.cycles = cycles.stop
                return

    def finishes(self) -> tuple[Finish, ...]:
        """Return places by the share of the points that an entrant could win."""
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
        """Compare entrants by their results against all opponents."""
        alpha = alpha_at(max(1, self._looked), self._looks)
        return by_all(self.scores.meetings_of_all(self.struck_out), self.plan.seats, alpha)

    def record(self, entrant: int) -> Record:
        """Return the results of an entrant that count."""
        return self.scores.total(entrant, self.struck_out - {entrant})

    def _possible(self, entrant: int, record: Record) -> int:
        if entrant in self.faulted:
            return WIN * self.cycles * self.planned_in_cycle(entrant)
        return WIN * record.meetings
