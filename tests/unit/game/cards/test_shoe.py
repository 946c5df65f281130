"""Shoes: what they hold, how they run out and come back, and that they are fair."""

from collections import Counter
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tourney import DeckEmpty
from tourney.errors import CardsError
from tourney.game.cards.card import CARDS, Card
from tourney.game.cards.generator import Generator, draw
from tourney.game.cards.shoe import Shoe, make_shoe

KEY = b"a key of a table"


def dealt(shoe: Shoe, cards: int) -> list[Card]:
    """Deal some cards."""
    return list(islice(shoe.cards, cards))


@given(decks=st.integers(1, 20), key=st.binary(min_size=16, max_size=16))
def test_a_shoe_holds_every_card_once_a_deck(decks: int, key: bytes) -> None:
    """And nothing else."""
    shoe = make_shoe(decks, "uniform", key)
    shoe.shuffle()
    assert Counter(shoe.cards) == Counter(CARDS * decks)
    assert shoe.size == 52 * decks


def test_shoe_s_depends_on_its_stream_only() -> None:
    """However much of the shoes before was dealt."""
    thrifty, lavish = make_shoe(2, "uniform", KEY), make_shoe(2, "uniform", KEY)
    for shoe, cards in ((thrifty, 3), (lavish, 90)):
        for _ in range(4):
            shoe.shuffle()
            dealt(shoe, cards)
        shoe.shuffle()
    assert dealt(thrifty, 104) == dealt(lavish, 104)


def test_a_uniform_shoe_is_a_forward_fisher_yates() -> None:
    """An eager shuffle with the same draws gives the same order."""
    order = list(CARDS)
    for position, index in enumerate(draw(range(52, 0, -1), Generator(KEY).halves(0))):
        chosen = position + index
        order[position], order[chosen] = order[chosen], order[position]
    shoe = make_shoe(1, "uniform", KEY)
    shoe.shuffle()
    assert dealt(shoe, 52) == order


@pytest.mark.parametrize("shuffle", ["uniform", "riffle"])
def test_a_shoe_runs_out_until_it_is_shuffled(shuffle: str) -> None:
    """There is nothing to deal before the first shuffle, nor after the last card."""
    shoe = make_shoe(1, shuffle, KEY)
    assert dealt(shoe, 1) == []
    for _ in range(2):
        shoe.shuffle()
        assert len(dealt(shoe, 60)) == 52
        assert dealt(shoe, 1) == []


@pytest.mark.parametrize("shuffle", ["uniform", "riffle"])
@given(on_table=st.integers(0, 51))
def test_discards_are_what_does_not_lie_on_the_table(shuffle: str, on_table: int) -> None:
    """The next shoe holds them all, and only them; the one after holds everything."""
    shoe = make_shoe(1, shuffle, KEY)
    shoe.shuffle()
    kept = dealt(shoe, 52)[:on_table]
    shoe.shuffle_discards(kept)
    assert shoe.size == 52 - on_table
    assert Counter([*dealt(shoe, 52 - on_table), *kept]) == Counter(CARDS)
    shoe.shuffle()
    assert Counter(dealt(shoe, 52)) == Counter(CARDS)


def test_a_table_that_holds_every_card_leaves_no_discards() -> None:
    """There is nothing to shuffle then."""
    shoe = make_shoe(1, "uniform", KEY)
    shoe.shuffle()
    with pytest.raises(DeckEmpty, match="every card is on the table"):
        shoe.shuffle_discards(dealt(shoe, 52))


def test_a_riffle_shoe_cuts_seven_times_between_13_and_39() -> None:
    """As the documents ask; its cuts can be read."""
    shoe = make_shoe(1, "riffle", KEY)
    cuts: list[int] = []
    for _ in range(200):
        shoe.shuffle()
        assert len(shoe.cuts) == 7  # type: ignore[attr-defined]  # a riffle shoe has cuts
        cuts.extend(shoe.cuts)  # type: ignore[attr-defined]  # a riffle shoe has cuts
    assert (min(cuts), max(cuts)) == (13, 39)


def test_an_infinite_shoe_deals_every_card_alike_forever() -> None:
    """A chi-square of 52 cards over 52,000 draws stays below its 99.9 % point."""
    shoe = make_shoe("infinite", "uniform", KEY)
    shoe.shuffle()
    seen = Counter(islice(shoe.cards, 52_000))
    assert sum((seen[card] - 1000) ** 2 / 1000 for card in CARDS) < 87.97


def test_there_are_at_most_twenty_decks() -> None:
    """And at least one."""
    for decks in (0, 21):
        with pytest.raises(CardsError, match=f"from 1 to 20, got {decks}"):
            make_shoe(decks, "uniform", KEY)
