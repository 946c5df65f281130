"""Options of a tournament of many tables, and the levels that follow from them."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated

from annotated_types import Ge, Gt, Le

from tourney.errors import FormatError
from tourney.formats.base import Format, OnFault
from tourney.formats.group_tables import instead_of, most_seats, refuse_no_company
from tourney.game.rules import Rules
from tourney.standings.standing import FINISH, Measure

MOST_CHIPS = 1_000_000_000
"""Upper limit of the minimum bet, so that sums fit into 64 bits."""

LEVEL_ROUNDS = 30
"""Default length of a level."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options(Format):
    """Many tables and rising levels; each entrant plays until it has no chips."""

    seats: Annotated[int, Ge(2), Le(7)] | None = None
    """Most players at a table; by default seven, or as many as the game allows."""

    block_rounds: Annotated[int, Ge(1), Le(1_000_000)] = 10
    """Rounds of a block; players go out, move and join, and levels begin, only between blocks."""

    level_rounds: Annotated[int, Ge(1), Le(1_000_000_000)] | None = None
    """Rounds of a level; 30 by default."""

    level_minutes: Annotated[float, Gt(0), Le(1_000_000)] | None = None
    """Minutes of a level on the clock of the floor, instead of rounds."""

    minimums: tuple[Annotated[int, Ge(1), Le(1_000_000_000)], ...] = ()
    """Minimum bets of the second and later levels, in chips."""

    rise_percent: Annotated[int, Ge(1), Le(900)] = 50
    """Percent by which the minimum rises from each level to the next, after the listed ones."""

    late_levels: Annotated[int, Ge(0), Le(1_000)] = 0
    """Levels during which late entrants may join; by default they may not."""

    rebuys: Annotated[int, Ge(0), Le(1_000)] = 0
    """Number of times that an entrant without chips may buy the starting bankroll again."""

    rebuy_levels: Annotated[int, Ge(1), Le(1_000)] = 3
    """Number of levels with re-buys."""

    addon: Annotated[int, Ge(0), Le(1_000_000_000)] = 0
    """Chips of the add-on; 0 for no add-on."""

    addon_level: Annotated[int, Ge(1), Le(1_000)] = 3
    """Level at whose end the add-on is available."""

    final_rounds: Annotated[int, Ge(1), Le(1_000_000)] | None = None
    """Rounds at the final table, after which bankrolls decide; by default it plays until one is
    left."""

    most_blocks: Annotated[int, Ge(1), Le(1_000_000)] = 10_000
    """Most blocks, after which bankrolls decide."""

    batch_tables: Annotated[int, Ge(1), Le(1_000_000)] | None = None
    """Tables that are played and stored together."""

    on_fault: OnFault = "zero"
    """Cost of a verdict: zero (the entrant is out without chips), disqualify (no place) or keep (it
    is out with the chips it had)."""

    def __post_init__(self) -> None:
        """Raise FormatError for settings that contradict each other."""
        if self.level_rounds and self.level_minutes:
            raise FormatError("level_rounds and level_minutes are both set; remove one of them")
        for before, after in pairwise(self.minimums):
            if after <= before:
                raise FormatError(
                    f"minimums: {after} is not greater than the minimum before it; list them in "
                    "increasing order"
                )

    @property
    def scheduled_rounds(self) -> int:
        """Rounds that an entrant is scheduled to play at one table before it may be moved."""
        return self.block_rounds

    @property
    def asks_policies(self) -> tuple[str, ...]:
        """Settings of an entrant's policy that the format uses."""
        return "late", "rebuys", "addon"

    def seats_at(self, rules: Rules) -> int:
        """Return the most seats at a table."""
        return self.seats or most_seats(rules)

    def check(self, entrants: int, rules: Rules) -> None:
        """Raise FormatError for games without chips, and for too few entrants."""
        if rules.most_points is not None:
            raise FormatError(
                f"multi-table needs a game of chips, in which players go out, and {rules.game} "
                f"is not one; {instead_of('multi-table', rules)}"
            )
        refuse_no_company("multi-table", rules)
        if 1 not in rules.seats:
            raise FormatError(
                f"in multi-table one player may be left at a table, and {rules.game} needs "
                f"{rules.seats.start}; {instead_of('multi-table', rules)}"
            )
        if self.seats_at(rules) not in rules.seats:
            most = max(rules.seats)
            raise FormatError(f"seats: expected at most {most} for {rules.game}, got {self.seats}")
        if entrants < 2:  # noqa: PLR2004 - the last one left has outlasted another
            raise FormatError(f"expected at least 2 entrants, got {entrants}")

    def measure(self, rules: Rules) -> Measure:
        """Rank by the result of the tournament."""
        del rules
        return FINISH

    def table_words(self, rules: Rules) -> str:
        """Describe the play at one table."""
        most = self.seats_at(rules)
        if self.final_rounds:
            return f"up to {most} at a table, {self.final_rounds:,} rounds at the last one"
        return f"up to {most} at a table, until one is left"

    def level_at(self, rounds: int, seconds: float) -> int:
        """Return the level after this number of rounds, and at this time of the clock.

        >>> from tourney.formats import MultiTable
        >>> options = MultiTable(level_rounds=20)
        >>> options.level_at(rounds=19, seconds=0), options.level_at(rounds=20, seconds=0)
        (1, 2)
        """
        if self.level_minutes:
            return 1 + int(seconds // (60 * self.level_minutes))
        return 1 + rounds // (self.level_rounds or LEVEL_ROUNDS)

    def minimum_at(self, level: int, first: int) -> int:
        """Return the minimum bet of a level, in chips.

        Args:
            level: From 1.
            first: The minimum bet of the first level.

        >>> from tourney.formats import MultiTable
        >>> [MultiTable(minimums=(10, 25)).minimum_at(level, first=5) for level in range(1, 7)]
        [5, 10, 25, 37, 55, 82]
        """
        listed = (first, *self.minimums)
        minimum = listed[min(level, len(listed)) - 1]
        for _ in range(level - len(listed)):
            minimum = max(minimum + 1, minimum * (100 + self.rise_percent) // 100)
            if minimum > MOST_CHIPS:
                return MOST_CHIPS
        return minimum
