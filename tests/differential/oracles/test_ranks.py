"""Rank sets by matrices are those by pairs, one after the other."""

from math import isclose, isinf

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.differential.oracles.naive_ranks import Entrant, known
from tests.support.proving import tried
from tourney.standings.bounded_differences import Bounds
from tourney.standings.rank_sets import rank_sets
from tourney.standings.sample import Played, sample_of

TABLES = st.integers(2, 40)
KINDS = ("normal", "few values", "leans", "steps")


@tried(60)
@given(st.data())
def test_matrices_say_what_pairs_say(data: st.DataObject) -> None:
    """Any field on shared tables, with chips that moved and with what they hide."""
    tables, entrants = data.draw(TABLES), data.draw(st.integers(1, 6))
    kind, seed = data.draw(st.sampled_from(KINDS)), data.draw(st.integers(0, 2**32 - 1))
    rng = np.random.default_rng(seed)
    skills = rng.integers(0, 300, entrants) * data.draw(st.sampled_from((0, 1, 3)))
    noise = {
        "normal": 100 * rng.standard_normal((tables, entrants)),
        "few values": rng.choice([-1.0, 0.0, 1.5], (tables, entrants)) * 2,
        "leans": 50 * rng.lognormal(0, 1, (tables, entrants)) * rng.choice([-1, 1], entrants),
        "steps": np.zeros((tables, entrants)),
    }[kind]
    results = (skills + noise + 100 * rng.standard_normal((tables, 1))).round().astype(int)
    moved = [float(each) for each in rng.choice([0, 90, 400], entrants)]
    hidden = [float(each) for each in rng.choice([0, 0, 5000], entrants)]
    naive = [
        Entrant(tuple(map(int, column)), *more)
        for *more, column in zip(moved, hidden, results.T, strict=True)
    ]
    keys = [(0, 0, table) for table in range(tables)]
    field = [
        Played(keys, each.results, np.array(each.results, float), each.moved, each.hidden)
        for each in naive
    ]
    alpha = data.draw(st.sampled_from((0.05, 0.01)))
    bounds = None
    if data.draw(st.booleans()):
        more = data.draw(st.sampled_from((0, 1, 10, 300)))
        bounds = Bounds(float(results.min()) - more, float(results.max()) + 1)
    sets = rank_sets(sample_of(field, bounds), alpha)
    again = known(naive, alpha, bounds and int(bounds.span))
    assert {(int(one), int(other)) for one, other in np.argwhere(sets.decided)} == again.decided
    for entrant in range(entrants):
        ranks = int(sets.best[entrant]), int(sets.worst[entrant])
        assert ranks == again.ranks(entrant, entrants)
    for (one, other), width in again.half_widths.items():
        if one == other + 1:
            ours = float(sets.half_widths[one])
            assert isinf(ours) == isinf(width)
            is_same = isclose(ours, width, rel_tol=1e-6, abs_tol=1e-6)
            assert isinf(width) or is_same or (bounds and ours > width)
