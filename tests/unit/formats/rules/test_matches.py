"""The rules that all formats of matches share, clause by clause: docs/rules/matches.md."""

from collections import Counter
from collections.abc import Mapping
from itertools import pairwise
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.proving import tried
from tourney.errors import FormatError
from tourney.formats import (
    EliminationBlackjack,
    Format,
    Gauntlet,
    Knockout,
    Ladder,
    OnFault,
    RoundRobin,
    Swiss,
)
from tourney.formats.base import Event
from tourney.game.blocks import Block
from tourney.games.straights.rules import StraightsRules

from .made_up import (
    BANKROLL,
    Ending,
    Ends,
    at_random,
    carrying,
    entrants_of,
    field_of,
    play_made_up,
    shuffling,
)

STRAIGHTS = StraightsRules()
FOUR: tuple[Format, ...] = (RoundRobin(), Gauntlet(), Swiss(waves=3), Ladder(waves=3))
EACH = pytest.mark.parametrize("options", FOUR, ids=[type(each).__name__ for each in FOUR])


def by_number(block: Block, entrant: int) -> int:
    """Let those with high numbers win."""
    del block
    return 10 * entrant


def ending(finals: Mapping[int, int], *faulted: int) -> Ends:
    """Let matches end as they are written here."""

    def ends(block: Block, entrant: int) -> Ending:
        del block
        return Ending(finals[entrant], entrant in faulted)

    return ends


@st.composite
def formats(draw: st.DrawFn) -> tuple[Format, int]:
    """Any format of matches with chips, and a number of entrants that it takes."""
    kind = draw(st.sampled_from(("roundrobin", "gauntlet", "swiss", "ladder")))
    common: dict[str, Any] = {
        "on_fault": draw(st.sampled_from(("zero", "keep", "disqualify"))),
        "seatings": draw(st.sampled_from(("one", "all"))),
    }
    seats = draw(st.integers(2, 7))
    times, waves = draw(st.integers(1, 3)), draw(st.integers(1, 9))
    entrants = draw(st.integers(seats, 24))
    if kind == "roundrobin":
        fours = draw(st.booleans())
        numbers = st.sampled_from((4, 5, 8, 9, 13)) if fours else st.integers(2, 12)
        seats, times = (4, 6) if fours else (2, times)
        return RoundRobin(seats=seats, times=times, **common), draw(numbers)
    if kind == "gauntlet":
        entrants = 1 + (seats - 1) * draw(st.integers(1, 5))
        return Gauntlet(seats=seats, times=times, **common), entrants
    if kind == "swiss":
        common["tiebreak"] = draw(st.sampled_from(("none", "buchholz")))
        return Swiss(waves=waves, seats=seats, **common), entrants
    tables = draw(st.sampled_from((None, 1, 2)))
    return Ladder(waves=waves, seats=seats, tables=tables, **common), entrants


@EACH
def test_rule_1_two_at_a_table_begin_alike(options: Format) -> None:
    """For thirty rounds, where nothing else was said; at Straights four."""
    run = play_made_up(options, field_of(7), by_number)
    for block in run.blocks:
        assert len(block.seats) == 2
        assert {seat.bankroll for seat in block.seats} == {BANKROLL}
        assert block.rounds == 30
    straights = play_made_up(options, field_of(4, rules=STRAIGHTS), by_number)
    assert {len(block.seats) for block in straights.blocks} == {4}


@EACH
def test_rule_1_what_somebody_brought_it_begins_with(options: Format) -> None:
    """In every match."""
    run = play_made_up(options, carrying(field_of(4), (60, 70, 80, 90)), by_number)
    for block in run.blocks:
        assert all(seat.bankroll == 60 + 10 * seat.entrant for seat in block.seats)


def test_rule_2_more_chips_win_a_point_and_equal_ones_half() -> None:
    """From each of the others at the table."""
    run = play_made_up(RoundRobin(), field_of(3), ending({0: 50, 1: 120, 2: 120}))
    notes = {finish.entrant: finish.note for finish in run.finishes}
    assert notes == {0: "0 of 2", 1: "1.5 of 2", 2: "1.5 of 2"}
    four = play_made_up(RoundRobin(seats=4), field_of(4), ending({0: 50, 1: 120, 2: 120, 3: 7}))
    notes = {finish.entrant: finish.note for finish in four.finishes}
    assert notes == {0: "1 of 3", 1: "2.5 of 3", 2: "2.5 of 3", 3: "0 of 3"}
    assert four.finishes[0].counts == (("wins", 2), ("draws", 1), ("losses", 0))


