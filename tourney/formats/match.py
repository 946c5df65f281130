"""The format `match`: entrants play whole games for places, and all meet each other.

A table has four seats or two, as the game needs. A game of points ends at the limit of the rules; a
game of chips ends when a player cannot continue. docs/rules/formats.md numbers the rules.
"""

from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar, Literal

from annotated_types import Ge, Le

from tourney.errors import FormatError
from tourney.formats.base import Format, OnFault, scoring_of
from tourney.formats.designs import PAIR, SEATS, tables_each
from tourney.formats.field import Field, Looks, Stopping, check_looks
from tourney.formats.group_tables import (
    CompanySchedule,
    Part,
    check_company,
    is_solo,
    refuse_no_company,
)
from tourney.game.rules import Rules, fewest_seats
from tourney.standings.bounded_differences import Bounds
from tourney.standings.confidence import doubling
from tourney.standings.standing import PLACE, Measure

LIMIT = 80
"""Points at which a game ends, if the rules set no limit."""

MOST_ROUNDS = 1_000
"""Most rounds of a game; most games to 80 points end after four."""

GAMES_IN_A_BATCH = 150
"""Default size of a batch; about half a second of Python."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Match(Format):
    """Groups of four or two play whole games; all entrants meet equally often."""

    tables: Annotated[int, Ge(1), Le(1_000_000)]
    """Tables of each entrant, a multiple of the number that the entrants need."""

    games: Annotated[int, Ge(1), Le(1_000_000)] = 1
    """Games at every table, each played in all seatings with the same deals."""

    rounds: Annotated[int, Ge(1), Le(1_000_000)] = MOST_ROUNDS
    """Most rounds of a game."""

    batch_tables: Annotated[int, Ge(1), Le(1_000_000)] | None = None
    """Tables that are played and stored together."""

    on_fault: OnFault = "zero"
    """Cost of a verdict: zero (last in all games of the table), disqualify (no place) or keep (a
    stand-in finishes the game)."""

    stop: Literal["at-the-end", "separated"] = "at-the-end"
    """Play all tables (at-the-end), or stop at the first interim analysis after which all
    neighbours on the board are significantly different or equal (separated)."""

    looks: Looks | None = None
    """Tables after which to analyse, for stop: separated; by default 400, 800, 1,600 and so on."""

    bounds: Literal["declared", "ignore"] = "declared"
    """Make ranks valid for all results, since places have bounds (declared), or only for results
    without rare, large losses, which takes fewer tables (ignore)."""

    summary: ClassVar[str] = "four or two at a table play whole games to places"

    def __post_init__(self) -> None:
        """Raise FormatError for interim analyses that are unused or not in order."""
        check_looks(self.looks, self.stop, self.tables)

    @property
    def scheduled_rounds(self) -> int:
        """Most rounds that an entrant plays at one table."""
        return SEATS * self.games * self.rounds

    @property
    def tables_each(self) -> int:
        """Games with a bankroll of each entrant; always several."""
        return PAIR * self.games * self.tables

    def check(self, entrants: int, rules: Rules) -> None:
        """Raise FormatError for solo games, and for numbers of entrants or tables
        without a plan.
        """
        if rules.most_points is None and is_solo(rules):
            raise FormatError(
                f"{rules.game} is a game of chips for one player, so match has no opponents to "
                "rank; use the format duplicate or independent"
            )
        refuse_no_company("match", rules)
        check_company("match", self.tables, entrants, rules)
        for look in self.looks or ():
            check_company("match", look, entrants, rules, "looks")

    def looks_for(self, entrants: int, rules: Rules) -> tuple[int, ...]:
        """Return the tables of each interim analysis and of the end; empty if it never
        stops early.
        """
        if self.stop == "at-the-end":
            return ()
        step = tables_each(entrants, fewest_seats(rules))
        looks = self.looks or doubling(self.tables, step)
        return looks if looks[-1] == self.tables else (*looks, self.tables)

    def measure(self, rules: Rules) -> Measure:
        """Count places."""
        del rules
        return PLACE

    def table_bounds(self, rules: Rules, bankroll: int, minimum: int) -> Bounds | None:
        """Return the first place and the last."""
        del bankroll, minimum
        return None if self.bounds == "ignore" else Bounds(1, fewest_seats(rules))

    def table_words(self, rules: Rules) -> str:
        """Describe the play at one table."""
        games = "1 game" if self.games == 1 else f"{self.games:,} games"
        return f"{games} at a table, in {fewest_seats(rules)} seatings each"

    def schedule(self, field: Field) -> CompanySchedule:
        """Create the schedule of a field."""
        # Each game is a heat, so its deals do not depend on the length of the other games.
        parts = tuple(Part(heat, 1, self.rounds) for heat in range(self.games))
        field = field.playing(_ending(field.rules))
        batch_tables = self.batch_tables or max(1, GAMES_IN_A_BATCH // self.games)
        stopping = Stopping(field, scoring_of(self, field), self.tables)
        return CompanySchedule(field, parts, batch_tables, stopping)


def _ending(rules: Any) -> Rules:
    """Return rules with a point limit, if the game has points."""
    is_ending = rules.limit or rules.most_points is None
    changed: Rules = rules if is_ending else replace(rules, limit=LIMIT)
    return changed
