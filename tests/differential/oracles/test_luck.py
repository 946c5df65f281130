"""Luck is zero on average, whatever is played: worked out over every order of a small shoe."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction

import pytest

from tourney.game.cards.card import CARDS, Card
from tourney.games.blackjack.action import Action
from tourney.games.blackjack.luck import Luck
from tourney.games.blackjack.position import VALUES
from tourney.games.blackjack.round import Round
from tourney.games.blackjack.rules import EASYBJ, EUROPEAN, SIX_DECKS_H17, BlackjackRules

WAGER = 2
OF_VALUE = {card.value: card for card in CARDS}
Policy = Callable[[Round, tuple[Action, ...]], Action]


def boldest(state: Round, legal: tuple[Action, ...]) -> Action:
    """Split, double or insure whenever possible, and hit to 15."""
    assert state.in_play
    for action in (Action.INSURE, Action.SPLIT, Action.DOUBLE):
        if action in legal:
            return action
    hits = state.in_play.hand.total < 16 and Action.HIT in legal
    return Action.HIT if hits else legal[0]


def timid(state: Round, legal: tuple[Action, ...]) -> Action:
    """Give up what looks bad, and hit only what cannot bust."""
    assert state.in_play
    if Action.SURRENDER in legal and state.in_play.hand.total > 14:
        return Action.SURRENDER
    return Action.HIT if state.in_play.hand.total < 12 and Action.HIT in legal else legal[0]


def play(rules: BlackjackRules, policy: Policy, dealt: Sequence[Card], seats: int) -> Round | None:
    """Play a round with these cards; None if they do not last."""
    state = Round(rules, [WAGER] * seats)
    source = iter(dealt)
    while not state.is_over:
        if state.to_act is None:
            try:
                state.deal(source)
            except StopIteration:
                return None
        else:
            state.apply_action(policy(state, state.legal_actions()))
    return state


def luck_of(rules: BlackjackRules, shoe: Counter[int], state: Round, seats: int) -> list[int]:
    """Give the luck of a round from a shoe."""
    luck = Luck(rules)
    luck.begin_shoe()
    luck._left[:] = [shoe[value] for value in VALUES]
    luck.open([WAGER] * seats)
    luck.follow(state.records)
    return luck.close()


def mean_luck(
    rules: BlackjackRules, policy: Policy, shoe: Counter[int], seats: int = 1
) -> tuple[list[Fraction], int]:
    """Give the mean luck over every order of a shoe, and the number of ways it can go."""
    means, ways = [Fraction(0)] * seats, 0
    waiting: list[tuple[tuple[int, ...], Fraction]] = [((), Fraction(1))]
    while waiting:
        values, p = waiting.pop()
        state = play(rules, policy, [OF_VALUE[value] for value in values], seats)
        if state is not None and len(state.cards) == len(values):
            ways += 1
            for seat, luck in enumerate(luck_of(rules, shoe, state, seats)):
                means[seat] += p * luck
            continue
        left = shoe if rules.decks == "infinite" else shoe - Counter(values)
        assert left, "the shoe is large enough for every round"
        for value, count in left.items():
            waiting.append(((*values, value), p * Fraction(count, left.total())))
    return means, ways


@pytest.mark.parametrize(
    ("rules", "shoe"),
    [
        (BlackjackRules(), {6: 4, 10: 6, 11: 2}),
        (BlackjackRules(dealing="dealer-first", soft_17="hit"), {7: 9, 11: 3}),
        (replace(SIX_DECKS_H17, hands=2), {9: 7, 11: 5}),
        (replace(EUROPEAN, hands=2), {8: 8, 10: 4}),
        (replace(EASYBJ, hands=3), {8: 5, 10: 4}),
        (replace(SIX_DECKS_H17, hands=2, split_aces="played", double="9-11"), {9: 6, 11: 4}),
    ],
    ids=["ve280", "soft 17", "casino", "no hole card", "both shown", "aces played"],
)
@pytest.mark.parametrize("policy", [boldest, timid])
def test_the_mean_is_zero(rules: BlackjackRules, shoe: dict[int, int], policy: Policy) -> None:
    """But for values rounded up to the next part, at most one part a card and chip."""
    copies = Counter({value: 2 * count for value, count in shoe.items()})
    (mean,), ways = mean_luck(rules, policy, copies)
    assert ways > 9
    assert 0 <= mean <= 200 * WAGER


def test_the_mean_is_zero_beside_others() -> None:
    """Cards for others change what may come, and not the mean."""
    means, _ = mean_luck(BlackjackRules(), timid, Counter({9: 10, 11: 10}), seats=2)
    assert all(0 <= mean <= 200 * WAGER for mean in means)


@pytest.mark.parametrize("ran_out", [(3,), (1, 4)], ids=["once", "twice"])
def test_opening_cards_may_come_from_several_shoes(ran_out: tuple[int, ...]) -> None:
    """Each is compared with the cards of the shoe it came from, and is missing from the next."""
    rules, dealt = BlackjackRules(), [OF_VALUE[value] for value in (10, 9, 8, 6, 10, 5)]
    state, luck = Round(rules, [WAGER] * 2), Luck(rules)
    luck.begin_shoe()
    luck.open([WAGER] * 2)
    first = 0
    for last in ran_out:
        with pytest.raises(StopIteration):
            state.deal(iter(dealt[first:last]))
        luck.follow(state.records)
        luck.begin_shoe(state.cards)
        first = last
    state.deal(iter(dealt[first:]))
    luck.follow(state.records)
    in_one = Luck(rules)
    in_one.begin_shoe()
    in_one.open([WAGER] * 2)
    in_one.follow(state.records)
    # A shoe of all cards that are not on the table is what was left of the shoe before.
    assert luck.close() == in_one.close()
