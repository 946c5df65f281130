"""The rules of the Swiss system, clause by clause: docs/rules/swiss.md."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.proving import tried
from tourney.formats import Swiss
from tourney.formats.base import Event, Happening
from tourney.game.blocks import Block

from .made_up import Ending, MadeUpRun, at_random, entrants_of, field_of, play_made_up

HALVES = 2


def by_number(block: Block, entrant: int) -> int:
    """Let those with high numbers win."""
    del block
    return 10 * entrant


def byes_of(happenings: Sequence[Happening]) -> list[int]:
    """Give who had byes, in order."""
    return [each.entrant for each in happenings if each.event is Event.BYE]


def tables_of(wave: Sequence[Block]) -> list[list[int]]:
    """Give who sits where."""
    return [entrants_of([block]) for block in wave]


def points_of(run: MadeUpRun, entrants: int, *, bye: float = 1) -> Iterator[list[float]]:
    """Give everybody's points before each wave and in the end, counted anew."""
    points = [0.0] * entrants
    results = {result.key: result for result in run.results}
    for wave in run.waves:
        yield list(points)
        seated = set(entrants_of(wave))
        for block in wave:
            seats = results[block.key].seats
            for one in seats:
                for other in seats:
                    if one is not other:
                        points[one.entrant] += (one.final > other.final) + (
                            one.final == other.final
                        ) / HALVES
        for each in set(range(entrants)) - seated:
            points[each] += bye
    yield points


def repeated(tables: Sequence[Sequence[int]], met: Counter[tuple[int, int]]) -> int:
    """Count the meetings before of those who sit together."""
    return sum(met[pair] for each in tables for pair in combinations(sorted(each), 2))


def fewest_repeats(players: tuple[int, ...], met: Counter[tuple[int, int]]) -> int:
    """Try all ways to pair: the slow oracle."""
    if not players:
        return 0
    first, *others = players
    return min(
        (met[min(first, other), max(first, other)] > 0)
        + fewest_repeats(tuple(each for each in others if each != other), met)
        for other in others
    )


def all_pairings(players: tuple[int, ...]) -> Iterator[list[tuple[int, int]]]:
    """Give every way to pair an even number of players, each pair in their order."""
    if not players:
        yield []
        return
    first, *others = players
    for other in others:
        for pairs in all_pairings(tuple(each for each in others if each != other)):
            yield [(first, other), *pairs]


def best_pairing(
    order: Sequence[int], met: Counter[tuple[int, int]], byes: Counter[int]
) -> tuple[int | None, list[tuple[int, int]]]:
    """Weigh all pairings, and all byes, as clauses 2 to 4 do: the slow oracle.

    Returns: Who has the bye, if anybody, and who meets, by the first of the order.
    """
    fewest = min(byes[each] for each in order)
    may_wait = [each for each in order if byes[each] == fewest] if len(order) % 2 else [None]
    most = max(met.values(), default=0)

    def worth(found: tuple[int | None, list[tuple[int, int]]]) -> tuple[object, ...]:
        bye, pairs = found
        times = [met[min(pair), max(pair)] for pair in pairs]
        again = [sum(each > before for each in times) for before in range(most)]
        waits = 0 if bye is None else -order.index(bye)
        return again, waits, [order.index(other) for _, other in pairs]

    return min(
        (
            (bye, pairs)
            for bye in may_wait
            for pairs in all_pairings(tuple(each for each in order if each != bye))
        ),
        key=worth,
    )


@given(st.integers(2, 12), st.integers(1, 8), st.integers(0, 99))
@tried(60)
def test_rule_1_everybody_plays_in_every_wave(entrants: int, waves: int, rng_seed: int) -> None:
    """But for who has the bye."""
    run = play_made_up(Swiss(waves=waves), field_of(entrants, rng_seed), at_random(rng_seed))
    assert len(run.waves) == waves
    for wave in run.waves:
        assert len(set(entrants_of(wave))) == len(entrants_of(wave)) == entrants - entrants % 2


@given(st.integers(2, 9), st.integers(1, 10), st.integers(0, 99))
@tried(60)
def test_rule_2_as_few_as_can_be_meet_again(entrants: int, waves: int, rng_seed: int) -> None:
    """As a search through all pairings finds, among those without a bye."""
    run = play_made_up(Swiss(waves=waves), field_of(entrants, rng_seed), at_random(rng_seed))
    met = Counter[tuple[int, int]]()
    for wave in run.waves:
        pairs = [tuple(sorted(each)) for each in tables_of(wave)]
        players = tuple(sorted(entrants_of(wave)))
        assert sum(met[one, other] > 0 for one, other in pairs) == fewest_repeats(players, met)
        met.update((one, other) for one, other in pairs)


