"""Standings are kept with a run for as long as they hold."""

from collections.abc import Callable

import pytest

from tourney.errors import RunNotFoundError
from tourney.game.ledger import BlockResult
from tourney.store.records import RunRecord
from tourney.store.store import Store

MakeBatch = Callable[..., tuple[BlockResult, ...]]


@pytest.fixture
def whole(store: Store, run: int) -> RunRecord:
    """Give the run as the store gives it."""
    return store.run(run)


def test_standings_come_back_as_they_were_kept(store: Store, whole: RunRecord) -> None:
    """Where nothing was kept there is nothing."""
    assert store.standings(whole, "1") is None
    store.keep_standings(whole, "1", "first\nsecond")
    assert store.standings(whole, "1") == "first\nsecond"


def test_standings_of_another_version_are_none(store: Store, whole: RunRecord) -> None:
    """It may fold otherwise; its own take their place."""
    store.keep_standings(whole, "1", "old")
    assert store.standings(whole, "2") is None
    store.keep_standings(whole, "2", "new")
    assert (store.standings(whole, "1"), store.standings(whole, "2")) == (None, "new")


def test_a_new_batch_ends_what_was_kept(
    store: Store, whole: RunRecord, make_batch: MakeBatch
) -> None:
    """A run that goes on is folded again; the same batch once more changes nothing."""
    store.add_batch(whole.number, 0, 0, make_batch(), 0.1, "here")
    store.keep_standings(whole, "1", "of one batch")
    store.add_batch(whole.number, 0, 0, make_batch(), 0.1, "here")
    assert store.standings(whole, "1") == "of one batch"
    store.add_batch(whole.number, 0, 1, make_batch(2), 0.1, "here")
    assert store.standings(whole, "1") is None


def test_a_deleted_run_takes_its_standings_along(store: Store, whole: RunRecord) -> None:
    """And none can be kept of a run that is not there."""
    store.keep_standings(whole, "1", "gone")
    store.delete_run(whole.number)
    assert store.standings(whole, "1") is None
    with pytest.raises(RunNotFoundError):
        store.keep_standings(whole, "1", "late")
