"""The rules of the ladder, clause by clause: docs/rules/ladder.md."""

from collections import Counter
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.proving import tried
from tourney.formats import Ladder
from tourney.formats.matches.ladder import LadderSchedule
from tourney.game.blocks import Block
from tourney.game.ledger import BlockResult

from .made_up import (
    BANKROLL,
    Ending,
    Ends,
    at_random,
    entrants_of,
    field_of,
    made_up,
    play_made_up,
)


def by_skill(rng_seed: int) -> Ends:
    """Let those with high numbers win more often."""

    def ends(block: Block, entrant: int) -> int:
        return round(
            Random(f"{rng_seed} {tuple(block.key)} {entrant}").gauss(100 + 8 * entrant, 40)
        )

    return ends


def rating(note: str) -> int:
    """Read a rating."""
    return int(note.split()[1])


def test_rule_1_equals_are_ordered_by_lot() -> None:
    """In the first wave everybody meets anybody."""
    seen = Counter[tuple[int, int]]()
    for seed in range(200):
        run = play_made_up(Ladder(waves=1), field_of(4, seed), by_skill(1))
        for block in run.blocks:
            one, other = sorted(entrants_of([block]))
            seen[one, other] += 1
    assert set(seen) == set(combinations(range(4), 2))
    assert min(seen.values()) > 25


def test_rule_1_it_is_decided_between_waves_only() -> None:
    """Whatever order results come in, the next wave is the same."""

    def reversing(results: list[BlockResult]) -> None:
        results.reverse()

    one, other = (
        play_made_up(Ladder(waves=30), field_of(11), by_skill(2), order)
        for order in (None, reversing)
    )
    assert one.waves == other.waves
    assert one.finishes == other.finishes
    assert len(one.waves) == 30


@given(st.integers(2, 12), st.integers(2, 4), st.integers(0, 99))
@tried(25)
def test_rule_2_neighbours_meet(entrants: int, seats: int, seed: int) -> None:
    """Nobody whose rating lies between theirs sits elsewhere."""
    entrants = max(entrants, seats)
    options, field = Ladder(waves=6, seats=seats), field_of(entrants, seed)
    options.check(entrants, field.rules)
    schedule = LadderSchedule(options, field)
    ends = by_skill(seed)
    for wave in schedule.waves():
        blocks = [block for batch in wave for block in batch.blocks]
        ratings = schedule.ratings()
        for block in blocks:
            table = entrants_of([block])
            low, high = (pick(ratings.points[e] for e in table) for pick in (min, max))
            others = set(range(entrants)) - set(table)
            assert not [each for each in others if low < ratings.points[each] < high]
        for block in blocks:
            schedule.take(made_up(block, ends))


def test_rule_2_the_least_certain_meet_first() -> None:
    """Two who are nearly equal meet; one who always wins is left alone."""

    def ends(block: Block, entrant: int) -> int:
        if entrant == 2:
            return 1000
        return Random(f"{tuple(block.key)} {entrant}").randint(0, 100)

    run = play_made_up(Ladder(waves=40, tables=1), field_of(3), ends)
    assert all(len(wave) == 1 for wave in run.waves)
    met = Counter(tuple(sorted(entrants_of([block]))) for block in run.blocks)
    assert met[0, 1] > 20


def test_rule_3_the_rating_is_an_estimate_of_strength() -> None:
    """Draws give 0; and who wins with probability 10/11 is 400 points ahead."""
    drawn = play_made_up(Ladder(waves=4), field_of(2), lambda *_: BANKROLL)
    assert {finish.note.split(" ±")[0] for finish in drawn.finishes} == {"rating +0"}

    def ends(block: Block, entrant: int) -> int:
        return entrant if block.key.table % 11 else -entrant

    run = play_made_up(Ladder(waves=220), field_of(2), ends)
    first, second = (rating(finish.note) for finish in run.finishes)
    assert 390 <= first - second <= 400


def test_rule_4_who_always_wins_has_a_rating() -> None:
    """A higher one the more it won."""
    ratings = []
    for waves in (1, 10, 100):
        run = play_made_up(Ladder(waves=waves), field_of(2), lambda _, entrant: 10 * entrant)
        assert run.places == {1: 1, 0: 2}
        ratings.append(rating(run.finishes[0].note))
    assert 0 < ratings[0] < ratings[1] < ratings[2]


def test_rule_5_the_order_of_matches_is_no_matter() -> None:
    """The same results on other days give the same ratings."""
    results = [(0, 1), (0, 1), (1, 0), (1, 0), (0, 1)]
    notes = set()
    for seed in range(5):
        shuffled = list(results)
        Random(seed).shuffle(shuffled)

        def ends(block: Block, entrant: int, shuffled: list[tuple[int, int]] = shuffled) -> int:
            return shuffled[block.key.table][entrant]

        run = play_made_up(Ladder(waves=5), field_of(2), ends)
        notes.add(tuple(finish.note for finish in run.finishes))
    assert len(notes) == 1


def test_rule_6_more_matches_make_it_surer() -> None:
    """Half the width shrinks about as the root of their number."""
    widths = []
    for waves in (20, 80):
        run = play_made_up(Ladder(waves=waves), field_of(2), at_random(1))
        widths.append(int(run.finishes[0].note.split("± ")[1]))
    assert 0.35 < widths[1] / widths[0] < 0.7


@pytest.mark.parametrize("seats", [2, 3])
def test_rule_7_who_bet_later_bets_first(seats: int) -> None:
    """So that it comes out even in the end."""
    run = play_made_up(Ladder(waves=40, seats=seats), field_of(9), by_skill(3))
    late = Counter[int]()
    for block in run.blocks:
        for position, each in enumerate(entrants_of([block])):
            late[each] += 2 * position - (seats - 1)
    assert max(map(abs, late.values())) <= 3 * seats


def failing(block: Block, entrant: int) -> Ending:
    """Let the best fail in the fourth wave."""
    return Ending(10 * entrant, entrant == 5 and block.state.level >= 4)


def test_rule_8_who_has_failed_is_behind() -> None:
    """Whatever its rating, unless that stands."""
    lost = play_made_up(Ladder(waves=12), field_of(6), failing)
    assert lost.places[5] == 6
    stands = play_made_up(Ladder(waves=12, on_fault="keep"), field_of(6), failing)
    assert stands.places[5] == 1


def test_rule_8_matches_of_who_is_out_count_for_nobody() -> None:
    """Who met it alone has the rating of somebody who never played."""
    run = play_made_up(
        Ladder(waves=1, on_fault="disqualify"),
        field_of(2),
        lambda _, entrant: Ending(9, entrant == 1),
    )
    assert {finish.note.split(" ±")[0] for finish in run.finishes} == {"rating +0"}
