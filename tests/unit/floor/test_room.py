"""The room by hand: schedules worked out on paper, and when sittings are pulled."""

import tracemalloc
from collections.abc import Iterator
from itertools import repeat

import pytest

from tourney.config.model import FloorConfig
from tourney.errors import TourneyError
from tourney.floor.block_durations import Sitting
from tourney.floor.room import Floor


def hundred_seconds(tables: int, dealers: int | None = None, **levels: float) -> FloorConfig:
    """Make a room in which a sitting of n rounds takes n times 100 seconds."""
    times = {"round_seconds": 100, "seat_seconds": 0, "shuffle_seconds": 0, "setup_seconds": 0}
    return FloorConfig(tables=tables, dealers=dealers, **times, **levels)  # type: ignore[arg-type]  # by name


def of_rounds(*rounds: int) -> list[Sitting]:
    """Make sittings that differ in their rounds only."""
    return [Sitting(seats=1, rounds=count, shuffles=0) for count in rounds]


class Watched:
    """Sittings that note at which simulated second each of them is pulled."""

    def __init__(self, floor: Floor, sittings: list[Sitting]) -> None:
        self.floor = floor
        self.left = iter(sittings)
        self.seconds: list[float] = []

    def __iter__(self) -> Iterator[Sitting]:
        return self

    def __next__(self) -> Sitting:
        sitting = next(self.left)
        self.seconds.append(self.floor.now)
        return sitting


def test_a_block_takes_setup_rounds_seats_and_shuffles() -> None:
    """120 to set up, 10 rounds of 40 and 5 seats of 8 each, 2 shuffles of 90: 1,100 seconds."""
    floor = Floor(FloorConfig())
    floor.play([Sitting(seats=5, rounds=10, shuffles=2)])
    assert floor.now == 1100
    report = floor.report()
    assert (report.blocks, report.rounds, report.shuffles) == (1, 10, 2)


def test_an_empty_floor_reports_nothing_but_its_first_level() -> None:
    """Before any time has passed nothing was used, and nothing is divided by it."""
    floor = Floor(FloorConfig(tables=4))
    floor.play([])
    report = floor.report()
    assert (report.seconds, report.blocks, report.levels, report.breaks) == (0, 0, 1, 0)
    assert (report.tables.capacity, report.dealers.capacity) == (4, 4)
    assert report.tables.utilisation == report.dealers.utilisation == 0
    assert report.tables.mean_wait_seconds == report.dealers.longest_wait_seconds == 0


def test_a_schedule_with_a_break_comes_out_as_on_paper() -> None:
    """Two tables, one dealer, levels of 5 minutes, a break of 10 after every two.

    The dealer plays 0-200, 200-500 and 500-700; the break of 600-1200 holds back
    the fourth block to 1200-1300 and the fifth to 1300-1400, which is level 3.
    """
    floor = Floor(
        hundred_seconds(2, 1, level_minutes=5, break_every_levels=2, break_minutes=10),
    )
    sittings = Watched(floor, of_rounds(2, 3, 2, 1, 1))
    floor.play(sittings)
    report = floor.report()
    assert sittings.seconds == [0, 200, 500, 700, 1300]
    assert (report.seconds, report.levels, report.breaks) == (1400, 3, 1)
    assert report.dealers.busy_seconds == 900
    assert report.dealers.utilisation == 900 / 1400
    assert report.tables.utilisation == 900 / 2800
    # Tables are free at 0, 0, 200, 500 and 700, which the break makes 600 seconds of play.
    assert report.tables.mean_wait_seconds == (0 + 0 + 200 + 500 + 600) / 5
    # The blocks begin after 0, 200, 500, 600 and 700 seconds of play.
    assert report.dealers.mean_wait_seconds == (0 + 200 + 300 + 100 + 100) / 5
    assert report.dealers.longest_wait_seconds == 300


def test_blocks_under_way_play_on_through_a_break() -> None:
    """A break that begins in a block does not make it longer."""
    floor = Floor(hundred_seconds(1, level_minutes=5, break_every_levels=1, break_minutes=1))
    floor.play(of_rounds(4))
    assert floor.now == 400


def test_a_wave_that_ends_in_a_break_does_not_wait_for_its_end() -> None:
    """The tournament is over with its last block; only another wave has to wait."""
    floor = Floor(hundred_seconds(2, level_minutes=5, break_every_levels=1, break_minutes=5))
    floor.play(of_rounds(3, 4))
    assert (floor.now, floor.report().levels, floor.report().breaks) == (400, 1, 1)
    floor.play(of_rounds(1))
    assert (floor.now, floor.report().levels, floor.report().breaks) == (700, 2, 1)


def test_a_block_due_as_the_break_begins_waits_for_its_end() -> None:
    """The first instant of a break belongs to it, and the first after it to the play."""
    floor = Floor(hundred_seconds(1, level_minutes=5, break_every_levels=1, break_minutes=5))
    floor.play(of_rounds(3))
    assert (floor.now, floor.report().levels, floor.report().breaks) == (300, 1, 1)
    floor.play(of_rounds(3, 3))
    assert (floor.now, floor.report().levels, floor.report().breaks) == (1500, 3, 3)


