"""Simulated durations of blocks, from the numbers of rounds, shuffles, cards and decisions.

Time is counted in whole microseconds, so that sums are exact in any order and the end of a level is
a single instant.
"""

from dataclasses import dataclass, fields
from typing import Any, Protocol, Self

from tourney.config.model import Duration, FloorConfig
from tourney.errors import TourneyError
from tourney.floor.duration_streams import Streams, seconds_at

MICROSECONDS = 1_000_000  # in a second


@dataclass(frozen=True, slots=True)
class Sitting:
    """A block as the clock sees it: its counts, without results."""

    seats: int
    rounds: int
    shuffles: int
    cards: int = 0
    decisions: int = 0
    has_seat_requests: bool = False  # whether players are new at this table since the last wave
    place: tuple[int, ...] = ()  # key of the random streams for its durations


class AnyPace(Protocol):
    """Durations of the parts of a block."""

    def before(self, sitting: Sitting) -> int:
        """Return the time at a table before the first round, in microseconds."""

    def play(self, sitting: Sitting) -> int:
        """Return the time for rounds and shuffles, in microseconds."""


@dataclass(frozen=True, slots=True)
class Pace:
    """Fixed durations, in microseconds of simulated time."""

    setup: int  # once for each block
    round: int
    seat: int  # for each seat in each round
    shuffle: int
    card: int = 0
    decision: int = 0
    seat_change: int = 0  # once for a block with seat requests

    @classmethod
    def from_config(cls, config: FloorConfig) -> Self:
        """Convert the organiser's settings, rounded to microseconds.

        Raises: TourneyError, if a duration is negative.
        """
        times: dict[str, Any] = _durations(config)  # numbers, or `pace_of` takes another pace
        return cls(**{name: microseconds(f"{name}_seconds", times[name]) for name in times})

    def before(self, sitting: Sitting) -> int:
        """Return the time at a table before the first round, in microseconds."""
        return self.setup + self.seat_change if sitting.has_seat_requests else self.setup

    def play(self, sitting: Sitting) -> int:
        """Return the time for rounds and shuffles, in microseconds.

        >>> Pace(setup=100, round=40, seat=8, shuffle=30).play(Sitting(2, rounds=3, shuffles=1))
        198
        """
        rounds = sitting.rounds * (self.round + sitting.seats * self.seat)
        dealt = sitting.shuffles * self.shuffle + sitting.cards * self.card
        return rounds + dealt + sitting.decisions * self.decision


class DrawnPace:
    """Durations of which some are drawn at random each time."""

    def __init__(self, config: FloorConfig, streams: Streams) -> None:
        """Store the organiser's settings.

        Raises: TourneyError, if a duration is negative.
        """
        self._durations = _durations(config)
        for name, duration in self._durations.items():
            if isinstance(duration, (int, float)):
                microseconds(f"{name}_seconds", duration)
        self._streams = streams

    def before(self, sitting: Sitting) -> int:
        """Draw the time at a table before the first round, in microseconds."""
        setup = self._sum("setup", 1, sitting)
        return setup + self._sum("seat_change", int(sitting.has_seat_requests), sitting)

    def play(self, sitting: Sitting) -> int:
        """Draw the time for rounds and shuffles, in microseconds."""
        return (
            self._sum("round", sitting.rounds, sitting)
            + self._sum("seat", sitting.rounds * sitting.seats, sitting)
            + self._sum("card", sitting.cards, sitting)
            + self._sum("decision", sitting.decisions, sitting)
            + self._sum("shuffle", sitting.shuffles, sitting)
        )

    def _sum(self, name: str, times: int, sitting: Sitting) -> int:
        duration = self._durations[name]
        if isinstance(duration, (int, float)):
            return times * round(duration * MICROSECONDS)
        shares = self._streams.shares(name, sitting.place)
        drawn = (seconds_at(duration, next(shares)) for _ in range(times))
        return sum(round(seconds * MICROSECONDS) for seconds in drawn)


def is_drawn(config: FloorConfig) -> bool:
    """Return whether any duration of a floor is drawn at random."""
    return not all(isinstance(each, (int, float)) for each in _durations(config).values())


def pace_of(config: FloorConfig, streams: Streams) -> AnyPace:
    """Return the pace of a floor; the faster class if no duration is drawn.

    Raises: TourneyError, if a duration is negative.
    """
    return DrawnPace(config, streams) if is_drawn(config) else Pace.from_config(config)


def _durations(config: FloorConfig) -> dict[str, Duration]:
    return {field.name: getattr(config, f"{field.name}_seconds") for field in fields(Pace)}


def microseconds(name: str, seconds: float) -> int:
    """Convert a duration of the configuration to microseconds.

    >>> microseconds("round_seconds", 0.1)
    100000
    """
    if not 0 <= seconds < float("inf"):
        raise TourneyError(f"floor.{name}: expected a time of 0 or more, got {seconds}")
    return round(seconds * MICROSECONDS)
