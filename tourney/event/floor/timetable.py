"""The times of day at which levels and breaks begin, and at which all is over.

Knows nothing of tables and dealers.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from tourney.config import FloorConfig
from tourney.event.floor.levels import LevelClock
from tourney.event.floor.pace import MICROSECONDS


@dataclass(frozen=True, slots=True)
class Moment:
    """Something that begins or ends."""

    seconds: float
    what: str


def timetable(config: FloorConfig, seconds: float, *, has_levels: bool = True) -> list[Moment]:
    """List the levels and breaks of a floor, and its end.

    Args:
        config: The floor's.
        seconds: When all was over.
        has_levels: Whether the floor's levels are the tournament's; it may have its own.

    >>> config = FloorConfig(level_minutes=10, break_every_levels=1, break_minutes=5)
    >>> [(moment.seconds, moment.what) for moment in timetable(config, 1000)]
    [(0.0, 'level 1'), (600.0, 'break of 5 min'), (900.0, 'level 2'), (1000, 'end')]
    """
    clock, until = LevelClock.from_config(config), int(seconds * MICROSECONDS)
    moments = [Moment(seconds, "end")]
    if has_levels:
        moments += [
            Moment(clock.level_begins(level) / MICROSECONDS, f"level {level}")
            for level in range(1, clock.levels(until) + 1)
        ]
    moments += [
        Moment(clock.break_begins(number) / MICROSECONDS, f"break of {config.break_minutes:g} min")
        for number in range(1, clock.breaks(until) + 1)
    ]
    return sorted(moments, key=lambda moment: (moment.seconds, moment.what == "end"))


def time_words(config: FloorConfig, seconds: float) -> str:
    """Say an instant as a time of day, or as hours and minutes if nobody said when it starts.

    >>> time_words(FloorConfig(), 5_400), time_words(FloorConfig(), 90_000)
    ('1:30', '25:00')
    >>> time_words(FloorConfig(start_time="2026-12-01 23:00"), 5_400)
    'Wed 2026-12-02 00:30'
    """
    minutes = round(seconds / 60)
    if config.start_time is None:
        return f"{minutes // 60}:{minutes % 60:02d}"
    begin = datetime.fromisoformat(config.start_time)
    return f"{begin + timedelta(minutes=minutes):%a %Y-%m-%d %H:%M}"
