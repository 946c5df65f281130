"""The format `roundrobin`: all entrants meet equally often.

Tables of two follow the Berger circle: one entrant keeps its place, the others rotate. Tables of
four follow a balanced plan of fours. docs/rules/roundrobin.md numbers the rules.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar

from annotated_types import Ge, Le

from tourney.errors import FormatError
from tourney.formats.designs import PAIR, SEATS, fours, has_plan, nearest_plans, tables_each
from tourney.formats.field import Field
from tourney.formats.matches.schedules import Matches, PlannedSchedule
from tourney.formats.matches.table import MatchTable
from tourney.game.rules import Rules


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundRobin(Matches):
    """All entrants meet each other."""

    times: Annotated[int, Ge(1), Le(100_000)] | None = None
    """Number of times that any two meet; by default once. At tables of four it must be a multiple
    of the number that the plan needs, which is the default there."""

    summary: ClassVar[str] = "all entrants meet each other in matches, head to head or in fours"

    def check(self, entrants: int, rules: Rules) -> None:
        """Raise FormatError for tables without a known plan, and for times that do not fit the
        plan.
        """
        Matches.check(self, entrants, rules)
        seats = self.seats_at(rules)
        if seats == PAIR:
            return
        if seats != SEATS:
            known = " or ".join(str(each) for each in (PAIR, SEATS) if each in rules.seats)
            sizes = f"set seats to {known}, or use" if known else "use"
            raise FormatError(
                f"no plan is known for tables of {seats} in which all meet equally often; {sizes} "
                "the format swiss or ladder, which allow any number"
            )
        if not has_plan(entrants):
            near = " or ".join(map(str, nearest_plans(entrants)))
            raise FormatError(
                f"no plan of fours is known for {entrants} entrants; use {near}, or the format "
                "swiss, which allows any number"
            )
        meetings = meetings_of_fours(entrants)
        if self.times and self.times % meetings:
            below, above = (self.times // meetings + more for more in (0, 1))
            near = " or ".join(str(each * meetings) for each in (below, above) if each)
            raise FormatError(
                f"times: {self.times} is not a multiple of {meetings}, which {entrants} entrants "
                f"need to meet each other equally often at tables of {SEATS}; use {near}"
            )

    def schedule(self, field: Field) -> "RoundRobinSchedule":
        """Create the schedule of a field."""
        return RoundRobinSchedule(self, field)


class RoundRobinSchedule(PlannedSchedule):
    """Plays all cycles of the plan side by side; a wave is a round of the plan."""

    def __init__(self, options: RoundRobin, field: Field) -> None:
        """Draw which entrant plays which part of the plan."""
        self._are_pairs = options.seats_at(field.rules) == PAIR
        self._meetings = 1 if self._are_pairs else meetings_of_fours(field.entrants)  # in a cycle
        cycles = (options.times or self._meetings) // self._meetings
        super().__init__(options, field, cycles)
        self._lineups = [self._lineup(cycle) for cycle in range(cycles)]

    def cycle_draws(self, cycles: range) -> Iterator[Sequence[MatchTable]]:
        """Draw one round of the cycles after the other."""
        entrants = self.field.entrants
        rounds: Iterable[Sequence[tuple[int, ...]]] = (
            berger(entrants) if self._are_pairs else rounds_of_fours(entrants)
        )
        table = 0
        for level, tables in enumerate(rounds, start=1):
            yield [
                match
                for cycle in cycles
                for number, parts in enumerate(tables, start=table)
                if (match := self._match(cycle, number, parts, level))
            ]
            table += len(tables)

    def planned_in_cycle(self, entrant: int) -> int:
        """Return the number of meetings of an entrant in a cycle, the same for all."""
        del entrant
        return self._meetings * (self.field.entrants - 1)

    def _lineup(self, cycle: int) -> list[int]:
        # Two cycles share a lineup, so that in the second each entrant takes the other seat.
        drawn = cycle - cycle % 2 if self._are_pairs else cycle
        return self.field.shuffled((drawn, -1), range(self.field.entrants))

    def _match(self, cycle: int, table: int, parts: Sequence[int], level: int) -> MatchTable | None:
        """Seat a table, if enough of the entrants with these parts of the plan still play."""
        lineup = self._lineups[cycle]
        seats = [lineup[part] for part in parts]
        if not self._are_pairs:
            seats = self.field.shuffled((cycle, table), seats)
        elif cycle % 2:
            seats.reverse()
        seats = [each for each in seats if each not in self.faulted]
        if not self.plan.can_seat(len(seats)):
            return None
        return MatchTable(self.plan, cycle, table, seats, level=level)


def berger(entrants: int) -> Iterator[list[tuple[int, int]]]:
    """Return the rounds in which all entrants meet once, at tables of two.

    Each entrant bets first as often as second, up to a difference of one. With an odd number of
    entrants, one waits in each round.

    Source: [Berger] in docs/sources.md.

    >>> list(berger(4))
    [[(3, 0), (1, 2)], [(1, 3), (2, 0)], [(3, 2), (0, 1)]]
    """
    moving = entrants - 1 + entrants % 2
    for step in range(moving):
        still = [] if entrants % 2 else [(moving, step) if step % 2 == 0 else (step, moving)]
        yield still + [
            ((step + apart) % moving, (step - apart) % moving)
            for apart in range(1, (moving + 1) // 2)
        ]


def rounds_of_fours(entrants: int) -> list[list[tuple[int, ...]]]:
    """Divide the plan of fours into rounds in which each entrant sits at one table at most.

    Args:
        entrants: A number with a known plan.
    """
    rounds: list[list[tuple[int, ...]]] = []
    busy = [0] * entrants  # bit mask of the rounds in which an entrant has a table
    for four in fours(entrants):
        taken = 0
        for each in four:
            taken |= busy[each]
        first = ~taken & (taken + 1)  # the lowest bit that is not set
        for each in four:
            busy[each] |= first
        number = first.bit_length() - 1
        if number == len(rounds):
            rounds.append([])
        rounds[number].append(four)
    return rounds


def meetings_of_fours(entrants: int) -> int:
    """Return the number of times that any two meet in the plan of fours.

    >>> [meetings_of_fours(entrants) for entrants in (4, 5, 8, 16)]
    [1, 3, 3, 1]
    """
    return tables_each(entrants) * (SEATS - 1) // (entrants - 1)
