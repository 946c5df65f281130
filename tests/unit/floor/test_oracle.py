"""The floor against an independent one: list scheduling with two heaps, in whole seconds.

The oracle shares no code with `tourney.floor` and knows no events: every block
takes the table that is free first and the dealer who is free first.
"""

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tourney.config.model import FloorConfig
from tourney.floor.block_durations import Sitting
from tourney.floor.room import Floor
from tourney.floor.utilization import FloorReport

Waves = list[list[Sitting]]

SITTINGS = st.builds(
    Sitting, seats=st.integers(1, 7), rounds=st.integers(0, 40), shuffles=st.integers(0, 5)
)
WAVES = st.lists(st.lists(SITTINGS, max_size=12), max_size=3)
WAVE = st.lists(SITTINGS, min_size=1, max_size=20)
ROOMS = st.builds(
    FloorConfig,
    tables=st.integers(1, 6),
    dealers=st.none() | st.integers(1, 8),
    round_seconds=st.integers(0, 60),
    seat_seconds=st.integers(0, 10),
    shuffle_seconds=st.integers(0, 120),
    setup_seconds=st.integers(1, 300),
    level_minutes=st.integers(5, 40),
    break_every_levels=st.integers(0, 3),
    break_minutes=st.integers(0, 20),
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the oracle expects of a report, in seconds."""

    seconds: int
    busy_seconds: int
    most_in_use: int
    table_waits: list[int]
    dealer_waits: list[int]


def block_seconds(config: FloorConfig, sitting: Sitting) -> int:
    """Say how long a block takes, round by round."""
    parts = ("setup", "shuffle", "round", "seat")
    setup, shuffle, each_round, seat = (getattr(config, f"{part}_seconds") for part in parts)
    total = setup + sitting.shuffles * shuffle
    for _ in range(sitting.rounds):
        total += each_round + sitting.seats * seat
    return int(total)


def breaks_until(config: FloorConfig, end: int) -> Iterator[tuple[int, int]]:
    """Walk from break to break up to an instant."""
    play = int(config.break_every_levels * config.level_minutes * 60)
    rest = int(config.break_minutes * 60)
    begin = play
    while play and rest and begin <= end:
        yield begin, begin + rest
        begin += rest + play


def after_break(config: FloorConfig, instant: int) -> int:
    """Move an instant in a break to its end."""
    for begin, end in breaks_until(config, instant):
        if begin <= instant < end:
            return end
    return instant


def without_breaks(config: FloorConfig, begin: int, end: int) -> int:
    """Measure a span without the breaks in it."""
    rests = (
        max(0, min(end, last) - max(begin, first)) for first, last in breaks_until(config, end)
    )
    return end - begin - sum(rests)


def most_at_once(spans: Sequence[tuple[int, int]]) -> int:
    """Count the blocks at the fullest instant; one that ends makes room for the next."""
    changes = sorted([(begin, 1) for begin, _ in spans] + [(end, -1) for _, end in spans])
    running = most = 0
    for _, change in changes:
        running += change
        most = max(most, running)
    return most


def oracle(config: FloorConfig, waves: Waves) -> Outcome:
    """Play waves of blocks, one wave after the other."""
    clock = 0
    tables = [0] * config.tables
    dealers = [0] * (config.dealers or config.tables)
    spans: list[tuple[int, int]] = []
    table_waits: list[int] = []
    dealer_waits: list[int] = []
    for wave in waves:
        opened = clock
        for sitting in wave:
            table = max(opened, heapq.heappop(tables))
            begin = after_break(config, max(table, heapq.heappop(dealers), opened))
            end = begin + block_seconds(config, sitting)
            heapq.heappush(tables, end)
            heapq.heappush(dealers, end)
            spans.append((begin, end))
            table_waits.append(without_breaks(config, opened, table))
            dealer_waits.append(without_breaks(config, table, begin))
            clock = max(clock, end)
    busy = sum(end - begin for begin, end in spans)
    return Outcome(clock, busy, most_at_once(spans), table_waits, dealer_waits)


def play(config: FloorConfig, waves: Waves) -> tuple[FloorReport, list[Sitting]]:
    """Play the waves on the real floor and note the sittings it pulls."""
    floor = Floor(config)
    pulled: list[Sitting] = []

    def noted(wave: list[Sitting]) -> Iterator[Sitting]:
        for sitting in wave:
            pulled.append(sitting)
            yield sitting

    for wave in waves:
        floor.play(noted(wave))
    return floor.report(), pulled


@given(ROOMS, WAVES)
def test_the_clock_and_the_dealer_seconds_are_those_of_the_oracle(
    config: FloorConfig, waves: Waves
) -> None:
    """Events and heaps arrive at the same simulated time."""
    report, _ = play(config, waves)
    expected = oracle(config, waves)
    assert report.seconds == expected.seconds
    assert report.dealers.busy_seconds == report.tables.busy_seconds == expected.busy_seconds
    assert report.dealers.most_in_use == report.tables.most_in_use == expected.most_in_use


@given(ROOMS, WAVES)
def test_the_waits_are_those_of_the_oracle(config: FloorConfig, waves: Waves) -> None:
    """A block waits for a table from its wave on, then for a dealer; breaks do not count."""
    report, _ = play(config, waves)
    expected = oracle(config, waves)
    for use, waits in (
        (report.tables, expected.table_waits),
        (report.dealers, expected.dealer_waits),
    ):
        assert use.requests == len(waits)
        assert use.longest_wait_seconds == max(waits, default=0)
        assert use.mean_wait_seconds == pytest.approx(fmean(waits or [0]))


@given(ROOMS, WAVES)
def test_levels_and_breaks_are_those_that_a_walk_along_the_clock_counts(
    config: FloorConfig, waves: Waves
) -> None:
    """A level begins when its time does, and a break when it is due."""
    report, _ = play(config, waves)
    end = int(report.seconds)
    played = without_breaks(config, 0, end)
    resting = after_break(config, end) > end
    assert report.levels == played // int(config.level_minutes * 60) + (not resting)
    assert report.breaks == len(list(breaks_until(config, end)))


@given(ROOMS, WAVES)
def test_dealer_seconds_are_conserved(config: FloorConfig, waves: Waves) -> None:
    """Dealers are busy as long as the blocks last, however the blocks are spread."""
    report, _ = play(config, waves)
    total = sum(block_seconds(config, sitting) for wave in waves for sitting in wave)
    assert report.dealers.busy_seconds == total
    assert report.blocks == sum(map(len, waves))
    assert report.rounds == sum(sitting.rounds for wave in waves for sitting in wave)
    assert report.shuffles == sum(sitting.shuffles for wave in waves for sitting in wave)


@given(ROOMS, WAVES)
def test_never_more_are_in_use_than_there_are(config: FloorConfig, waves: Waves) -> None:
    """No table without a dealer, no dealer at two tables."""
    report, _ = play(config, waves)
    for use in (report.tables, report.dealers):
        assert use.most_in_use <= min(report.tables.capacity, report.dealers.capacity)
        assert 0 <= use.utilisation <= 1


@given(ROOMS, WAVES, st.integers(1, 8))
def test_another_number_of_dealers_changes_times_only(
    config: FloorConfig, waves: Waves, dealers: int
) -> None:
    """The sittings are pulled in the order of the wave, whoever deals."""
    report, pulled = play(config, waves)
    other, pulled_then = play(replace(config, dealers=dealers), waves)
    assert pulled == pulled_then == [sitting for wave in waves for sitting in wave]
    assert report.dealers.busy_seconds == other.dealers.busy_seconds


@given(ROOMS, WAVE)
def test_a_wave_without_breaks_keeps_the_bounds_of_list_scheduling(
    config: FloorConfig, wave: list[Sitting]
) -> None:
    """No faster than everybody busy all the time, no slower than that and the longest block."""
    report, _ = play(replace(config, break_every_levels=0), [wave])
    lengths = [block_seconds(config, sitting) for sitting in wave]
    servers = min(report.tables.capacity, report.dealers.capacity)
    ideal = sum(lengths) / servers
    assert ideal - 1e-6 <= report.seconds <= ideal + max(lengths) + 1e-6


@given(st.lists(st.floats(0, 1000), min_size=4, max_size=4), WAVE)
def test_fractions_of_seconds_add_up_to_the_microsecond(
    seconds: list[float], wave: list[Sitting]
) -> None:
    """The organiser may write 7.5 seconds; the sum is that of the formula."""
    each_round, each_seat, shuffle, setup = seconds
    config = FloorConfig(
        round_seconds=each_round,
        seat_seconds=each_seat,
        shuffle_seconds=shuffle,
        setup_seconds=setup,
    )
    total = sum(
        setup + it.rounds * (each_round + it.seats * each_seat) + it.shuffles * shuffle
        for it in wave
    )
    report, _ = play(config, [wave])
    rounding = sum(2 + 8 * it.rounds + it.shuffles for it in wave) / 1e6
    assert report.dealers.busy_seconds == pytest.approx(total, abs=rounding)