def test_rule_2_fewest_points_win() -> None:
    """Where points count."""
    run = play_made_up(RoundRobin(), field_of(4, rules=STRAIGHTS), by_number)
    assert run.places == {0: 1, 1: 2, 2: 3, 3: 4}


def test_rule_3_all_seatings_have_the_same_cards() -> None:
    """Everybody sits one seat further on each time, and the sum decides."""

    def ends(block: Block, entrant: int) -> int:
        return (150, 0, 0)[entrant] if block.key.seating else (0, 60, 100)[entrant]

    run = play_made_up(Swiss(waves=1, seats=3, seatings="all"), field_of(3), ends)
    assert [block.key.seating for block in run.blocks] == [0, 1, 2]
    assert len({block.shoe_key for block in run.blocks}) == 1
    first, second, third = (entrants_of([block]) for block in run.blocks)
    assert second == [*first[1:], first[0]]
    assert third == [*second[1:], second[0]]
    assert run.places == {0: 1, 2: 2, 1: 3}  # 300, 100 and 60
    one = play_made_up(Swiss(waves=1, seats=3), field_of(3), ends)
    assert one.places == {2: 1, 1: 2, 0: 3}


def test_rule_3_points_are_played_in_all_seatings() -> None:
    """And chips in one; in a batch there is one seating only."""
    options, field = Swiss(waves=2), field_of(8, rules=STRAIGHTS)
    run = play_made_up(options, field, by_number)
    assert Counter(block.key.seating for block in run.blocks) == {0: 4, 1: 4, 2: 4, 3: 4}
    (wave, *_) = options.schedule(field).waves()
    for batch in wave:
        assert len({block.key.seating for block in batch.blocks}) == 1
    chips = play_made_up(Swiss(waves=2), field_of(8), by_number)
    assert {block.key.seating for block in chips.blocks} == {0}


@EACH
def test_rule_4_players_see_what_a_match_decides(options: Format) -> None:
    """Head to head one place counts, and the first bet goes round."""
    run = play_made_up(options, field_of(4), by_number)
    for wave, blocks in enumerate(run.waves, start=1):
        for block in blocks:
            assert block.state.moves_button
            assert (block.state.level, block.state.advance) == (wave, 1)
    straights = play_made_up(options, field_of(4, rules=STRAIGHTS), by_number)
    state = straights.blocks[0].state
    assert (state.moves_button, state.advance) == (False, 0)


@given(formats(), st.integers(0, 99), st.sampled_from((0.0, 0.05, 0.4)))
@tried(120)
def test_rule_5_nobody_plays_two_matches_in_a_wave(
    drawn: tuple[Format, int], rng_seed: int, faults: float
) -> None:
    """And the order in which results come in changes nothing."""
    options, entrants = drawn
    field, ends = field_of(entrants, rng_seed), at_random(rng_seed, faults=faults)
    run = play_made_up(options, field, ends)
    other = play_made_up(options, field, ends, shuffling(rng_seed))
    assert run.waves == other.waves
    assert run.finishes == other.finishes
    assert run.happenings == other.happenings
    assert len({block.key for block in run.blocks}) == len(run.blocks)
    for wave in run.waves:
        seated = Counter(
            (block.key.heat, block.key.seating, each)
            for block in wave
            for each in entrants_of([block])
        )
        assert max(seated.values()) == 1


@EACH
def test_rule_6_a_verdict_is_the_end(options: Format) -> None:
    """Nobody sees it again."""
    run = play_made_up(options, field_of(8), ending({n: 10 * n for n in range(8)}, 6))
    assert sum(6 in entrants_of(wave) for wave in run.waves) <= 1
    outs = [each.entrant for each in run.happenings if each.event is Event.OUT]
    assert outs == [6][: len(outs)]


