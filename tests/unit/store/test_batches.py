"""Batches are stored whole, exactly once, and come back as they went in."""

from collections.abc import Callable
from dataclasses import replace
from hashlib import blake2b
from typing import Any

import pytest

from tourney.errors import DigestMismatchError, StoreError
from tourney.game.ledger import BlockKey, BlockResult, Verdict, batch_digest
from tourney.store.records import RunRecord
from tourney.store.store import Store

MakeBatch = Callable[..., tuple[BlockResult, ...]]


def test_a_batch_comes_back_in_its_own_order(store: Store, run: int, make_batch: MakeBatch) -> None:
    """The digest of a batch depends on the order of its blocks and seats."""
    batch = make_batch()
    assert store.add_batch(run, 0, 0, batch, 0.5, "worker 1") is True
    assert [block.key.table for block in batch] == [1, 0]
    assert store.batch_results(run, 0) == batch


def test_a_batch_that_is_not_there_is_none(store: Store, run: int) -> None:
    """None is not the same as a batch without blocks."""
    assert store.batch_results(run, 0) is None
    store.add_batch(run, 0, 0, (), 0.5, "worker 1")
    assert store.batch_results(run, 0) == ()


def test_a_block_without_seats_comes_back(store: Store, run: int) -> None:
    """A table where nobody sat down is still a result."""
    batch = (BlockResult(BlockKey(0, 0, 0, 0, 1), 0, 0, 0, ()),)
    store.add_batch(run, 0, 0, batch, 0.5, "worker 1")
    assert store.batch_results(run, 0) == tuple(store.blocks(run)) == batch
    assert list(store.seat_results(run)) == []


def test_the_same_batch_again_changes_nothing(
    store: Store, run: int, make_batch: MakeBatch
) -> None:
    """A worker may deliver twice."""
    store.add_batch(run, 0, 0, make_batch(), 0.5, "worker 1")
    assert store.add_batch(run, 0, 0, make_batch(), 9.0, "worker 2") is False
    assert store._database.first("SELECT seconds, worker FROM batches") == (0.5, "worker 1")


def test_a_batch_that_differs_is_a_loud_error(
    store: Store, run: int, make_batch: MakeBatch
) -> None:
    """One chip more is another result; the error names the first block that differs."""
    store.add_batch(run, 0, 4, make_batch(), 0.5, "worker 1")
    same, changed = make_batch()[0], make_batch(final=901)[1]
    with pytest.raises(
        DigestMismatchError, match="run 1, batch 4: stage 1, heat 1, table 1, seating 1"
    ):
        store.add_batch(run, 0, 4, (same, changed), 0.5, "worker 1")
    assert store.batch_results(run, 4) == make_batch()


def test_a_batch_with_a_block_less_is_a_loud_error(
    store: Store, run: int, make_batch: MakeBatch
) -> None:
    """The blocks that are there agree, and still it is another batch."""
    store.add_batch(run, 0, 0, make_batch(), 0.5, "worker 1")
    with pytest.raises(DigestMismatchError, match="batch 0: 1 new blocks, but 2 are stored"):
        store.add_batch(run, 0, 0, make_batch()[:1], 0.5, "worker 1")


def test_a_block_belongs_to_one_batch(store: Store, run: int, make_batch: MakeBatch) -> None:
    """A block of another batch takes the whole new batch with it."""
    store.add_batch(run, 0, 0, make_batch(table=0), 0.5, "worker 1")
    with pytest.raises(DigestMismatchError, match=r"batch 1: .*table 2, .*batch 0 already has"):
        store.add_batch(run, 0, 1, make_batch(table=1), 0.5, "worker 1")
    assert store.batch_numbers(run) == {0}
    assert len(list(store.blocks(run))) == 2


def test_a_block_comes_once_in_its_batch(store: Store, run: int, make_batch: MakeBatch) -> None:
    """Two results under one key would leave open which counts."""
    with pytest.raises(DigestMismatchError, match=r"table 2, .*the same batch already has"):
        store.add_batch(run, 0, 0, make_batch()[:1] * 2, 0.5, "worker 1")
    assert store.batch_numbers(run) == frozenset()


def test_runs_do_not_share_results(
    store: Store, run: int, record: RunRecord, make_batch: MakeBatch
) -> None:
    """The same block of another run is another block."""
    other = store.create_run(record).number
    store.add_batch(run, 0, 0, make_batch(), 0.5, "worker 1")
    assert store.add_batch(other, 0, 0, make_batch(final=1), 0.5, "worker 1") is True
    assert store.batch_results(run, 0) == make_batch()


