"""Pairings and ratings against slow oracles that know no cleverness."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement
from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from tests.support.proving import tried
from tourney.formats.matches.ladder import SCALE, Pair, rated
from tourney.formats.matches.pairing import Pairs, paired

Edges = frozenset[tuple[int, int]]


@st.composite
def graphs(draw: st.DrawFn) -> tuple[int, Edges]:
    """Say who may meet whom, of up to ten."""
    players = draw(st.integers(1, 10))
    pairs = list(combinations(range(players), 2))
    chosen = draw(st.lists(st.booleans(), min_size=len(pairs), max_size=len(pairs)))
    return players, frozenset(pair for pair, is_edge in zip(pairs, chosen, strict=True) if is_edge)


def all_pairings(players: tuple[int, ...]) -> Iterator[Pairs]:
    """Give every way to pair an even number of players."""
    if not players:
        yield []
        return
    first, *others = players
    for other in others:
        for pairs in all_pairings(tuple(each for each in others if each != other)):
            yield [(first, other), *pairs]


def best_pairing(players: int, met: Counter[tuple[int, int]]) -> Pairs:
    """Weigh them all; players are in the order of their numbers."""

    def worth(pairs: Pairs) -> tuple[list[int], list[int]]:
        times = [met[pair] for pair in pairs]
        again = [sum(each > before for each in times) for before in range(max(times))]
        again += [0] * (max(met.values(), default=0) - len(again))
        return again, [other for _, other in pairs]

    return min(all_pairings(tuple(range(players))), key=worth)


@pytest.mark.prove
@pytest.mark.parametrize(("players", "waves"), [(2, 9), (4, 9), (6, 3), (8, 2)])
def test_every_history_of_so_many_waves_is_paired_best(players: int, waves: int) -> None:
    """As a search through all pairings finds, whoever met whom in the waves before."""
    rounds = list(all_pairings(tuple(range(players))))
    for played in range(waves + 1):
        for history in combinations_with_replacement(rounds, played):
            met = Counter(pair for pairs in history for pair in pairs)
            found = paired(range(players), lambda one, other, met=met: met[one, other])  # type: ignore[misc]  # a default binds the loop's value
            assert found == (best_pairing(players, met), None)


@given(graphs(), st.integers(0, 2))
@tried(200)
def test_any_history_is_paired_best(graph: tuple[int, Edges], more: int) -> None:
    """Also one that no waves lead to, and where all have met before."""
    players, edges = graph
    players += players % 2
    met = Counter({pair: more + (pair in edges) for pair in combinations(range(players), 2)})
    found = paired(range(players), lambda one, other: met[one, other])
    assert found == (best_pairing(players, met), None)


def test_a_dead_end_at_the_end_of_many_is_mended_there() -> None:
    """Who come first of a thousand keep the nearest they can meet, and nobody meets again."""
    met = Counter(combinations(range(990, 1_000), 2))
    met.update((one, one + 1) for one in range(0, 980, 2))
    pairs, _ = paired(range(1_000), lambda one, other: met[one, other])
    assert pairs[:480:2] == [(one, one + 2) for one in range(0, 960, 4)]
    assert not any(met[pair] for pair in pairs)


def test_without_meetings_neighbours_are_paired() -> None:
    """From the top."""
    assert paired([5, 4, 3, 2], lambda *_: 0) == ([(5, 4), (3, 2)], None)


def _likelihood(logs: np.ndarray, pairs: list[Pair]) -> float:
    """Sum minus the logarithms of the probabilities, and of a draw with the middle each."""

    def terms() -> Iterator[float]:
        for one, other, points, meetings in pairs:
            apart = logs[one] - logs[other]
            yield points * np.logaddexp(0, -apart) + (meetings - points) * np.logaddexp(0, apart)
        for each in logs:
            yield (np.logaddexp(0, each) + np.logaddexp(0, -each)) / 2

    return float(sum(terms()))


@given(graphs(), st.randoms(use_true_random=False))
@tried(15)
def test_ratings_are_the_likeliest(graph: tuple[int, Edges], random: object) -> None:
    """As a general search for the top finds."""
    players, edges = graph
    pairs = []
    for one, other in sorted(edges):
        meetings = random.randint(1, 9)  # type: ignore[attr-defined]  # hypothesis says no more
        pairs.append(Pair(one, other, random.randint(0, 2 * meetings) / 2, meetings))  # type: ignore[attr-defined]  # the same
    ratings = rated(players, pairs)
    found = minimize(_likelihood, np.zeros(players), args=(pairs,), method="BFGS", tol=1e-9).x
    expected = SCALE * (found - found.mean())
    assert np.allclose(ratings.points, expected, atol=0.1)


def test_a_rating_is_as_sure_as_the_share_it_is_made_of() -> None:
    """Of two who drew n times, the difference has the variance 4 / n."""
    ratings = rated(2, [Pair(0, 1, 5_000.0, 10_000)])
    widths = ratings.half_widths()
    assert widths is not None
    assert abs(widths[0] - 1.96 * SCALE * (4 / 10_000) ** 0.5 / 2) < 0.01
    assert abs(SCALE - 400 / log(10)) < 1e-12
