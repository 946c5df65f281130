"""The schedules that play matches, wave by wave, and keep the scores.

`SortedSchedule` draws every wave by what those before have brought. `PlannedSchedule` gives places
by the share of points, for formats whose plan says from the start who meets whom: whoever fails
plays no more, so the others may have fewer matches than were planned, and what they could not play
counts for nobody but who failed. The rules are numbered in docs/rules/matches.md.
"""

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from tourney.formats.base import Event, Happening, Schedule
from tourney.formats.field import Field
from tourney.formats.matches.options import Matches
from tourney.formats.matches.scores import Record, Scores, counts_of, points_words
from tourney.formats.matches.table import WIN, MatchPlan, MatchTable
from tourney.game.blocks import Batch
from tourney.game.ledger import BlockResult
from tourney.standings.meetings import Better, by_all, face_to_face
from tourney.standings.places import Finish, by_score

ROUNDS_IN_A_BATCH, DEALS_IN_A_BATCH = 100_000, 4_000
"""What a batch holds where the organiser does not say, counted at every seat."""


class MatchSchedule(Schedule):
    """Plays matches wave by wave, and keeps the scores."""

    def __init__(self, options: Matches, field: Field) -> None:
        """Begin.

        Args:
            options: What the organiser asked for.
            field: Who plays.
        """
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
        self.faulted: set[int] = set()  # they play no more
        self.told: list[Happening] = []  # what was decided, in order
        self._outs: list[int] = []  # in the wave that is played, in any order
        rounds = ROUNDS_IN_A_BATCH if field.has_chips else DEALS_IN_A_BATCH
        by_default = rounds // (options.rounds * self.plan.seats)
        self._batch_tables = options.batch_tables or max(1, by_default)
        self._open: dict[tuple[int, int], MatchTable] = {}
        self._seated: set[int] = set()
        self._played = [0] * field.entrants
        self._finals = [0] * field.entrants  # sum over all seatings
        # Seats that somebody had in the first round, from the middle; the greater, the later.
        self._lateness = [0] * field.entrants

    @abstractmethod
    def draws(self) -> Iterator[Sequence[MatchTable]]:
        """Draw the matches of one wave after the other, when the one before is over."""

    @abstractmethod
    def finishes(self) -> tuple[Finish, ...]:
        """Give everybody's place, as it stands or in the end."""

    def better(self) -> Better:
        """Say who is known to be better: by what was between two, as results decide who meets."""
        return face_to_face(self.scores.meetings_of_all(self.struck_out))

    @property
    def struck_out(self) -> set[int]:
        """Give whose matches count for nobody."""
        return self.faulted if self.plan.fault == "out" else set()

    def waves(self) -> Iterator[Iterable[Batch]]:
        """Draw up the tournament, wave by wave."""
        wave = number = 0
        for drawn in self.draws():
            if drawn:  # where everybody who should play is at fault, nothing is left to do
                self._seat(drawn)
                batches = tuple(self._chunks(drawn))
                yield self._wave(wave, number, batches)
                wave, number = wave + 1, number + len(batches)
                self._tell_outs()

    def take(self, result: BlockResult) -> None:
        """Take in a result; the last one of a match decides it."""
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
        """Give what was decided since the last call, in order."""
        self._tell_outs()
        told, self.told = tuple(self.told), []
        return told

    def in_turn(self, table: int, players: Sequence[int]) -> list[int]:
        """Put those at a table into the order of play: first who has bet later than the others.

        Args:
            table: Its number, which no other has.
            players: Who sits there.
        """
        order = self.field.shuffled((0, table), sorted(players))
        order.sort(key=lambda each: -self._lateness[each])  # stable: equals by lot
        for position, each in enumerate(order):
            self._lateness[each] += 2 * position - (len(order) - 1)
        return order

    def bankroll(self, entrant: int) -> int:
        """Give the mean bankroll with which somebody's matches ended; 0 without chips."""
        if not self.field.has_chips:
            return 0
        if not self._played[entrant]:
            return self.field.begins_with(entrant)
        return self._finals[entrant] // self._played[entrant]

    def _tell_outs(self) -> None:
        """Tell who failed, in an order that does not depend on which match ended first."""
        self.told += [Happening(Event.OUT, each) for each in sorted(self._outs)]
        self._outs.clear()

    def _seat(self, drawn: Sequence[MatchTable]) -> None:
        self._open = {match.place: match for match in drawn}
        if any(heat for heat, _ in self._open):
            return  # of many tables at a time nobody could make sense
        for match in drawn:
            for each in match.seats:
                event = Event.MOVE if each in self._seated else Event.SEAT
                self.told.append(Happening(event, each, match.place[1]))
                self._seated.add(each)

    def _chunks(self, drawn: Sequence[MatchTable]) -> Iterator[tuple[int, Sequence[MatchTable]]]:
        """Put tables together, seating by seating."""
        for start in range(0, len(drawn), self._batch_tables):
            some = drawn[start : start + self._batch_tables]
            # A batch has one seating only: players of one batch may share what their class
            # keeps, and must not know cards from another seat.
            for seating in range(max(match.seatings for match in some)):
                yield seating, [match for match in some if seating < match.seatings]

    def _wave(
        self, wave: int, first: int, batches: Iterable[tuple[int, Sequence[MatchTable]]]
    ) -> Iterator[Batch]:
        for number, (seating, some) in enumerate(batches, start=first):
            yield Batch(wave, number, tuple(match.block(seating) for match in some))


class SortedSchedule(MatchSchedule):
    """Matches that are drawn wave by wave, by what those before have brought."""

    def __init__(self, options: Matches, field: Field, waves: int) -> None:
        """Begin.

        Args:
            options: What the organiser asked for.
            field: Who plays.
            waves: How many are drawn, unless too few are left to play.
        """
        super().__init__(options, field)
        self._waves = waves
        self.drawn = 0  # waves so far

    @abstractmethod
    def companies(self, lots: Sequence[int]) -> Sequence[Sequence[int]]:
        """Say who meet in the next wave, table by table.

        Args:
            lots: Those who still play, in an order that was drawn.
        """

    def draws(self) -> Iterator[Sequence[MatchTable]]:
        """Draw wave after wave."""
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
