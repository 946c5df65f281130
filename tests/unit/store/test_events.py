"""Events are written once for each wave and come back in order."""

from collections.abc import Callable

import pytest

from tourney.errors import RunNotFoundError
from tourney.game.ledger import BlockResult
from tourney.store.records import EventRecord
from tourney.store.store import Store

MakeBatch = Callable[..., tuple[BlockResult, ...]]

FIRST = (
    EventRecord(0.0, "level", None, None, 5),
    EventRecord(0.0, "seat", 0, 0, 0),
    EventRecord(0.0, "seat", 1, 0, 0),
)
LATER = (EventRecord(1200.5, "out", 1, None, 2),)


def test_events_come_back_in_order(store: Store, run: int) -> None:
    """Wave by wave, and one wave's by themselves."""
    assert store.add_events(run, 7, LATER) is True
    assert store.add_events(run, 0, FIRST) is True
    assert tuple(store.events(run)) == FIRST + LATER
    assert tuple(store.events(run, 7)) == LATER
    assert tuple(store.events(run, 1)) == ()


def test_events_of_a_wave_are_written_once(store: Store, run: int) -> None:
    """Whoever comes second changes nothing."""
    store.add_events(run, 0, FIRST)
    assert store.add_events(run, 0, LATER) is False
    assert tuple(store.events(run)) == FIRST


def test_a_new_batch_ends_what_was_told_after_its_wave(
    store: Store, run: int, make_batch: MakeBatch
) -> None:
    """A run that is extended has another story from there on."""
    store.add_events(run, 0, FIRST)
    store.add_events(run, 1, LATER)
    store.add_batch(run, 1, 9, make_batch(), 0.5, "worker 1")
    assert tuple(store.events(run)) == FIRST + LATER
    store.add_batch(run, 0, 10, make_batch(7), 0.5, "worker 1")
    assert tuple(store.events(run)) == FIRST


def test_events_end_with_their_run(store: Store, run: int) -> None:
    """And no run is no place for them."""
    store.add_events(run, 0, FIRST)
    store.delete_run(run)
    assert tuple(store.events(run)) == ()
    with pytest.raises(RunNotFoundError):
        store.add_events(run, 0, FIRST)


def test_the_status_of_a_run_is_asked_for_by_itself(store: Store, run: int) -> None:
    """Whoever waits for results asks often, and waits for nobody if nobody plays."""
    assert store.status(run) == "interrupted"
    with store.held(run):
        assert store.status(run) == "running"
    store.finish_run(run, "finished", "2026-12-01T12:00:00+00:00")
    assert store.status(run) == "finished"
    with pytest.raises(RunNotFoundError):
        store.status(run + 1)
