"""The value with a shoe that ends against slow enumerations in fractions.

Shoes have few kinds of cards, so that every order can be dealt, and charts are random, so that
everything that rules allow is done. `tests/statistics/published` holds real decks.
"""

import sys
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from tests.support.proving import with_more
from tourney.games.blackjack.action import Action
from tourney.games.blackjack.declaration import (
    FIRST_PAIR,
    FIRST_SOFT,
    ROWS,
    UPCARDS,
    Cell,
)
from tourney.games.blackjack.exact.finite.information import Information
from tourney.games.blackjack.exact.finite.solution import chart_value, finite_value, solve_finite
from tourney.games.blackjack.exact.policy import PlayerPolicy
from tourney.games.blackjack.hand import Hand
from tourney.games.blackjack.players import ActPlayer, Chart
from tourney.games.blackjack.position import VALUES
from tourney.games.blackjack.rules import BlackjackRules

sys.path.insert(0, str(Path(__file__).parent))

from naive_blackjack import best_total
from naive_casino import House
from naive_finite import best_value, value_of_chart

HIT, STAND, DOUBLE, SPLIT, SURRENDER, *_ = Action
DOUBLED = {"never": (), "first-two": tuple(range(22)), "9-11": (9, 10, 11), "10-11": (10, 11)}


def rules_of(house: House, double: str) -> BlackjackRules:
    """Give the same rules in the platform's words."""
    return BlackjackRules(
        decks=1,
        reshuffle="every-round",
        payout="exact",
        hole_card="always" if house.has_hole else "none",
        dealer_natural=house.dealer_natural,  # type: ignore[arg-type]  # words of the rules
        soft_17="hit" if house.hits_soft_17 else "stand",
        stands_on_21=not house.asks_at_21,
        double=double,  # type: ignore[arg-type]  # words of the rules
        double_after_split=house.double_after_split,
        split=house.split,  # type: ignore[arg-type]  # words of the rules
        hands=house.hands,
        split_aces=house.aces,  # type: ignore[arg-type]  # words of the rules
        surrender="first" if house.surrender else "never",
    )


def shoe_of(copies: dict[int, int]) -> tuple[int, ...]:
    """Give copies by value, as the platform counts them."""
    by_value = {11 if rank == 14 else min(rank, 10): 0 for rank in copies}
    for rank, count in copies.items():
        by_value[11 if rank == 14 else min(rank, 10)] += count
    return tuple(by_value.get(value, 0) for value in VALUES)


def some_chart(dice: Random) -> Chart:
    """Make a chart that splits most pairs, and stands from 15 on so that rounds end."""

    def cell(row: int) -> Cell:
        if FIRST_PAIR <= row < FIRST_SOFT and dice.random() < 0.85:
            return (SPLIT, *dice.sample((HIT, DOUBLE, STAND), dice.randint(0, 2)))
        if row < FIRST_PAIR and int(ROWS[row]) >= 15:
            return (*dice.sample((DOUBLE, SURRENDER), dice.choice((0, 0, 1))), STAND)
        return dice.choice(((HIT,), (HIT,), (DOUBLE, HIT), (STAND,), (SURRENDER, HIT)))

    cells = tuple(tuple(cell(row) for _ in UPCARDS) for row in range(len(ROWS)))
    return Chart(cells, shows_both=False)


PEEK, EUROPEAN = "wins-at-once", "beats-all"
BASE = House(dealer_natural=PEEK, asks_at_21=False, doubled=DOUBLED["first-two"], split="by-value")
EUROPEAN_HOUSE = replace(BASE, has_hole=False, dealer_natural=EUROPEAN)


@pytest.mark.parametrize(
    ("copies", "house", "double"),
    with_more(
        [
            ({8: 6, 10: 6}, BASE, "first-two"),
            ({8: 6, 10: 6}, replace(BASE, double_after_split=False, hands=3), "first-two"),
            ({10: 10, 14: 12}, replace(BASE, aces="resplit"), "first-two"),
            ({10: 10, 14: 12}, replace(EUROPEAN_HOUSE, surrender=True), "first-two"),
            ({9: 6, 14: 6, 10: 6}, replace(BASE, aces="played", hands=2), "first-two"),
            ({10: 3, 11: 3, 12: 2, 13: 2, 14: 2}, replace(BASE, split="by-rank", hands=2), "never"),
        ],
        [
            ({10: 10, 14: 12}, BASE, "first-two"),
            ({10: 10, 14: 12}, replace(BASE, dealer_natural="is-21", surrender=True), "first-two"),
            ({7: 8, 10: 10}, replace(BASE, hands=5, surrender=True), "first-two"),
            ({9: 8, 14: 16}, replace(BASE, hands=2, hits_soft_17=True, asks_at_21=True), "9-11"),
            ({5: 5, 10: 7}, replace(EUROPEAN_HOUSE, hands=3), "9-11"),
            ({5: 5, 10: 7}, replace(BASE, hands=3), "10-11"),
            ({6: 4, 14: 4, 10: 5}, replace(BASE, hits_soft_17=True, hands=2), "first-two"),
        ],
    ),
)
def test_the_value_of_a_chart_is_that_of_all_rounds_together(
    copies: dict[int, int], house: House, double: str
) -> None:
    """Splits and splits of splits included, to thirteen digits."""
    house = replace(house, doubled=DOUBLED[double])
    chart = some_chart(Random(str((copies, house))))

    def choose(dealer: list[int], cards: list[int], options: list[str]) -> str:
        legal = tuple(action for action in Action if str(action) in options)
        if HIT not in legal:  # split aces
            row = chart.cell("AA", UPCARDS[min(dealer[0], 10) - 2 if dealer[0] != 14 else 9])
            return "split" if row[0] is SPLIT else "stand"
        column = 9 if dealer[0] == 14 else min(dealer[0], 10) - 2
        values = [11 if card == 14 else min(card, 10) for card in cards]
        hard = sum(1 if value == 11 else value for value in values)
        total = best_total(cards)
        is_pair = len(cards) == 2 and values[0] == values[1]
        return str(chart.decide(column, total, total != hard, is_pair, legal))

    expected = value_of_chart(house, copies, choose)
    tens = sum(rank in copies for rank in (10, 11, 12, 13))
    found = chart_value(rules_of(house, double), chart, shoe=shoe_of(copies), ten_ranks=tens or 1)
    assert found == pytest.approx(float(expected), abs=1e-13)


