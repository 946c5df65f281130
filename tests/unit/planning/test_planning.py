"""Plans: rates that are measured, results that are made up, and floors that are compared."""

import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tourney.config.model import Duration, Exponential, FloorConfig
from tourney.config.tournament import loads
from tourney.errors import TourneyError
from tourney.execution.workers.worker_choice import make_workers
from tourney.game.blocks import Batch, Block
from tourney.game.cards.keys import Secret
from tourney.planning.event_plan import Interval, Rehearsal, made_up, plan_tournament
from tourney.planning.trial_rates import (
    MeasuredRates,
    Rates,
    rates_of_run,
    rates_of_trial,
    read_rates,
    with_some,
)
from tourney.plugins.loading import load_plugins
from tourney.plugins.registry import Registry
from tourney.store.store import Store
from tourney.tournament.catalog import catalog_of
from tourney.tournament.loading import Tournament, enter, run_record
from tourney.tournament.progress import Progress
from tourney.tournament.tournament import play_run

EVENT = """\
name: Event
seed: 3
game: {preset: ve280, shuffle: uniform}
bankroll: 100
minimum: 5
format: {kind: multi-table, block_rounds: 10, level_rounds: 20}
floor: {tables: 4, dealers: 3, break_every_levels: 2}
entrants:
  - {strategy: simple, count: 20}
  - {strategy: never-bust, count: 10}
"""
RATES = Rates(out=(0.0, 0.1, 0.3), rounds=1.0, shuffles=0.2, cards=3.0)


@pytest.fixture(scope="module")
def registry() -> Registry:
    """Load what is installed."""
    return load_plugins()


@pytest.fixture(scope="module")
def event(registry: Registry) -> Tournament:
    """Enter thirty for a tournament of four tables or five."""
    return enter(loads(EVENT, catalog_of(registry)), registry)


def on(event: Tournament, **floor: Any) -> Tournament:
    """Give the same event on another floor."""
    changed = replace(event.config.floor, **floor)
    return replace(event, config=replace(event.config, floor=changed))


def blocks_of(event: Tournament) -> tuple[Block, ...]:
    """Give the blocks of the first wave."""
    return tuple(
        block
        for batch in next(iter(event.format.schedule(event.field).waves()))
        for block in batch.blocks
    )


def real_seconds(event: Tournament, seed: int) -> float:
    """Play the event with other shoes, and say how long it takes on the floor."""
    event = replace(event, secret=Secret.from_seed(seed))
    course = Progress(event)
    with make_workers(1, event.specs(), "auto") as crew:
        for wave in course.waves():
            played = sorted(crew.play(list(wave)), key=lambda each: each.number)
            course.play([result for each in played for result in each.results])
    return course.floor.now


def test_rates_count_who_cannot_go_on(event: Tournament) -> None:
    """Who has left, and who cannot pay what the next wave asks for."""
    measured = MeasuredRates()
    for wave, minimum in enumerate((5, 10, 20)):
        blocks = tuple(replace(block, minimum=minimum) for block in blocks_of(event) * 3)
        results = [made_up(block, RATES, 0.0, iter(lambda: 0.5, None)) for block in blocks]
        seats = results[0].seats
        changed = (replace(seats[0], left_round=4), replace(seats[1], final=15), *seats[2:])
        results[0] = replace(results[0], seats=changed)
        measured.take(Batch(wave, wave, blocks), results)
    seats_a_wave = 3 * len(event.entrants)
    # 15 chips are enough for the minimum of the second wave, and too few for that of the third.
    outs = [each * seats_a_wave for each in measured.rates().out]
    assert outs == pytest.approx([1, 2, 2])


def test_a_rate_of_few_seats_is_helped_by_the_waves_around_it(event: Tournament) -> None:
    """Thirty seats are too few; fifty are enough."""
    measured = MeasuredRates()
    for wave, share in enumerate((0.0, 1.0, 0.0, 1.0, 1.0)):
        shares = iter(lambda: 0.5, None)
        results = [made_up(block, RATES, share, shares) for block in blocks_of(event)]
        measured.take(Batch(wave, wave, blocks_of(event)), results)
    assert measured.rates().out == pytest.approx((1 / 2, 1 / 3, 2 / 3, 2 / 3, 1.0))


