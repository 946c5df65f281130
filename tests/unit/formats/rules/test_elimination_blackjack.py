"""The rules of elimination blackjack, clause by clause: docs/rules/elimination_blackjack.md."""

from collections import Counter, defaultdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.proving import tried
from tourney.errors import FormatError
from tourney.formats import EliminationBlackjack
from tourney.game.blocks import Block
from tourney.games.blackjack.rules import BlackjackRules
from tourney.games.straights.rules import StraightsRules

from .made_up import (
    BANKROLL,
    MINIMUM,
    Ending,
    MadeUpRun,
    at_random,
    entrants_of,
    field_of,
    play_made_up,
    shuffling,
)


def by_number(block: Block, entrant: int) -> int:
    """Let those with high numbers win, and nobody be ruined."""
    del block
    return 10 + 10 * entrant


def parts(run: MadeUpRun, table: int = 0) -> list[set[int]]:
    """Give who plays each part of a heat."""
    return [set(entrants_of([block])) for block in run.blocks if block.key.table == table]


@st.composite
def eliminations(draw: st.DrawFn) -> EliminationBlackjack:
    """Any options that can be played."""
    seats = draw(st.integers(2, 7))
    cuts = draw(st.sets(st.integers(1, 29), max_size=7))
    return EliminationBlackjack(
        seats=seats,
        out_after=tuple(sorted(cuts)),
        advance=draw(st.integers(1, max(1, seats // 2))),
        wildcards=draw(st.integers(0, 8)),
        times=draw(st.sampled_from((1, 1, 3))),
        on_fault=draw(st.sampled_from(("zero", "keep"))),
    )


def test_rule_1_the_lowest_goes_out_after_8_16_and_25_rounds() -> None:
    """Seven sit down, and four play the last five rounds."""
    run = play_made_up(EliminationBlackjack(), field_of(7), by_number)
    assert [(block.key.first_round, block.rounds) for block in run.blocks] == [
        (1, 8),
        (9, 8),
        (17, 9),
        (26, 5),
    ]
    assert parts(run) == [set(range(first, 7)) for first in range(4)]
    assert run.places == {6 - place: place + 1 for place in range(7)}
    words = EliminationBlackjack().table_words(BlackjackRules())
    assert words.endswith("the best one advances, the lowest goes out after rounds 8, 16, 25")


def test_rule_1_nobody_goes_out_if_no_more_are_left_than_go_on() -> None:
    """Four of whom two go on lose two, although there is a third time."""
    run = play_made_up(EliminationBlackjack(seats=5, advance=2), field_of(9), by_number)
    (small,) = {block.key.table for block in run.waves[0] if len(block.seats) == 4}
    assert [len(part) for part in parts(run, small)] == [4, 3]
    went = sorted(parts(run, small)[0])[-2:]
    assert [len(block.seats) for block in run.waves[2]] == [3]
    assert set(went) < set(entrants_of(run.waves[3]))


def test_rule_2_of_several_lowest_nobody_goes_out() -> None:
    """They are told apart the next time, or not at all."""

    def ends(block: Block, entrant: int) -> int:
        return 50 if entrant < 2 and block.key.first_round == 1 else 60 + entrant

    run = play_made_up(EliminationBlackjack(), field_of(4), ends)
    assert parts(run) == [{0, 1, 2, 3}, {0, 1, 2, 3}, {1, 2, 3}, {2, 3}]
    tied = play_made_up(EliminationBlackjack(), field_of(7), lambda *_: BANKROLL)
    assert [len(part) for part in parts(tied)] == [7, 7, 7, 7]
    assert set(tied.places.values()) == {1}


def test_rule_3_who_is_ruined_or_at_fault_is_out_and_saves_nobody() -> None:
    """The lowest of the others goes out as well."""

    def ends(block: Block, entrant: int) -> Ending:
        if entrant == 6:
            return Ending(MINIMUM - 1)
        return Ending(10 + 10 * entrant, is_faulted=entrant == 5)

    run = play_made_up(EliminationBlackjack(), field_of(7), ends)
    assert parts(run)[:2] == [set(range(7)), {1, 2, 3, 4}]
    assert run.places == {4: 1, 3: 2, 2: 3, 1: 4, 0: 5, 6: 6, 5: 7}


def test_rule_4_the_heat_goes_on_with_the_bankrolls_as_they_are() -> None:
    """At the same table, with a new shoe."""
    run = play_made_up(EliminationBlackjack(), field_of(7), by_number)
    for block in run.blocks[1:]:
        assert all(seat.bankroll == by_number(block, seat.entrant) for seat in block.seats)
    assert {block.key.table for block in run.blocks} == {0}
    assert len({block.shoe_key for block in run.blocks}) == 4
    tiers = play_made_up(EliminationBlackjack(), field_of(14), by_number)
    assert {seat.bankroll for seat in tiers.waves[4][0].seats} == {BANKROLL}


def test_rule_5_the_first_bet_goes_round_through_the_whole_heat() -> None:
    """After eight rounds at a table of seven the second seat bets first."""
    run = play_made_up(EliminationBlackjack(), field_of(7), lambda *_: BANKROLL)
    seats = entrants_of([run.blocks[0]])
    for block, begins in zip(run.blocks, (0, 1, 2, 4), strict=True):
        assert entrants_of([block]) == seats[begins:] + seats[:begins]
        assert block.state.moves_button


def test_rule_5_a_seat_that_is_gone_hands_on_the_first_bet() -> None:
    """To the next who still plays."""
    for seed in range(20):
        run = play_made_up(EliminationBlackjack(), field_of(7, seed), by_number)
        seats = entrants_of([run.blocks[0]])
        due = seats[1:] + seats[:1]
        assert entrants_of([run.blocks[1]]) == [each for each in due if each]


def test_rule_6_in_the_last_round_bets_are_secret() -> None:
    """Or in whichever are given; the number is of the heat."""
    run = play_made_up(EliminationBlackjack(), field_of(7), by_number)
    assert {block.state.secret_rounds for block in run.blocks} == {(30,)}
    shorter = EliminationBlackjack(rounds=10, out_after=(4,))
    assert shorter.secret == (10,)
    chosen = EliminationBlackjack(secret_rounds=(5, 20))
    run = play_made_up(chosen, field_of(7), by_number)
    assert {block.state.secret_rounds for block in run.blocks} == {(5, 20)}
    assert EliminationBlackjack(secret_rounds=()).secret == ()


def test_rule_7_a_heat_is_over_when_no_more_are_left_than_go_on() -> None:
    """Two of whom one goes on play until the first of the given rounds."""
    run = play_made_up(EliminationBlackjack(), field_of(2), by_number)
    assert [(block.key.first_round, block.rounds) for block in run.blocks] == [(1, 8)]
    assert run.places == {1: 1, 0: 2}
    state = run.blocks[0].state
    assert (state.rounds_after, state.advance, state.level) == (22, 1, 1)


def test_rule_8_whoever_stayed_longer_is_ahead() -> None:
    """Whatever its chips; between the same two cuts chips decide."""

    def ends(block: Block, entrant: int) -> int:
        if block.key.first_round == 1:
            return 500 + entrant  # more than anybody has later
        return 10 + entrant

    run = play_made_up(EliminationBlackjack(seats=7), field_of(14), ends)
    stayed = Counter(entrants_of(run.waves[0] + run.waves[1] + run.waves[2] + run.waves[3]))
    losers = set(range(14)) - set(entrants_of(run.waves[4]))
    order = sorted(losers, key=lambda each: run.places[each])
    assert [stayed[each] for each in order] == sorted(
        (stayed[each] for each in order), reverse=True
    )
    groups = defaultdict(list)
    for each in order:
        groups[stayed[each]].append(each)
    assert all(group == sorted(group, reverse=True) for group in groups.values())


def test_rule_8_a_wildcard_is_who_stayed_longest() -> None:
    """Not who had most when it went out."""

    def ends(block: Block, entrant: int) -> int:
        return 500 + entrant if block.key.first_round == 1 else 10 + entrant

    run = play_made_up(EliminationBlackjack(seats=3, wildcards=1), field_of(6), ends)
    second = set(entrants_of(run.waves[-1])) | set(entrants_of(run.waves[2]))
    lowest = {min(entrants_of([block])) for block in run.waves[0]}
    assert len(second) == 3
    assert not second & lowest


@given(eliminations(), st.integers(2, 40), st.integers(0, 99), st.sampled_from((0.0, 0.1, 0.5)))
@tried(80)
def test_rule_8_everybody_has_one_place_whoever_comes_in_first(
    options: EliminationBlackjack, entrants: int, rng_seed: int, faults: float
) -> None:
    """And whoever is out of a heat is seated no more in it."""
    field, ends = field_of(entrants, rng_seed), at_random(rng_seed, faults=faults, most=25)
    run = play_made_up(options, field, ends)
    other = play_made_up(options, field, ends, shuffling(rng_seed))
    assert run.waves == other.waves
    assert run.finishes == other.finishes
    playing: dict[tuple[int, int], set[int]] = {}
    for result in run.results:
        seated = {seat.entrant for seat in result.seats}
        table = result.key.heat, result.key.table
        assert seated <= playing.get(table, seated)
        playing[table] = {
            seat.entrant
            for seat in result.seats
            if not seat.verdict and BlackjackRules().may_play(seat.final, MINIMUM)
        }
    for wave in run.waves:
        seats = Counter((block.key.heat, each) for block in wave for each in entrants_of([block]))
        assert max(seats.values()) == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (EliminationBlackjack(out_after=(16, 8)), "out_after: rounds must increase"),
        (
            EliminationBlackjack(out_after=(8, 30)),
            "less than 30, the rounds of a heat; these are 8, 30",
        ),
        (EliminationBlackjack(out_after=(8, 8)), "out_after: rounds must increase"),
        (EliminationBlackjack(secret_rounds=(31,)), "secret_rounds: 31 is greater than 30"),
        (EliminationBlackjack(advance=3, seats=5), "advance: 3 is more than half of the 5 seats"),
    ],
)
def test_rule_9_what_cannot_be_played_is_refused(
    options: EliminationBlackjack, message: str
) -> None:
    """With what would do."""
    with pytest.raises(FormatError, match=message):
        options.check(14, BlackjackRules())


def test_rule_9_games_without_chips_are_refused() -> None:
    """Nobody has fewest there."""
    with pytest.raises(
        FormatError, match="needs a game of chips, and straights has none; use the format knockout"
    ):
        EliminationBlackjack(seats=4).check(8, StraightsRules())
