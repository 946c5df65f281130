"""What tables and dealers did with their time: by hand, by an oracle, and to the last second."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tourney.config.model import Exponential, FloorConfig, Lognormal, Uniform
from tourney.errors import TourneyError
from tourney.floor.block_durations import Sitting, Streams
from tourney.floor.log import Log
from tourney.floor.room import Floor
from tourney.floor.utilization import Account, FloorReport

from .test_oracle import ROOMS, WAVES, Waves, oracle

DRAWN = st.sampled_from((Exponential(40), Lognormal(40, 15), Uniform((10, 70)), 40))


def play(
    config: FloorConfig, waves: Waves, warm_up_share: float = 0
) -> tuple[FloorReport, Account, Log]:
    """Play waves on a floor that keeps a log, each block with streams of its own."""
    log = Log()
    floor = Floor(config, Streams(bytes(16)), log)
    for number, wave in enumerate(waves):
        floor.play(replace(each, place=(number, block)) for block, each in enumerate(wave))
    return floor.report(), floor.account(floor.now * warm_up_share), log


@given(ROOMS, WAVES, DRAWN, DRAWN, st.floats(0, 1))
def test_every_dealer_second_is_accounted_for(
    config: FloorConfig, waves: Waves, each_round: float, each_shuffle: float, warm_up: float
) -> None:
    """Dealing, setting up, breaks and idle time add up to capacity times time."""
    config = replace(config, round_seconds=each_round, shuffle_seconds=each_shuffle)
    _, account, _ = play(config, waves, warm_up)
    parts = account.dealer_seconds
    total = account.dealers.capacity * (account.end_seconds - account.begin_seconds)
    assert parts.total == pytest.approx(total, abs=1e-5)
    assert parts.dealing + parts.setup + parts.breaks + parts.idle == pytest.approx(
        parts.total, abs=1e-5
    )
    assert min(parts.dealing, parts.setup, parts.breaks, parts.idle) >= 0


@given(ROOMS, WAVES)
def test_the_account_agrees_with_the_report_and_the_oracle(
    config: FloorConfig, waves: Waves
) -> None:
    """One counts as it goes, one reads the log, and one knows neither."""
    report, account, _ = play(config, waves)
    expected = oracle(config, waves)
    assert account.end_seconds == report.seconds
    for use, told, waits in (
        (report.tables, account.tables, expected.table_waits),
        (report.dealers, account.dealers, expected.dealer_waits),
    ):
        assert (told.capacity, told.requests) == (use.capacity, len(waits))
        assert told.wait.most == max(waits, default=0)
        assert told.wait.mean == pytest.approx(use.mean_wait_seconds)
        assert told.use == pytest.approx(use.utilisation)
        assert told.in_use.most == use.most_in_use
        for share, percentile in zip((50, 90, 99), told.wait.percentiles, strict=True):
            assert sum(wait <= percentile for wait in waits) * 100 >= share * len(waits)


@given(ROOMS, WAVES)
def test_the_mean_queue_is_the_sum_of_all_waits_over_time(
    config: FloorConfig, waves: Waves
) -> None:
    """Little's law, which holds of every queue that begins and ends empty."""
    config = replace(config, break_every_levels=0)
    _, account, _ = play(config, waves)
    for resource in (account.tables, account.dealers):
        waited = resource.wait.mean * resource.requests
        assert resource.queue.mean * account.end_seconds == pytest.approx(waited, abs=1e-3)


def test_a_schedule_worked_out_by_hand() -> None:
    """Three tables, two dealers; levels of 10 minutes and a break of 5 after each.

    A block takes 60 to set up, 30 more where somebody is new, and 100 a round:

    block  rounds  new  length  table free  begins  deals  ends
    A      2       yes  290     0           0       90     290
    B      5       no   560     0           0       60     560
    C      1       yes  190     0           290     380    480
    D      3       no   360     290         480     540    840   (into the break of 600-900)
    E      1       no   160     480         560     620    720   (into the break)
    F      1       no   160     560         900     960    1060

    A second wave begins when F has ended: G, 1 round, 1060-1220.
    """
    config = FloorConfig(
        tables=3,
        dealers=2,
        round_seconds=100,
        seat_seconds=0,
        shuffle_seconds=0,
        setup_seconds=60,
        seat_change_seconds=30,
        level_minutes=10,
        break_every_levels=1,
        break_minutes=5,
    )
    rounds = {"A": 2, "B": 5, "C": 1, "D": 3, "E": 1, "F": 1, "G": 1}
    first = [Sitting(4, rounds[each], 1, has_seat_requests=each in "AC") for each in "ABCDEF"]
    _, account, log = play(config, [first, [Sitting(4, rounds["G"], 1)]])
    seconds = [[int(each) // 1_000_000 for each in row] for row in zip(*log.instants, strict=True)]
    assert seconds == [  # wave, table free, begin, first round, end
        [0, 0, 0, 90, 290],  # A
        [0, 0, 290, 380, 480],  # C
        [0, 0, 0, 60, 560],  # B
        [0, 480, 560, 620, 720],  # E
        [0, 290, 480, 540, 840],  # D
        [0, 560, 900, 960, 1060],  # F
        [1060, 1060, 1060, 1120, 1220],  # G
    ]
    parts = account.dealer_seconds
    assert parts.dealing == 100 * 14
    assert parts.setup == 60 * 7 + 30 * 2
    assert parts.breaks == 2 * 300 - 120 - 240  # E and D are played on
    assert parts.idle == 2 * 1220 - 1400 - 480 - 240  # from 900 on one dealer has nothing to do
    assert account.dealers.wait.most == 290
    assert account.dealers.queue.most == 1


def test_what_was_before_the_warm_up_does_not_count() -> None:
    """Two blocks of 100 seconds one after the other: after 150 seconds there was one half."""
    config = FloorConfig(tables=1, round_seconds=100, seat_seconds=0, setup_seconds=0)
    floor = Floor(config, log=Log())
    floor.play([Sitting(1, 1, 0)] * 2)
    account = floor.account(warm_up=150)
    assert (account.begin_seconds, account.end_seconds) == (150, 200)
    assert account.dealer_seconds.dealing == account.dealer_seconds.total == 50
    assert account.tables.requests == 0  # both began before
    assert floor.account(100).tables.requests == 1


def test_a_floor_without_a_log_cannot_account_for_its_time() -> None:
    """A run keeps none, since it would grow with every block; and nothing is warm for ever."""
    with pytest.raises(TourneyError, match="an account needs a log"):
        Floor(FloorConfig()).account()
    with pytest.raises(TourneyError, match="60 seconds are longer than the floor was open, 0"):
        Floor(FloorConfig(), log=Log()).account(60)