def test_nothing_played_gives_no_rates() -> None:
    """A plan says so and does not divide by it."""
    with pytest.raises(TourneyError, match="no round was played"):
        MeasuredRates().rates()


def test_rates_are_read_as_they_were_printed(tmp_path: Path) -> None:
    """Alone, or within all that a plan prints."""
    file = tmp_path / "rates.json"
    file.write_text(RATES.as_json())
    assert read_rates(file) == RATES
    file.write_text(json.dumps({"name": "A plan", "rates": json.loads(RATES.as_json())}))
    assert read_rates(file) == RATES
    for text, got in (("[", "this is not the output of"), ('{"out": [2]}', "KeyError")):
        file.write_text(text)
        with pytest.raises(TourneyError, match=got):
            read_rates(file)
    file.write_text(replace(RATES, out=(1.5,)).as_json())
    with pytest.raises(TourneyError, match="expected shares from 0 to 1"):
        read_rates(file)
    with pytest.raises(TourneyError, match="cannot be read"):
        read_rates(tmp_path / "none.json")


@given(st.floats(0, 1), st.lists(st.floats(0, 0.999), min_size=1))
def test_a_made_up_block_could_have_been_played(
    event: Tournament, out: float, drawn: Sequence[float]
) -> None:
    """Who leaves has no chips and a round at which it left; a block ends when all have."""
    block = blocks_of(event)[0]
    shares = (drawn[number % len(drawn)] for number in count())
    result = made_up(block, RATES, out, shares)
    assert [seat.entrant for seat in result.seats] == [seat.entrant for seat in block.seats]
    assert result.rounds == max(seat.rounds for seat in result.seats) <= block.rounds
    for seat in result.seats:
        assert (seat.final == 0) == (seat.left_round is not None)
        assert seat.left_round in (None, seat.rounds)  # the block begins with round 1


def test_a_trial_of_some_fills_its_floor_as_the_event_does(event: Tournament) -> None:
    """A third of the entrants, tables and dealers; every strategy has its share."""
    smaller = with_some(event, 10)
    names = [record.strategy for record in smaller.records]
    assert (names.count("simple"), names.count("never-bust")) == (7, 3)
    floor = smaller.config.floor
    assert (floor.tables, floor.dealers) == (2, 1)
    assert with_some(event, 30) is with_some(event, 99) is event


def test_a_trial_and_a_stored_run_measure_alike(
    event: Tournament, registry: Registry, tmp_path: Path
) -> None:
    """With all entrants the first trial is the run, which is not played to plan by it."""
    del registry
    with Store.open(tmp_path / "tourney.db") as store:
        run = store.create_run(run_record(event))
        play_run(event, store, run)
        assert rates_of_run(event, store, run.number) == rates_of_trial(event, times=1)


def test_a_plan_comes_close_to_what_happens(event: Tournament) -> None:
    """Real events end when the plan says, give or take what both leave open."""
    plan = plan_tournament(event, rates_of_trial(event, times=4), 12)
    assert plan.waves[0].players == 30
    assert plan.waves[0].tables == plan.most_tables == 5
    real = Interval.of([real_seconds(event, seed) for seed in range(4)])
    assert abs(plan.seconds.mean - real.mean) < plan.seconds.half + real.half
    assert abs(plan.seconds.mean - real.mean) < 0.2 * real.mean


def test_one_of_ten_events_is_later_than_the_plan_allows_for(event: Tournament) -> None:
    """Of ten replications the latest; of two both are within."""
    drawn = on(event, round_seconds=Exponential(40))
    seconds = [
        Rehearsal(drawn, RATES, number).on(drawn.config.floor).report.seconds
        for number in range(10)
    ]
    assert plan_tournament(drawn, RATES, 10).late_seconds == sorted(seconds)[8]
    assert plan_tournament(drawn, RATES, 2).late_seconds == max(seconds[:2])


def test_a_plan_can_be_repeated(event: Tournament) -> None:
    """The run's secret decides, so that a plan of a rehearsal is always the same."""
    drawn = on(event, round_seconds=Exponential(40))
    assert plan_tournament(drawn, RATES, 3) == plan_tournament(drawn, RATES, 3)


