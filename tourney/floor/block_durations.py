"""Simulated durations of blocks, fixed or drawn from named random streams.

Time is counted in whole microseconds, so that sums are exact in any order and the end of a level is
a single instant.

A block has separate streams, whatever table and dealer it gets. So an additional table or dealer
does not change other durations, and two floors can be compared block by block.
"""

from collections.abc import Iterator
from dataclasses import dataclass, fields
from hashlib import blake2b
from math import exp, log, log1p, sqrt
from statistics import NormalDist
from struct import pack
from typing import Any, Self, TypeAlias

from tourney.config.model import (
    Drawn,
    Duration,
    Exponential,
    FloorConfig,
    Lognormal,
    Normal,
    Triangular,
    Uniform,
)
from tourney.errors import TourneyError
from tourney.game.cards.generator import HALF, Generator

_KEY_BYTES = 16
_STANDARD = NormalDist()


class Streams:
    """All streams of a run, or of one replication of its floor."""

    __slots__ = ("_key",)

    def __init__(self, key: bytes = bytes(_KEY_BYTES)) -> None:
        """Create streams from a key.

        Args:
            key: 16 bytes; equal keys give equal streams.
        """
        self._key = key

    def shares(self, purpose: str, place: tuple[int, ...]) -> Iterator[float]:
        """Yield endless uniform random numbers between 0 and 1.

        Args:
            purpose: Name of the duration, at most 16 letters.
            place: The block.
        """
        message = pack(f"<{len(place)}q", *place)
        person = purpose.encode()
        key = blake2b(message, key=self._key, digest_size=_KEY_BYTES, person=person).digest()
        for half in Generator(key).halves(0):
            yield (half + 0.5) / (1 << HALF)


def seconds_at(drawn: Drawn, share: float) -> float:
    """Return the quantile of a distribution.

    Args:
        drawn: The distribution of durations.
        share: Probability, between 0 and 1, both excluded.

    >>> seconds_at(Uniform((30, 50)), 0.25), seconds_at(Normal(40, 10), 0.5)
    (35.0, 40.0)
    >>> round(seconds_at(Exponential(40), 0.5), 3), seconds_at(Triangular((30, 40, 50)), 0.5)
    (27.726, 40.0)
    """
    match drawn:
        case Exponential(mean):
            return -mean * log1p(-share)
        case Normal(mean, deviation):
            return max(0.0, mean + deviation * _STANDARD.inv_cdf(share))
        case Lognormal(mean, deviation):
            variance = log(1 + (deviation / mean) ** 2)
            return mean * exp(sqrt(variance) * _STANDARD.inv_cdf(share) - variance / 2)
        case Uniform((least, most)):
            return least + share * (most - least)
        case Triangular((least, likeliest, most)):
            width = most - least
            if share * width < likeliest - least:
                return least + sqrt(share * width * (likeliest - least))
            return most - sqrt((1 - share) * width * (most - likeliest))


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


AnyPace: TypeAlias = Pace | DrawnPace
"""Durations of the parts of a block."""


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