@pytest.mark.parametrize("seatings", ["one", "all"])
@pytest.mark.parametrize(
    ("fault", "wins", "draws"),
    [("zero", [0, 3, 0, 2], 1), ("disqualify", [0, 3, 0, 2], 1), ("keep", [3, 1, 2, 0], 0)],
)
def test_rule_6_what_a_verdict_costs(
    fault: OnFault, wins: list[int], draws: int, seatings: Literal["one", "all"]
) -> None:
    """The match, however many chips there were; or they count."""
    options = Swiss(waves=1, seats=4, on_fault=fault, seatings=seatings)
    run = play_made_up(options, field_of(4), ending({0: 900, 1: 50, 2: 800, 3: 20}, 0, 2))
    counts = {finish.entrant: dict(finish.counts) for finish in run.finishes}
    assert [counts[each]["wins"] for each in range(4)] == wins
    assert counts[0]["draws"] == counts[2]["draws"] == draws


def test_rule_7_a_table_is_played_by_who_is_there() -> None:
    """If the game can be played by so many."""
    ends = ending({n: 10 * n for n in range(16)}, 15)
    run = play_made_up(RoundRobin(seats=4), field_of(16), ends)
    assert Counter(len(block.seats) for block in run.blocks) == {4: 16, 3: 4}
    straights = play_made_up(RoundRobin(seatings="one"), field_of(16, rules=STRAIGHTS), ends)
    assert Counter(len(block.seats) for block in straights.blocks) == {4: 16}
    pairs = play_made_up(RoundRobin(), field_of(6), ends)
    assert len(pairs.blocks) == 15
    pairs = play_made_up(RoundRobin(), field_of(6), ending({n: n for n in range(6)}, 5))
    assert len(pairs.blocks) == 11


@pytest.mark.parametrize(("fault", "points"), [("zero", "0"), ("keep", "1")])
def test_rule_8_the_share_of_points_decides(fault: OnFault, points: str) -> None:
    """Of the matches that were played; for who failed all that it would have played count."""
    ends = ending({each: 10 * each for each in range(6)}, 5)
    run = play_made_up(RoundRobin(on_fault=fault), field_of(6), ends)
    notes = {finish.entrant: finish.note for finish in run.finishes}
    assert notes[5] == f"{points} of 5"
    met = next(set(entrants_of([block])) for block in run.blocks if 5 in entrants_of([block]))
    for each in range(5):
        assert notes[each].endswith("of 5" if each in met else "of 4")
    assert run.places[4] == 1


def test_rule_8_nobodys_place_depends_on_who_is_out() -> None:
    """However its matches before ended."""

    def failing(chips: int) -> Ends:
        others = at_random(1)

        def ends(block: Block, entrant: int) -> int | Ending:
            return Ending(chips, block.state.level > 2) if entrant == 3 else others(block, entrant)

        return ends

    for options in (
        RoundRobin(times=3, on_fault="disqualify"),
        RoundRobin(seats=4, times=3, on_fault="disqualify"),
    ):
        strong, weak = (
            {finish.entrant: finish.note for finish in run.finishes}
            for chips in (0, 10**6)
            for run in [play_made_up(options, field_of(5), failing(chips))]
        )
        del strong[3], weak[3]
        assert strong == weak


@EACH
def test_rule_9_equal_results_share_the_place(options: Format) -> None:
    """All of them, if everything is drawn."""
    run = play_made_up(options, field_of(6), lambda *_: BANKROLL)
    assert set(run.places.values()) == {1}


@EACH
def test_rule_10_somebody_goes_on_with_the_mean(options: Format) -> None:
    """Of the bankrolls in the end."""

    def ends(block: Block, entrant: int) -> int:
        return 40 * block.state.level + entrant

    run = play_made_up(options, field_of(4), ends)
    finals: dict[int, list[int]] = {}
    for result in run.results:
        for seat in result.seats:
            finals.setdefault(seat.entrant, []).append(seat.final)
    for finish in run.finishes:
        mine = finals.get(finish.entrant, [BANKROLL])
        assert finish.bankroll == sum(mine) // len(mine)


@EACH
def test_rule_11_tables_that_cannot_be_filled_are_refused(options: Format) -> None:
    """With what works instead."""
    with pytest.raises(
        FormatError, match="too few entrants for tables of 2: 1 instead of at least 2"
    ):
        options.check(1, field_of(2).rules)
    with pytest.raises(FormatError, match="instead of at least 4"):
        options.check(3, STRAIGHTS)
    with pytest.raises(FormatError, match="remove the limit"):
        options.check(4, StraightsRules(limit=80))
    with pytest.raises(FormatError, match="seats: expected 4, got 3"):
        Swiss(waves=1, seats=3).check(9, STRAIGHTS)


