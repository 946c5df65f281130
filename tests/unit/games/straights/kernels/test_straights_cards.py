"""The compiled deal of Straights, piece by piece."""

import numpy as np
import pytest

from tourney.game.cards import shoe as shoes
from tourney.game.cards.generator import Generator, Group, groups_of_shuffle
from tourney.game.cards.shoe import make_shoe
from tourney.game.ledger.running_hash import cards_word
from tourney.game.machine.philox import write_halves
from tourney.games.straights.kernels import cards as straights_cards
from tourney.games.straights.kernels.cards import new_deals, shuffle
from tourney.games.straights.kernels.declared_blocks import word_after

KEY = bytes(range(1, 17))
U = np.uint64


def key_words() -> straights_cards.Words:
    """Give the key as two words, the low one first."""
    return np.frombuffer(KEY, "<u8").astype(np.uint64)


def test_blocks_are_those_of_the_published_generator() -> None:
    """As NumPy's Philox gives them, for small and for large streams."""
    halves = np.zeros(16, np.uint64)
    low, high = key_words()
    for stream in (0, 1, 2**40):
        wanted = Generator(KEY).halves(stream)
        for number in range(1, 4):
            write_halves(halves, U(8), U(number), U(stream), (low, high))
            assert halves[8:].tolist() == [next(wanted) for _ in range(8)]


def test_a_shuffle_gives_the_cards_of_the_shoe() -> None:
    """For a thousand shoes of one table."""
    deals, shoe = new_deals(), make_shoe(1, "uniform", KEY)
    for stream in range(1000):
        shoe.shuffle()
        shuffle(deals, U(stream % 4), key_words(), U(stream))
        assert deals.deck[stream % 4, :52].tolist() == [card.code for card in shoe.cards]


def test_a_shuffle_goes_on_after_any_number_of_rejections(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if half of all draws were rejected, which needs further blocks of the generator."""
    half = 1 << 31
    strict = tuple(Group(group.bounds, half) for group in groups_of_shuffle(52))
    monkeypatch.setattr(shoes, "groups_of_shuffle", lambda _: strict)
    monkeypatch.setattr(straights_cards, "REJECTED_BELOW", np.full(len(strict), half, np.uint64))
    deals, shoe = new_deals(), make_shoe(1, "uniform", KEY)
    for stream in range(60):
        shoe.shuffle()
        shuffle.py_func(deals, U(0), key_words(), U(stream))
        assert deals.deck[0, :52].tolist() == [card.code for card in shoe.cards]


def test_the_word_of_cards_is_that_of_the_ledger() -> None:
    """Thirteen cards and thirteen more, from codes that count from 0 or from 1."""
    codes = np.arange(51, -1, -1).astype(np.uint8)
    first = word_after(U(0), codes, U(0), U(1))
    assert int(first) == cards_word(codes[:13].tolist())
    assert int(word_after(U(first), codes, U(13), U(1))) == cards_word(codes[:26].tolist())
    assert int(word_after(U(0), codes + 1, U(39), U(0))) == cards_word(codes[39:].tolist())


def test_the_word_of_nothing_is_zero() -> None:
    """A prime's worth counts as none: the word stays below it."""
    assert int(word_after(U(0), np.zeros(13, np.uint8), U(0), U(0))) == 0
