"""Moves that change with a count: a slow recursion finds them, too, and the engine their worth."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache

import pytest

import tourney
from tests.support.proving import with_more
from tourney import BetRamp, Card, CountingPlayer, CountSystem, Hand, Rank, deviates
from tourney.errors import RulesError
from tourney.games.blackjack.action import Action
from tourney.games.blackjack.exact.deviations import HIGH_LOW, deviations
from tourney.games.blackjack.rules import (
    CSC24400,
    EASYBJ,
    EUROPEAN,
    SINGLE_DECK,
    BlackjackRules,
)

ACE, TEN, BEST, STANDS = 11, 10, 21, 17
VALUES = range(2, 12)
SHARES = {value: Fraction(4 if value == TEN else 1, 13) for value in VALUES}
POINTS = dict(zip(VALUES, HIGH_LOW, strict=True))
GAME = "csc24400,shuffle=uniform"
CORES = {12: (4, 6), 13: (2, 6), 14: (2, 6), 15: (2, 6), 16: (2, 6)}
"""Upcards against which a hard hand stands that counts nothing."""

State = tuple[int, bool]


def after(state: State, value: int) -> State:
    """Add a card to a total and whether it is soft."""
    total, soft = state[0] + value, state[1]
    aces = (value == ACE) + soft
    while total > BEST and aces:
        total, aces = total - 10, aces - 1
    return total, bool(aces)


def mix(count: int) -> dict[int, Fraction]:
    """Give the shares of the unseen cards at a count of high-low points per 52 cards."""
    spread = Fraction(10, 13)
    return {
        value: share * (1 - POINTS[value] * count / (52 * spread))
        for value, share in SHARES.items()
    }


@cache
def dealt(upcard: int, count: int) -> dict[int, Fraction]:
    """Give how often the dealer ends with what, once it has looked for a natural; 22 is bust."""
    shares, found = mix(count), dict.fromkeys([*range(STANDS, BEST + 2)], Fraction(0))

    def draw(state: State, chance: Fraction) -> None:
        if state[0] >= STANDS:
            found[min(state[0], BEST + 1)] += chance
            return
        for value, share in shares.items():
            draw(after(state, value), chance * share)

    for value, share in shares.items():
        if {upcard, value} != {TEN, ACE}:
            draw(after(after((0, False), upcard), value), share)
    whole = sum(found.values())
    return {final: chance / whole for final, chance in found.items()}


@cache
def stand(total: int, upcard: int, count: int) -> Fraction:
    """Give what a hand is worth that gets no more."""
    worth = Fraction(0)
    for final, chance in dealt(upcard, count).items():
        is_won = final > BEST or total > final
        worth += chance * (is_won - (not is_won and total < final))
    return worth


@cache
def hit(state: State, upcard: int, count: int) -> Fraction:
    """Give what a hand is worth that gets a card, and plays on at its best."""
    worth = Fraction(0)
    for value, share in mix(count).items():
        new = after(state, value)
        best = Fraction(-1)
        if new[0] <= BEST:
            best = max(stand(new[0], upcard, count), hit(new, upcard, count))
        worth += share * best
    return worth


@pytest.mark.parametrize("upcard", with_more([10], [2, 3, 4, 5, 6, 7, 9, 11]))
def test_hard_hands_stand_from_the_counts_of_a_slow_recursion(upcard: int) -> None:
    """With fractions, hand by hand, for a game in which nobody does more than hit or stand."""
    found = {each[:2]: each for each in deviations(CSC24400)}
    for total in range(12, 17):
        stands = [
            count
            for count in range(-10, 11)
            if stand(total, upcard, count) > hit((total, False), upcard, count)
        ]
        deviation = found.get((f"hard {total}", upcard))
        if deviation:
            assert deviation.is_from
            assert stands == list(range(deviation.true_count, 11))
        else:
            assert stands in ([], list(range(-10, 11)))


@pytest.mark.parametrize("game", ["six-decks-s17", "csc24400"])
def test_a_count_turned_round_gives_the_same_moves_from_the_other_side(game: str) -> None:
    """It says the same of the cards: what was best from +2 on is best up to -2."""
    rules = tourney.load_rules(game)
    turned = deviations(rules, [-points for points in HIGH_LOW])
    same = [each._replace(true_count=-each.true_count, is_from=not each.is_from) for each in turned]
    for one, other in zip(sorted(deviations(rules)), sorted(same), strict=True):
        assert one[:-1] == other[:-1]
        assert one.worth == pytest.approx(other.worth)


def test_a_move_that_is_best_between_two_counts_is_told_by_the_nearer_one() -> None:
    """Against an ace a hard 17 is given up from -8 to -4: below, a card loses less than half."""
    rules = tourney.load_rules("six-decks-s17")
    found = [each for each in deviations(rules) if (each.hand, each.upcard) == ("hard 17", ACE)]
    (given_up,) = (each for each in found if each.move is Action.SURRENDER)
    assert given_up[3:6] == (Action.STAND, -4, False)
    for count, is_best in ((-9, False), (-8, True), (-4, True), (-3, False)):
        others = stand(17, ACE, count), hit((17, False), ACE, count)
        assert (max(others) < Fraction(-1, 2)) == is_best


def indices() -> Iterator[tuple[int, int, int, float]]:
    """Give total, upcard, count and worth of the deviations of hard hands."""
    for each in deviations(replace(CSC24400, shuffle="uniform")):
        kind, total = each.hand.split()
        if kind == "hard" and int(total) in CORES:
            yield int(total), each.upcard, each.true_count, each.worth


INDICES: dict[int, dict[int, int]] = {}
for _total, _upcard, _count, _ in indices():
    INDICES.setdefault(_total, {})[_upcard] = _count
TAGS = dict.fromkeys((Rank.TWO, Rank.THREE, Rank.FOUR, Rank.FIVE, Rank.SIX), 1)
TAGS |= dict.fromkeys((Rank.TEN, Rank.JACK, Rank.QUEEN, Rank.KING, Rank.ACE), -1)


class Plain(CountingPlayer):
    """Plays its best without a count."""

    system = CountSystem(TAGS, per_deck=True, decks=6, rounding="nearest")
    ramp = BetRamp({})

    @deviates({})
    def draw(self, dealer: Card, player: Hand) -> bool:
        """Soft hands stand from 18, against a nine and more from 19."""
        if player.soft:
            return player.total < (19 if dealer.value in {9, 10} else 18)
        low, high = CORES.get(player.total, (1, 0))
        return player.total < STANDS and not low <= dealer.value <= high


class Indexed(Plain):
    """Plays hard hands by the count."""

    @deviates(INDICES)
    def draw(self, dealer: Card, player: Hand) -> bool:
        """And others as before."""
        return super().draw(dealer, player)


@pytest.mark.parametrize("rounds", with_more([4_000_000], [40_000_000]))
def test_deviations_are_worth_what_the_engine_measures(rounds: int) -> None:
    """Compiled, with real shoes, and the luck of the cards taken out."""
    told = sum(worth for *_, worth in indices()) / 100
    plain, indexed = (tourney.ev(each, game=GAME, rounds=rounds) for each in (Plain, Indexed))
    assert plain.half_width
    assert indexed.half_width
    allowed = 1.5 * (plain.half_width**2 + indexed.half_width**2) ** 0.5  # three standard errors
    assert indexed.mean - plain.mean == pytest.approx(told, abs=allowed + told / 5)


def test_a_single_deck_that_is_dealt_on_has_deviations_too() -> None:
    """And a dealer without a hole card, against which doubling ten is dearer."""
    assert deviations(SINGLE_DECK)
    doubled = {each.true_count for each in deviations(EUROPEAN) if each[:2] == ("hard 10", 10)}
    looked = deviations(replace(EUROPEAN, hole_card="always", dealer_natural="wins-at-once"))
    earlier = {each.true_count for each in looked if each[:2] == ("hard 10", 10)}
    assert min(doubled, default=11) >= min(earlier)


@pytest.mark.parametrize(
    ("rules", "tags", "said"),
    [
        (EASYBJ, HIGH_LOW, "dealer_shows=upcard"),
        (
            replace(SINGLE_DECK, reshuffle="every-round"),
            HIGH_LOW,
            "reshuffle: deviations need a shoe",
        ),
        (SINGLE_DECK, (1, 1), "tags: expected 10 points"),
        (SINGLE_DECK, (1,) * 10, "that sum to 0 over all ranks"),
        (SINGLE_DECK, (0,) * 10, "that sum to 0 over all ranks"),
    ],
)
def test_what_no_count_is_about_is_refused(
    rules: BlackjackRules, tags: tuple[int, ...], said: str
) -> None:
    """With what would do."""
    with pytest.raises(RulesError, match=said):
        deviations(rules, tags)


def test_insurance_follows_the_share_of_tens() -> None:
    """It pays once a third of the unseen cards count ten."""
    (insured,) = [each for each in deviations(SINGLE_DECK) if each.move is Action.INSURE]
    assert mix(insured.true_count)[TEN] >= Fraction(1, 3) > mix(insured.true_count - 1)[TEN]
