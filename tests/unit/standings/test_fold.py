"""Standings against a naive recomputation, from chained blocks in any order."""

from fractions import Fraction
from random import Random
from statistics import quantiles

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tourney.game.ledger import BlockKey, SeatResult, Verdict
from tourney.games.blackjack.rules import BlackjackRules
from tourney.standings.fold import fold
from tourney.standings.standing import EntrantLabel, Standing
from tourney.standings.tallies import Scoring

VERDICT = Verdict("raised", "bet", 3, 7, "bet: expected an answer, got KeyError", "a.py:3", "")
BLOCK_ROUNDS, BLOCKS, MINIMUM, BANKROLL = 10, 3, 5, 100

Table = tuple[list[int], bool]
"""Bankrolls after each of a table's blocks, in halves, and whether the last ends in a fault."""

TABLES = st.lists(
    st.tuples(st.lists(st.integers(0, 800), min_size=1, max_size=BLOCKS), st.booleans()),
    min_size=1,
    max_size=5,
)
FAULTS = st.sampled_from(["lost", "out", "stands"])


def scoring(fault: str, stop: str = "at-least") -> Scoring:
    """Score tables that count in half chips."""
    rules = BlackjackRules(payout="exact", stop=stop)  # type: ignore[arg-type]  # one of both
    return Scoring(rules, 2 * BANKROLL, 2 * MINIMUM, BLOCKS * BLOCK_ROUNDS, fault)


def results(field: list[list[Table]], order: int) -> list[tuple[BlockKey, SeatResult]]:
    """Give the results of all blocks, shuffled."""
    found = []
    for entrant, tables in enumerate(field):
        for table, (finals, is_faulted) in enumerate(tables):
            for block, final in enumerate(finals):
                key = BlockKey(0, 0, table, entrant, 1 + block * BLOCK_ROUNDS)
                verdict = VERDICT if is_faulted and block == len(finals) - 1 else None
                seat = SeatResult(0, entrant, 0, final, 0, 900, 10, None, 50, 9, 1, verdict)
                found.append((key, seat))
    Random(order).shuffle(found)
    return found


def board(field: list[list[Table]], rules: Scoring, order: int = 0) -> tuple[Standing, ...]:
    """Fold a field's results."""
    labels = [EntrantLabel(f"E{entrant}", "simple") for entrant in range(len(field))]
    return fold(results(field, order), labels, rules)


@given(field=st.lists(TABLES, min_size=1, max_size=5), fault=FAULTS)
def test_every_row_is_what_a_reader_would_compute(field: list[list[Table]], fault: str) -> None:
    """Chips, profit, ruin, quantiles, rounds and handle, each from its definition."""
    rows = {row.name: row for row in board(field, scoring(fault))}
    for entrant, tables in enumerate(field):
        row = rows[f"E{entrant}"]
        chips = [
            Fraction(0) if is_faulted and fault == "lost" else Fraction(finals[-1], 2)
            for finals, is_faulted in tables
        ]
        blocks = sum(len(finals) for finals, _ in tables)
        assert row.mean == sum(chips) / len(chips)
        assert row.profit_per_round == pytest.approx(float((row.mean - BANKROLL) / 30))
        assert row.ruin == pytest.approx(
            sum(finals[-1] < 2 * MINIMUM and not is_faulted for finals, is_faulted in tables)
            / len(tables)
        )
        assert (row.tables, row.rounds, row.handle) == (len(chips), 10 * blocks, 25 * blocks)
        assert row.faults == sum(is_faulted for _, is_faulted in tables)
        assert (row.verdict is None) == (row.faults == 0)
        if len(chips) > 1:
            cuts = quantiles(chips, n=20, method="inclusive")
            assert row.quantiles == pytest.approx([float(cuts[each]) for each in (0, 9, 18)])


@given(field=st.lists(TABLES, min_size=1, max_size=6), fault=FAULTS)
def test_places_follow_exact_means(field: list[list[Table]], fault: str) -> None:
    """A place is one more than how many did better; who is out has none and stands last."""
    rows = board(field, scoring(fault))
    ranked = [row for row in rows if row.place is not None]
    out = [row for row in rows if row.place is None]
    assert rows == (*ranked, *out)
    assert [row.place for row in ranked] == [
        1 + sum(other.mean > row.mean for other in ranked) for row in ranked
    ]
    assert {row.name for row in out} == {row.name for row in rows if fault == "out" and row.faults}
    assert [row.name for row in out] == sorted(row.name for row in out)


@given(field=st.lists(TABLES, min_size=1, max_size=4), fault=FAULTS, order=st.integers(1, 99))
def test_the_order_of_results_does_not_matter(
    field: list[list[Table]], fault: str, order: int
) -> None:
    """Workers finish as they like."""
    assert board(field, scoring(fault), order) == board(field, scoring(fault), 0)


def test_a_hair_decides_a_place() -> None:
    """Means are compared as fractions: a chip in three tables of a billion is a difference."""
    rich = 10**15
    rows = board(
        [[([rich], False)] * 3, [([rich], False), ([rich], False), ([rich + 1], False)]],
        scoring("lost"),
    )
    assert [(row.place, row.name) for row in rows] == [(1, "E1"), (2, "E0")]
    assert float(rows[0].mean) == pytest.approx(float(rows[1].mean))


@pytest.mark.parametrize(("stop", "ruin"), [("at-least", 0.25), ("above", 0.5)])
def test_ruin_follows_the_rule_of_the_game(stop: str, ruin: float) -> None:
    """Who has just the minimum may play on under one rule, not under the other."""
    tables: list[Table] = [([final], False) for final in (9, 10, 11, 200)]
    (row,) = board([tables], scoring("lost", stop))
    assert row.ruin == ruin


def test_the_first_verdict_is_the_one_that_is_told() -> None:
    """First by its place in the tournament, not by when it came in."""
    later = Verdict("illegal", "draw", 9, 1, "draw: expected True or False, got 3", "", "")
    seats = [
        (
            BlockKey(0, 0, table, 0, 1),
            SeatResult(0, 0, 200, 100, 100, 200, 3, 3, 30, 9, 1, verdict),
        )
        for table, verdict in ((5, later), (2, VERDICT), (7, later))
    ]
    (row,) = fold(seats, [EntrantLabel("A", "simple")], scoring("lost"))
    assert (row.faults, row.verdict) == (3, VERDICT)
