"""The round against a naive blackjack."""

import sys
from pathlib import Path
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from tourney import Card, Hand
from tourney.game.cards.card import CARDS
from tourney.games.blackjack.action import Action
from tourney.games.blackjack.records import Dealt, Revealed
from tourney.games.blackjack.round import Round
from tourney.games.blackjack.rules import BlackjackRules

sys.path.insert(0, str(Path(__file__).parent))

from naive_blackjack import play_round


def whim(dealer: int, ranks: list[int], salt: int) -> bool:
    """Decide by a hash of what is seen: any strategy at all."""
    return Random(repr((dealer, ranks, salt))).random() < 0.5


def play(rules: BlackjackRules, wagers: list[int], shoe: list[Card], salt: int) -> Round:
    """Play the platform's round from the front of a shoe."""
    state = Round(rules, wagers)
    cards = iter(shoe)
    while not state.is_over:
        if state.to_act is None:
            state.deal(cards)
        else:
            dealer, hand = state.observation(state.to_act)
            hits = whim(dealer.cards[0].rank, [card.rank for card in hand.cards], salt)
            state.apply_action(Action.HIT if hits else Action.STAND)
    return state


@given(
    shoe=st.permutations(CARDS * 3),
    wagers=st.lists(st.integers(1, 99), min_size=1, max_size=7),
    salt=st.integers(0, 10**6),
    soft_17=st.sampled_from(["stand", "hit"]),
)
def test_a_round_comes_to_what_a_naive_dealer_makes_of_it(
    shoe: list[Card], wagers: list[int], salt: int, soft_17: str
) -> None:
    """Nets, exposed cards in their order, and cards used, for any players at 1 to 7 seats."""
    rules = BlackjackRules(decks=3, soft_17=soft_17)  # type: ignore[arg-type]  # one of both
    naive = play_round(
        [card.rank for card in shoe],
        wagers,
        lambda dealer, hand: whim(dealer, hand, salt),
        hits_soft_17=soft_17 == "hit",
    )
    state = play(rules, wagers, shoe, salt)
    exposed = [
        record.card.rank
        for record in state.records
        if isinstance(record, Revealed) or (isinstance(record, Dealt) and record.is_face_up)
    ]
    assert list(state.results()) == naive.nets
    assert exposed == naive.exposed
    assert len(state.cards) == naive.used


def test_what_a_seat_observes_is_its_own_hand_and_the_upcard() -> None:
    """No more, and the hand cannot be changed."""
    state = Round(BlackjackRules(), [5, 5])
    state.deal(iter(CARDS))
    dealer, hand = state.observation(1)
    assert dealer.cards == (CARDS[2],)
    assert hand == Hand([CARDS[1], CARDS[4]])
