"""The rules of the knockout, clause by clause: docs/rules/knockout.md."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.proving import tried
from tourney.config.model import PolicyConfig
from tourney.errors import FormatError
from tourney.formats import Knockout
from tourney.formats.base import Event, Happening
from tourney.formats.field import Field
from tourney.game.blocks import Block
from tourney.game.cards.keys import Secret
from tourney.games.straights.rules import StraightsRules

from .made_up import (
    BANKROLL,
    Ending,
    Ends,
    MadeUpRun,
    at_random,
    carrying,
    entrants_of,
    field_of,
    made_up,
    play_made_up,
    shuffling,
)

STRAIGHTS = StraightsRules()


def by_number(block: Block, entrant: int) -> int:
    """Let those with high numbers win."""
    del block
    return 10 * entrant


def tiers(run: MadeUpRun, number: int = 0) -> dict[int, list[Block]]:
    """Give the heats of a bracket by tier."""
    found = defaultdict(list)
    for block in run.blocks:
        if block.key.heat == number:
            found[block.state.level].append(block)
    return found


def sizes(blocks: Iterable[Block]) -> list[int]:
    """Say how many play each heat."""
    return sorted(len(block.seats) for block in blocks)


@st.composite
def knockouts(draw: st.DrawFn) -> Knockout:
    """Any options that can be played with chips."""
    seats = draw(st.integers(2, 7))
    return Knockout(
        seats=seats,
        advance=draw(st.integers(1, max(1, seats // 2))),
        wildcards=draw(st.integers(0, 8)),
        reentries=draw(st.sampled_from((0, 0, 1, 3))),
        times=draw(st.sampled_from((1, 1, 3))),
        on_fault=draw(st.sampled_from(("zero", "keep", "disqualify"))),
    )


def test_rule_1_everybody_begins_every_heat_alike() -> None:
    """With the bankroll of the configuration, and for as many rounds."""
    run = play_made_up(Knockout(seats=3, rounds=12), field_of(20), by_number)
    assert len(tiers(run)) == 3
    for block in run.blocks:
        assert {seat.bankroll for seat in block.seats} == {BANKROLL}
        assert (block.key.first_round, block.rounds) == (1, 12)


def test_rule_1_what_somebody_brought_it_begins_with() -> None:
    """In every heat."""
    field = carrying(field_of(9), range(50, 95, 5))
    run = play_made_up(Knockout(seats=3), field, by_number)
    for block in run.blocks:
        assert all(seat.bankroll == 50 + 5 * seat.entrant for seat in block.seats)


@given(knockouts(), st.integers(2, 60), st.integers(0, 99))
@tried(60)
def test_rule_2_heats_are_few_and_even(options: Knockout, entrants: int, rng_seed: int) -> None:
    """And whoever plays a tier plays one heat of it, but for further tries."""
    run = play_made_up(options, field_of(entrants, rng_seed), at_random(rng_seed))
    for number in range(options.times):
        for tier, blocks in tiers(run, number).items():
            if tier == 1 and options.reentries:
                continue
            heats, players = sizes(blocks), entrants_of(blocks)
            assert heats[-1] <= options.seats
            assert heats[-1] - heats[0] <= 1
            assert len(heats) == -(-len(players) // options.seats)
            assert len(set(players)) == len(players)


def test_rule_2_seats_are_drawn_in_every_tier() -> None:
    """From the secret of the run."""
    runs = [
        play_made_up(Knockout(seats=4, advance=2), field_of(32, seed), by_number)
        for seed in (1, 1, 2)
    ]
    first, again, other = (entrants_of(run.waves[0]) for run in runs)
    assert first == again != other
    second = entrants_of(runs[0].waves[1])
    assert second != [each for each in first if each in second]
    firsts = Counter(
        play_made_up(Knockout(seats=4), field_of(4, seed), by_number).blocks[0].seats[0].entrant
        for seed in range(200)
    )
    assert min(firsts.values()) > 25


def test_rule_3_players_see_what_the_heat_decides() -> None:
    """Rounds after the block, places that go on, the tier; and the first bet goes round."""
    run = play_made_up(Knockout(seats=6, advance=2), field_of(20), by_number)
    first, final = run.blocks[0].state, run.blocks[-1].state
    assert (first.level, first.advance, first.rounds_after) == (1, 2, 0)
    assert (final.level, final.advance) == (3, 1)
    assert first.moves_button
    straights = play_made_up(Knockout(seats=4), field_of(8, rules=STRAIGHTS), by_number)
    assert not straights.blocks[0].state.moves_button


@pytest.mark.parametrize("advance", [1, 2, 3])
def test_rule_4_the_best_of_a_heat_go_on(advance: int) -> None:
    """By chips."""
    run = play_made_up(Knockout(seats=7, advance=advance), field_of(49), by_number)
    went = {
        entrant for block in run.waves[0] for entrant in sorted(entrants_of([block]))[-advance:]
    }
    assert set(entrants_of(run.waves[1])) == went
    assert {each.entrant for each in run.happenings if each.event is Event.ADVANCE} >= went


def test_rule_4_fewest_points_go_on() -> None:
    """Where points count."""
    run = play_made_up(Knockout(seats=4), field_of(16, rules=STRAIGHTS), by_number)
    went = {min(entrants_of([block])) for block in run.waves[0]}
    assert set(entrants_of(run.waves[1])) == went
    assert run.places[0] == 1


def test_rule_4_a_lot_settles_who_goes_on_of_those_who_tie() -> None:
    """Not the name, nor the seat."""
    went, seats = Counter[int](), Counter[int]()
    for seed in range(200):
        run = play_made_up(Knockout(seats=2), field_of(4, seed), lambda *_: BANKROLL)
        for block in run.waves[0]:
            winners = set(entrants_of(run.waves[1]))
            seats.update(n for n, seat in enumerate(block.seats) if seat.entrant in winners)
        went.update(entrants_of(run.waves[1]))
    assert min(went.values()) > 70
    assert min(seats.values()) > 150


def byes(happenings: Iterable[Happening]) -> list[int]:
    """Give who had byes."""
    return [each.entrant for each in happenings if each.event is Event.BYE]


@given(st.integers(2, 40), st.integers(0, 99))
@tried(60)
def test_rule_5_few_have_a_bye_and_nobody_two(entrants: int, rng_seed: int) -> None:
    """Of two at a table one at most is left over."""
    run = play_made_up(Knockout(seats=2), field_of(entrants, rng_seed), at_random(rng_seed))
    for tier, blocks in tiers(run).items():
        assert sizes(blocks) == [2] * len(blocks)
        assert tier == len(tiers(run)) or len(blocks) >= 1
    playing, had = set(range(entrants)), Counter[int]()
    for is_draw, told in groupby(run.happenings, lambda each: each.event is not Event.ADVANCE):
        if is_draw:
            for each in byes(told):
                assert had[each] == min(had[other] for other in playing)
                had[each] += 1
        else:
            playing = {each.entrant for each in told}
    assert had.total() < len(tiers(run))


def test_rule_5_a_heat_in_which_nobody_loses_is_not_played() -> None:
    """Five with two of four going on: one waits, and four play."""
    run = play_made_up(Knockout(seats=4, advance=2), field_of(5), by_number)
    assert [sizes(wave) for wave in run.waves] == [[4], [3]]
    (waiting,) = byes(run.happenings)
    assert waiting not in entrants_of(run.waves[0])
    assert waiting in entrants_of(run.waves[1])


def test_rule_5_byes_are_drawn() -> None:
    """Everybody may have one."""
    drawn = set()
    for seed in range(60):
        run = play_made_up(Knockout(seats=2), field_of(5, seed), by_number)
        drawn.add(byes(run.happenings)[0])
    assert drawn == {0, 1, 2, 3, 4}


def test_rule_6_wildcards_fill_empty_seats() -> None:
    """Twenty in seven heats of three: seven go on, and two of the others make it nine."""
    field = field_of(20)
    without = play_made_up(Knockout(seats=3), field, by_number)
    assert [sizes(wave) for wave in without.waves] == [[2] + [3] * 6, [2, 2, 3], [3]]
    run = play_made_up(Knockout(seats=3, wildcards=9), field, by_number)
    assert [sizes(wave) for wave in run.waves] == [[2] + [3] * 6, [3, 3, 3], [3]]
    winners = {max(entrants_of([block])) for block in run.waves[0]}
    losers = sorted(set(range(20)) - winners)
    assert set(entrants_of(run.waves[1])) == winners | set(losers[-2:])
    few = play_made_up(Knockout(seats=3, wildcards=1), field, by_number)
    assert len(entrants_of(few.waves[1])) == 8


def test_rule_6_somebody_is_always_out() -> None:
    """Seats may be empty rather than filled by all who lost."""
    run = play_made_up(
        Knockout(seats=4, advance=2, wildcards=4), field_of(7, rules=STRAIGHTS), by_number
    )
    assert [sizes(wave) for wave in run.waves] == [[4], [4], [4]]
    # Seven, then two with three byes and one wildcard, then two with two byes.
    assert len(byes(run.happenings)) == 3 + 2
    assert sorted(run.places.values()) == [1, 2, 3, 4, 5, 6, 7]


def test_rule_7_losers_of_the_first_tier_try_again() -> None:
    """So many times; the winners of all tries go on together."""
    run = play_made_up(Knockout(seats=3, reentries=2), field_of(27), by_number)
    first = tiers(run)[1]
    assert sizes(first) == [3] * (9 + 6 + 4)
    assert [len(wave) for wave in run.waves[:3]] == [9, 6, 4]
    assert len(entrants_of(run.waves[3])) == 19
    assert not set(entrants_of(run.waves[1])) & {
        max(entrants_of([block])) for block in run.waves[0]
    }


def test_rule_7_who_is_left_over_waits_for_the_next_time() -> None:
    """And is out after the last one."""
    run = play_made_up(Knockout(seats=2, reentries=2), field_of(6), by_number)
    assert [sizes(wave) for wave in run.waves[:2]] == [[2, 2, 2], [2]]
    (left_over,) = (
        set(range(6))
        - {*entrants_of(run.waves[1])}
        - {max(entrants_of([block])) for block in run.waves[0]}
    )
    assert left_over in entrants_of(run.waves[2])


def wanting(entrants: int, reentries: dict[int, int]) -> Field:
    """Give a field in which some say how often they try again."""
    policies = tuple(PolicyConfig(reentries=reentries.get(each)) for each in range(entrants))
    return replace(field_of(entrants), policies=policies)


def test_rule_7_who_does_not_want_to_does_not_try_again() -> None:
    """Its first heat is its last; the others play on without it."""
    field = wanting(27, dict.fromkeys(range(9), 0))
    run = play_made_up(Knockout(seats=3, reentries=2), field, by_number)
    seats = Counter(entrants_of(tiers(run)[1]))
    winners = {max(entrants_of([block])) for block in run.waves[0]}
    assert {seats[each] for each in range(9)} == {1}
    willing = set(range(9, 27)) - winners
    assert set(entrants_of(run.waves[1])) == willing
    assert all(seats[each] > 1 for each in willing)


def test_rule_7_nobody_tries_again_more_often_than_it_says() -> None:
    """Who waits has not tried; a policy of many times does no more than the format allows."""
    field = wanting(27, {0: 1, 1: 2, 2: 9})
    run = play_made_up(Knockout(seats=3, reentries=3), field, by_number)
    seats = Counter(entrants_of(tiers(run)[1]))
    assert (seats[0], seats[1]) == (2, 3)
    assert seats[2] <= 4
    counts = {finish.entrant: dict(finish.counts) for finish in run.finishes}
    assert (counts[0]["re-entries"], counts[1]["re-entries"]) == (1, 2)
    assert sum(each["re-entries"] for each in counts.values()) == sum(seats.values()) - 27
    without = play_made_up(Knockout(seats=3), field_of(9), by_number)
    assert all("re-entries" not in dict(finish.counts) for finish in without.finishes)


def test_rule_7_a_policy_is_asked_for_where_there_are_reentries() -> None:
    """Else it would be a wish that nobody hears."""
    assert Knockout(reentries=1).asks_policies == ("reentries",)
    assert not Knockout().asks_policies


def test_rule_8_all_who_fit_at_one_table_play_the_final() -> None:
    """Even if they are no more than go on from other heats."""
    for entrants in range(2, 8):
        run = play_made_up(Knockout(seats=7, advance=3), field_of(entrants), by_number)
        assert [sizes(wave) for wave in run.waves] == [[entrants]]
        assert run.places[entrants - 1] == 1
        assert [each.event for each in run.happenings].count(Event.FINAL_TABLE) == 1


@pytest.mark.parametrize("entrants", range(4, 25))
def test_rule_8_losers_fill_a_final_that_needs_more(entrants: int) -> None:
    """At Straights four have to sit down."""
    for advance in (1, 2):
        options = Knockout(seats=4, advance=advance)
        run = play_made_up(options, field_of(entrants, rules=STRAIGHTS), at_random(entrants))
        assert {size for wave in run.waves for size in sizes(wave)} == {4}
        assert len(run.waves[-1]) == 1
        assert run.finishes[0].note == "won"


def test_rule_9_the_final_comes_first_then_the_tiers() -> None:
    """Within a tier by the chips of the last heat, at whatever table."""
    run = play_made_up(Knockout(seats=3), field_of(9), by_number)
    final, first = set(entrants_of(run.waves[1])), set(range(9))
    order = [*sorted(final, reverse=True), *sorted(first - final, reverse=True)]
    assert run.places == {entrant: place for place, entrant in enumerate(order, start=1)}
    notes = {finish.entrant: finish.note for finish in run.finishes}
    assert notes[order[0]] == "won"
    assert notes[order[1]] == "lost the final"
    assert notes[order[3]] == "out in tier 1"


def test_rule_9_equal_chips_share_the_place() -> None:
    """The winner's, too."""
    run = play_made_up(Knockout(seats=3), field_of(9), lambda *_: BANKROLL)
    assert sorted(run.places.values()) == [1, 1, 1, 4, 4, 4, 4, 4, 4]


