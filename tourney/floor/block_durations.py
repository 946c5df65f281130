"""How long a block takes: simulated time as a sum of what happens at a table.

Time is counted in whole microseconds, so that sums are exact in any order and
the end of a level is one instant. Knows no tables and no clock.
"""

from dataclasses import dataclass, fields
from typing import Any, Protocol, Self

from tourney.config.model import Duration, FloorConfig
from tourney.errors import TourneyError
from tourney.floor.duration_streams import Streams, seconds_at

MICROSECONDS = 1_000_000  # in a second


@dataclass(frozen=True, slots=True)
class Sitting:
    """One block as the clock sees it: what was dealt, not what came of it."""

    seats: int
    rounds: int
    shuffles: int
    cards: int = 0
    decisions: int = 0
    has_seat_requests: bool = False  # somebody did not sit at this table in the wave before
    place: tuple[int, ...] = ()  # names the streams that it draws from


class AnyPace(Protocol):
    """Says how long things take."""

    def before(self, sitting: Sitting) -> int:
        """Say what passes at a table before the first round, in microseconds."""

    def play(self, sitting: Sitting) -> int:
        """Say how long rounds and shuffles take, in microseconds."""


@dataclass(frozen=True, slots=True)
class Pace:
    """What each thing at a table takes, in microseconds of simulated time."""

    setup: int  # once for each block
    round: int
    seat: int  # for each seat in each round
    shuffle: int
    card: int = 0
    decision: int = 0
    seat_change: int = 0  # once for a block with seat requests

    @classmethod
    def from_config(cls, config: FloorConfig) -> Self:
        """Take over the organiser's figures, rounded to microseconds.

        Raises: TourneyError, if one of them is negative.
        """
        times: dict[str, Any] = _durations(config)  # numbers, or `pace_of` takes another pace
        return cls(**{name: microseconds(f"{name}_seconds", times[name]) for name in times})

    def before(self, sitting: Sitting) -> int:
        """Say what passes at a table before the first round, in microseconds."""
        return self.setup + self.seat_change if sitting.has_seat_requests else self.setup

    def play(self, sitting: Sitting) -> int:
        """Say how long rounds and shuffles take, in microseconds.

        >>> Pace(setup=100, round=40, seat=8, shuffle=30).play(Sitting(2, rounds=3, shuffles=1))
        198
        """
        rounds = sitting.rounds * (self.round + sitting.seats * self.seat)
        dealt = sitting.shuffles * self.shuffle + sitting.cards * self.card
        return rounds + dealt + sitting.decisions * self.decision


class DrawnPace:
    """What each thing takes, where some of it is drawn anew each time."""

    def __init__(self, config: FloorConfig, streams: Streams) -> None:
        """Take over the organiser's figures.

        Raises: TourneyError, if one of them is negative.
        """
        self._durations = _durations(config)
        for name, duration in self._durations.items():
            if isinstance(duration, (int, float)):
                microseconds(f"{name}_seconds", duration)
        self._streams = streams

    def before(self, sitting: Sitting) -> int:
        """Draw what passes at a table before the first round, in microseconds."""
        setup = self._sum("setup", 1, sitting)
        return setup + self._sum("seat_change", int(sitting.has_seat_requests), sitting)

    def play(self, sitting: Sitting) -> int:
        """Draw how long rounds and shuffles take, in microseconds."""
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
    """Say whether anything on a floor takes a time that is drawn."""
    return not all(isinstance(each, (int, float)) for each in _durations(config).values())


def pace_of(config: FloorConfig, streams: Streams) -> AnyPace:
    """Give the pace of a floor; the cheaper one where nothing is drawn.

    Raises: TourneyError, if a time is negative.
    """
    return DrawnPace(config, streams) if is_drawn(config) else Pace.from_config(config)


def _durations(config: FloorConfig) -> dict[str, Duration]:
    return {field.name: getattr(config, f"{field.name}_seconds") for field in fields(Pace)}


def microseconds(name: str, seconds: float) -> int:
    """Round a duration of the configuration to the floor's unit of time.

    >>> microseconds("round_seconds", 0.1)
    100000
    """
    if not 0 <= seconds < float("inf"):
        raise TourneyError(f"floor.{name}: expected a time of 0 or more, got {seconds}")
    return round(seconds * MICROSECONDS)