@pytest.mark.parametrize("entrants", [4, 6, 8, 16, 50])
def test_rule_2_later_meetings_are_even(entrants: int) -> None:
    """Nobody meets again before it has to; in the first half of the waves it never has to."""
    waves = entrants // 2
    run = play_made_up(Swiss(waves=waves), field_of(entrants), at_random(3))
    met = Counter(tuple(sorted(pair)) for wave in run.waves for pair in tables_of(wave))
    assert set(met.values()) == {1}


@pytest.mark.parametrize("entrants", range(2, 10))
def test_rule_3_the_first_meets_the_next_it_can(entrants: int) -> None:
    """In every wave, as a search through all pairings and byes finds."""
    for seed in range(12 if entrants < 9 else 2):
        field = field_of(entrants, seed)
        run = play_made_up(Swiss(waves=2 * entrants), field, at_random(seed))
        met, byes = Counter[tuple[int, int]](), Counter[int]()
        for number, (wave, points) in enumerate(
            zip(run.waves, points_of(run, entrants), strict=False)
        ):
            lots = field.shuffled((0, -1 - number), range(entrants))
            order = sorted(lots, key=lambda each: -points[each])
            bye, pairs = best_pairing(order, met, byes)
            drawn = [tuple(sorted(pair, key=order.index)) for pair in tables_of(wave)]
            assert (drawn, set(order) - set(entrants_of(wave))) == (pairs, {bye} - {None})
            met.update(tuple(sorted(pair)) for pair in pairs)
            byes.update({bye} - {None})


def test_rule_3_the_leader_does_not_meet_the_last() -> None:
    """Where it has met the second, and the third is to be had."""
    field = field_of(8, 6)
    run = play_made_up(Swiss(waves=6), field, at_random(6))
    points = list(points_of(run, 8))[4]
    order = sorted(field.shuffled((0, -5), range(8)), key=lambda each: -points[each])
    assert {order[0], order[2]} in map(set, tables_of(run.waves[4]))


def test_rule_3_equal_points_meet() -> None:
    """Winners meet winners, while they have not met."""
    run = play_made_up(Swiss(waves=5), field_of(64), by_number)
    for wave, points in zip(run.waves, points_of(run, 64), strict=False):
        apart = [abs(points[one] - points[other]) for one, other in tables_of(wave)]
        assert max(apart) <= 1
    assert run.places[63] == 1
    lots = {
        tuple(map(tuple, tables_of(play_made_up(Swiss(waves=1), field_of(6, s), by_number).blocks)))
        for s in range(20)
    }
    assert len(lots) > 15


