"""Pairings and ratings against slow oracles that know no cleverness."""

from collections.abc import Iterator
from itertools import combinations
from math import log

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from tourney.schedule.formats.matches.pairing import NOBODY, matching, paired
from tourney.schedule.formats.matches.ratings import SCALE, Pair, rated

Edges = frozenset[tuple[int, int]]


@st.composite
def graphs(draw: st.DrawFn) -> tuple[int, Edges]:
    """Say who may meet whom, of up to ten."""
    players = draw(st.integers(1, 10))
    pairs = list(combinations(range(players), 2))
    chosen = draw(st.lists(st.booleans(), min_size=len(pairs), max_size=len(pairs)))
    return players, frozenset(pair for pair, is_edge in zip(pairs, chosen, strict=True) if is_edge)


def most_pairs(players: tuple[int, ...], edges: Edges) -> int:
    """Try all pairings."""
    if not players:
        return 0
    first, *others = players
    found = [most_pairs(tuple(others), edges)]
    for other in others:
        if (first, other) in edges:
            left = tuple(each for each in others if each != other)
            found.append(1 + most_pairs(left, edges))
    return max(found)


@given(graphs())
@settings(deadline=None, max_examples=300)
def test_a_matching_is_a_maximum_one(graph: tuple[int, Edges]) -> None:
    """As large as a search through all of them finds, and of pairs that may meet."""
    players, edges = graph
    mates = matching(players, lambda one, other: (min(one, other), max(one, other)) in edges)
    pairs = {(one, mate) for one, mate in enumerate(mates) if NOBODY != mate > one}
    assert pairs <= edges
    assert all(mates[mates[one]] == one for one in range(players) if mates[one] != NOBODY)
    assert len(pairs) == most_pairs(tuple(range(players)), edges)


def test_blossoms_are_found_in_a_long_chain_of_triangles() -> None:
    """A greedy pairing leaves two ends alone that only a walk around every triangle joins."""
    triangles = 40
    edges: set[tuple[int, int]] = set()
    for number in range(triangles):
        one = 3 * number
        edges |= {(one, one + 1), (one + 1, one + 2), (one, one + 2)}
        if number:
            edges.add((one - 1, one))
    mates = matching(3 * triangles, lambda one, other: (min(one, other), max(one, other)) in edges)
    assert NOBODY not in mates


def test_without_meetings_neighbours_are_paired() -> None:
    """From the top."""
    assert paired("abcdef", lambda *_: 0) == [("a", "b"), ("c", "d"), ("e", "f")]  # type: ignore[arg-type, comparison-overlap]  # letters are shorter


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
@settings(deadline=None, max_examples=15)
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
