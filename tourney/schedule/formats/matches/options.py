"""What the formats of matches have in common: their options, and the schedule that plays waves.

The rules are numbered in docs/rules/matches.md.
"""

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from annotated_types import Ge, Le

from tourney.errors import FormatError
from tourney.games import Rules
from tourney.ledger import BlockResult
from tourney.schedule.blocks import Batch
from tourney.schedule.field import Field
from tourney.schedule.formats.base import FaultCost, Format, Schedule
from tourney.schedule.formats.company import refuse_limit
from tourney.schedule.formats.knockout import seats_words
from tourney.schedule.formats.matches.scores import Scores
from tourney.schedule.formats.matches.table import MatchPlan, MatchTable
from tourney.schedule.happenings import Event, Happening
from tourney.standings import FINISH, Better, Finish, Measure, face_to_face

ROUNDS_IN_A_BATCH, DEALS_IN_A_BATCH = 100_000, 4_000
"""What a batch holds where the organiser does not say, counted at every seat."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Matches(Format):
    """Options of formats in which entrants meet in matches."""

    rounds: Annotated[int, Ge(1), Le(1_000_000)] = 30
    """Rounds of a match, or deals."""

    seats: Annotated[int, Ge(2), Le(7)] | None = None
    """Seats at a table; two by default, or as few as the game needs."""

    seatings: Literal["one", "all"] | None = None
    """Seatings of a match: one, or all, in which everybody sits one seat further on each time, the
    same cards are dealt, and the sum counts; by default one with chips, and all with points."""

    batch_tables: Annotated[int, Ge(1), Le(1_000_000)] | None = None
    """Tables that are played and stored together, in one seating."""

    fault: FaultCost = "lost"
    """What a verdict costs, besides all further matches: lost (the match), out (no place) or
    stands (the chips it had count)."""

    @property
    def scheduled_rounds(self) -> int:
        """Rounds an entrant is to play at one table."""
        return self.rounds

    def seats_at(self, rules: Rules) -> int:
        """Give the seats of a table."""
        return self.seats or max(2, rules.seats.start)

    def check(self, entrants: int, rules: Rules) -> None:
        """Refuse tables that the game or the field cannot fill."""
        seats = self.seats_at(rules)
        if seats not in rules.seats:
            raise FormatError(f"seats: expected {seats_words(rules.seats)}, got {seats}")
        if entrants < seats:
            raise FormatError(
                f"expected at least {seats} entrants for tables of {seats}, got {entrants}; enter "
                "others, or one of them again under another name with 'as'"
            )
        refuse_limit(rules)

    def measure(self, rules: Rules) -> Measure:
        """Count how it ended."""
        del rules
        return FINISH

    def table_words(self, rules: Rules) -> str:
        """Say what is played at one table."""
        seats = self.seats_at(rules)
        again = f", in {seats} seatings" if self.plays_all_seatings(rules) else ""
        return f"matches of {self.rounds:,} rounds, {seats} at a table{again}"

    def plays_all_seatings(self, rules: Rules) -> bool:
        """Say whether a match is played in all seatings."""
        if self.seatings is None:
            return rules.most_points is not None
        return self.seatings == "all"


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
        rounds = ROUNDS_IN_A_BATCH if self.plan.has_chips else DEALS_IN_A_BATCH
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
        if not self.plan.has_chips:
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