@given(knockouts(), st.integers(2, 40), st.integers(0, 99), st.sampled_from((0.0, 0.1, 0.6)))
@tried(80)
def test_rule_9_everybody_has_one_place_whoever_comes_in_first(
    options: Knockout, entrants: int, rng_seed: int, faults: float
) -> None:
    """The order in which results come in changes nothing; places are checked after every wave."""
    field, ends = field_of(entrants, rng_seed), at_random(rng_seed, faults=faults)
    run = play_made_up(options, field, ends)
    other = play_made_up(options, field, ends, shuffling(rng_seed))
    assert run.waves == other.waves
    assert run.finishes == other.finishes
    assert len({block.key for block in run.blocks}) == len(run.blocks)
    for wave in run.waves:
        seated = Counter((block.key.heat, each) for block in wave for each in entrants_of([block]))
        assert max(seated.values()) == 1


def faulting(*entrants: int, final: int = 1000) -> Ends:
    """Let some fail in their first heat, with many chips, and let high numbers win."""

    def ends(block: Block, entrant: int) -> Ending:
        if entrant in entrants:
            return Ending(final, is_faulted=True)
        return Ending(by_number(block, entrant))

    return ends


def test_rule_10_a_verdict_is_the_end() -> None:
    """Neither wildcards nor further tries bring anybody back."""
    for options in (
        Knockout(seats=3, wildcards=9, on_fault="keep"),
        Knockout(seats=3, reentries=3, on_fault="keep"),
    ):
        run = play_made_up(options, field_of(20), faulting(18, 19))
        seats = Counter(entrants_of(run.blocks))
        assert (seats[18], seats[19]) == (1, 1)
        assert run.places[17] == 1


