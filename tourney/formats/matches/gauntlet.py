"""The format `gauntlet`: one or several named entrants meet all the others.

Only what is between them and the others counts. The rules are numbered in
docs/rules/gauntlet.md.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Annotated, ClassVar

from annotated_types import Ge, Le

from tourney.errors import FormatError
from tourney.formats.field import Field
from tourney.formats.matches.options import Matches
from tourney.formats.matches.schedules import PlannedSchedule
from tourney.formats.matches.table import MatchTable
from tourney.game.rules import Rules


@dataclass(frozen=True, slots=True, kw_only=True)
class Gauntlet(Matches):
    """Some meet all the others."""

    against: tuple[str, ...] | None = None
    """Names of the entrants that meet all the others; the first one by default."""

    times: Annotated[int, Ge(1), Le(100_000)] = 1
    """Times that they meet."""

    summary: ClassVar[str] = "one or several entrants meet all the others in matches"

    @property
    def named_entrants(self) -> tuple[str, ...]:
        """Give the names that entrants must have."""
        return self.against or ()

    def check(self, entrants: int, rules: Rules) -> None:
        """Refuse others that do not fill the tables, and nobody on one of the sides."""
        Matches.check(self, entrants, rules)
        if self.against is not None and not self.against:
            raise FormatError("against: expected the name of an entrant, got none")
        names = self.named_entrants
        if len(set(names)) < len(names):
            raise FormatError(f"against: expected each name once, got {', '.join(names)}")
        inside = max(1, len(names))
        company, others = self.seats_at(rules) - 1, entrants - inside
        if others < 1:
            raise FormatError(f"against: expected fewer than the {entrants} entrants, got {inside}")
        if others % company:
            below, above = (others // company + more for more in (0, 1))
            near = " or ".join(str(inside + company * each) for each in (below, above) if each)
            raise FormatError(
                f"expected {inside} and a multiple of {company} entrants, so that the others fill "
                f"tables of {company + 1}, such as {near}; got {entrants}"
            )

    def schedule(self, field: Field) -> "GauntletSchedule":
        """Draw up the tournament of a field."""
        return GauntletSchedule(self, field)


class GauntletSchedule(PlannedSchedule):
    """Plays all cycles side by side; in a wave nobody sits at two tables of a cycle."""

    def __init__(self, options: Gauntlet, field: Field) -> None:
        """Say who meets the others."""
        super().__init__(options, field)
        self._times = options.times
        self._inside = _inside(options, field)
        self._others = [each for each in range(field.entrants) if each not in set(self._inside)]

    def draws(self) -> Iterator[Sequence[MatchTable]]:
        """Draw wave after wave: everybody named moves on to the next of the others."""
        company = self.plan.seats - 1
        tables = len(self._others) // company
        waves = max(tables, len(self._inside))
        for wave in range(waves):
            drawn: list[MatchTable] = []
            for cycle in range(self._times):
                order = self.field.shuffled((self._drawn(cycle), -1), self._others)
                for number, each in enumerate(self._inside):
                    at = (wave + number) % waves
                    if at < tables:
                        group = order[company * at : company * (at + 1)]
                        table = wave * len(self._inside) + number
                        drawn += self._match(cycle, table, (each, *group), wave + 1)
            yield drawn

    def settle(self, match: MatchTable) -> None:
        """Count what was between those named and the others."""
        for met in match.met():
            if (met.one in self._inside) != (met.other in self._inside):
                self.scores.add(met)

    def planned(self, entrant: int) -> int:
        """Say how often somebody was to meet others."""
        facing = self._others if entrant in self._inside else self._inside
        return self._times * len(facing)

    def _drawn(self, cycle: int) -> int:
        """Give the cycle whose lots this one takes.

        As many cycles as there are seats have the same, each with everybody one seat further on.
        """
        return cycle - cycle % self.plan.seats

    def _match(
        self, cycle: int, table: int, seats: Sequence[int], level: int
    ) -> Sequence[MatchTable]:
        """Seat a table, if somebody named can meet somebody there."""
        still = [each for each in seats if each not in self.faulted]
        if seats[0] not in still or not self.plan.can_seat(len(still)):
            return ()
        drawn = self._drawn(cycle)
        order = self.field.shuffled((drawn, table), still)
        turn = (cycle - drawn) % len(order)
        order = [*order[turn:], *order[:turn]]
        return (MatchTable(self.plan, cycle, table, order, level=level),)


def _inside(options: Gauntlet, field: Field) -> tuple[int, ...]:
    """Give who meets all the others; the first take the part of who has not got so far."""
    numbers = {}
    if field.names is not None:
        numbers = {field.names[field.number_of(each)]: each for each in range(field.entrants)}
    found = [numbers[name] for name in options.named_entrants if name in numbers]
    first = (each for each in range(field.entrants) if each not in found)
    missing = max(1, len(options.named_entrants)) - len(found)
    return (*found, *islice(first, missing))
