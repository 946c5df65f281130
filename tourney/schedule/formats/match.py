"""The format in which whole games are played to places: four seats, to the limit of the rules."""

from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar

from annotated_types import Ge, Le

from tourney.errors import FormatError
from tourney.game.rules import Rules
from tourney.schedule.designs import SEATS
from tourney.schedule.field import Field
from tourney.schedule.formats.base import FaultCost, Format
from tourney.schedule.formats.company import CompanySchedule, Part, check_company, is_solo
from tourney.standings import PLACE, Measure

LIMIT = 80
"""Points at which a game ends, where the rules do not say."""

MOST_ROUNDS = 1_000
"""Rounds after which a game is over whatever its points; to 80, most are over after four."""

GAMES_IN_A_BATCH = 150
"""What a batch holds where the organiser does not say; about half a second of Python."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Match(Format):
    """Groups of four play whole games; everybody meets everybody equally often."""

    tables: Annotated[int, Ge(1), Le(1_000_000)]
    """Tables every entrant sits at, a multiple of what the number of entrants needs."""

    games: Annotated[int, Ge(1), Le(1_000_000)] = 1
    """Games at every table, each played in four seatings with the same deals."""

    batch_tables: Annotated[int, Ge(1), Le(1_000_000)] | None = None
    """Tables that are played and stored together."""

    fault: FaultCost = "lost"
    """What a verdict costs: lost (last in all games of the table), out (no place) or stands
    (the game goes on with a stand-in)."""

    summary: ClassVar[str] = "four at a table play whole games to places"

    @property
    def scheduled_rounds(self) -> int:
        """Rounds an entrant is to play at one table, at most."""
        return SEATS * self.games * MOST_ROUNDS

    def check(self, entrants: int, rules: Rules) -> None:
        """Refuse games of chips, and numbers of entrants or tables that do not come out even."""
        if rules.most_points is None:
            others = "duplicate or independent" if is_solo(rules) else "roundrobin, swiss or ladder"
            raise FormatError(f"expected {others}, as {rules.game} is a game of chips; got match")
        check_company(self.tables, entrants, rules)

    def measure(self, rules: Rules) -> Measure:
        """Count places."""
        del rules
        return PLACE

    def table_words(self, rules: Rules) -> str:
        """Say what is played at one table."""
        del rules
        games = "1 game" if self.games == 1 else f"{self.games:,} games"
        return f"{games} at a table, in {SEATS} seatings each"

    def schedule(self, field: Field) -> CompanySchedule:
        """Draw up the tournament of a field."""
        # Every game is a heat, which gives it deals of its own however long the others last.
        parts = tuple(Part(heat, 1, MOST_ROUNDS) for heat in range(self.games))
        field = field.playing(_ending(field.rules))
        batch_tables = self.batch_tables or max(1, GAMES_IN_A_BATCH // self.games)
        return CompanySchedule(field, self.tables, parts, batch_tables)


def _ending(rules: Any) -> Rules:
    """Give the same rules with a number of points at which a game ends."""
    changed: Rules = rules if rules.limit else replace(rules, limit=LIMIT)
    return changed
