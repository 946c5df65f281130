"""Plans of fours and pairs against a plain count: everybody meets everybody equally often."""

from collections import Counter
from itertools import combinations

import pytest

from tourney.errors import FormatError
from tourney.formats.designs import fours, has_plan, nearest_plans, plan_of, tables_each
from tourney.formats.group_tables import check_company
from tourney.games.straights.rules import StraightsRules


@pytest.mark.parametrize("entrants", [*range(4, 65), 65, 66, 74, 96, 97, 200])
def test_everybody_meets_everybody_equally_often(entrants: int) -> None:
    """Pairs are counted one by one; nobody sits twice at a table."""
    plan = fours(entrants)
    assert all(len(set(four)) == 4 for four in plan)
    pairs = Counter(frozenset(pair) for four in plan for pair in combinations(four, 2))
    seats = Counter(entrant for four in plan for entrant in four)
    assert set(pairs) == {frozenset(pair) for pair in combinations(range(entrants), 2)}
    assert len(set(pairs.values())) == 1
    assert set(seats.values()) == {tables_each(entrants)}


@pytest.mark.parametrize("entrants", [2, 3, 8, 41])
def test_a_plan_of_pairs_has_each_once(entrants: int) -> None:
    """For any number of entrants up to the most there may be."""
    pairs = Counter(map(frozenset, plan_of(entrants, 2)))
    assert set(pairs.values()) == {1}
    assert len(pairs) == entrants * (entrants - 1) // 2
    seats = Counter(entrant for pair in pairs for entrant in pair)
    assert set(seats.values()) == {tables_each(entrants, 2)}
    assert has_plan(entrants, 2)
    assert not has_plan(1001, 2)
    assert nearest_plans(1001, 2) == (1000,)
    assert plan_of(5, 4) == fours(5)


@pytest.mark.parametrize("entrants", range(4, 65))
def test_no_smaller_plan_is_possible(entrants: int) -> None:
    """With fewer meetings, tables or opponents would not come out whole."""
    meetings = tables_each(entrants) * 3 // (entrants - 1)
    for fewer in range(1, meetings):
        seats = fewer * (entrants - 1)
        assert seats % 3 or seats // 3 * entrants % 4


def test_the_known_small_plans() -> None:
    """As the literature has them."""
    known = {4: 1, 5: 4, 6: 10, 7: 4, 8: 7, 9: 8, 10: 6, 13: 4, 16: 5}
    assert {entrants: tables_each(entrants) for entrants in known} == known


def test_numbers_without_a_plan_have_neighbours_with_one() -> None:
    """A message names them."""
    assert [number for number in range(65, 80) if not has_plan(number)] == [69, 70, 75, 76]
    assert nearest_plans(69) == (68, 71)
    assert nearest_plans(2) == (4,)
    assert nearest_plans(2000) == (998,)


@pytest.mark.parametrize(
    ("tables", "entrants", "message"),
    [
        (1, 3, "too few entrants for straights: 3 instead of at least 4; add others"),
        (4, 69, "69 entrants meet .* use 68 or 71"),
        (6, 5, "tables: 6 is not a multiple of 4, .* use 4 or 8"),
        (3, 6, "tables: 3 is not a multiple of 10, .* use 10"),
    ],
)
def test_what_does_not_come_out_even_is_refused(tables: int, entrants: int, message: str) -> None:
    """With the nearest numbers that do."""
    with pytest.raises(FormatError, match=message):
        check_company("duplicate", tables, entrants, StraightsRules())