def test_breaks_of_no_length_are_none() -> None:
    """A break of 0 minutes is neither taken nor counted."""
    floor = Floor(hundred_seconds(1, level_minutes=1, break_every_levels=1, break_minutes=0))
    floor.play(of_rounds(3))
    assert (floor.report().levels, floor.report().breaks) == (6, 0)


def test_a_sitting_is_pulled_when_a_table_with_a_dealer_is_free() -> None:
    """Two dealers for three tables: the third block is pulled when the first one ends."""
    floor = Floor(hundred_seconds(3, 2))
    sittings = Watched(floor, of_rounds(1, 3, 1, 1))
    floor.play(sittings)
    assert sittings.seconds == [0, 0, 100, 200]


def test_sittings_that_have_come_to_an_end_are_not_asked_for_more() -> None:
    """Other tables believe the first one that found no work, as asking may wait for workers."""

    class OneEnd:
        ends = 0

        def __iter__(self) -> Iterator[Sitting]:
            return self

        def __next__(self) -> Sitting:
            self.ends += 1
            raise StopIteration

    sittings = OneEnd()
    Floor(hundred_seconds(3)).play(sittings)
    assert sittings.ends == 1


def test_the_table_that_waited_longest_gets_the_next_dealer() -> None:
    """First come, first served: with one dealer three tables take turns."""
    floor = Floor(hundred_seconds(3, 1))
    floor.play(of_rounds(1, 1, 1, 1, 1, 1))
    assert floor.report().dealers.longest_wait_seconds == 200


def test_a_wave_begins_when_the_one_before_is_complete() -> None:
    """The clock goes on, and nobody starts early at a table that was idle."""
    floor = Floor(hundred_seconds(2))
    floor.play(of_rounds(1, 5))
    sittings = Watched(floor, of_rounds(1, 1, 1))
    floor.play(sittings)
    assert sittings.seconds == [500, 500, 600]
    assert floor.now == 700


def test_idle_dealers_show_in_their_utilisation() -> None:
    """Four dealers for two tables: half of them stand around."""
    floor = Floor(hundred_seconds(2, 4))
    floor.play(of_rounds(1, 1))
    report = floor.report()
    assert report.tables.utilisation == 1
    assert report.dealers.utilisation == 0.5
    assert report.dealers.most_in_use == 2


def test_what_pulling_a_sitting_raises_comes_out_of_play_unchanged() -> None:
    """A worker's error is the very same object, whatever its constructor asks for."""

    class TwoParts(Exception):  # noqa: N818 - an error that cannot be made again from its text
        def __init__(self, first: str, second: str) -> None:
            super().__init__(first + second)

    failure = TwoParts("table 3", ": the worker died")

    def sittings() -> Iterator[Sitting]:
        yield from of_rounds(2, 1)
        raise failure

    floor = Floor(hundred_seconds(2))
    with pytest.raises(TwoParts) as caught:
        floor.play(sittings())
    assert caught.value is failure


def test_after_a_failure_the_blocks_under_way_have_ended() -> None:
    """The floor stays in order: its report is whole, and another wave can be played."""

    def sittings() -> Iterator[Sitting]:
        yield from of_rounds(3, 1)
        raise KeyboardInterrupt

    floor = Floor(hundred_seconds(2))
    with pytest.raises(KeyboardInterrupt):
        floor.play(sittings())
    assert (floor.now, floor.report().blocks) == (300, 2)
    floor.play(of_rounds(1))
    assert (floor.now, floor.report().blocks) == (400, 3)


def test_sittings_are_not_kept() -> None:
    """Ten times as many blocks need no more memory."""
    peaks = []
    for blocks in (300, 3000):
        floor = Floor(hundred_seconds(5, 3))
        tracemalloc.start()
        floor.play(repeat(Sitting(seats=7, rounds=1, shuffles=1), blocks))
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.5 * peaks[0]


@pytest.mark.parametrize(
    ("config", "message"),
    [
        (FloorConfig(tables=0), "floor.tables: expected at least 1, got 0"),
        (FloorConfig(dealers=0), "floor.dealers: expected at least 1, got 0"),
        (
            FloorConfig(round_seconds=-1),
            "floor.round_seconds: expected a time of 0 or more, got -1",
        ),
        (FloorConfig(level_minutes=0), "floor.level_minutes: expected more than 0, got 0"),
        (
            FloorConfig(break_every_levels=-1),
            "floor.break_every_levels: expected 0 or more, got -1",
        ),
    ],
)
def test_a_room_that_cannot_be_played_in_is_refused(config: FloorConfig, message: str) -> None:
    """The fault is named as in the configuration, before a block begins."""
    with pytest.raises(TourneyError) as caught:
        Floor(config)
    assert str(caught.value) == message
