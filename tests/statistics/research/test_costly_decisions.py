"""Costs of decisions: each by a naive recursion, and their sum by exact values of strategies."""

from functools import cache
from random import Random
from statistics import fmean, stdev

import pytest

from tests.support.proving import with_more
from tourney import load_rules, mistakes, solve
from tourney.games.blackjack.action import Action
from tourney.games.blackjack.exact.evaluation import exact_value
from tourney.games.blackjack.history.decision_log import Situation
from tourney.games.blackjack.history.judgement import MoveJudge
from tourney.strategies.never_bust import NeverBust
from tourney.strategies.simple import Simple

INFINITE = "ve280,decks=infinite,shuffle=uniform"
ONE_DECK = "ve280,shuffle=uniform,reshuffle=every-round"
MINIMUM = 10
RANKS = [*range(2, 10), 10, 10, 10, 10, 11]


def added(total: int, aces: int, rank: int) -> tuple[int, int]:
    """Add a card to a hand of a total in which some aces count 11."""
    total, aces = total + rank, aces + (rank == 11)
    while total > 21 and aces:
        total, aces = total - 10, aces - 1
    return total, aces


@cache
def dealer_ends(total: int, aces: int) -> dict[int, float]:
    """Return the probability of each final total of a dealer who stands on all 17."""
    if total >= 17:
        return {total: 1.0}
    ends: dict[int, float] = {}
    for rank in RANKS:
        for end, chance in dealer_ends(*added(total, aces, rank)).items():
            ends[end] = ends.get(end, 0.0) + chance / 13
    return ends


@cache
def standing(total: int, upcard: int) -> float:
    """Return the value of standing: the dealer's natural has been ruled out or cannot be."""
    ends = dealer_ends(*added(0, 0, upcard))
    return sum(
        chance * (1 if end > 21 or end < total else -1 if end > total else 0)
        for end, chance in ends.items()
    )


@cache
def hitting(total: int, aces: int, upcard: int) -> float:
    """Return the value of a hit with best play afterwards."""
    values = []
    for rank in RANKS:
        new, left = added(total, aces, rank)
        if new > 21:
            values.append(-1.0)
        elif new == 21:
            values.append(standing(21, upcard))
        else:
            values.append(max(standing(new, upcard), hitting(new, left, upcard)))
    return sum(values) / 13


def test_a_cost_is_that_of_a_naive_recursion() -> None:
    """Against 2 to 9, where no natural is possible, for hard and soft hands."""
    found = mistakes("mimic", INFINITE, rounds=20_000, seed=7, top=500, minimum=MINIMUM).found
    seen = 0
    for each in found.listed:
        kind, total, _, upcard = each.situation.split()
        if upcard in {"10", "ace"}:
            continue
        seen += 1
        values = {
            "stand": standing(int(total), int(upcard)),
            "hit": hitting(int(total), int(kind == "soft"), int(upcard)),
        }
        assert each.best == max(values, key=values.__getitem__)
        cost = MINIMUM * (values[each.best] - values[each.answer])
        assert each.cost == pytest.approx(cost, abs=1e-6)
    assert seen > 30


@pytest.mark.parametrize(
    ("game", "name", "kind", "rounds"),
    with_more(
        [(INFINITE, "simple", Simple, 20_000), (ONE_DECK, "never-bust", NeverBust, 10_000)],
        [
            (INFINITE, "never-bust", NeverBust, 400_000),
            (ONE_DECK, "simple", Simple, 400_000),
            (ONE_DECK, "never-bust", NeverBust, 400_000),
        ],
    ),
)
def test_costs_add_up_to_the_difference_to_best_play(
    game: str, name: str, kind: type, rounds: int
) -> None:
    """The sum in 100 rounds is the exact difference, within two half-widths of its interval."""
    by = "totals" if game == INFINITE else "cards"
    best = solve(game, minimum=MINIMUM, by=by).mean
    own = float(exact_value(load_rules(game), kind(), name, minimum=MINIMUM).mean)
    found = mistakes(name, game, rounds=rounds, seed=3, minimum=MINIMUM)
    assert found.half_width is not None
    assert abs(found.cost_per_100 - 100 * MINIMUM * (best - own)) < 2 * found.half_width
    assert found.cost_per_100 > found.half_width


LEGAL = (Action.STAND, Action.HIT, Action.DOUBLE)
SHOES = 15_000
SIX_DECKS = "six-decks-s17,shuffle=uniform"


def dealt_out(own: list[int], upcard: int, action: Action, cards: list[int]) -> int:
    """Return the result of a chip: a stand, or one card and then a stand; cards by value."""
    stake = 2 if action is Action.DOUBLE else 1
    left = iter(cards)
    hole = next(left)
    total, aces = 0, 0
    for rank in own:
        total, aces = added(total, aces, rank)
    if action is not Action.STAND:
        total, aces = added(total, aces, next(left))
    if total > 21:
        return -stake
    dealer, dealers_aces = added(*added(0, 0, upcard), hole)
    while dealer < 17:
        dealer, dealers_aces = added(dealer, dealers_aces, next(left))
    if dealer > 21 or dealer < total:
        return stake
    return 0 if dealer == total else -stake


@pytest.mark.parametrize(
    ("game", "own", "upcard"),
    with_more(
        [(ONE_DECK, [10, 6], 9), (SIX_DECKS, [6, 5], 6)],
        [
            *[(ONE_DECK, *each) for each in (([9, 7], 7), ([6, 5], 6), ([2, 6, 8], 8))],
            *[(SIX_DECKS, *each) for each in (([10, 6], 9), ([9, 7], 7), ([2, 6, 8], 8))],
        ],
    ),
)
def test_a_cost_is_that_of_a_simulation_of_a_shoe_without_the_seen_cards(
    game: str, own: list[int], upcard: int
) -> None:
    """For hands on which a hit is the last card in best play; within four standard errors."""
    rules, draw = load_rules(game), Random(11)
    ranks = bytes(RANKS.index(card) for card in own)
    legal = LEGAL if rules.double != "never" and len(own) == 2 else LEGAL[:2]
    situation = Situation(bytes([RANKS.index(upcard)]), ranks, legal, is_split=False)
    shoe = RANKS * 4 * int(rules.decks)
    for card in (*own, upcard):
        shoe.remove(card)
    results: dict[Action, list[int]] = {action: [] for action in legal}
    for _ in range(SHOES):
        cards = draw.sample(shoe, 12)
        for action in legal:
            results[action].append(dealt_out(own, upcard, action, cards))
    judge = MoveJudge(rules)
    found = {action: judge.judge(situation, action, rules.unit) for action in legal}
    best = max(legal, key=lambda action: fmean(results[action]))
    for action in legal:
        judgement = found[action]
        assert judgement is not None
        assert judgement.best == str(best)
        lost = [one - other for one, other in zip(results[best], results[action], strict=True)]
        error = stdev(lost) / len(lost) ** 0.5
        assert abs(judgement.cost - fmean(lost)) <= 4 * error
