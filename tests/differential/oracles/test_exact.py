"""The exact value against a slow simulation of the document that tries every order of cards.

The shoes have two or three kinds of cards, so that rounds are few enough to try them all, and
charts are random, so that everything the rules allow is done.
"""

import sys
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from tourney.games.blackjack.action import Action
from tourney.games.blackjack.declaration import (
    BOTH_CARDS,
    FIRST_PAIR,
    FIRST_SOFT,
    ROWS,
    Cell,
)
from tourney.games.blackjack.exact.infinite import infinite_value
from tourney.games.blackjack.exact.policy import ChartPolicy
from tourney.games.blackjack.players import Chart, write_chart
from tourney.games.blackjack.position import VALUES
from tourney.games.blackjack.rules import EASYBJ

sys.path.insert(0, str(Path(__file__).parent))

from every_round import House, enumerate_rounds

HIT, STAND, DOUBLE, SPLIT, SURRENDER, *_ = Action


def some_chart(dice: Random, least_stand: int) -> Chart:
    """Make a chart that splits most pairs, and stands from some total on so that rounds end."""

    def cell(row: int) -> Cell:
        if FIRST_PAIR <= row < FIRST_SOFT and dice.random() < 0.8:
            return (SPLIT, *dice.sample((HIT, DOUBLE, STAND), dice.randint(0, 2)))
        if row < FIRST_PAIR and int(ROWS[row]) >= least_stand:
            return (*dice.sample((DOUBLE, SURRENDER), dice.choice((0, 0, 1))), STAND)
        return dice.choice(((HIT,), (HIT,), (DOUBLE, HIT), (STAND,), (SURRENDER, HIT)))

    width = len(BOTH_CARDS)
    cells = tuple(tuple(cell(row) for _ in range(width)) for row in range(len(ROWS)))
    return Chart(cells, shows_both=True)


@pytest.mark.parametrize(
    ("copies", "house"),
    [
        ({8: 1, 10: 2}, House()),
        ({10: 1, 1: 1}, House()),
        ({9: 2, 1: 1}, House()),
        ({5: 2, 10: 3}, House(hands=3)),
        ({7: 1, 8: 1, 10: 1}, House(hands=2)),
        ({8: 1, 9: 3}, House(doubles_after_split=False)),
        ({10: 4, 1: 1}, House(aces_play_on=True, hands=3)),
        ({6: 1, 1: 1, 10: 1}, House(hits_soft_17=False, hands=2)),
    ],
)
def test_the_exact_value_is_that_of_all_rounds_together(
    copies: dict[int, int], house: House
) -> None:
    """Every result has the same probability, to the last digit."""
    rules = replace(
        EASYBJ,
        hands=house.hands,
        double_after_split=house.doubles_after_split,
        split_aces="played" if house.aces_play_on else "one-card",
        soft_17="hit" if house.hits_soft_17 else "stand",
    )
    values = tuple(copies.get(1 if value == 11 else value, 0) for value in VALUES)
    dice = Random(str((copies, house)))
    for _ in range(2):
        chart = some_chart(dice, least_stand=12)
        found = infinite_value(rules, ChartPolicy(chart), 1, values)
        expected = enumerate_rounds(write_chart(chart), copies, house)
        assert dict(found.law) == {net: p for net, p in expected.items() if p}
