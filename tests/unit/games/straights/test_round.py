"""What a round of Straights shows while it is played, beside what the rules say."""

from random import Random

from tourney import Suit
from tourney.game.cards.card import CARDS
from tourney.games.straights.records import Played
from tourney.games.straights.round import Round
from tourney.games.straights.suits import BY_SHORT_NAME


def shuffled(rng_seed: int) -> Round:
    """Deal a shuffled deck."""
    deck = list(CARDS)
    Random(rng_seed).shuffle(deck)
    return Round([deck[start : start + 13] for start in range(0, 52, 13)])


def test_the_caller_may_do_what_it_likes_with_its_hands() -> None:
    """The round has copies."""
    deck = list(CARDS)
    hands = [deck[start : start + 13] for start in range(0, 52, 13)]
    state = Round(hands)
    hands[0].clear()
    assert len(state.observation(0).hand) == 13


def test_every_seat_sees_what_it_could_play_now() -> None:
    """Not only the one whose turn it is."""
    state = shuffled(4)
    for _ in range(12):
        state.apply_action(state.legal_actions()[0])
    ends = {
        card
        for pile in state.observation(0).table
        for card in ((pile.below, pile.above) if pile.cards else (CARDS[pile.suit * 13 + 5],))
    }
    assert CARDS[5] == BY_SHORT_NAME["7S"]
    for seat in range(4):
        view = state.observation(seat)
        assert view.legal_plays == tuple(card for card in view.hand if card in ends)
        assert view.must_discard is not bool(view.legal_plays)


def test_a_table_is_looked_up_by_suit() -> None:
    """After one play there is one card, in its own suit."""
    state = shuffled(6)
    record = state.apply_action(state.legal_actions()[0])
    table = state.observation(1).table
    assert [pile.suit for pile in table] == list(Suit)
    assert table[Suit.SPADES].cards == (record.card,)
    assert state.observation(1).history == (Played(record.seat, record.card),)
