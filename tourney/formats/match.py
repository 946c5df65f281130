"""The format in which whole games are played to places, by everybody against everybody.

Four sit at a table, or two, as the game needs. A game of points ends at the limit of the rules,
a game of chips when somebody cannot play on. The rules are numbered in docs/rules/formats.md.
"""

from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar, Literal

from annotated_types import Ge, Le

from tourney.errors import FormatError
from tourney.formats.base import Format, OnFault
from tourney.formats.designs import PAIR, SEATS
from tourney.formats.field import Field
from tourney.formats.group_tables import CompanySchedule, Part, check_company, is_solo
from tourney.game.rules import Rules, fewest_seats
from tourney.standings.bounded_differences import Bounds
from tourney.standings.standing import PLACE, Measure

LIMIT = 80
"""Points at which a game ends, where the rules do not say."""

MOST_ROUNDS = 1_000
"""Rounds after which a game is over whatever its points; to 80, most are over after four."""

GAMES_IN_A_BATCH = 150
"""What a batch holds where the organiser does not say; about half a second of Python."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Match(Format):
    """Groups of four or two play whole games; everybody meets everybody equally often."""

    tables: Annotated[int, Ge(1), Le(1_000_000)]
    """Tables every entrant sits at, a multiple of what the number of entrants needs."""

    games: Annotated[int, Ge(1), Le(1_000_000)] = 1
    """Games at every table, each played in all seatings with the same deals."""

    rounds: Annotated[int, Ge(1), Le(1_000_000)] = MOST_ROUNDS
    """Rounds after which a game is over in any case."""

    batch_tables: Annotated[int, Ge(1), Le(1_000_000)] | None = None
    """Tables that are played and stored together."""

    on_fault: OnFault = "zero"
    """What a verdict costs: zero (last in all games of the table), disqualify (no place) or keep
    (the game goes on with a stand-in)."""

    bounds: Literal["declared", "ignore"] = "declared"
    """Let ranks hold for all results, as places have bounds; or for results without rare, large
    losses only, which takes fewer tables."""

    summary: ClassVar[str] = "four or two at a table play whole games to places"

    @property
    def scheduled_rounds(self) -> int:
        """Rounds an entrant is to play at one table, at most."""
        return SEATS * self.games * self.rounds

    @property
    def tables_each(self) -> int:
        """Games from each of which an entrant brings a bankroll: never just one."""
        return PAIR * self.games * self.tables

    def check(self, entrants: int, rules: Rules) -> None:
        """Refuse who needs nobody, and numbers of entrants or tables that do not come out even."""
        if rules.most_points is None and is_solo(rules):
            raise FormatError(
                f"expected duplicate or independent, as {rules.game} is a game of chips that one "
                "can play alone; got match"
            )
        check_company(self.tables, entrants, rules)

    def measure(self, rules: Rules) -> Measure:
        """Count places."""
        del rules
        return PLACE

    def table_bounds(self, rules: Rules, bankroll: int, minimum: int) -> Bounds | None:
        """Give the first place and the last."""
        del bankroll, minimum
        return None if self.bounds == "ignore" else Bounds(1, fewest_seats(rules))

    def table_words(self, rules: Rules) -> str:
        """Say what is played at one table."""
        games = "1 game" if self.games == 1 else f"{self.games:,} games"
        return f"{games} at a table, in {fewest_seats(rules)} seatings each"

    def schedule(self, field: Field) -> CompanySchedule:
        """Draw up the tournament of a field."""
        # Every game is a heat, which gives it deals of its own however long the others last.
        parts = tuple(Part(heat, 1, self.rounds) for heat in range(self.games))
        field = field.playing(_ending(field.rules))
        batch_tables = self.batch_tables or max(1, GAMES_IN_A_BATCH // self.games)
        return CompanySchedule(field, self.tables, parts, batch_tables)


def _ending(rules: Any) -> Rules:
    """Give the same rules with a number of points at which a game ends, if it has points."""
    is_ending = rules.limit or rules.most_points is None
    changed: Rules = rules if is_ending else replace(rules, limit=LIMIT)
    return changed
