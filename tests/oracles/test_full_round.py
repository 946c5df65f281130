"""The round with all its choices against a naive casino."""

import sys
from pathlib import Path
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from tourney import Action, Card
from tourney.cards.card import CARDS, Rank
from tourney.games.blackjack.round import Round
from tourney.games.blackjack.rules import BlackjackRules

sys.path.insert(0, str(Path(__file__).parent))

from naive_casino import House, play_round

# Many equal cards, so that hands are split again and again.
FEW_RANKS = [card for card in CARDS if card.rank in {Rank.ACE, Rank.EIGHT, Rank.TEN, Rank.KING}]


def whim(dealer: list[int], hand: list[int], options: list[str], salt: int) -> str:
    """Choose by a hash of what is seen, splits and doubles most of the time."""
    dice = Random(repr((dealer, hand, salt)))
    return dice.choice(options + options[2:] * 2)


def play(
    rules: BlackjackRules, wagers: list[int], chips: int, shoe: list[Card], salt: int
) -> Round:
    """Play the platform's round from the front of a shoe."""
    state = Round(rules, list(wagers), [chips - wager for wager in wagers])
    cards = iter(shoe)
    while not state.is_over:
        if state.to_act is None:
            state.deal(cards)
        else:
            dealer, hand = state.observation(state.to_act)
            ranks = [[int(card.rank) for card in each.cards] for each in (dealer, hand)]
            options = [str(action) for action in state.legal_actions()]
            state.apply_action(Action[whim(ranks[0], ranks[1], options, salt).upper()])
    return state


@st.composite
def houses(draw: st.DrawFn) -> tuple[BlackjackRules, House]:
    """Give the same rules in the words of both sides."""
    coin = st.booleans()
    house = House(
        dealing=draw(st.sampled_from(["seats-first", "dealer-first", "dealer-both"])),
        both_shown=draw(coin),
        natural_ends=draw(coin),
        asks_at_21=draw(coin),
        double=draw(coin),
        double_after_split=draw(coin),
        split=draw(st.sampled_from(["never", "by-value", "by-rank"])),
        hands=draw(st.integers(1, 5)),
        aces_get_one=draw(coin),
        surrender=draw(coin),
        hits_soft_17=draw(coin),
    )
    rules = BlackjackRules(
        decks=6,
        payout="exact",
        dealing=house.dealing,  # type: ignore[arg-type]  # one of the words above
        dealer_shows="both" if house.both_shown else "upcard",
        dealer_natural="wins-at-once" if house.natural_ends else "is-21",
        stands_on_21=not house.asks_at_21,
        double="first-two" if house.double else "never",
        double_after_split=house.double_after_split,
        split=house.split,  # type: ignore[arg-type]  # one of the words above
        hands=house.hands,
        split_aces="one-card" if house.aces_get_one else "played",
        surrender="first" if house.surrender else "never",
        soft_17="hit" if house.hits_soft_17 else "stand",
    )
    return rules, house


@given(
    both=houses(),
    shoe=st.one_of(st.permutations(CARDS * 6), st.permutations(FEW_RANKS * 12)),
    wagers=st.lists(st.integers(1, 9).map(lambda half: 2 * half), min_size=1, max_size=4),
    chips=st.integers(18, 80),
    salt=st.integers(0, 10**6),
)
def test_a_round_comes_to_what_a_naive_casino_makes_of_it(
    both: tuple[BlackjackRules, House],
    shoe: list[Card],
    wagers: list[int],
    chips: int,
    salt: int,
) -> None:
    """Nets and cards used, whatever the rules, for seats that do anything they may."""
    rules, house = both
    nets, used = play_round(
        house,
        [int(card.rank) for card in shoe],
        wagers,
        chips,
        lambda dealer, hand, options: whim(dealer, hand, options, salt),
    )
    state = play(rules, wagers, chips, shoe, salt)
    assert list(state.results()) == nets
    assert len(state.cards) == used
    assert all(wager <= chips for wager in state.wagers)
