"""The format `gauntlet`: one or several named entrants meet all the others.

Only results between the named entrants and the others count. docs/rules/gauntlet.md numbers the
rules.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Annotated, ClassVar

from annotated_types import Ge, Le

from tourney.errors import FormatError
from tourney.formats.field import Field
from tourney.formats.matches.schedules import Matches, PlannedSchedule
from tourney.formats.matches.table import MatchTable
from tourney.game.rules import Rules


@dataclass(frozen=True, slots=True, kw_only=True)
class Gauntlet(Matches):
    """Named entrants meet all the others."""

    against: tuple[str, ...] | None = None
    """Names of the entrants that meet all the others; the first one by default."""

    times: Annotated[int, Ge(1), Le(100_000)] = 1
    """Number of times that they meet."""

    summary: ClassVar[str] = "one or several entrants meet all the others in matches"

    @property
    def named_entrants(self) -> tuple[str, ...]:
        """Entrant names in the options."""
        return self.against or ()

    def check(self, entrants: int, rules: Rules) -> None:
        """Raise FormatError if a side is empty or the others do not fill the tables."""
        Matches.check(self, entrants, rules)
        if self.against is not None and not self.against:
            raise FormatError("against: the list is empty; give the name of at least one entrant")
        names = self.named_entrants
        if len(set(names)) < len(names):
            raise FormatError(
                f"against: a name occurs twice in {', '.join(names)}; give each name once"
            )
        inside = max(1, len(names))
        company, others = self.seats_at(rules) - 1, entrants - inside
        if others < 1:
            raise FormatError(
                f"against: names {inside} of {entrants} entrants, so no others are left to meet; "
                "name fewer"
            )
        if others % company:
            below, above = (others // company + more for more in (0, 1))
            near = " or ".join(str(inside + company * each) for each in (below, above) if each)
            named = f"the {inside} named" if names else "one that meets all"
            raise FormatError(
                f"{entrants} entrants do not fill tables of {company + 1}: enter {named} and a "
                f"multiple of {company} others, such as {near} in all"
            )

    def schedule(self, field: Field) -> "GauntletSchedule":
        """Create the schedule of a field."""
        return GauntletSchedule(self, field)


class GauntletSchedule(PlannedSchedule):
    """Plays all cycles side by side; in a wave an entrant sits at no more than one table of a
    cycle.
    """

    def __init__(self, options: Gauntlet, field: Field) -> None:
        """Assign the sides."""
        super().__init__(options, field, options.times)
        self._inside = _inside(options, field)
        self._others = [each for each in range(field.entrants) if each not in set(self._inside)]

    def cycle_draws(self, cycles: range) -> Iterator[Sequence[MatchTable]]:
        """Draw one wave after the other: each named entrant moves on to the next of the others."""
        company = self.plan.seats - 1
        tables = len(self._others) // company
        waves = max(tables, len(self._inside))
        for wave in range(waves):
            drawn: list[MatchTable] = []
            for cycle in cycles:
                order = self.field.shuffled((self._drawn(cycle), -1), self._others)
                for number, each in enumerate(self._inside):
                    at = (wave + number) % waves
                    if at < tables:
                        group = order[company * at : company * (at + 1)]
                        table = wave * len(self._inside) + number
                        drawn += self._match(cycle, table, (each, *group), wave + 1)
            yield drawn

    def settle(self, match: MatchTable) -> None:
        """Count the results between named entrants and others."""
        for met in match.met():
            if (met.one in self._inside) != (met.other in self._inside):
                self.scores.add(met)

    def planned_in_cycle(self, entrant: int) -> int:
        """Return the number of meetings of an entrant in a cycle."""
        return len(self._others if entrant in self._inside else self._inside)

    def _drawn(self, cycle: int) -> int:
        """Return the cycle whose lots this one uses.

        Cycles share lots in groups as large as the number of seats; each shifts all players by one
        seat.
        """
        return cycle - cycle % self.plan.seats

    def _match(
        self, cycle: int, table: int, seats: Sequence[int], level: int
    ) -> Sequence[MatchTable]:
        """Seat a table, if a named entrant can meet another entrant there."""
        still = [each for each in seats if each not in self.faulted]
        if seats[0] not in still or not self.plan.can_seat(len(still)):
            return ()
        drawn = self._drawn(cycle)
        order = self.field.shuffled((drawn, table), still)
        turn = (cycle - drawn) % len(order)
        order = [*order[turn:], *order[:turn]]
        return (MatchTable(self.plan, cycle, table, order, level=level),)


def _inside(options: Gauntlet, field: Field) -> tuple[int, ...]:
    """Return the named entrants. In a later stage, the best take the parts of those that
    are out.
    """
    numbers = {}
    if field.names is not None:
        numbers = {field.names[field.number_of(each)]: each for each in range(field.entrants)}
    found = [numbers[name] for name in options.named_entrants if name in numbers]
    first = (each for each in range(field.entrants) if each not in found)
    missing = max(1, len(options.named_entrants)) - len(found)
    return (*found, *islice(first, missing))
