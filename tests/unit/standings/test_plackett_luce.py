"""Plackett-Luce ratings, against a slow way to find them and against closed forms."""

from collections.abc import Sequence
from itertools import pairwise, permutations
from math import exp, log, sqrt
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.proving import tried
from tourney.game.ledger import BlockKey, BlockResult, SeatResult, Verdict
from tourney.games.straights.rules import StraightsRules
from tourney.standings import plackett_luce as module
from tourney.standings.fold import fold_blocks
from tourney.standings.plackett_luce import Ratings, rate
from tourney.standings.standing import PLACE, POINTS, EntrantLabel, Measure
from tourney.standings.tallies import Orders, Scoring

Game = Sequence[tuple[int, int]]
"""Entrants and their points."""

A_FEW = st.lists(
    st.lists(
        st.tuples(st.integers(0, 4), st.integers(0, 3)),
        min_size=2,
        max_size=4,
        unique_by=lambda seat: seat[0],
    ),
    min_size=1,
    max_size=12,
)


def orders_of(games: Sequence[Game]) -> Orders:
    """Count games."""
    orders = Orders()
    for game in games:
        orders.add([entrant for entrant, _ in game], [points for _, points in game])
    return orders


def rated(games: Sequence[Game], tied_games: float = 1.0) -> Ratings:
    """Rate whoever played."""
    ratings = rate(orders_of(games).games(), tied_games)
    assert ratings
    return ratings


def slowly_rated(games: Sequence[Game]) -> dict[int, float]:
    """Rate by Hunter's MM algorithm, one order and one stage at a time.

    A tie is written out as all the orders that it may stand for. The game that everybody has tied
    against the middle is one more, with half a win.
    """
    orders = [(order, 1 / len(ways)) for ways in map(untied, games) for order in ways]
    middle = -1
    entrants = sorted({entrant for order, _ in orders for entrant in order})
    orders += [(order, 0.5) for each in entrants for order in ((each, middle), (middle, each))]
    strengths = dict.fromkeys([middle, *entrants], 1.0)
    for _ in range(20_000):
        before = dict(strengths)
        wins, chances = dict.fromkeys(strengths, 0.0), dict.fromkeys(strengths, 0.0)
        for order, times in orders:
            for stage, entrant in enumerate(order[:-1]):
                running = order[stage:]
                wins[entrant] += times
                for each in running:
                    chances[each] += times / sum(before[one] for one in running)
        strengths |= {each: wins[each] / chances[each] for each in entrants}
        if all(abs(log(strengths[each] / before[each])) < 1e-12 for each in entrants):
            break
    found = {each: log(strengths[each]) for each in entrants}
    mean = sum(found.values()) / len(found)
    return {each: value - mean for each, value in found.items()}


def untied(game: Game) -> list[tuple[int, ...]]:
    """Give all orders in which points never fall."""
    orders = permutations(game)
    return [
        tuple(entrant for entrant, _ in order)
        for order in orders
        if all(one[1] <= other[1] for one, other in pairwise(order))
    ]


@tried(25)
@given(A_FEW)
def test_the_ratings_are_those_of_the_slow_way(games: list[list[tuple[int, int]]]) -> None:
    """Whatever ties there are, and whoever never met."""
    assert rated(games).values == pytest.approx(slowly_rated(games), abs=1e-7)


def test_of_two_the_odds_are_those_of_their_wins() -> None:
    """With the errors of a logarithm of odds; a tie is half a win for each."""
    games = [[(0, 1), (1, 2)]] * 11 + [[(0, 2), (1, 1)]] * 3 + [[(0, 5), (1, 5)]] * 2
    ratings = rated(games, tied_games=1e-6)
    assert ratings.values[0] - ratings.values[1] == pytest.approx(log(12 / 4), rel=1e-5)
    assert ratings.errors[0] == pytest.approx(sqrt(1 / 12 + 1 / 4) / 2, rel=1e-5)


@pytest.mark.parametrize("games", [1, 10, 1000])
def test_who_wins_everything_has_a_rating_all_the_same(games: int) -> None:
    """About that of somebody who has lost half a game; it is where the slopes cancel."""
    ratings = rated([[(0, 1), (1, 2)]] * games)
    gap = ratings.values[0] - ratings.values[1]
    assert games / (1 + exp(gap)) == pytest.approx(np.tanh(gap / 4) / 2)
    assert gap < log(2 * games + 1) + 1


