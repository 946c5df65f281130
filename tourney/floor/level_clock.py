"""The level clock: the level at any instant, and when blocks may begin.

Breaks are known in advance, so this is plain arithmetic without simulation events.
"""

from dataclasses import dataclass
from typing import Self

from tourney.config.model import FloorConfig
from tourney.errors import TourneyError
from tourney.floor.block_durations import microseconds

_MINUTE = 60  # seconds


@dataclass(frozen=True, slots=True)
class LevelClock:
    """Levels of equal length with a break after every few of them.

    Play and break alternate: `play` microseconds, then `rest` microseconds, and so on. The last
    instant of a span is the first of the next one.
    """

    level: int  # microseconds of one level, at least 1
    play: int  # microseconds from one break to the next; 0 for a clock without breaks
    rest: int  # microseconds of one break

    @classmethod
    def from_config(cls, config: FloorConfig) -> Self:
        """Convert the organiser's settings; a break of length 0 counts as no break.

        Raises: TourneyError, if levels have no length or a duration is negative.
        """
        level = microseconds("level_minutes", config.level_minutes * _MINUTE)
        rest = microseconds("break_minutes", config.break_minutes * _MINUTE)
        if level < 1:
            raise TourneyError(
                f"floor.level_minutes: expected more than 0, got {config.level_minutes}"
            )
        if config.break_every_levels < 0:
            got = config.break_every_levels
            raise TourneyError(f"floor.break_every_levels: expected 0 or more, got {got}")
        return cls(level, config.break_every_levels * level if rest else 0, rest)

    def may_begin(self, instant: int) -> int:
        """Return when a block that is ready at an instant begins: not in a break.

        >>> clock = LevelClock(level=10, play=20, rest=5)
        >>> [clock.may_begin(instant) for instant in (19, 20, 24, 25)]
        [19, 25, 25, 25]
        """
        spans, into = self._place(instant)
        return instant if into < self.play or not self.play else (spans + 1) * self._cycle

    def level_time(self, instant: int) -> int:
        """Return how long levels have run by an instant: the time without the breaks.

        >>> clock = LevelClock(level=10, play=20, rest=5)
        >>> [clock.level_time(instant) for instant in (19, 20, 24, 26)]
        [19, 20, 20, 21]
        """
        spans, into = self._place(instant)
        return spans * self.play + min(into, self.play) if self.play else instant

    def levels(self, instant: int) -> int:
        """Return the number of levels begun; a level begins after the break before it.

        >>> clock = LevelClock(level=10, play=20, rest=5)
        >>> [clock.levels(instant) for instant in (0, 10, 20, 24, 25)]
        [1, 2, 2, 2, 3]
        """
        begun = self.level_time(instant) // self.level
        return begun if self.may_begin(instant) > instant else begun + 1

    def breaks(self, instant: int) -> int:
        """Return the number of breaks begun.

        >>> clock = LevelClock(level=10, play=20, rest=5)
        >>> [clock.breaks(instant) for instant in (19, 20, 25)]
        [0, 1, 1]
        """
        spans, into = self._place(instant)
        return spans + (into >= self.play) if self.play else 0

    def level_begins(self, level: int) -> int:
        """Return the instant at which a level begins; levels count from 1.

        >>> clock = LevelClock(level=10, play=20, rest=5)
        >>> [clock.level_begins(level) for level in (1, 2, 3)]
        [0, 10, 25]
        """
        played = (level - 1) * self.level
        return played + (played // self.play * self.rest if self.play else 0)

    def break_begins(self, number: int) -> int:
        """Return the instant at which a break begins; breaks count from 1.

        >>> clock = LevelClock(level=10, play=20, rest=5)
        >>> [clock.break_begins(number) for number in (1, 2)]
        [20, 45]
        """
        return number * self._cycle - self.rest

    @property
    def _cycle(self) -> int:
        return self.play + self.rest

    def _place(self, instant: int) -> tuple[int, int]:
        """Return the whole cycles before an instant, and the time since the last one."""
        return divmod(instant, self._cycle) if self.play else (0, instant)
