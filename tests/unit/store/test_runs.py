"""Runs are numbered once, found by number or name, and leave nothing behind when deleted."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tourney.errors import RunNotFoundError, StoreError
from tourney.game.ledger import BlockResult
from tourney.store.records import RunRecord, RunSummary
from tourney.store.store import Store

MakeBatch = Callable[..., tuple[BlockResult, ...]]


def test_a_run_comes_back_as_it_was_created(store: Store, record: RunRecord) -> None:
    """Text, bytes, options and sources survive; the number is the store's."""
    created = store.create_run(record)
    assert created == replace(record, number=1)
    assert store.run(1) == created


def test_a_run_survives_closing_the_file(path: Path, record: RunRecord) -> None:
    """What is created is there for the next command."""
    with Store(path) as store:
        created = store.create_run(record)
    with Store.open(path, create=False) as store:
        assert store.run() == created
        assert store.path == path


def test_the_number_of_a_deleted_run_is_never_given_again(store: Store, record: RunRecord) -> None:
    """Somebody may have written the number down."""
    store.create_run(record)
    store.delete_run(store.create_run(record).number)
    assert store.create_run(record).number == 3


def test_no_reference_means_the_latest_run(store: Store, record: RunRecord) -> None:
    """A command without RUN shows what was played last."""
    store.create_run(record)
    store.create_run(record)
    assert store.run().number == store.run(None).number == 2


@pytest.mark.parametrize(("ref", "number"), [(1, 1), ("2", 2), ("demo", 3), ("2026", 4)])
def test_a_run_is_found_by_its_number_or_its_name(
    store: Store, record: RunRecord, ref: str | int, number: int
) -> None:
    """A name means its latest run, and may be made of digits where no run has that number."""
    for name in ("demo", "other", "demo", "2026"):
        store.create_run(replace(record, name=name))
    assert store.run(ref).number == number


@pytest.mark.parametrize("ref", [0, 2, -1, 10**30, "2", "9" * 30, "ᛒ", ""])
def test_an_unknown_run_is_answered_with_the_runs_there_are(
    store: Store, record: RunRecord, ref: str | int
) -> None:
    """Whoever mistyped a reference sees what to type."""
    store.create_run(record)
    with pytest.raises(
        RunNotFoundError, match=r"run .* is not in .*tourney\.db; its runs are 1 'demo'$"
    ):
        store.run(ref)


def test_a_mistyped_name_is_put_right(store: Store, record: RunRecord) -> None:
    """The nearest name is offered."""
    store.create_run(record)
    with pytest.raises(
        RunNotFoundError, match=r"run 'dmeo' is not in .* \(did you mean 'demo'\?\)"
    ):
        store.run("dmeo")


def test_a_long_list_of_runs_is_cut_short(store: Store, record: RunRecord) -> None:
    """An error names the latest ten runs."""
    for _ in range(11):
        store.create_run(record)
    with pytest.raises(
        RunNotFoundError, match=r"run 12 is not in .*; its runs are 11 'demo', .*, 2 'demo', …$"
    ):
        store.run(12)


def test_an_empty_store_says_how_to_fill_it(store: Store) -> None:
    """There is no latest run yet."""
    with pytest.raises(RunNotFoundError, match=r"has no runs; `tourney run CONFIG` plays one"):
        store.run()


def test_a_list_of_runs_counts_entrants_and_batches(
    store: Store, record: RunRecord, run: int, make_batch: MakeBatch
) -> None:
    """Progress is what is stored of what is expected."""
    store.create_run(replace(record, name="idle"))
    store.add_batch(run, 0, 0, make_batch(), 0.5, "worker 1")
    store.set_expected_batches(run, 8)
    with store.held(run):
        assert store.runs() == (
            RunSummary(1, "demo", record.created, None, "running", 2, 1, 8, rehearsal=True),
            RunSummary(2, "idle", record.created, None, "interrupted", 2, 0, None, rehearsal=True),
        )


def test_a_finished_run_can_be_reopened(store: Store, run: int) -> None:
    """A finished run may be extended, a failed one resumed."""
    store.finish_run(run, "finished", "2026-01-02T04:00:00Z")
    ended = store.run(run)
    store.reopen_run(run)
    assert (ended.status, ended.finished) == ("finished", "2026-01-02T04:00:00Z")
    assert (store.run(run).status, store.run(run).finished) == ("running", None)


def test_only_a_run_that_exists_can_be_changed(store: Store, make_batch: MakeBatch) -> None:
    """Nothing is written under a number that no run has."""
    with pytest.raises(RunNotFoundError):
        store.finish_run(5, "failed", "2026-01-02T04:00:00Z")
    with pytest.raises(RunNotFoundError):
        store.reopen_run(5)
    with pytest.raises(RunNotFoundError):
        store.set_expected_batches(5, 1)
    with pytest.raises(RunNotFoundError):
        store.delete_run(5)
    with pytest.raises(RunNotFoundError):
        store.add_batch(5, 0, 0, make_batch(), 0.5, "worker 1")


def test_equal_sources_are_archived_once(store: Store, record: RunRecord) -> None:
    """A strategy that enters every week costs the room of one."""
    store.create_run(record)
    store.create_run(record)
    assert store._database.first("SELECT count(*) FROM sources") == (1,)


def test_deleting_a_run_leaves_nothing_of_it(
    store: Store, record: RunRecord, run: int, make_batch: MakeBatch
) -> None:
    """Results go with their run, and sources with the last run that played them."""
    other = replace(record.entrants[0], digest=b"other", sources=(("other.py", "pass"),))
    both = (other, replace(other, number=1, name="another"))
    kept = store.create_run(replace(record, entrants=both)).number
    store.add_batch(run, 0, 0, make_batch(), 0.5, "worker 1")
    store.add_batch(kept, 0, 0, make_batch(), 0.5, "worker 1")
    store.delete_run(run)
    counts = {
        name: store._database.first(f"SELECT count(*) FROM {name}")  # noqa: S608 - names below
        for name in ("runs", "entrants", "sources", "batches", "blocks", "seats")
    }
    assert counts == {
        "runs": (1,),
        "entrants": (2,),
        "sources": (1,),
        "batches": (1,),
        "blocks": (2,),
        "seats": (4,),
    }
    assert store.batch_results(kept, 0) == make_batch()


def test_text_that_utf_8_cannot_hold_is_refused_in_plain_words(
    store: Store, record: RunRecord
) -> None:
    """A run is created whole or not at all."""
    with pytest.raises(StoreError, match=r"cannot be stored: .* valid Unicode text"):
        store.create_run(replace(record, name="\ud800"))
    assert store.runs() == ()
