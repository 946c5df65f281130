"""A room to which tables come by themselves: each waits for a dealer, plays a block and leaves.

Tournaments go by waves, which no textbook has a formula for. In this room the same dealers,
paces and streams do what formulas are known for, so that they can be held against them.
"""

from collections.abc import Generator, Iterable

import simpy

from tourney.config import FloorConfig
from tourney.event.floor.dealers import Dealers
from tourney.event.floor.log import Log
from tourney.event.floor.pace import MICROSECONDS, AnyPace, Sitting, pace_of
from tourney.event.floor.streams import Streams


def play_arrivals(
    config: FloorConfig, streams: Streams, arrivals: Iterable[tuple[float, Sitting]]
) -> Log:
    """Simulate an open room until its last table has left; it has no breaks.

    Args:
        config: How many dealers there are, and how long things take. There are tables enough.
        streams: What times are drawn from.
        arrivals: When tables come, in seconds and in order, and what they play.
    Returns: What became of every table; its wave is its arrival.
    """
    environment, log = simpy.Environment(), Log()
    dealers = Dealers(environment, config.dealers or config.tables)
    pace = pace_of(config, streams)

    def door() -> Generator[simpy.Event, None, None]:
        for seconds, sitting in arrivals:
            instant = round(seconds * MICROSECONDS)
            yield environment.timeout(instant - int(environment.now))
            environment.process(_table(environment, dealers, pace, sitting, log))

    environment.process(door())
    environment.run()
    return log


def _table(
    environment: simpy.Environment, dealers: Dealers, pace: AnyPace, sitting: Sitting, log: Log
) -> Generator[simpy.Event, None, None]:
    """Wait for a dealer, play and leave."""
    came = int(environment.now)
    coming = dealers.call()
    if coming is not None:
        yield coming
    begin, before = int(environment.now), pace.before(sitting)
    yield environment.timeout(before + pace.play(sitting))
    log.note(sitting, came, came, begin, begin + before, int(environment.now))
    dealers.dismiss()