def test_digests_are_those_of_the_results(store: Store, run: int, make_batch: MakeBatch) -> None:
    """The digest of a run is taken over its batches in order of number, not of arrival."""
    first, second = make_batch(table=0), make_batch(table=2)
    store.add_batch(run, 1, 7, second, 0.5, "worker 1")
    store.add_batch(run, 0, 3, first, 0.5, "worker 2")
    assert store.batch_digests(run) == {3: batch_digest(first), 7: batch_digest(second)}
    assert store.batch_numbers(run) == {3, 7}
    digests = batch_digest(first) + batch_digest(second)
    expected = blake2b(digests, digest_size=16, person=b"tourney.run").digest()
    assert store.run_digest(run) == expected


def test_seats_are_read_batch_by_batch(store: Store, run: int, make_batch: MakeBatch) -> None:
    """A batch is read whole, because its digest is taken again."""
    store.add_batch(run, 0, 1, make_batch(table=2), 0.5, "worker 1")
    store.add_batch(run, 0, 0, make_batch(table=0), 0.5, "worker 1")
    order = [(key.table, seat.entrant) for key, seat in store.seat_results(run)]
    assert order == [(table, entrant) for table in (1, 0, 3, 2) for entrant in (1, 0)]


def test_seats_are_read_while_they_are_asked_for(
    store: Store, run: int, make_batch: MakeBatch
) -> None:
    """A large run never has to fit into memory, and an iterator may be dropped."""
    store.add_batch(run, 0, 0, make_batch(), 0.5, "worker 1")
    seats = store.seat_results(run)
    key, seat = next(seats)
    assert (key, seat) == (make_batch()[0].key, make_batch()[0].seats[0])
    del seats
    assert store.add_batch(run, 0, 1, make_batch(table=2), 0.5, "worker 1") is True


def test_faulted_seats_are_found(
    store: Store, run: int, make_batch: MakeBatch, verdict: Verdict
) -> None:
    """A verdict comes back whole, whatever a competitor wrote into its message."""
    strange = replace(verdict, message="half a pair: \ud800, a nul: \0, ♠")
    store.add_batch(run, 0, 0, make_batch(table=0), 0.5, "worker 1")
    store.add_batch(run, 0, 1, make_batch(table=2, verdict=strange), 0.5, "worker 1")
    found = [(key.table, seat.entrant, seat.verdict) for key, seat in store.faulted(run)]
    assert found == [(2, 1, strange), (3, 1, strange)]


def test_a_message_is_no_part_of_a_digest(
    store: Store, run: int, make_batch: MakeBatch, verdict: Verdict
) -> None:
    """The first message stays, because messages may name addresses of objects."""
    other = replace(verdict, message="<object at 0x7f>")
    store.add_batch(run, 0, 0, make_batch(verdict=verdict), 0.5, "worker 1")
    assert store.add_batch(run, 0, 0, make_batch(verdict=other), 0.5, "worker 1") is False
    assert store.batch_results(run, 0) == make_batch(verdict=verdict)


def test_one_block_is_read_by_its_key(store: Store, run: int, make_batch: MakeBatch) -> None:
    """Replay asks for single blocks."""
    store.add_batch(run, 0, 0, make_batch(), 0.5, "worker 1")
    assert store.block_result(run, BlockKey(0, 0, 1, 0, 1)) == make_batch()[0]
    assert store.block_result(run, BlockKey(0, 0, 1, 0, 2)) is None


@pytest.mark.parametrize(
    ("wanted", "tables"),
    [
        ({}, [1, 0, 3, 2]),
        ({"table": 2}, [2]),
        ({"entrant": 1}, [1, 0, 3, 2]),
        ({"entrant": 2}, []),
        ({"entrant": 0, "table": 3}, [3]),
    ],
)
def test_blocks_are_chosen_by_entrant_and_table(
    store: Store, run: int, make_batch: MakeBatch, wanted: dict[str, Any], tables: list[int]
) -> None:
    """Blocks come batch by batch, in each batch's own order, with all their seats."""
    store.add_batch(run, 0, 1, make_batch(table=2), 0.5, "worker 1")
    store.add_batch(run, 0, 0, make_batch(table=0), 0.5, "worker 1")
    blocks = list(store.blocks(run, **wanted))
    assert [block.key.table for block in blocks] == tables
    assert all(len(block.seats) == 2 for block in blocks)


def test_a_number_beyond_64_bits_is_refused_in_plain_words(store: Store, run: int) -> None:
    """Only chips and squares may grow without limit; a table number cannot."""
    batch = (BlockResult(BlockKey(0, 0, 2**63, 0, 1), 0, 0, 0, ()),)
    with pytest.raises(StoreError, match="use whole numbers of 64 bits"):
        store.add_batch(run, 0, 0, batch, 0.5, "worker 1")
    assert store.batch_numbers(run) == frozenset()