def test_rule_10_what_a_verdict_costs() -> None:
    """Lost: as if its chips had been 0. Stands: they count, and may win the final."""
    lost = play_made_up(Knockout(seats=3, on_fault="zero"), field_of(9), faulting(8))
    assert lost.places[8] == 8  # 0 has no chips either
    assert lost.places[0] == 8
    out = play_made_up(Knockout(seats=3, on_fault="disqualify"), field_of(9), faulting(8))
    assert out.places == lost.places
    stands = play_made_up(Knockout(seats=3, on_fault="keep"), field_of(9), faulting(8))
    assert stands.places[8] == 4  # best of those who did not reach the final
    final = play_made_up(Knockout(seats=3, on_fault="keep"), field_of(3), faulting(1))
    assert final.places == {1: 1, 2: 2, 0: 3}
    points = play_made_up(Knockout(seats=4), field_of(4, rules=STRAIGHTS), faulting(0, final=0))
    assert points.places == {1: 1, 2: 2, 3: 3, 0: 4}


@given(st.integers(2, 30), st.integers(0, 99))
@tried(40)
def test_rule_10_nobody_at_fault_is_seated_again(entrants: int, rng_seed: int) -> None:
    """In the same bracket."""
    options = Knockout(seats=4, wildcards=3, reentries=1, times=2)
    run = play_made_up(options, field_of(entrants, rng_seed), at_random(rng_seed, faults=0.2))
    faulted: set[tuple[int, int]] = set()
    for result in run.results:
        seated = {(result.key.heat, seat.entrant) for seat in result.seats}
        assert not faulted & seated
        faulted |= {(result.key.heat, seat.entrant) for seat in result.seats if seat.verdict}


