"""What is worth knowing besides results is kept with its batch."""

from collections.abc import Callable
from dataclasses import replace

from tourney.game.ledger import BlockKey, BlockResult, Remark, Verdict
from tourney.store.store import Store

MakeBatch = Callable[..., tuple[BlockResult, ...]]


def test_remarks_come_back_as_they_were_written(
    store: Store, run: int, make_batch: MakeBatch, verdict: Verdict
) -> None:
    """By entrant, then in the order in which batches came."""
    seen = replace(verdict, cause="cpu", seen="bankroll 5, wager from 5 to 5")
    unconfirmed = Remark(0, "not again", BlockKey(0, 0, 1, 0, 1), seen)
    warned, later = Remark(1, "half of it"), Remark(0, "half of it")
    store.add_batch(run, 0, 0, make_batch(), 0.1, "here", (warned, unconfirmed))
    store.add_batch(run, 0, 1, make_batch(2), 0.1, "here", (later,))
    found = tuple(store.remarks(run))
    assert found == (unconfirmed, later, warned)
    assert found[0].verdict
    assert found[0].verdict.seen == seen.seen


def test_a_batch_that_comes_again_brings_no_remarks(
    store: Store, run: int, make_batch: MakeBatch
) -> None:
    """It is stored with what was remarked when it was stored, or not at all."""
    store.add_batch(run, 0, 0, make_batch(), 0.1, "here")
    assert not store.add_batch(run, 0, 0, make_batch(), 0.1, "here", (Remark(0, "late"),))
    assert tuple(store.remarks(run)) == ()


def test_a_verdict_keeps_what_was_seen_and_whether_it_is_confirmed(
    store: Store, run: int, make_batch: MakeBatch, verdict: Verdict
) -> None:
    """Neither is part of a digest, and both are stored."""
    told = replace(verdict, seen="bankroll 5", is_confirmed=True)
    batch = make_batch(verdict=told)
    assert [each.digest for each in batch] == [each.digest for each in make_batch(verdict=verdict)]
    store.add_batch(run, 0, 0, batch, 0.1, "here")
    found = [seat.verdict for _, seat in store.faulted(run) if seat.verdict]
    assert {(each.seen, each.is_confirmed) for each in found} == {("bankroll 5", True)}


def test_remarks_end_with_their_run(store: Store, run: int, make_batch: MakeBatch) -> None:
    """Whoever deletes a run deletes them too."""
    store.add_batch(run, 0, 0, make_batch(), 0.1, "here", (Remark(0, "half of it"),))
    store.delete_run(run)
    assert tuple(store.remarks(run)) == ()