class ByCards(ActPlayer):
    """Looks at all cards of its hand, and does with them what dice say, but alike every time."""

    def act(self, dealer: Hand, player: Hand, legal: tuple[Action, ...]) -> Action:
        """Stand from 15 on, so that rounds end."""
        values = sorted(card.value for card in player.cards)
        return self.choose(dealer.cards[0].value, values, player.total, legal)

    def choose(
        self, upcard: int, values: list[int], total: int, legal: tuple[Action, ...]
    ) -> Action:
        """Choose by values, 11 for an ace."""
        if SPLIT in legal and Random(f"{upcard} {values}").random() < 0.8:
            return SPLIT
        if HIT not in legal or total == 21:
            return STAND
        moves = sorted({*legal} - {SPLIT} - ({HIT} if total > 14 else set()))
        return Random(f"{upcard} {values} {moves}").choice(moves)


@pytest.mark.parametrize(
    ("copies", "house"),
    with_more(
        [
            ({8: 6, 10: 6}, replace(BASE, hands=3)),
            ({5: 5, 10: 7}, replace(BASE, hands=2, surrender=True)),
        ],
        [
            ({7: 8, 10: 10}, replace(BASE, hands=3)),
            ({10: 10, 14: 12}, replace(BASE, aces="resplit")),
            ({6: 4, 14: 4, 10: 5}, replace(EUROPEAN_HOUSE, hits_soft_17=True, hands=2)),
            ({3: 4, 5: 4, 10: 8, 14: 4}, replace(BASE, split="never", surrender=True)),
        ],
    ),
)
def test_the_value_of_who_looks_at_all_cards_is_that_of_all_rounds_together(
    copies: dict[int, int], house: House
) -> None:
    """A player is asked about every hand; hands of one total may be played otherwise."""
    player = ByCards()

    def choose(dealer: list[int], cards: list[int], options: list[str]) -> str:
        legal = tuple(action for action in Action if str(action) in options)
        upcard, *values = (11 if card == 14 else min(card, 10) for card in (dealer[0], *cards))
        return str(player.choose(upcard, sorted(values), best_total(cards), legal))

    expected = value_of_chart(house, copies, choose)
    tens = sum(rank in copies for rank in (10, 11, 12, 13))
    found = finite_value(
        rules_of(house, "first-two"),
        PlayerPolicy(player, "by cards"),
        shoe=shoe_of(copies),
        ten_ranks=tens or 1,
    )
    assert found.mean == pytest.approx(float(expected), abs=1e-13)


@pytest.mark.parametrize(
    ("copies", "house", "double"),
    with_more(
        [
            ({2: 4, 6: 4, 10: 8, 14: 4}, replace(BASE, split="never"), "first-two"),
            (
                {3: 4, 5: 4, 10: 8, 14: 4},
                replace(EUROPEAN_HOUSE, split="never", surrender=True),
                "9-11",
            ),
        ],
        [
            (
                {4: 4, 7: 4, 10: 8, 14: 4},
                replace(BASE, split="never", surrender=True, hits_soft_17=True),
                "10-11",
            ),
            (
                {2: 2, 3: 2, 6: 3, 9: 3, 10: 6, 14: 3},
                replace(BASE, split="never", dealer_natural="is-21", hits_soft_17=True),
                "first-two",
            ),
        ],
    ),
)
def test_best_play_by_all_cards_is_the_best_there_is(
    copies: dict[int, int], house: House, double: str
) -> None:
    """A recursion in fractions over hands and draws comes to the same, to thirteen digits."""
    house = replace(house, doubled=DOUBLED[double])
    found = solve_finite(
        rules_of(house, double), attention=Information.CARDS, shoe=shoe_of(copies)
    ).value.mean
    assert found == pytest.approx(float(best_value(house, copies)), abs=1e-13)
