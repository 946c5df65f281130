"""Standings are kept with a run for as long as they hold."""

from collections.abc import Callable

import pytest

from tourney.errors import RunNotFound
from tourney.ledger import BlockResult
from tourney.store import Store

MakeBatch = Callable[..., tuple[BlockResult, ...]]


def test_standings_come_back_as_they_were_kept(store: Store, run: int) -> None:
    """Where nothing was kept there is nothing."""
    assert store.standings(run, "1") is None
    store.keep_standings(run, "1", "first\nsecond")
    assert store.standings(run, "1") == "first\nsecond"


def test_standings_of_another_version_are_none(store: Store, run: int) -> None:
    """It may fold otherwise; its own take their place."""
    store.keep_standings(run, "1", "old")
    assert store.standings(run, "2") is None
    store.keep_standings(run, "2", "new")
    assert (store.standings(run, "1"), store.standings(run, "2")) == (None, "new")


def test_a_new_batch_ends_what_was_kept(store: Store, run: int, make_batch: MakeBatch) -> None:
    """A run that goes on is folded again; the same batch once more changes nothing."""
    store.add_batch(run, 0, 0, make_batch(), 0.1, "here")
    store.keep_standings(run, "1", "of one batch")
    store.add_batch(run, 0, 0, make_batch(), 0.1, "here")
    assert store.standings(run, "1") == "of one batch"
    store.add_batch(run, 0, 1, make_batch(2), 0.1, "here")
    assert store.standings(run, "1") is None


def test_a_deleted_run_takes_its_standings_along(store: Store, run: int) -> None:
    """And none can be kept of a run that is not there."""
    store.keep_standings(run, "1", "gone")
    store.delete_run(run)
    assert store.standings(run, "1") is None
    with pytest.raises(RunNotFound):
        store.keep_standings(run, "1", "late")
