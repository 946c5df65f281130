"""The rules of stages, clause by clause; see docs/rules/stages.md."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from tourney.config.model import FormatConfig, StageConfig
from tourney.errors import FormatError
from tourney.formats import Duplicate, Independent
from tourney.formats.base import Event, Format
from tourney.formats.field import Field
from tourney.formats.stages import StagedSchedule, Stages, chosen
from tourney.game.blocks import Block
from tourney.game.cards.keys import Secret
from tourney.game.ledger import BlockResult, SeatResult
from tourney.games.blackjack.rules import BlackjackRules
from tourney.games.straights.rules import StraightsRules
from tourney.standings.places import Finish

from .made_up import check_finishes

RULES = BlackjackRules()
BANKROLL = 100


def stage(name: str, options: Format, **settings: Any) -> StageConfig:
    """Give a stage."""
    return StageConfig(name=name, format=FormatConfig(kind="", options=options), **settings)


QUALIFIER = stage("Qualifier", Duplicate(tables=2, rounds=10))


def final(**settings: Any) -> StageConfig:
    """Give a second stage."""
    return stage("Final", Independent(tables=1, rounds=5), **settings)


def field_of(entrants: int) -> Field:
    """Give a field that begins alike."""
    return Field(entrants, RULES, BANKROLL, 5, 50, Secret.from_seed(1))


def result_of(block: Block, final_of: Callable[[Block, int], int]) -> BlockResult:
    """Make up a result."""
    seats = tuple(
        SeatResult(
            seat=number,
            entrant=seat.entrant,
            initial=seat.bankroll,
            final=final_of(block, seat.entrant),
            lowest=0,
            highest=1000,
            rounds=block.rounds,
            left_round=None,
            handle=0,
            squares=0,
            mix=0,
        )
        for number, seat in enumerate(block.seats)
    )
    return BlockResult(block.key, block.rounds, 1, 0, seats)


def play(
    stages: Sequence[StageConfig], entrants: int, final_of: Callable[[Block, int], int]
) -> tuple[StagedSchedule, list[list[Block]]]:
    """Play with made-up results; give the schedule and the blocks of every wave."""
    options = Stages(tuple(stages))
    options.check(entrants, RULES)
    schedule = options.schedule(field_of(entrants))
    assert isinstance(schedule, StagedSchedule)
    waves = []
    for wave in schedule.waves():
        blocks = [block for batch in wave for block in batch.blocks]
        for block in blocks:
            schedule.take(result_of(block, final_of))
        waves.append(blocks)
    return schedule, waves


def by_number(block: Block, entrant: int) -> int:
    """Let everybody end with chips by its number."""
    return 10 * entrant + block.key.stage


def playing(blocks: Sequence[Block]) -> set[int]:
    """Give who sits at some tables."""
    return {seat.entrant for block in blocks for seat in block.seats}


def places(schedule: StagedSchedule) -> dict[int, int]:
    """Give everybody's place."""
    finishes = schedule.finishes()
    check_finishes(finishes, len(finishes))
    return {finish.entrant: finish.place for finish in finishes}


def test_rule_1_stages_are_played_in_order_and_the_first_by_all() -> None:
    """A stage begins when the one before is over; waves and batches are numbered through."""
    options = Stages((QUALIFIER, final(top=2)))
    schedule = options.schedule(field_of(4))
    numbers, stages = [], []
    for wave in schedule.waves():
        for batch in wave:
            numbers.append((batch.wave, batch.number))
            stages.append({block.key.stage for block in batch.blocks})
            for block in batch.blocks:
                schedule.take(result_of(block, by_number))
    assert numbers == [(0, 0), (0, 1), (0, 2), (0, 3), (1, 4), (1, 5)]
    assert stages == [{0}] * 4 + [{1}] * 2


def test_rule_2_the_best_go_on() -> None:
    """Top, wildcards, or everybody."""
    _, waves = play((QUALIFIER, final(top=2, wildcards=1)), 5, by_number)
    assert playing(waves[0]) == {0, 1, 2, 3, 4}
    assert playing(waves[1]) == {4, 3, 2}
    _, waves = play((QUALIFIER, final()), 5, by_number)
    assert playing(waves[1]) == {0, 1, 2, 3, 4}


