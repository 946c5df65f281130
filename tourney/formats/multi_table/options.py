"""What an organiser says about a tournament of many tables, and the levels that follow from it."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated

from annotated_types import Ge, Gt, Le

from tourney.errors import FormatError
from tourney.formats.base import Format, OnFault
from tourney.game.rules import Rules
from tourney.standings.standing import FINISH, Measure

MOST_CHIPS = 1_000_000_000
"""No minimum rises above it, so that sums stay within 64 bits."""


class Levels:
    """The minimums of a tournament, and when each begins.

    >>> levels = Levels(5, (10, 25), rise_percent=50, rounds=20)
    >>> [levels.minimum(level) for level in range(1, 7)]
    [5, 10, 25, 37, 55, 82]
    >>> levels.at(rounds=19, seconds=0), levels.at(rounds=20, seconds=0)
    (1, 2)
    """

    def __init__(
        self,
        first: int,
        listed: Sequence[int],
        *,
        rise_percent: int,
        rounds: int | None = None,
        minutes: float | None = None,
    ) -> None:
        """Begin.

        Args:
            first: Minimum of the first level, in chips.
            listed: Minimums of those after it, in chips.
            rise_percent: How much more each is after those.
            rounds: Length of a level; None if it is counted in minutes.
            minutes: Length of a level; None if it is counted in rounds.
        """
        self._minimums = [first, *listed]
        self._rise = rise_percent
        self._rounds = rounds
        self._seconds = 60 * (minutes or 0)

    def at(self, rounds: int, seconds: float) -> int:
        """Say which level it is after so many rounds, and at this time of the clock."""
        if self._rounds:
            return 1 + rounds // self._rounds
        return 1 + int(seconds // self._seconds)

    def minimum(self, level: int) -> int:
        """Give the least wager of a level, in chips."""
        while len(self._minimums) < level:
            last = self._minimums[-1]
            risen = max(last + 1, last * (100 + self._rise) // 100)
            if risen > MOST_CHIPS:
                return MOST_CHIPS
            self._minimums.append(risen)
        return self._minimums[level - 1]


LEVEL_ROUNDS = 30
"""Length of a level where the organiser does not say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options(Format):
    """Many tables, levels that rise, and everybody plays until it is out of chips."""

    seats: Annotated[int, Ge(2), Le(7)] = 7
    """Players at a table, at most."""

    block_rounds: Annotated[int, Ge(1), Le(1_000_000)] = 10
    """Rounds between two moments at which players go out, move and come, and levels begin."""

    level_rounds: Annotated[int, Ge(1), Le(1_000_000_000)] | None = None
    """Rounds that a level lasts; 30 by default."""

    level_minutes: Annotated[float, Gt(0), Le(1_000_000)] | None = None
    """Minutes of the floor's clock that a level lasts, instead of rounds."""

    minimums: tuple[Annotated[int, Ge(1), Le(1_000_000_000)], ...] = ()
    """Minimum wagers of the second level and of those after it, in chips."""

    rise_percent: Annotated[int, Ge(1), Le(900)] = 50
    """Percent by which the minimum rises from each level to the next, after those listed."""

    late_levels: Annotated[int, Ge(0), Le(1_000)] = 0
    """Levels during which late entrants may join; 0 for none."""

    rebuys: Annotated[int, Ge(0), Le(1_000)] = 0
    """Times an entrant without chips may buy the starting bankroll again."""

    rebuy_levels: Annotated[int, Ge(1), Le(1_000)] = 3
    """Levels in which that may be done."""

    addon: Annotated[int, Ge(0), Le(1_000_000_000)] = 0
    """Chips that can be added once; 0 for no add-on."""

    addon_level: Annotated[int, Ge(1), Le(1_000)] = 3
    """Level at whose end that may be done."""

    final_rounds: Annotated[int, Ge(1), Le(1_000_000)] | None = None
    """Rounds at the final table, after which bankrolls decide; by default until one is left."""

    most_blocks: Annotated[int, Ge(1), Le(1_000_000)] = 10_000
    """Blocks after which bankrolls decide in any case."""

    batch_tables: Annotated[int, Ge(1), Le(1_000_000)] | None = None
    """Tables that are played and stored together."""

    on_fault: OnFault = "zero"
    """What a verdict costs: zero (it is out, as if its chips were gone), disqualify (no place) or
    keep (it is out with the chips it had)."""

    def __post_init__(self) -> None:
        """Refuse settings that contradict each other."""
        if self.level_rounds and self.level_minutes:
            raise FormatError("expected level_rounds or level_minutes, got both")
        for before, after in pairwise(self.minimums):
            if after <= before:
                raise FormatError(f"minimums: expected each to be above the last, got {after}")

    @property
    def scheduled_rounds(self) -> int:
        """Rounds an entrant is to play at one table before it may be moved."""
        return self.block_rounds

    @property
    def asks_policies(self) -> tuple[str, ...]:
        """Settings of an entrant's policy that the format asks for."""
        return "late", "rebuys", "addon"

    def check(self, entrants: int, rules: Rules) -> None:
        """Refuse games in which nobody goes out, and too few entrants."""
        if rules.most_points is not None:
            raise FormatError(
                f"expected a game of chips, as players go out when theirs are gone; got "
                f"{rules.game}; take duplicate or match"
            )
        if not {1, self.seats} <= set(rules.seats):
            most = max(rules.seats)
            raise FormatError(f"seats: expected at most {most} for {rules.game}, got {self.seats}")
        if entrants < 2:  # noqa: PLR2004 - the last one left has outlasted another
            raise FormatError(f"expected at least 2 entrants, got {entrants}")

    def measure(self, rules: Rules) -> Measure:
        """Count how it ended."""
        del rules
        return FINISH

    def table_words(self, rules: Rules) -> str:
        """Say what is played at one table."""
        del rules
        if self.final_rounds:
            return f"up to {self.seats} at a table, {self.final_rounds:,} rounds at the last one"
        return f"up to {self.seats} at a table, until one is left"

    def levels(self, minimum: int) -> Levels:
        """Give the levels.

        Args:
            minimum: Of the first one, in chips.
        """
        rounds = None if self.level_minutes else self.level_rounds or LEVEL_ROUNDS
        return Levels(
            minimum,
            self.minimums,
            rise_percent=self.rise_percent,
            rounds=rounds,
            minutes=self.level_minutes,
        )
