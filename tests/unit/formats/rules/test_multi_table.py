"""The rules of the format of many tables, clause by clause; see docs/rules/multi_table.md."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from tourney.config.model import PolicyConfig
from tourney.errors import FormatError
from tourney.formats import MultiTable
from tourney.formats.base import Event
from tourney.formats.field import Field
from tourney.game.blocks import Block
from tourney.games.blackjack.rules import BlackjackRules
from tourney.games.straights.rules import StraightsRules

from .made_up import (
    BANKROLL,
    MINIMUM,
    Ending,
    Ends,
    MadeUpRun,
    at_random,
    carrying,
    entrants_of,
    field_of,
    play_made_up,
)

ROUNDS = 10
"""Of a block, where a test says nothing else."""


def made(**options: Any) -> MultiTable:
    """Give the format with blocks and levels of ten rounds."""
    return MultiTable(**{"level_rounds": ROUNDS, **options})


def wanting(field: Field, policies: dict[int, PolicyConfig]) -> Field:
    """Give a field in which some want something."""
    default = PolicyConfig()
    return replace(
        field, policies=tuple(policies.get(each, default) for each in range(field.entrants))
    )


def staying(block: Block, entrant: int) -> int:
    """Let everybody keep its chips."""
    (bankroll,) = (seat.bankroll for seat in block.seats if seat.entrant == entrant)
    return bankroll


def losing(when: dict[int, tuple[int, int]]) -> Ends:
    """Let some lose everything.

    Args:
        when: In which block, from 0, and after which of its rounds, by entrant.
    """

    def ends(block: Block, entrant: int) -> int | Ending:
        number, left = when.get(entrant, (-1, 0))
        if number == (block.key.first_round - 1) // ROUNDS:
            return Ending(0, left=left)
        return staying(block, entrant)

    return ends


def told(run: MadeUpRun, event: Event) -> list[tuple[int, int, int]]:
    """Give the happenings of a kind: entrant, table and value."""
    return [each[1:] for each in run.happenings if each.event is event]


def sizes(blocks: Sequence[Block]) -> list[int]:
    """Count who sits at some tables."""
    return sorted(len(block.seats) for block in blocks)


def test_rule_1_all_tables_play_blocks_at_the_same_time() -> None:
    """A wave is a block of every table, and everybody who is in plays in it once."""
    run = play_made_up(made(seats=3, most_blocks=3), field_of(8), staying)
    assert len(run.waves) == 3
    for number, blocks in enumerate(run.waves):
        assert sorted(entrants_of(blocks)) == list(range(8))
        assert {(block.key.first_round, block.rounds) for block in blocks} == {
            (1 + 10 * number, 10)
        }


@pytest.mark.parametrize(
    ("options", "minimums"),
    [
        ({}, [5, 7, 10, 15]),
        ({"rise_percent": 100}, [5, 10, 20, 40]),
        ({"rise_percent": 1}, [5, 6, 7, 8]),
        ({"minimums": (8, 40), "rise_percent": 100}, [5, 8, 40, 80]),
    ],
)
def test_rule_2_minimums_rise(options: dict[str, Any], minimums: list[int]) -> None:
    """As listed, then by percent; the greatest wager rises with them where it must."""
    field = carrying(field_of(2), [10_000, 10_000])
    run = play_made_up(made(most_blocks=4, **options), field, staying)
    assert [block.minimum for block in run.blocks] == minimums
    assert [block.maximum for block in run.blocks] == [max(50, each) for each in minimums]
    assert [value for *_, value in told(run, Event.LEVEL)] == minimums


def test_rule_3_a_level_applies_from_the_next_block_on() -> None:
    """Levels of 15 rounds and blocks of 10: the second level begins after 20 rounds."""
    field = carrying(field_of(2), [10_000, 10_000])
    run = play_made_up(made(level_rounds=15, most_blocks=5), field, staying)
    assert [block.state.level for block in run.blocks] == [1, 1, 2, 3, 3]
    times = iter([0.0, 59.0, 60.0, 200.0, 200.0])
    field = replace(field, clock=lambda: next(times))
    run = play_made_up(MultiTable(level_minutes=1.0, most_blocks=4), field, staying)
    assert [block.state.level for block in run.blocks] == [1, 1, 2, 4]


@pytest.mark.parametrize(
    ("entrants", "seats", "expected"),
    [(7, 7, [7]), (8, 7, [4, 4]), (15, 7, [5, 5, 5]), (3, 2, [1, 2]), (100, 6, [5, 5, *[6] * 15])],
)
def test_rule_4_there_are_as_few_tables_as_can_be(
    entrants: int, seats: int, expected: list[int]
) -> None:
    """Nearly equally full, and seats are drawn: another seed gives others."""
    runs = [
        play_made_up(made(seats=seats, most_blocks=1), field_of(entrants, rng_seed), staying)
        for rng_seed in (1, 1, 2)
    ]
    assert sizes(runs[0].waves[0]) == expected
    first, again, other = (entrants_of(run.blocks) for run in runs)
    assert first == again != other
    assert len(told(runs[0], Event.SEAT)) == entrants


def test_rule_5_the_first_bet_goes_round() -> None:
    """Ten rounds at a table of four: the next block begins two seats further on."""
    run = play_made_up(made(most_blocks=2), field_of(4), staying)
    first, second = (entrants_of([block]) for block in run.blocks)
    assert second == first[2:] + first[:2]
    assert all(block.state.moves_button for block in run.blocks)


def test_rule_5_the_next_in_order_has_the_bet_of_whoever_leaves() -> None:
    """Who was to begin the next block has left: the one behind begins it."""
    field = field_of(4)
    order = entrants_of(play_made_up(made(most_blocks=1), field, staying).blocks)
    # The third would begin round 11; after it left in round 9, the turn goes on with the others.
    run = play_made_up(made(most_blocks=2), field, losing({order[2]: (0, 9)}))
    assert entrants_of([run.blocks[1]]) == [order[3], order[0], order[1]]


def test_rule_6_the_last_table_breaks_when_the_others_can_take_its_players() -> None:
    """Nine at three tables of three; with three gone two tables hold the rest."""
    out = dict.fromkeys((0, 4, 8), (0, 1))
    run = play_made_up(made(seats=3, most_blocks=2), field_of(9), losing(out))
    assert sizes(run.waves[1]) == [3, 3]
    assert {block.key.table for block in run.waves[1]} == {0, 1}
    assert told(run, Event.BREAK_TABLE) == [(-1, 2, 0)]
    stayed = [each for each in entrants_of(run.waves[0][2:]) if each not in out]
    assert {entrant for entrant, _, _ in told(run, Event.MOVE)} == set(stayed)


def test_rule_7_who_bets_first_moves_from_the_fullest_to_the_emptiest() -> None:
    """Two of five leave one table of two, so one comes from the other and bets first there."""
    field = field_of(10)
    full, other = play_made_up(made(seats=5, most_blocks=1), field, staying).waves[0]
    out = {seat.entrant: (0, 3) for seat in other.seats[:2]}
    run = play_made_up(made(seats=5, most_blocks=2), field, losing(out))
    assert [len(block.seats) for block in run.waves[1]] == [4, 4]
    first = full.seats[ROUNDS % 5].entrant
    assert told(run, Event.MOVE) == [(first, other.key.table, 0)]
    assert run.waves[1][1].seats[0].entrant == first


def test_rule_8_the_final_table_is_drawn_anew() -> None:
    """It begins when all fit; what players are told of it is that one place counts."""
    out = dict.fromkeys((0, 1), (0, 1))
    run = play_made_up(made(seats=4, most_blocks=2), field_of(6), losing(out))
    assert told(run, Event.FINAL_TABLE) == [(-1, -1, 0)]
    assert [block.state.advance for block in run.blocks] == [0, 0, 1]


def test_rule_9_who_is_late_sits_down_when_its_level_begins() -> None:
    """At most `late_levels` later, with the starting bankroll."""
    late = {1: PolicyConfig(late=1), 2: PolicyConfig(late=9)}
    field = wanting(field_of(6), late)
    run = play_made_up(made(late_levels=2, most_blocks=4), field, staying)
    assert [len(entrants_of(wave)) for wave in run.waves] == [4, 5, 6, 6]
    (seat,) = (each for each in run.blocks[1].seats if each.entrant == 1)
    assert seat.bankroll == BANKROLL
    on_time = play_made_up(made(most_blocks=1), field, staying)
    assert sorted(entrants_of(on_time.blocks)) == list(range(6))


def test_rule_9_who_is_late_sits_down_at_once_if_nobody_else_can_play() -> None:
    """Four of five go out in the first block; the late one is there for the second."""
    field = wanting(field_of(5), {4: PolicyConfig(late=3)})
    out = dict.fromkeys((0, 1, 2), (0, 1))
    run = play_made_up(made(late_levels=3, most_blocks=2), field, losing(out))
    assert sorted(entrants_of(run.waves[1])) == [3, 4]


def test_rule_10_who_is_out_buys_again_as_often_as_both_sides_want() -> None:
    """It keeps its seat; the format allows two, and one wants a single one."""
    policies = {0: PolicyConfig(rebuys=1), 1: PolicyConfig(rebuys=5)}
    field = wanting(field_of(3), policies)

    def ends(block: Block, entrant: int) -> Ending | int:
        return staying(block, entrant) if entrant == 2 else Ending(3, left=10)

    run = play_made_up(made(rebuys=2, rebuy_levels=9, minimums=(6, 7)), field, ends)
    assert told(run, Event.REBUY) == [
        *((each, -1, BANKROLL) for each in sorted((0, 1), key=entrants_of(run.blocks[:1]).index)),
        (1, -1, BANKROLL),
    ]
    assert run.places == {2: 1, 1: 2, 0: 3}
    assert dict(run.finishes[1].counts) == {"re-buys": 2}
    bankrolls = {seat.entrant: seat.bankroll for seat in run.waves[1][0].seats}
    assert bankrolls == {0: BANKROLL + 3, 1: BANKROLL + 3, 2: BANKROLL}


def test_rule_10_nobody_buys_again_after_the_last_of_these_levels() -> None:
    """The second level is too late."""
    field = wanting(field_of(3), {0: PolicyConfig(rebuys=5)})
    options = made(rebuys=5, rebuy_levels=1, most_blocks=3)
    assert not told(play_made_up(options, field, losing({0: (1, 1)})), Event.REBUY)
    assert told(play_made_up(options, field, losing({0: (0, 1)})), Event.REBUY)


def test_rule_11_chips_on_top_are_sold_once() -> None:
    """After the first level, to those who want them and have stayed."""
    policies = dict.fromkeys((0, 1), PolicyConfig(addon=True))
    field = wanting(field_of(4), policies)
    options = made(addon=60, addon_level=1, most_blocks=4)
    run = play_made_up(options, field, losing({1: (0, 10)}))
    assert told(run, Event.ADDON) == [(0, -1, 60)]
    assert {each.entrant: each.bankroll for each in run.finishes} == {0: 160, 1: 0, 2: 100, 3: 100}


def test_rule_12_chips_are_conserved() -> None:
    """What is there at the end was bought, or won at tables; docs say where else to look."""
    field = wanting(field_of(30), {each: PolicyConfig(rebuys=1) for each in range(15)})
    run = play_made_up(made(rebuys=1, seats=4), field, at_random(3))
    bought = 30 * BANKROLL + sum(value for *_, value in told(run, Event.REBUY))
    won = sum(seat.net for result in run.results for seat in result.seats)
    assert sum(finish.bankroll for finish in run.finishes) == bought + won


def test_rule_13_who_cannot_meet_the_minimum_of_the_next_block_is_out() -> None:
    """Seven chips last for the minimum of 5 and not for that of 8."""
    field = carrying(field_of(3), [7, BANKROLL, BANKROLL])
    run = play_made_up(made(minimums=(8, 9), most_blocks=2), field, staying)
    assert [sorted(entrants_of(wave)) for wave in run.waves] == [[0, 1, 2], [1, 2]]
    above = replace(field, rules=BlackjackRules(stop="above"), bankrolls=(8, 100, 100))
    run = play_made_up(made(minimums=(8, 9), most_blocks=2), above, staying)
    assert [len(entrants_of(wave)) for wave in run.waves] == [3, 2]


def test_rule_14_places_go_by_the_time_of_leaving() -> None:
    """Later blocks, then later rounds; not to begin a block is worse than to leave in it."""
    field = carrying(field_of(6), [7, *[BANKROLL] * 5])
    out = {1: (0, 10), 2: (0, 4), 3: (1, 1), 4: (2, 1)}
    run = play_made_up(made(minimums=(8, 9, 10)), field, losing(out))
    assert run.places == {5: 1, 4: 2, 3: 3, 0: 4, 1: 5, 2: 6}
    notes = {finish.entrant: finish.note for finish in run.finishes}
    assert (notes[5], notes[4], notes[0]) == ("last one left", "out in level 3", "out in level 2")
    assert {entrant: value for entrant, _, value in told(run, Event.OUT)} == {
        entrant: place for entrant, place in run.places.items() if place > 1
    }


def test_rule_15_who_leave_together_rank_by_the_stack_they_began_with() -> None:
    """Equal stacks share the place."""
    field = carrying(field_of(5), [30, 60, 60, 20, 500])
    run = play_made_up(made(), field, losing(dict.fromkeys(range(4), (0, 5))))
    assert run.places == {4: 1, 1: 2, 2: 2, 0: 4, 3: 5}
    unable = carrying(field_of(4), [6, 7, 7, 500])
    assert play_made_up(made(minimums=(8,)), unable, staying).places == {3: 1, 1: 2, 2: 2, 0: 4}


def test_rule_16_the_final_table_may_be_limited() -> None:
    """Fifteen rounds are a block of ten and one of five; bankrolls decide, and equals tie."""
    field = carrying(field_of(4), [300, 500, 300, 500])
    run = play_made_up(made(final_rounds=15), field, staying)
    assert [(block.rounds, block.state.rounds_after) for block in run.blocks] == [(10, 5), (5, 0)]
    assert run.places == {1: 1, 3: 1, 0: 3, 2: 3}
    capped = play_made_up(made(most_blocks=7, level_rounds=1000), field, staying)
    assert len(capped.waves) == 7


@pytest.mark.parametrize(
    ("fault", "places", "bankroll"),
    [("zero", {3: 1, 2: 2, 1: 3, 0: 4}, 0), ("keep", {3: 1, 0: 2, 2: 3, 1: 4}, BANKROLL)],
)
def test_rule_17_a_verdict_ends_the_part_of_an_entrant(
    fault: Any, places: dict[int, int], bankroll: int
) -> None:
    """As if its chips were gone, or with those it had; it cannot buy again."""
    field = wanting(field_of(4), {0: PolicyConfig(rebuys=3)})
    leaving = losing({1: (0, 2), 2: (0, 3)})

    def ends(block: Block, entrant: int) -> Ending | int:
        return Ending(BANKROLL, is_faulted=True) if entrant == 0 else leaving(block, entrant)

    run = play_made_up(made(on_fault=fault, rebuys=3), field, ends)
    assert len(run.waves) == 1
    assert run.places == places
    assert {each.entrant: each.bankroll for each in run.finishes}[0] == bankroll


@pytest.mark.parametrize(
    ("make", "entrants", "rules", "words"),
    [
        (made, 1, BlackjackRules(), "expected at least 2 entrants, got 1"),
        (made, 8, StraightsRules(), "needs a game of chips"),
    ],
)
def test_rule_18_what_cannot_be_played_is_refused(
    make: Callable[[], MultiTable], entrants: int, rules: Any, words: str
) -> None:
    """With a reason, and what works instead."""
    with pytest.raises(FormatError, match=words):
        make().check(entrants, rules)


@pytest.mark.parametrize(
    "options", [{"level_minutes": 3.0}, {"minimums": (10, 10)}], ids=["both", "level"]
)
def test_rule_18_settings_that_contradict_each_other_are_refused(options: dict[str, Any]) -> None:
    """Levels have one length, and rise."""
    with pytest.raises(FormatError):
        made(**options)


def test_rule_2_starts_with_the_minimum_of_the_tournament() -> None:
    """Which is the field's."""
    assert made().minimum_at(1, MINIMUM) == MINIMUM
