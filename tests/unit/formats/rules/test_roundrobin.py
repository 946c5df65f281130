"""The rules of the round robin, clause by clause: docs/rules/roundrobin.md."""

from collections import Counter
from collections.abc import Iterable
from itertools import combinations

import pytest

from tourney.errors import FormatError
from tourney.formats import RoundRobin
from tourney.game.blocks import Block
from tourney.games.straights.rules import StraightsRules

from .made_up import at_random, entrants_of, field_of, play_made_up

STRAIGHTS = StraightsRules()


def meetings(blocks: Iterable[Block]) -> Counter[tuple[int, int]]:
    """Count how often any two sit at one table."""
    return Counter(
        pair for block in blocks for pair in combinations(sorted(entrants_of([block])), 2)
    )


@pytest.mark.parametrize("entrants", range(2, 14))
@pytest.mark.parametrize("times", [1, 2, 3])
def test_rule_1_everybody_meets_everybody(entrants: int, times: int) -> None:
    """So many times."""
    run = play_made_up(RoundRobin(times=times), field_of(entrants), at_random(1))
    pairs = combinations(range(entrants), 2)
    assert meetings(run.blocks) == dict.fromkeys(pairs, times)


@pytest.mark.parametrize("entrants", range(2, 14))
def test_rule_2_everybody_bets_first_as_often_as_second(entrants: int) -> None:
    """But for one match, and without a difference over two times."""
    for times, apart in ((1, 1), (2, 0), (3, 1)):
        run = play_made_up(RoundRobin(times=times), field_of(entrants), at_random(1))
        firsts = Counter(entrants_of([block])[0] for block in run.blocks)
        for each in range(entrants):
            matches = times * (entrants - 1)
            assert abs(2 * firsts[each] - matches) <= apart
    run = play_made_up(RoundRobin(times=2), field_of(entrants), at_random(1))
    seatings = Counter(tuple(entrants_of([block])) for block in run.blocks)
    assert set(seatings.values()) == {1}


@pytest.mark.parametrize("entrants", range(2, 14))
def test_rule_2_one_waits_in_every_wave_of_an_odd_number(entrants: int) -> None:
    """Nobody waits in an even one."""
    run = play_made_up(RoundRobin(), field_of(entrants), at_random(1))
    assert len(run.waves) == entrants - 1 + entrants % 2
    for wave in run.waves:
        assert len(set(entrants_of(wave))) == entrants - entrants % 2


@pytest.mark.parametrize(("entrants", "times"), [(4, 1), (5, 3), (7, 2), (8, 3), (13, 1), (16, 2)])
def test_rule_3_fours_follow_the_balanced_plan(entrants: int, times: int) -> None:
    """In waves in which nobody sits twice, with chips and with points."""
    for rules in (None, STRAIGHTS):
        options = RoundRobin(times=times, seats=4, seatings="one")
        run = play_made_up(options, field_of(entrants, rules=rules), at_random(1))
        pairs = combinations(range(entrants), 2)
        assert meetings(run.blocks) == dict.fromkeys(pairs, times)
        for wave in run.waves:
            seated = Counter((block.key.heat, e) for block in wave for e in entrants_of([block]))
            assert max(seated.values()) == 1


def test_rule_3_times_that_do_not_come_out_are_refused() -> None:
    """With the nearest that do."""
    with pytest.raises(FormatError, match=r"times: 4 is not a multiple of 3, .* use 3 or 6"):
        RoundRobin(times=4).check(8, STRAIGHTS)
    with pytest.raises(FormatError, match=r"times: 1 is not a multiple of 3, .* use 3"):
        RoundRobin(times=1).check(8, STRAIGHTS)
    run = play_made_up(RoundRobin(), field_of(8, rules=STRAIGHTS), at_random(1))
    assert set(meetings(run.waves[0]).values()) == {4}  # all seatings of tables that meet once
    assert set(meetings(run.blocks).values()) == {12}


def test_rule_4_parts_are_drawn() -> None:
    """From the secret of the run; the second time has the lots of the first."""
    runs = [
        play_made_up(RoundRobin(times=4), field_of(8, seed), at_random(1)) for seed in (1, 1, 2)
    ]
    seats = [[entrants_of([block]) for block in run.waves[0]] for run in runs]
    assert seats[0] == seats[1] != seats[2]
    first, second, third, fourth = (seats[0][4 * n : 4 * n + 4] for n in range(4))
    assert second == [each[::-1] for each in first]
    assert fourth == [each[::-1] for each in third]
    assert third != first


def test_rule_5_other_tables_are_refused() -> None:
    """And numbers without a plan."""
    with pytest.raises(
        FormatError,
        match=r"no plan is known for tables of 3 .* set seats to 2 or 4, or use the format swiss",
    ):
        RoundRobin(seats=3).check(9, field_of(9).rules)
    with pytest.raises(FormatError, match=r"for 69 entrants; use 68 or 71"):
        RoundRobin(seats=4).check(69, field_of(9).rules)