def test_who_always_ties_is_as_good() -> None:
    """Three of them, and one who loses to all."""
    ratings = rated([[(0, 1), (1, 1), (2, 1), (3, 9)]] * 5)
    values = [ratings.values[each] for each in range(4)]
    assert values[:3] == pytest.approx([values[0]] * 3)
    assert values[0] > values[3]


@tried(20)
@given(A_FEW, st.randoms(use_true_random=False))
def test_the_order_of_games_and_seats_makes_no_difference(
    games: list[list[tuple[int, int]]], random: Random
) -> None:
    """Not in the last bit."""
    shuffled = [random.sample(game, len(game)) for game in games]
    random.shuffle(shuffled)
    assert rated(games) == rated(shuffled)


def test_errors_are_as_large_as_the_ratings_stray() -> None:
    """Of 300 tournaments drawn by the model, 95 % of the intervals hold the truth."""
    draw = np.random.default_rng(1)
    truth = np.array([0.8, 0.3, 0.0, -0.2, -0.9])
    held = []
    for _ in range(300):
        times = draw.exponential(np.exp(-truth), (120, 5))
        seated = [draw.permutation(5)[:4] for _ in times]
        ranks = times.argsort(axis=1).argsort(axis=1)
        games = [[(int(e), int(ranks[at, e])) for e in four] for at, four in enumerate(seated)]
        ratings = rated(games)
        held += [abs(ratings.values[e] - truth[e]) < 1.96 * ratings.errors[e] for e in range(5)]
    assert np.mean(held) == pytest.approx(0.95, abs=0.025)


def test_many_orders_are_looked_at_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sums are the same, but for rounding."""
    random = Random(1)
    games = [
        [(each, random.randrange(9)) for each in random.sample(range(6), 4)] for _ in range(99)
    ]
    whole = rated(games)
    monkeypatch.setattr(module, "CHUNK", 7)
    assert rated(games).values == pytest.approx(whole.values, abs=1e-12)


def test_too_many_and_nobody_are_not_rated(monkeypatch: pytest.MonkeyPatch) -> None:
    """A matrix of all pairs has its limit."""
    monkeypatch.setattr(module, "MOST_ENTRANTS", 3)
    assert rate([]) is None
    assert rate(orders_of([[(0, 1), (1, 2), (2, 3)]]).games()) is not None
    assert rate(orders_of([[(0, 1), (1, 2), (2, 3), (3, 4)]]).games()) is None


def test_where_no_end_is_found_nobody_is_rated(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rather than by ratings that are not the likeliest."""
    monkeypatch.setattr(module, "MOST_STEPS", 2)
    assert rate(orders_of([[(0, 1), (1, 2)]] * 50).games()) is None


def test_a_seat_takes_four_bytes() -> None:
    """A run has millions."""
    orders = orders_of([[(0, 3), (1, 1), (2, 2), (3, 4)]] * 1000)
    (codes,) = orders._codes.values()
    assert codes.itemsize * len(codes) == 16_000


def block(table: int, nets: Sequence[int], faulted: int | None = None) -> BlockResult:
    """Give a game of four seats; somebody may be at fault."""
    verdict = Verdict("raised", "play", 1, 1, "", "", "")
    seats = tuple(
        SeatResult(
            *(seat, seat, 0, net, 0, net, 1, None, 0, 0, 1),
            verdict if seat == faulted else None,
        )
        for seat, net in enumerate(nets)
    )
    return BlockResult(BlockKey(0, 0, table, 0, 1), 1, 1, 52, seats)


@pytest.mark.parametrize("measure", [POINTS, PLACE])
@pytest.mark.parametrize(("fault", "is_first"), [("stands", True), ("lost", False)])
def test_games_of_points_are_rated_by_who_had_fewest(
    measure: Measure, fault: str, is_first: bool
) -> None:
    """Whoever is at fault finishes last, where a fault loses the table."""
    blocks = [block(0, [1, 5, 9, 13], faulted=0), block(1, [2, 9, 5, 13])]
    scoring = Scoring(StraightsRules(), 0, 0, 1, fault, measure)
    rows = fold_blocks(blocks, [EntrantLabel(name, "") for name in "ABCD"], scoring)
    ratings = {row.name: row.plackett_luce or 0 for row in rows}
    assert ratings["B"] > ratings["D"]
    assert (ratings["A"] > ratings["B"]) is is_first
    assert sum(ratings.values()) == pytest.approx(0)
    assert all(row.plackett_luce_error for row in rows)