def test_floors_differ_in_nothing_but_their_dealers(event: Tournament) -> None:
    """Another dealer is compared block by block, so a dealer too many changes nothing at all."""
    drawn = on(event, round_seconds=Exponential(40), tables=5, dealers=5)
    plan = plan_tournament(drawn, RATES, 4)
    fewer, more = plan.other_dealers
    assert (fewer.dealers, more.dealers) == (4, 6)
    assert fewer.longer_seconds.mean > 0
    assert more.longer_seconds == Interval(0, 0)


def test_another_floor_gives_the_same_time_by_its_own_rehearsal(event: Tournament) -> None:
    """Passing the blocks once more is rehearsing once more, only quicker."""
    drawn = on(event, round_seconds=Exponential(40), seat_change_seconds=60)
    one_more = replace(drawn.config.floor, dealers=4)
    rehearsal = Rehearsal(drawn, RATES, 0)
    rehearsal.on(drawn.config.floor)
    assert rehearsal.seconds_on(one_more) == rehearsal.on(one_more).report.seconds


def test_decisions_take_their_time_where_the_clock_asks_for_them(event: Tournament) -> None:
    """As many as the rules tell from rounds and cards, at a number of seconds or at drawn ones."""
    results = [made_up(block, RATES, 0.0, iter(lambda: 0.5, None)) for block in blocks_of(event)]

    def seconds(decision: Duration) -> float:
        slow = on(event, tables=1, dealers=1, decision_seconds=decision)
        course = Progress(slow)
        next(iter(course.waves()))
        course.play(results)
        return course.floor.now

    seat_rounds = [sum(seat.rounds for seat in each.seats) for each in results]
    asked_for = sum(
        event.rules.decisions(each.rounds, seats, each.cards)
        for each, seats in zip(results, seat_rounds, strict=True)
    )
    assert asked_for > sum(seat_rounds)
    assert seconds(2) - seconds(0) == 2 * asked_for
    assert seconds(Exponential(2)) - seconds(0) == pytest.approx(2 * asked_for, rel=0.2)


def test_levels_by_the_clock_are_rehearsed_anew_on_every_floor(registry: Registry) -> None:
    """With fewer dealers a level begins in an earlier wave, and other blocks are drawn up."""
    text = EVENT.replace("level_rounds: 20", "level_minutes: 10")
    event = enter(loads(text, catalog_of(registry)), registry)
    rehearsal = Rehearsal(event, RATES, 0)
    before = rehearsal.on(event.config.floor)
    slower = FloorConfig(tables=4, dealers=1)
    assert rehearsal.seconds_on(slower) == Rehearsal(event, RATES, 0).on(slower).report.seconds
    assert rehearsal.on(event.config.floor) == before


def test_trials_end_when_they_have_said_enough(
    event: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every wave has had fifty seats, or so many rounds have been played."""
    # The last waves of an elimination have few seats, so that all trials are played.
    assert rates_of_trial(event, times=3).trials == 3
    monkeypatch.setattr("tourney.planning.trial_rates.ROUNDS_OF_TRIALS", 1)
    assert rates_of_trial(event, times=3).trials == 1
    monkeypatch.undo()
    measured = MeasuredRates()
    assert not measured.is_enough
    for _ in range(2):  # thirty seats in each of two waves
        for wave in (0, 1):
            results = [
                made_up(block, RATES, 0, iter(lambda: 0.5, None)) for block in blocks_of(event)
            ]
            measured.take(Batch(wave, wave, blocks_of(event)), results)
        measured.end()
    assert measured.is_enough


def test_a_plan_stops_when_the_length_is_known(event: Tournament) -> None:
    """Four are the fewest; who asks for so many gets so many."""
    assert plan_tournament(event, RATES, 6).replications == 6
    assert plan_tournament(event, RATES, 6, close=10.0).replications == 4
    assert plan_tournament(event, RATES, 6, close=1e-9).replications == 6


def test_one_replication_has_no_interval(event: Tournament) -> None:
    """Two are the least from which a spread can be told."""
    with pytest.raises(TourneyError, match="expected at least 2, got 1"):
        plan_tournament(event, RATES, 1)
    interval = Interval.of([10.0, 12.0])
    assert interval.mean == 11
    assert interval.half == pytest.approx(12.706, abs=0.001)
