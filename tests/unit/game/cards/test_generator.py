"""The published generator against its vectors, NumPy, and a slow one written from the paper."""

from collections import Counter
from collections.abc import Iterator
from itertools import islice, permutations, product
from math import factorial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tourney.game.cards import generator
from tourney.game.cards.generator import Generator, Group, draw, draw_group, groups

WORD = 2**64


def philox(counter: tuple[int, ...], key: tuple[int, int]) -> tuple[int, ...]:
    """Philox4x64-10, round by round as the paper has it."""
    c0, c1, c2, c3 = counter
    k0, k1 = key
    for _ in range(10):
        high0, low0 = divmod(c0 * 0xD2E7470EE14C6C93, WORD)
        high1, low1 = divmod(c2 * 0xCA5A826395121157, WORD)
        c0, c1, c2, c3 = high1 ^ c1 ^ k0, low1, high0 ^ c3 ^ k1, low0
        k0, k1 = (k0 + 0x9E3779B97F4A7C15) % WORD, (k1 + 0xBB67AE8584CAA73B) % WORD
    return c0, c1, c2, c3


def slow_halves(key: bytes, stream: int) -> Iterator[int]:
    """Give the halves of a stream with nothing but whole numbers."""
    k0, k1 = (int.from_bytes(key[i : i + 8], "little") for i in (0, 8))
    block = 1
    while True:
        for word in philox((block, stream, 0, 0), (k0, k1)):
            yield word % 2**32
            yield word // 2**32
        block += 1


@pytest.mark.parametrize(
    ("counter", "key", "expected"),
    [
        (
            (0, 0, 0, 0),
            (0, 0),
            (0x16554D9ECA36314C, 0xDB20FE9D672D0FDC, 0xD7E772CEE186176B, 0x7E68B68AEC7BA23B),
        ),
        (
            (WORD - 1,) * 4,
            (WORD - 1,) * 2,
            (0x87B092C3013FE90B, 0x438C3C67BE8D0224, 0x9CC7D7C69CD777B6, 0xA09CAEBF594F0BA0),
        ),
        (
            (0x243F6A8885A308D3, 0x13198A2E03707344, 0xA4093822299F31D0, 0x082EFA98EC4E6C89),
            (0x452821E638D01377, 0xBE5466CF34E90C6C),
            (0xA528F45403E61D95, 0x38C72DBD566E9788, 0xA5A1610E72FD18B5, 0x57BD43B5E52B7FE6),
        ),
    ],
)
def test_the_oracle_meets_the_published_vectors(
    counter: tuple[int, ...], key: tuple[int, int], expected: tuple[int, ...]
) -> None:
    """The known answers that come with Random123."""
    assert philox(counter, key) == expected


@given(key=st.binary(min_size=16, max_size=16), stream=st.integers(0, 2**63))
def test_a_stream_is_philox_of_block_and_stream(key: bytes, stream: int) -> None:
    """Across the border of two fetches from NumPy."""
    assert list(islice(Generator(key).halves(stream), 40)) == list(
        islice(slow_halves(key, stream), 40)
    )


def test_anyone_can_deal_again_with_numpy_alone() -> None:
    """Stream s is NumPy's Philox with the counter s << 64."""
    key = bytes(range(16))
    words = np.random.Philox(key=int.from_bytes(key, "little"), counter=7 << 64).random_raw(4)
    expected = [half for word in words for half in (int(word) % 2**32, int(word) // 2**32)]
    assert list(islice(Generator(key).halves(7), 8)) == expected


def test_streams_of_one_generator_may_be_read_in_turn() -> None:
    """Reading one stream does not disturb another."""
    shared = Generator(bytes(16))
    first, second = shared.halves(0), shared.halves(1)
    mixed = [(next(first), next(second)) for _ in range(30)]
    assert mixed == list(
        zip(
            islice(Generator(bytes(16)).halves(0), 30),
            islice(Generator(bytes(16)).halves(1), 30),
            strict=True,
        )
    )


@pytest.mark.parametrize("bounds", [(3,), (5, 4, 3), (7, 2), (6, 6)])
def test_draws_are_unbiased_to_the_last_number(
    bounds: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With halves of 10 bits, every combination comes equally often over all of them."""
    monkeypatch.setattr(generator, "HALF", 10)
    monkeypatch.setattr(generator, "HALF_MASK", 1023)
    size = int(np.prod(bounds))
    group = Group(bounds, 1024 % size)
    seen: Counter[tuple[int, ...]] = Counter()
    for half in range(1024):
        try:
            seen[tuple(draw_group(group, iter([half])))] += 1
        except StopIteration:
            continue
    assert set(seen) == set(product(*map(range, bounds)))
    assert set(seen.values()) == {1024 // size}


def test_a_half_serves_as_many_draws_as_fit() -> None:
    """The groups of a deck: four draws a half at first, and never a product above 2**26."""
    found = groups(tuple(range(52, 0, -1)))
    assert [len(group.bounds) for group in found] == [4, 4, 4, 4, 5, 5, 5, 6, 7, 8]
    assert all(np.prod(group.bounds) <= 2**26 for group in found)
    assert [group.rejected_below for group in found] == [
        2**32 % int(np.prod(group.bounds)) for group in found
    ]


def test_all_orders_of_few_cards_come_equally_often() -> None:
    """A chi-square of 24 orders over 24,000 shuffles stays below its 99.9 % point."""
    shuffles = 24_000
    seen: Counter[tuple[int, ...]] = Counter()
    shared = Generator(b"four little card")
    for stream in range(shuffles):
        seen[tuple(draw((4, 3, 2, 1), shared.halves(stream)))] += 1
    expected = shuffles / factorial(4)
    chi_square = sum((count - expected) ** 2 / expected for count in seen.values())
    assert len(seen) == len(list(permutations(range(4))))
    assert chi_square < 49.7
