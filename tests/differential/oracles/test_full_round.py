"""The round with all its choices against a naive casino."""

import sys
from pathlib import Path
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from tourney import Action, Card
from tourney.game.cards.card import CARDS, Rank
from tourney.games.blackjack.round import Round
from tourney.games.blackjack.rules import BlackjackRules

sys.path.insert(0, str(Path(__file__).parent))

from naive_casino import House, play_round

# Many equal cards, so that hands are split again and again.
FEW_RANKS = [card for card in CARDS if card.rank in {Rank.ACE, Rank.EIGHT, Rank.TEN, Rank.KING}]
# And many of these are naturals, or aces to be split.
ACES_AND_TENS = [card for card in CARDS if card.rank in {Rank.ACE, Rank.TEN}]


DOUBLED: dict[str, tuple[int, ...]] = {
    "never": (),
    "first-two": tuple(range(22)),
    "9-11": (9, 10, 11),
    "10-11": (10, 11),
}


def whim(dealer: list[int], hand: list[int], options: list[str], salt: int) -> str:
    """Choose by a hash of what is seen, splits and doubles most of the time."""
    dice = Random(repr((dealer, hand, salt)))
    return dice.choice(options + (options[2:] or options[1:]) * 2)


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
    doubles = draw(st.sampled_from(list(DOUBLED)))
    has_hole = draw(coin)
    naturals = ["is-21", "beats-all", "wins-at-once"]
    house = House(
        dealing=draw(st.sampled_from(["seats-first", "dealer-first", "dealer-both"])),
        both_shown=has_hole and draw(coin),
        has_hole=has_hole,
        dealer_natural=draw(st.sampled_from(naturals if has_hole else naturals[:2])),
        insures=draw(coin),
        asks_at_21=draw(coin),
        doubled=DOUBLED[doubles],
        double_after_split=draw(coin),
        split=draw(st.sampled_from(["never", "by-value", "by-rank"])),
        hands=draw(st.integers(1, 5)),
        aces=draw(st.sampled_from(["one-card", "resplit", "played"])),
        surrender=draw(coin),
        hits_soft_17=draw(coin),
    )
    rules = BlackjackRules(
        decks=6,
        payout="exact",
        dealing=house.dealing,  # type: ignore[arg-type]  # one of the words above
        dealer_shows="both" if house.both_shown else "upcard",
        hole_card=draw(st.sampled_from(["if-compared", "always"])) if has_hole else "none",
        dealer_natural=house.dealer_natural,  # type: ignore[arg-type]  # one of the words above
        insurance="offered" if house.insures else "never",
        stands_on_21=not house.asks_at_21,
        double=doubles,  # type: ignore[arg-type]  # one of the words above
        double_after_split=house.double_after_split,
        split=house.split,  # type: ignore[arg-type]  # one of the words above
        hands=house.hands,
        split_aces=house.aces,  # type: ignore[arg-type]  # one of the words above
        surrender="first" if house.surrender else "never",
        soft_17="hit" if house.hits_soft_17 else "stand",
    )
    return rules, house


@given(
    both=houses(),
    shoe=st.one_of(
        *(st.permutations(some) for some in (CARDS * 6, FEW_RANKS * 12, ACES_AND_TENS * 24))
    ),
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