def test_rule_11_who_is_left_alone_has_won() -> None:
    """And if nobody is left, chips decide."""
    run = play_made_up(Knockout(seats=2, on_fault="zero"), field_of(4), faulting(1, 2, 3))
    assert len(run.waves) == 1
    assert run.places[0] == 1
    assert [each.note for each in run.finishes if each.entrant == 0] == ["won"]
    nobody = play_made_up(Knockout(seats=2), field_of(4), faulting(0, 1, 2, 3))
    assert set(nobody.places.values()) == {1}


def test_rule_12_the_whole_is_played_several_times() -> None:
    """Side by side, with lots and shoes of their own."""
    ends = at_random(4)
    run = play_made_up(Knockout(seats=3, times=5), field_of(9), ends)
    assert len(run.waves) == 2
    assert len(run.waves[0]) == 15
    assert len({block.shoe_key for block in run.blocks}) == len(run.blocks)
    assert len({tuple(entrants_of(tiers(run, number)[1])) for number in range(5)}) == 5
    more = play_made_up(Knockout(seats=3, times=8), field_of(9), ends)
    for number in range(5):
        assert tiers(more, number) == tiers(run, number)


def test_rule_12_the_mean_place_decides() -> None:
    """As many single ones would have given them."""
    field, ends, sums = field_of(9), at_random(4), Counter[int]()
    run = play_made_up(Knockout(seats=3, times=40), field, ends)
    for brackets in _single_brackets(run):
        sums.update(brackets)
    order = sorted(sums.values())
    assert run.places == {each: 1 + order.index(total) for each, total in sums.items()}
    best = min(run.finishes, key=lambda finish: finish.place)
    assert f"mean place {sums[best.entrant] / 40:.2f}" in best.note
    heats = dict(best.counts)
    assert heats["heats"] >= 40
    assert heats["heats"] >= heats["heats won"] > 0