def test_rule_2_the_best_of_every_table_go_on() -> None:
    """And who has most of all others."""
    finishes = [
        Finish(0, 1, 90, "", table=0),
        Finish(1, 2, 80, "", table=0),
        Finish(2, 3, 70, "", table=1),
        Finish(3, 4, 10, "", table=1),
    ]
    assert set(chosen(finishes, final(per_table=1), range(4))) == {0, 2}
    assert set(chosen(finishes, final(per_table=1, wildcards=1), range(4))) == {0, 2, 1}


def test_rule_3_ties_for_the_last_seat_are_settled_by_bankroll_then_by_lot() -> None:
    """Exactly as many go on as are asked for."""
    tied = [Finish(entrant, 1, bankroll, "") for entrant, bankroll in enumerate((5, 9, 5, 5))]
    assert chosen(tied, final(top=2), [3, 2, 0, 1]) == [1, 2]
    went = set()
    for seed in range(20):
        field = replace(field_of(4), secret=Secret.from_seed(seed))
        schedule = Stages((QUALIFIER, final(top=1))).schedule(field)
        for wave in schedule.waves():
            for block in [block for batch in wave for block in batch.blocks]:
                schedule.take(result_of(block, lambda *_: 7))
                went |= {seat.entrant for seat in block.seats} if block.key.stage else set()
    assert went == {0, 1, 2, 3}


def test_rule_4_bankrolls_begin_anew_or_are_carried() -> None:
    """Carried are those that the stage before ended with."""
    _, waves = play((QUALIFIER, final(top=2)), 4, by_number)
    assert [block.seats[0].bankroll for block in waves[1]] == [BANKROLL, BANKROLL]
    one = stage("One", Duplicate(tables=1, rounds=10))
    _, waves = play((one, final(top=2, carries=True)), 4, by_number)
    assert {block.seats[0].entrant: block.seats[0].bankroll for block in waves[1]} == {2: 20, 3: 30}


def test_rule_4_bankrolls_of_several_tables_are_not_carried() -> None:
    """Nobody could say which of them."""
    with pytest.raises(FormatError, match="ends stage Qualifier with 2 bankrolls, one per table"):
        Stages((QUALIFIER, final(top=2, carries=True))).check(4, RULES)


def test_rule_5_every_stage_has_shoes_of_its_own() -> None:
    """And nobody is dealt a card twice."""
    _, waves = play((QUALIFIER, final(top=2)), 4, by_number)
    keys = [{block.shoe_key for block in blocks} for blocks in waves]
    assert not keys[0] & keys[1]
    luck = [{seat.random_key for block in blocks for seat in block.seats} for blocks in waves]
    assert not luck[0] & luck[1]


def test_rule_6_places_follow_the_stage_that_was_reached() -> None:
    """Who goes out earlier is behind, and ties share."""

    def final_of(block: Block, entrant: int) -> int:
        if block.key.stage:
            return -entrant
        return {0: 50, 1: 50, 2: 10, 3: 10, 4: 5}[entrant]

    schedule, _ = play((QUALIFIER, final(top=2)), 5, final_of)
    assert places(schedule) == {0: 1, 1: 2, 2: 3, 3: 3, 4: 5}
    told = [each.entrant for each in schedule.happenings() if each.event is Event.ADVANCE]
    assert told == [0, 1]


def test_rule_7_stages_that_do_not_fit_are_refused() -> None:
    """Before a card is dealt."""
    with pytest.raises(FormatError, match="it takes 4 entrants, and stage Qualifier has only 4"):
        Stages((QUALIFIER, final(top=4))).check(4, RULES)
    with pytest.raises(
        FormatError, match="the tables of stage Qualifier are not ranked separately"
    ):
        Stages((QUALIFIER, final(per_table=1))).check(4, RULES)
    fours = stage("Fours", Duplicate(tables=1, rounds=5))
    last = stage("Last", Duplicate(tables=1, rounds=5), top=3)
    with pytest.raises(
        FormatError, match=r"stage Last, for 3 entrants: .* 3 instead of at least 4"
    ):
        Stages((fours, last)).check(4, StraightsRules())
