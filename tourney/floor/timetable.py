"""Times of day and durations as text: the schedule of levels, breaks and the end."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from math import inf

from tourney.config.model import FloorConfig
from tourney.floor.block_durations import MICROSECONDS
from tourney.floor.level_clock import LevelClock


@dataclass(frozen=True, slots=True)
class Moment:
    """The beginning or end of something."""

    seconds: float
    what: str


def timetable(config: FloorConfig, seconds: float, *, has_levels: bool = True) -> list[Moment]:
    """List the levels and breaks of a floor, and its end.

    Args:
        config: The settings of the floor.
        seconds: Time of the end.
        has_levels: Whether the floor's levels are the tournament's; a tournament may have its own.

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
    """Format an instant as a time of day, or as hours and minutes without a start time.

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


# Seconds in the small unit, its name; small units in a large one, its name; limit in small units.
_SCALES = (
    (1, "s", 60, "min", 3_600),
    (60, "min", 60, "h", 1_440),
    (3_600, "h", 24, "d", inf),
)


def duration_words(seconds: float) -> str:
    """Format a duration in its two largest units, the second one rounded.

    >>> [duration_words(seconds) for seconds in (0, 45.2, 725, 15_130, 93_784)]
    ['0 s', '45 s', '12 min 5 s', '4 h 12 min', '1 d 2 h']
    """
    # Round before choosing the scale, so that 3 599.9 s are 1 h and not 60 min.
    unit, small, per_large, large, _ = next(
        scale for scale in _SCALES if round(seconds / scale[0]) < scale[-1]
    )
    whole, rest = divmod(round(seconds / unit), per_large)
    parts = ((whole, large), (rest, small))
    return " ".join(f"{number} {name}" for number, name in parts if number) or "0 s"
