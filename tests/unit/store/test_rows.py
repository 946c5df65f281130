"""No bit of a result is lost on its way through SQLite."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.proving import tried
from tourney.game.ledger import BlockKey, BlockResult, SeatResult, Verdict
from tourney.store.records import RunRecord
from tourney.store.store import Store

LIMIT = 2**63
numbers = st.one_of(st.sampled_from((0, 1, LIMIT - 1, -LIMIT)), st.integers(-LIMIT, LIMIT - 1))
chips = st.one_of(
    st.sampled_from((LIMIT - 1, LIMIT, -LIMIT, -LIMIT - 1, 2**64, 10**40)),
    st.integers(-(2**200), 2**200),
)
words = st.one_of(
    st.sampled_from((0, LIMIT - 1, LIMIT, 2 * LIMIT - 1)), st.integers(0, 2 * LIMIT - 1)
)
# Any code point at all, the halves of surrogate pairs included.
texts = st.text(st.characters(exclude_categories=()), max_size=20)
verdicts = st.builds(Verdict, texts, texts, numbers, numbers, texts, texts, texts)
seats = st.builds(
    SeatResult,
    seat=numbers,
    entrant=st.sampled_from((0, 1)),  # of the run; others are refused
    initial=chips,
    final=chips,
    lowest=chips,
    highest=chips,
    rounds=numbers,
    left_round=st.none() | numbers,
    handle=chips,
    squares=chips,
    mix=words,
    verdict=st.none() | verdicts,
)
keys = st.builds(BlockKey, numbers, numbers, numbers, numbers, numbers)
blocks = st.builds(
    BlockResult, keys, numbers, numbers, numbers, st.lists(seats, max_size=4).map(tuple)
)
batches = st.lists(blocks, max_size=4, unique_by=lambda block: block.key).map(tuple)


def test_every_result_comes_back_bit_for_bit(
    tmp_path_factory: pytest.TempPathFactory, record: RunRecord
) -> None:
    """Chips beyond 64 bits, mixes of all 64 bits and odd text survive; so does the order."""
    with Store(tmp_path_factory.mktemp("rows") / "tourney.db") as store:

        @tried(100)
        @given(batches)
        def check(batch: tuple[BlockResult, ...]) -> None:
            run = store.create_run(record).number
            store.add_batch(run, 0, 0, batch, 0.5, "worker 1")
            assert store.batch_results(run, 0) == batch
            assert set(store.blocks(run)) == set(batch)
            read = sorted(store.seat_results(run), key=repr)
            assert read == sorted(
                ((block.key, seat) for block in batch for seat in block.seats), key=repr
            )
            assert store.add_batch(run, 0, 0, batch, 0.5, "worker 1") is False

        check()