def _single_brackets(run: MadeUpRun) -> Iterator[dict[int, int]]:
    """Give the places of each bracket, by the chips of everybody's last heat."""
    for number in range(40):
        last: dict[int, tuple[int, int]] = {}
        for result in run.results:
            if result.key.heat == number:
                is_final = result.key.table == 3
                last |= {seat.entrant: (is_final, seat.final) for seat in result.seats}
        order = sorted(last.values(), reverse=True)
        yield {entrant: 1 + order.index(score) for entrant, score in last.items()}


def test_rule_12_a_verdict_ends_one_of_them() -> None:
    """In the others its entrant plays on."""

    def ends(block: Block, entrant: int) -> Ending:
        return Ending(10 * entrant, is_faulted=block.key.heat == 0 and entrant == 8)

    run = play_made_up(Knockout(seats=3, times=3), field_of(9), ends)
    seats = Counter(block.key.heat for block in run.blocks if 8 in entrants_of([block]))
    assert seats == {0: 1, 1: 2, 2: 2}


@pytest.mark.parametrize(
    ("options", "entrants", "straights", "message"),
    [
        (Knockout(), 1, False, "too few entrants for blackjack: 1 instead of at least 2"),
        (Knockout(seats=4), 3, True, "too few entrants for straights: 3 instead of at least 4"),
        (Knockout(seats=7), 8, True, "seats: expected 4, got 7"),
        (Knockout(seats=3, advance=2), 8, False, "advance: 2 is more than half of the 3 seats"),
    ],
)
def test_rule_13_what_cannot_be_played_is_refused(
    options: Knockout, entrants: int, straights: bool, message: str
) -> None:
    """With what would do."""
    field = field_of(entrants, rules=STRAIGHTS) if straights else field_of(entrants)
    with pytest.raises(FormatError, match=message):
        options.check(entrants, field.rules)


