"""The C++ generator and shuffle of the original Straights, against recorded decks."""

from pathlib import Path

import pytest

from tourney.game.cards.card import short_name
from tourney.game.cards.glibc_rand import DefaultRandomEngine
from tourney.games.straights.suits import NEW_DECK

GOLDENS = Path(__file__).parents[3] / "golden" / "rng" / "straights_decks_libstdcxx.txt"
RECORDED = GOLDENS.read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("rng_seed", [0, 1])
def test_decks_fall_as_the_original_library_shuffles_them(rng_seed: int) -> None:
    """Four rounds in a row, each shuffled from the order of the one before."""
    engine, deck = DefaultRandomEngine(rng_seed), list(NEW_DECK)
    lines = [line for line in RECORDED if line.startswith(f"seed={rng_seed} ")]
    assert len(lines) == 4
    for line in lines:
        engine.shuffle(deck)
        assert " ".join(map(short_name, deck)) == line.partition(": ")[2]


def test_the_ten_thousandth_number_is_the_standards() -> None:
    """The C++ standard gives this one number for minstd_rand0 with its default seed."""
    engine = DefaultRandomEngine(1)
    assert [engine() for _ in range(10_000)][-1] == 1_043_618_065


@pytest.mark.parametrize(
    ("rng_seed", "same"), [(0, 1), (2**31 - 1, 1), (2**31, 1), (2**31 + 43, 44)]
)
def test_seeds_count_by_their_remainder(rng_seed: int, same: int) -> None:
    """Nought, which the generator cannot leave, counts as one."""
    assert DefaultRandomEngine(rng_seed)() == DefaultRandomEngine(same)()


@pytest.mark.parametrize("limit", [1, 2, 7, 2652, 2**30])
def test_every_number_below_the_limit_can_be_drawn(limit: int) -> None:
    """And no other; small limits are all met soon."""
    engine = DefaultRandomEngine(5)
    drawn = {engine.below(limit) for _ in range(200)}
    assert 0 <= min(drawn) <= max(drawn) < limit
    assert len(drawn) == limit or limit > 7


@pytest.mark.parametrize("number", [0, 1, 2, 3, 7, 8, 51])
def test_any_number_of_cards_can_be_shuffled(number: int) -> None:
    """Even and odd ones go different ways, and none is lost."""
    cards = list(range(number))
    DefaultRandomEngine(9).shuffle(cards)
    assert sorted(cards) == list(range(number))
