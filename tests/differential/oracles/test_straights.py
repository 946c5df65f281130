"""The round of Straights against a naive one."""

import sys
from pathlib import Path
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from tourney import Card
from tourney.game.cards.card import CARDS, short_name
from tourney.games.straights.records import FaceDown, Played
from tourney.games.straights.round import Round

sys.path.insert(0, str(Path(__file__).parent))

from naive_straights import Told, play_round


def whim(seat: int, choices: list[str], salt: int) -> str:
    """Choose by a hash of what is there: any player at all."""
    return Random(repr((seat, choices, salt))).choice(choices)


def dealt(deck: list[Card]) -> list[list[Card]]:
    """Deal thirteen cards in a row to each seat."""
    return [deck[start : start + 13] for start in range(0, 52, 13)]


def names(cards: tuple[Card, ...]) -> list[str]:
    """Give the names of cards."""
    return [short_name(card) for card in cards]


def play(deck: list[Card], salt: int) -> tuple[Round, list[list[str]]]:
    """Play the platform's round; give it and every choice of legal actions it offered."""
    state = Round(dealt(deck))
    offered = []
    while state.to_act is not None:
        choices = state.legal_actions()
        offered.append(names(choices))
        word = whim(state.to_act, offered[-1], salt)
        record = state.apply_action(choices[offered[-1].index(word)])
        assert short_name(record.card) == word
    return state, offered


@given(deck=st.permutations(CARDS), salt=st.integers(0, 10**6))
def test_a_round_goes_as_a_naive_referee_says(deck: list[Card], salt: int) -> None:
    """Choices, moves, discards and points, for any players and any deal."""
    naive_offers: list[list[str]] = []

    def choose(seat: int, hand: list[str], legal: list[str]) -> str:
        naive_offers.append(legal or hand)
        return whim(seat, naive_offers[-1], salt)

    told: Told = play_round([names(tuple(hand)) for hand in dealt(deck)], choose)
    state, offered = play(deck, salt)
    assert offered == naive_offers
    moves = [
        (record.seat, "play" if isinstance(record, Played) else "discard", short_name(record.card))
        for record in state.records
    ]
    assert moves == told.moves
    assert [names(state.discards(seat)) for seat in range(4)] == told.discards
    assert list(state.results()) == told.points


@given(deck=st.permutations(CARDS), moves=st.integers(0, 52), salt=st.integers(0, 10**6))
def test_a_view_holds_what_follows_from_the_moves_and_no_more(
    deck: list[Card], moves: int, salt: int
) -> None:
    """Recomputed from the deal and the list of moves, for every seat, at any moment."""
    hands = dealt(deck)
    state = Round(hands, (1, 2, 3, 4))
    for _ in range(moves):
        assert state.to_act is not None
        choices = state.legal_actions()
        wanted = whim(state.to_act, names(choices), salt)
        state.apply_action(choices[names(choices).index(wanted)])
    done = state.records
    played = {record.card for record in done if isinstance(record, Played)}
    for seat in range(4):
        view = state.observation(seat)
        mine = [record.card for record in done if record.seat == seat]
        assert view.hand == tuple(card for card in hands[seat] if card not in mine)
        assert view.discards == tuple(card for card in mine if card not in played)
        assert {card for pile in view.table for card in pile.cards} == played
        assert sum(view.hand_sizes) == 52 - moves
        assert len(view.hand) == view.hand_sizes[seat]
        assert sum(view.discard_counts) == moves - len(played)
        assert len(view.discards) == view.discard_counts[seat]
        assert view.history == tuple(
            record if isinstance(record, Played) else FaceDown(record.seat) for record in done
        )
        assert view.scores == (1, 2, 3, 4)