def test_rule_13_a_game_that_ends_by_itself_is_refused() -> None:
    """A heat has its rounds."""
    with pytest.raises(FormatError, match="limit"):
        Knockout(seats=4).check(8, replace(STRAIGHTS, limit=80))
    Knockout(seats=4).check(8, STRAIGHTS)


def test_rule_13_batches_are_fixed_by_the_configuration() -> None:
    """Waves and batches are numbered through."""
    field = replace(field_of(40), secret=Secret.from_seed(3))
    schedule = Knockout(seats=4, batch_tables=3).schedule(field)
    numbers = []

    for wave in schedule.waves():
        blocks: list[Block] = []
        for batch in wave:
            numbers.append((batch.wave, batch.number, len(batch.blocks)))
            blocks += batch.blocks
        for block in blocks:
            schedule.take(made_up(block, by_number))
    assert numbers == [(0, 0, 3), (0, 1, 3), (0, 2, 3), (0, 3, 1), (1, 4, 3), (2, 5, 1)]


def test_rule_14_one_bracket_leaves_all_ranks_open() -> None:
    """Many tell who is better, in the end."""

    def ends(block: Block, entrant: int) -> int:
        return 10 * entrant

    for times, is_told in ((1, False), (40, True)):
        better = play_made_up(Knockout(seats=2, times=times), field_of(4), ends).schedule.better()
        assert better is not None
        assert better[3, :3].all() == is_told
        assert not better[0].any()


def test_rule_15_the_bankroll_is_that_of_the_last_heat() -> None:
    """Who won may have less than others who are out."""
    run = play_made_up(Knockout(seats=2), field_of(8), at_random(4))
    last = {seat.entrant: seat.final for result in run.results for seat in result.seats}
    assert {finish.entrant: finish.bankroll for finish in run.finishes} == last
