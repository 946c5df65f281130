"""The floor's parts against formulas: how long tables wait for a dealer.

Tables come at random, their blocks are exponential, and c dealers serve them first come, first
served: an M/M/c queue, whose mean wait Erlang found in 1917.
"""

from collections.abc import Iterator
from itertools import islice
from math import factorial, sqrt
from statistics import fmean, stdev

import pytest

from tests.support.proving import with_more
from tourney.config.model import Exponential, FloorConfig
from tourney.floor.block_durations import Sitting, Streams, seconds_at
from tourney.floor.room import play_arrivals

BLOCK_SECONDS = 600.0
TABLES, WARM_UP = 3_000, 500
REPLICATIONS = 12
T_95 = 2.201
"""Of 11 degrees of freedom, so that 95 of 100 intervals hold the true mean."""


def erlang_wait(dealers: int, load: float) -> float:
    """Give the mean wait for a dealer in seconds, by Erlang's formula.

    Args:
        dealers: How many there are.
        load: Share of their time in which they deal, below 1.
    """
    offered = dealers * load
    waiting = offered**dealers / factorial(dealers) / (1 - load)
    others = sum(offered**count / factorial(count) for count in range(dealers))
    return waiting / (waiting + others) * BLOCK_SECONDS / (dealers * (1 - load))


def arrivals(streams: Streams, mean_gap: float) -> Iterator[tuple[float, Sitting]]:
    """Give tables that come at random, without end."""
    seconds = 0.0
    for number, share in enumerate(streams.shares("arrival", ())):
        seconds += seconds_at(Exponential(mean_gap), share)
        yield seconds, Sitting(seats=1, rounds=1, shuffles=0, place=(number,))


def mean_wait(dealers: int, load: float, replication: int) -> float:
    """Simulate, and give the mean wait in seconds after a warm-up."""
    streams = Streams(replication.to_bytes(16, "little"))
    config = FloorConfig(
        dealers=dealers,
        round_seconds=Exponential(BLOCK_SECONDS),
        seat_seconds=0,
        setup_seconds=0,
    )
    coming = islice(arrivals(streams, BLOCK_SECONDS / (dealers * load)), TABLES)
    seen = play_arrivals(config, streams, coming).instants
    waits = (seen.begin - seen.wave)[seen.wave.argsort()][WARM_UP:]
    return float(waits.mean()) / 1_000_000


@pytest.mark.prove
@pytest.mark.parametrize(("dealers", "load"), with_more([(1, 0.5), (3, 0.7)], [(8, 0.8)]))
def test_tables_wait_as_long_as_erlang_says(dealers: int, load: float) -> None:
    """His mean lies in the 95 % interval of twelve replications; benchmarks/floor.py has more."""
    means = [mean_wait(dealers, load, replication) for replication in range(REPLICATIONS)]
    half = T_95 * stdev(means) / sqrt(REPLICATIONS)
    assert abs(fmean(means) - erlang_wait(dealers, load)) < half
    assert half < 0.25 * erlang_wait(dealers, load)  # the interval is worth something


def test_the_formula_is_the_one_that_one_dealer_has_alone() -> None:
    """With one dealer the mean wait is load / (1 - load) blocks."""
    assert erlang_wait(1, 0.75) == pytest.approx(3 * BLOCK_SECONDS)


def test_tables_are_served_in_the_order_in_which_they_come() -> None:
    """One dealer, blocks of 100 seconds, tables at 0, 10 and 250."""
    config = FloorConfig(dealers=1, round_seconds=100, seat_seconds=0, setup_seconds=0)
    coming = [(second, Sitting(1, 1, 0)) for second in (0, 10, 250)]
    seen = play_arrivals(config, Streams(), coming).instants
    assert (seen.begin // 1_000_000).tolist() == [0, 100, 250]
    assert (seen.end // 1_000_000).tolist() == [100, 200, 350]
