"""Indices of the high-low count, against those that players have learnt for decades.

The eighteen plays for six decks, a dealer that stands on soft 17 and no surrender, and the four for
surrender, are [Schlesinger2005]'s. They were found with the exact cards and stand for true counts
that are rounded down; ours take the rest of the shoe for endless and look at whole counts, so one
point of difference is allowed.
"""

from dataclasses import replace

import pytest

from tourney.games.blackjack.action import Action
from tourney.games.blackjack.exact.deviations import Deviation, deviations
from tourney.games.blackjack.rules import SIX_DECKS_S17

INSURE, STAND, DOUBLE, SPLIT, SURRENDER = (
    Action.INSURE,
    Action.STAND,
    Action.DOUBLE,
    Action.SPLIT,
    Action.SURRENDER,
)
EIGHTEEN = [
    ("any hand", 11, INSURE, 3),
    ("hard 16", 10, STAND, 0),
    ("hard 15", 10, STAND, 4),
    ("pair of 10", 5, SPLIT, 5),
    ("pair of 10", 6, SPLIT, 4),
    ("hard 10", 10, DOUBLE, 4),
    ("hard 12", 3, STAND, 2),
    ("hard 12", 2, STAND, 3),
    ("hard 11", 11, DOUBLE, 1),
    ("hard 9", 2, DOUBLE, 1),
    ("hard 10", 11, DOUBLE, 4),
    ("hard 9", 7, DOUBLE, 3),
    ("hard 16", 9, STAND, 5),
    ("hard 13", 2, STAND, -1),
    ("hard 12", 4, STAND, 0),
    ("hard 12", 5, STAND, -2),
    ("hard 12", 6, STAND, -1),
    ("hard 13", 3, STAND, -2),
]
FOUR = [
    ("hard 14", 10, SURRENDER, 3),
    ("hard 15", 10, SURRENDER, 0),
    ("hard 15", 9, SURRENDER, 2),
    ("hard 15", 11, SURRENDER, 1),
]
NO_SURRENDER = replace(SIX_DECKS_S17, surrender="never")


@pytest.fixture(scope="module")
def eighteen() -> list[Deviation]:
    """Give what is found without surrender."""
    return deviations(NO_SURRENDER)


@pytest.fixture(scope="module")
def four() -> list[Deviation]:
    """Give what is found with it."""
    return deviations(SIX_DECKS_S17)


def index_of(found: list[Deviation], hand: str, upcard: int, move: Action) -> int:
    """Give the count from which a move is best."""
    (one,) = [each for each in found if each[:3] == (hand, upcard, move)]
    assert one.is_from
    return one.true_count


@pytest.mark.parametrize(("hand", "upcard", "move", "index"), EIGHTEEN)
def test_the_eighteen_that_are_worth_most(
    eighteen: list[Deviation], hand: str, upcard: int, move: Action, index: int
) -> None:
    """Within a point."""
    assert abs(index_of(eighteen, hand, upcard, move) - index) <= 1


@pytest.mark.parametrize(("hand", "upcard", "move", "index"), FOUR)
def test_the_four_of_surrender(
    four: list[Deviation], hand: str, upcard: int, move: Action, index: int
) -> None:
    """Within a point."""
    assert abs(index_of(four, hand, upcard, move) - index) <= 1


def test_insurance_and_sixteen_against_ten_are_worth_most(eighteen: list[Deviation]) -> None:
    """As he found: a third of what all eighteen are worth is insurance's."""
    assert {each[:2] for each in eighteen[:2]} == {("any hand", 11), ("hard 16", 10)}
    named = {(hand, upcard, move) for hand, upcard, move, _ in EIGHTEEN}
    worth = sum(each.worth for each in eighteen if each[:3] in named)
    assert worth > 0.7 * sum(each.worth for each in eighteen)
