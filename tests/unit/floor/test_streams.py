"""Times that are drawn: as they are distributed, and each from a stream of its own."""

from dataclasses import replace
from itertools import islice
from math import sqrt
from statistics import fmean, pstdev

import pytest

from tourney.config.model import (
    Drawn,
    Exponential,
    FloorConfig,
    Lognormal,
    Normal,
    Triangular,
    Uniform,
)
from tourney.errors import TourneyError
from tourney.floor.block_durations import Sitting, Streams, seconds_at
from tourney.floor.log import Log
from tourney.floor.room import Floor
from tourney.game.cards.keys import Secret

DRAWS = 20_000
KINDS: list[tuple[Drawn, float, float]] = [
    (Exponential(40), 40, 40),
    (Normal(40, 10), 40, 10),
    (Lognormal(40, 10), 40, 10),
    (Uniform((30, 50)), 40, 20 / sqrt(12)),
    (Triangular((30, 40, 80)), 50, sqrt((900 + 1600 + 6400 - 1200 - 3200 - 2400) / 18)),
]


@pytest.mark.parametrize(("drawn", "mean", "deviation"), KINDS, ids=repr)
def test_times_have_the_mean_and_the_spread_of_their_kind(
    drawn: Drawn, mean: float, deviation: float
) -> None:
    """Within four standard errors, of 20,000 draws."""
    shares = islice(Streams().shares("round", (1, 2)), DRAWS)
    seconds = [seconds_at(drawn, share) for share in shares]
    assert fmean(seconds) == pytest.approx(mean, abs=4 * deviation / sqrt(DRAWS))
    assert pstdev(seconds) == pytest.approx(deviation, rel=0.05)
    assert min(seconds) >= 0


@pytest.mark.parametrize(("drawn", "mean", "deviation"), KINDS, ids=repr)
def test_a_greater_share_is_a_longer_time(drawn: Drawn, mean: float, deviation: float) -> None:
    """So that the same share means as much bad luck whatever the kind."""
    del mean, deviation
    seconds = [seconds_at(drawn, share / 1000) for share in range(1, 1000)]
    assert seconds == sorted(seconds)


def lengths(config: FloorConfig, sittings: list[Sitting], streams: Streams) -> list[int]:
    """Give how long the blocks take, the shortest first."""
    log = Log()
    Floor(config, streams, log).play(sittings)
    return sorted((log.instants.end - log.instants.begin).tolist())


def blocks(count: int) -> list[Sitting]:
    """Make equal blocks at places of their own."""
    return [Sitting(3, 10, 2, place=(0, number)) for number in range(count)]


DRAWN = FloorConfig(tables=4, round_seconds=Exponential(40), shuffle_seconds=Normal(90, 30))


def test_another_table_or_dealer_changes_no_other_draw() -> None:
    """Blocks take as long as before, wherever and whenever they are played."""
    before = lengths(DRAWN, blocks(12), Streams())
    assert lengths(replace(DRAWN, tables=5, dealers=2), blocks(12), Streams()) == before
    more = lengths(DRAWN, blocks(13), Streams())
    assert set(before) < set(more)


def test_another_purpose_changes_no_other_draw() -> None:
    """That shuffles are drawn, too, leaves the rounds as they were."""
    shuffles_alone = replace(DRAWN, round_seconds=0.0, seat_seconds=0.0, setup_seconds=0.0)
    rounds_alone = replace(DRAWN, shuffle_seconds=0.0)
    one = blocks(1)
    both = lengths(DRAWN, one, Streams())[0]
    assert both == (
        lengths(shuffles_alone, one, Streams())[0] + lengths(rounds_alone, one, Streams())[0]
    )


def test_a_rehearsal_is_repeated_to_the_microsecond() -> None:
    """The run's secret and the replication decide; another of either takes other times."""
    keys = [Secret.from_seed(seed).floor_key(number) for seed in (1, 2) for number in (0, 1)]
    seen = [tuple(lengths(DRAWN, blocks(5), Streams(key))) for key in (*keys, keys[0])]
    assert seen[0] == seen[4]
    assert len(set(seen)) == 4


def test_what_is_not_drawn_is_as_long_as_ever() -> None:
    """A floor where only shuffles are drawn sets up, deals and changes seats as one without."""
    config = FloorConfig(card_seconds=2, decision_seconds=3, seat_change_seconds=15)
    sitting = Sitting(
        3, rounds=10, shuffles=0, cards=50, decisions=20, has_seat_requests=True, place=(7,)
    )
    drawn = replace(config, shuffle_seconds=Exponential(90))
    expected = 120 + 15 + 10 * (40 + 3 * 8) + 50 * 2 + 20 * 3
    assert lengths(config, [sitting], Streams())[0] == expected * 1_000_000
    assert lengths(drawn, [sitting], Streams())[0] == expected * 1_000_000


def test_no_time_is_negative_beside_one_that_is_drawn() -> None:
    """A setting that is wrong is refused either way."""
    with pytest.raises(TourneyError, match="expected a time of 0 or more"):
        Floor(FloorConfig(round_seconds=-1, shuffle_seconds=Exponential(90)))
