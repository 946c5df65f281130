"""The program's shoe: places drawn without repeats, dealt from the end, never renewed."""

from collections import Counter
from collections.abc import Callable
from itertools import chain

import pytest

from tourney.game.cards.card import CARDS
from tourney.game.cards.glibc_rand import GlibcRand
from tourney.games.blackjack.programs.csc24400 import (
    NEW_DECK,
    TEXT,
    TRANSCRIPT,
    Reading,
    SeededShoe,
    card_text,
    distinct_places,
)


def turned(by: int) -> Callable[[], int]:
    """Give numbers that name the places from `by` on, one after the other, for ever."""
    numbers = iter(range(by, 10**9))
    return lambda: next(numbers)


def test_a_new_deck_is_clubs_diamonds_hearts_and_spades_from_two_to_ace() -> None:
    """Every card once."""
    texts = [card_text(card) for card in NEW_DECK]
    assert " ".join(texts[:14]) == "2C 3C 4C 5C 6C 7C 8C 9C 10C JC QC KC AC 2D"
    assert texts[-1] == "AS"
    assert set(NEW_DECK) == set(CARDS)
    assert len(NEW_DECK) == 52


def test_a_number_that_comes_again_is_dropped() -> None:
    """The first time counts."""
    numbers = iter([5, 5, 3, 8, 0, 2, 4, 1])
    assert distinct_places(6, lambda: next(numbers)) == [5, 3, 2, 0, 4, 1]


def test_gathering_takes_the_next_card_from_a_place() -> None:
    """One deck whose places are turned by 1: what lay second now lies first."""
    reading = Reading(dealing="dealer-first", decks_shuffled=False, shuffle="gather", gap=6)
    shoe = SeededShoe(turned(1), 1, reading)
    assert list(shoe) == [*NEW_DECK[1:], NEW_DECK[0]][::-1]


def test_scattering_sends_the_next_card_to_a_place() -> None:
    """The same numbers: what lay first now lies second."""
    shoe = SeededShoe(turned(1), 1, TEXT)
    assert list(shoe) == [NEW_DECK[-1], *NEW_DECK[:-1]][::-1]


def test_a_shuffle_starts_from_the_last_order() -> None:
    """The same numbers twice: places turned by 1 are then turned by 2; what was dealt is back."""
    reading = Reading(dealing="dealer-first", decks_shuffled=False, shuffle="gather", gap=6)
    numbers = chain(range(1, 53), range(1, 53))
    shoe = SeededShoe(lambda: next(numbers), 1, reading)
    for _ in range(10):
        next(shoe)
    assert (shoe.cards_left, shoe.size) == (42, 52)
    shoe.shuffle()
    assert shoe.cards_left == 52
    assert list(shoe) == [*NEW_DECK[2:], *NEW_DECK[:2]][::-1]


@pytest.mark.parametrize("decks", [1, 2, 20])
@pytest.mark.parametrize("reading", [TRANSCRIPT, TEXT], ids=["transcript", "text"])
def test_a_shoe_holds_its_decks(decks: int, reading: Reading) -> None:
    """However it is shuffled, and it ends after the last card."""
    shoe = SeededShoe(GlibcRand(9), decks, reading)
    assert shoe.size == 52 * decks
    assert Counter(shoe) == dict.fromkeys(CARDS, decks)
    assert shoe.cards_left == 0
    assert next(shoe, None) is None
    shoe.shuffle()
    assert Counter(shoe) == dict.fromkeys(CARDS, decks)


def test_every_deck_is_shuffled_before_the_shoe_is() -> None:
    """So the numbers drawn are more, and the order is another one."""
    once = Reading(dealing="dealer-first", decks_shuffled=False, shuffle="gather", gap=6)
    assert list(SeededShoe(GlibcRand(1), 2, TRANSCRIPT)) != list(SeededShoe(GlibcRand(1), 2, once))