@given(st.integers(1, 10), st.integers(1, 9), st.integers(0, 99))
@tried(60)
def test_rule_4_byes_go_to_few_points_and_round(half: int, waves: int, rng_seed: int) -> None:
    """Nobody has a second one before all had one; the first goes to one with fewest points."""
    entrants = 2 * half + 1
    run = play_made_up(Swiss(waves=waves), field_of(entrants, rng_seed), at_random(rng_seed))
    had = Counter(byes_of(run.happenings))
    assert had.total() == waves
    assert max(had.values()) == -(-waves // entrants)
    for finish, points in zip(
        sorted(run.finishes), list(points_of(run, entrants))[-1], strict=True
    ):
        assert finish.note.split(" of ")[0] == f"{points:g}"


def test_rule_4_the_last_has_the_bye() -> None:
    """Where nothing else stands against it."""
    run = play_made_up(Swiss(waves=4), field_of(33), by_number)
    for bye, points in zip(byes_of(run.happenings), points_of(run, 33), strict=False):
        seated_lower = [p for each, p in enumerate(points) if p < points[bye]]
        had = byes_of(run.happenings)
        assert all(points[each] >= points[bye] for each in range(33) if each not in had)
        assert len(seated_lower) <= len(had)


def test_rule_5_several_byes_bring_half_of_the_points() -> None:
    """Of seven three are left over at a table of four."""
    run = play_made_up(Swiss(waves=1, seats=4), field_of(7), by_number)
    byes = byes_of(run.happenings)
    assert len(byes) == 3
    notes = {finish.entrant: finish.note for finish in run.finishes}
    assert {notes[each] for each in byes} == {"1.5 of 3"}
    longer = play_made_up(Swiss(waves=7, seats=4), field_of(7), by_number)
    assert set(Counter(byes_of(longer.happenings)).values()) == {3}


@given(st.integers(3, 6), st.integers(3, 7), st.integers(0, 99))
@tried(30)
def test_rule_6_nobody_meets_again_in_the_second_wave(seats: int, more: int, seed: int) -> None:
    """If there are as many tables as seats, that can be avoided."""
    entrants = seats * max(seats, more)
    run = play_made_up(Swiss(waves=2, seats=seats), field_of(entrants, seed), at_random(seed))
    met = Counter(
        pair
        for wave in run.waves
        for table in tables_of(wave)
        for pair in combinations(sorted(table), 2)
    )
    assert set(met.values()) == {1}


@given(st.integers(3, 5), st.integers(8, 24), st.integers(0, 99))
@tried(20)
def test_rule_6_no_change_of_places_would_help(seats: int, entrants: int, seed: int) -> None:
    """In any wave."""
    run = play_made_up(Swiss(waves=5, seats=seats), field_of(entrants, seed), at_random(seed))
    met = Counter[tuple[int, int]]()
    for wave in run.waves:
        tables = tables_of(wave)
        before = repeated(tables, met)
        for mine, theirs in combinations(range(len(tables)), 2):
            for one in range(seats):
                for two in range(seats):
                    other = [list(each) for each in tables]
                    other[mine][one], other[theirs][two] = other[theirs][two], other[mine][one]
                    assert repeated(other, met) >= before
        met.update(pair for each in tables for pair in combinations(sorted(each), 2))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_rule_7_who_bet_later_bets_first(seats: int) -> None:
    """So that it comes out even in the end."""
    run = play_made_up(Swiss(waves=9, seats=seats), field_of(24), at_random(1))
    late = Counter[int]()
    for wave in run.waves:
        for table in tables_of(wave):
            assert [late[each] for each in table] == sorted((late[e] for e in table), reverse=True)
            for position, each in enumerate(table):
                late[each] += 2 * position - (seats - 1)
    assert max(map(abs, late.values())) <= 2 * seats


def test_rule_8_points_decide_and_equals_share_the_place() -> None:
    """Or opponents' points order them."""
    run = play_made_up(Swiss(waves=3), field_of(8), by_number)
    assert [finish.place for finish in run.finishes] == [1, 2, 2, 2, 5, 5, 5, 8]
    broken = play_made_up(Swiss(waves=3, tiebreak="buchholz"), field_of(8), by_number)
    assert broken.waves == run.waves
    *_, points = points_of(broken, 8)
    sums = [
        sum(
            points[other]
            for block in broken.blocks
            for other in entrants_of([block])
            if each in entrants_of([block]) and other != each
        )
        for each in range(8)
    ]
    order = sorted(zip(points, sums, strict=True), reverse=True)
    for finish in broken.finishes:
        mine = points[finish.entrant], sums[finish.entrant]
        assert finish.place == 1 + order.index(mine)
        assert finish.note == f"{mine[0]:g} of 3, Buchholz {mine[1]:g}"


def test_rule_8_a_bye_is_an_opponent_with_the_same_points() -> None:
    """Where opponents' points count."""
    run = play_made_up(Swiss(waves=1, tiebreak="buchholz"), field_of(3), by_number)
    (bye,) = byes_of(run.happenings)
    assert next(each.note for each in run.finishes if each.entrant == bye) == "1 of 1, Buchholz 1"


def test_rule_9_who_has_failed_keeps_its_points() -> None:
    """And gets no more."""

    def ends(block: Block, entrant: int) -> Ending:
        return Ending(10 * entrant, entrant == 7 and block.state.level == 2)

    run = play_made_up(Swiss(waves=4), field_of(8), ends)
    assert next(each.note for each in run.finishes if each.entrant == 7) == "1 of 4"
    assert all(7 not in entrants_of(wave) for wave in run.waves[2:])


def test_rule_9_it_is_over_when_no_table_can_be_filled() -> None:
    """Whatever waves there were to be."""
    run = play_made_up(Swiss(waves=9), field_of(3), at_random(1, faults=1.0))
    assert len(run.waves) == 1
