"""How long a block takes: simulated time as a sum of what happens at a table.

Time is counted in whole microseconds, so that sums are exact in any order and
the end of a level is one instant. Knows no tables and no clock.
"""

from dataclasses import dataclass
from typing import Self

from tourney.config import FloorConfig
from tourney.errors import TourneyError

MICROSECONDS = 1_000_000  # in a second


@dataclass(frozen=True, slots=True)
class Sitting:
    """One block as the clock sees it: what was dealt, not what came of it."""

    seats: int
    rounds: int
    shuffles: int


@dataclass(frozen=True, slots=True)
class Pace:
    """What each thing at a table takes, in microseconds of simulated time."""

    setup: int  # once for each block
    round: int
    seat: int  # for each seat in each round
    shuffle: int

    @classmethod
    def from_config(cls, config: FloorConfig) -> Self:
        """Take over the organiser's figures, rounded to microseconds.

        Raises: TourneyError, if one of them is negative.
        """
        return cls(
            setup=microseconds("setup_seconds", config.setup_seconds),
            round=microseconds("round_seconds", config.round_seconds),
            seat=microseconds("seat_seconds", config.seat_seconds),
            shuffle=microseconds("shuffle_seconds", config.shuffle_seconds),
        )

    def block(self, sitting: Sitting) -> int:
        """Say how long a block keeps its table and its dealer, in microseconds.

        >>> Pace(setup=100, round=40, seat=8, shuffle=30).block(Sitting(2, rounds=3, shuffles=1))
        298
        """
        rounds = sitting.rounds * (self.round + sitting.seats * self.seat)
        return self.setup + rounds + sitting.shuffles * self.shuffle


def microseconds(name: str, seconds: float) -> int:
    """Round a duration of the configuration to the floor's unit of time.

    >>> microseconds("round_seconds", 0.1)
    100000
    """
    if not 0 <= seconds < float("inf"):
        raise TourneyError(f"floor.{name}: expected a time of 0 or more, got {seconds}")
    return round(seconds * MICROSECONDS)