CHOICES = {
    "swiss": Swiss(waves=7),
    "swiss-long": Swiss(waves=30),
    "swiss-of-four": Swiss(waves=9, seats=4),
    "ladder": Ladder(waves=7),
    "ladder-long": Ladder(waves=25),
    "roundrobin": RoundRobin(times=1),
    "roundrobin-long": RoundRobin(times=20),
    "roundrobin-of-four": RoundRobin(times=12, seats=4),
    "gauntlet": Gauntlet(times=30),
    "knockout": Knockout(seats=2),
    "knockout-often": Knockout(seats=2, times=40),
    "elimination": EliminationBlackjack(seats=4, times=40),
}


@pytest.mark.parametrize("name", CHOICES)
def test_rule_12_equals_are_seldom_told_apart(name: str) -> None:
    """In one board of twenty at most, whatever decides who meets whom."""
    boards = 20
    told = 0
    for seed in range(boards):
        run = play_made_up(CHOICES[name], field_of(8, seed), at_random(seed))
        better = run.schedule.better()
        assert better is not None
        told += bool(better.any())
    assert told <= boards * 0.05


@pytest.mark.parametrize("form", [RoundRobin(times=12), Knockout(seats=2, times=60)])
def test_rule_12_who_wins_everything_is_known_to_be_the_best(form: Format) -> None:
    """If it is often enough."""

    def ends(block: Block, entrant: int) -> int:
        return 999 if entrant == 5 else at_random(3)(block, entrant)[0]

    better = play_made_up(form, field_of(8), ends).schedule.better()
    assert better is not None
    assert [each for each in range(8) if better[5, each]] == [0, 1, 2, 3, 4, 6, 7]


def test_rule_12_in_a_swiss_tournament_only_what_was_between_two_counts() -> None:
    """Two who meet again and again are told apart; the points of a few waves tell nothing."""

    def ends(block: Block, entrant: int) -> int:
        return 10 * entrant

    few = play_made_up(Swiss(waves=7), field_of(8), ends).schedule.better()
    two = play_made_up(Swiss(waves=20), field_of(2), ends).schedule.better()
    assert few is not None
    assert two is not None
    assert not few.any()
    assert two.tolist() == [[False, False], [True, False]]


def test_rule_12_what_was_struck_out_tells_nothing() -> None:
    """With `on_fault: disqualify` nobody is known to be better than who has no place."""

    def ends(block: Block, entrant: int) -> Ending:
        return Ending(10 * entrant, entrant == 0 and block.key.heat == 30)

    run = play_made_up(RoundRobin(times=60, on_fault="disqualify"), field_of(3), ends)
    better = run.schedule.better()
    assert better is not None
    assert not better[:, 0].any()
    assert better[2, 1]


@pytest.mark.parametrize("form", [RoundRobin(times=3), Swiss(waves=5), Ladder(waves=5)])
def test_rule_13_the_bankroll_is_the_mean_of_all_matches(form: Format) -> None:
    """Rounded down; it orders nothing."""
    run = play_made_up(form, field_of(6), at_random(2))
    finals: dict[int, list[int]] = {each: [] for each in range(6)}
    for result in run.results:
        for seat in result.seats:
            finals[seat.entrant].append(seat.final)
    means = {each: sum(found) // len(found) for each, found in finals.items()}
    assert {finish.entrant: finish.bankroll for finish in run.finishes} == means


@pytest.mark.parametrize(
    ("form", "entrants", "most"),
    [
        (RoundRobin(times=400, stop="separated"), 4, 1_200),
        (Gauntlet(times=400, stop="separated"), 2, 400),
        (Ladder(waves=400, stop="separated"), 4, 400),
        (Swiss(waves=400, stop="separated"), 2, 400),
    ],
)
def test_rule_14_a_clear_order_ends_matches_early(form: Format, entrants: int, most: int) -> None:
    """As soon as of all neighbours the first is known to be better."""
    run = play_made_up(form, field_of(entrants), lambda _, entrant: 100 + 10 * entrant)
    assert len(run.waves) < most / 4
    better = run.schedule.better()
    assert better is not None
    order = sorted(run.places, key=run.places.__getitem__)
    assert all(better[one, other] for one, other in pairwise(order))
