"""What was changed in a store is not taken for what was written."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from tourney.errors import StoreDamagedError
from tourney.game.cards.keys import Secret
from tourney.game.ledger import BlockResult, Remark, Verdict
from tourney.store.records import RunRecord
from tourney.store.recovery import salvage
from tourney.store.store import Store

MakeBatch = Callable[..., tuple[BlockResult, ...]]


@pytest.fixture
def whole(store: Store, run: int, make_batch: MakeBatch, verdict: Verdict) -> RunRecord:
    """Give a finished run of two batches, with a verdict and a remark."""
    store.add_batch(run, 0, 0, make_batch(), 0.5, "here")
    said = (Remark(0, "a word"),)
    store.add_batch(run, 0, 1, make_batch(2, verdict=verdict), 0.5, "here", said)
    store.finish_run(run, "finished", "2026-01-02T04:00:00Z")
    return store.run(run)


def change(path: Path, sql: str) -> None:
    """Do something to the file that no run does."""
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute(sql)


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE seats SET final = final + 500",
        "UPDATE seats SET rounds = rounds + 1 WHERE entrant = 1",
        "UPDATE seats SET luck = 0",
        "UPDATE seats SET verdict = NULL",
        "UPDATE seats SET verdict = replace(verdict, 'answer', 'move')",
        "UPDATE seats SET entrant = 5 WHERE entrant = 1",
        "UPDATE blocks SET cards = cards + 1",
        "UPDATE blocks SET position = 1 - position",
        "UPDATE batches SET digest = zeroblob(16)",
        "UPDATE batches SET wave = 1",
        "UPDATE batches SET worker = 'there'",
        "UPDATE remarks SET message = 'another word'",
        "DELETE FROM seats WHERE entrant = 1",
        "DELETE FROM remarks",
    ],
)
def test_a_batch_that_was_changed_is_not_read(
    path: Path, store: Store, whole: RunRecord, sql: str
) -> None:
    """Whatever is changed of it, and the message says how to mend it."""
    change(path, sql)
    with pytest.raises(StoreDamagedError, match=r"damaged or changed: .*verify 1 --repair"):
        tuple(store.blocks(whole.number))


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE seats SET verdict = replace(verdict, 'answer', 'move')",
        "UPDATE seats SET verdict = NULL",
        "UPDATE remarks SET message = 'another word'",
        "DELETE FROM remarks",
    ],
)
def test_verdicts_and_remarks_that_were_changed_are_not_read(
    path: Path, store: Store, whole: RunRecord, sql: str
) -> None:
    """Nor those whose neighbours were: a fault taken away is no better than one made up."""
    change(path, sql)
    with pytest.raises(StoreDamagedError):
        store.faulted(whole.number)
    with pytest.raises(StoreDamagedError):
        store.remarks(whole.number)


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE runs SET name = 'other'",
        "UPDATE runs SET config = ''",
        "UPDATE runs SET finished = NULL",
        "UPDATE runs SET rehearsal = 0",
        "UPDATE runs SET expected_batches = 7",
        "UPDATE runs SET digest = NULL",
        "UPDATE runs SET digest = zeroblob(16)",
        "UPDATE entrants SET name = 'best' WHERE number = 1",
        "UPDATE entrants SET author = NULL",
        "DELETE FROM entrants WHERE number = 1",
        'UPDATE sources SET files = \'[["bold.py", ""]]\'',
        "DELETE FROM batches WHERE number = 1",
    ],
)
@pytest.mark.usefixtures("whole")
def test_a_run_that_was_changed_is_not_read(path: Path, store: Store, sql: str) -> None:
    """Its configuration, its entrants, their sources, its digest, and how many batches it has."""
    change(path, sql)
    with pytest.raises(StoreDamagedError):
        store.run(1)


@pytest.mark.usefixtures("whole")
def test_a_run_that_was_taken_out_is_missed(path: Path, store: Store) -> None:
    """What it leaves behind tells, where nobody has deleted it in order."""
    change(path, "DELETE FROM runs")
    with pytest.raises(StoreDamagedError, match="run 1: its row is not as stored"):
        store.runs()


def test_a_digest_says_what_was_played_and_what_came_of_it(
    store: Store, whole: RunRecord, record: RunRecord, make_batch: MakeBatch, verdict: Verdict
) -> None:
    """Equal runs have the same, at any time; another name, shoe or result has another."""

    def digest(other: RunRecord, final: int = 900) -> bytes:
        run = store.create_run(other).number
        store.add_batch(run, 0, 0, make_batch(final=final), 1.0, "there")
        store.add_batch(run, 0, 1, make_batch(2, verdict=verdict), 1.0, "there")
        store.finish_run(run, "finished", "2027-01-01T00:00:00Z")
        found = store.run(run).digest
        assert found
        return found

    assert digest(replace(record, created="2027-01-01T00:00:00Z")) == whole.digest
    renamed = (replace(record.entrants[0], name="brave"), record.entrants[1])
    other = Secret(record.secret, b"other", is_rehearsal=True)
    others = [
        digest(record, final=901),
        digest(replace(record, salt=other.salt, commitment=other.commitment)),
        digest(replace(record, config="name: other\n")),
        digest(replace(record, entrants=renamed)),
    ]
    assert len({whole.digest, *others}) == 5


def test_kept_standings_hold_for_the_batches_they_were_folded_from(
    path: Path, store: Store, whole: RunRecord
) -> None:
    """Edited ones, and those of other batches, are as if none were there."""
    store.keep_standings(whole, "1", "first")
    assert store.standings(whole, "1") == "first"
    change(path, "UPDATE standings SET lines = 'second'")
    assert store.standings(whole, "1") is None
    store.keep_standings(whole, "1", "first")
    change(path, "UPDATE batches SET digest = zeroblob(16) WHERE number = 1")
    assert store.standings(whole, "1") is None


@pytest.mark.parametrize(
    "sql",
    [
        "CREATE VIEW board AS SELECT * FROM seats",
        "CREATE TRIGGER helpful AFTER INSERT ON batches BEGIN UPDATE seats SET final = 9; END",
        "CREATE TABLE notes (text)",
        "DROP VIEW played",
    ],
)
@pytest.mark.usefixtures("whole")
def test_only_the_shape_that_scripts_make_is_accepted(path: Path, sql: str) -> None:
    """Views and triggers of others would decide what is read."""
    change(path, sql)
    with pytest.raises(StoreDamagedError, match="are not as tourney made them"):
        Store(path)


def test_what_is_sound_of_a_damaged_file_is_saved(
    path: Path, store: Store, whole: RunRecord, make_batch: MakeBatch
) -> None:
    """Sound batches come back, damaged ones do not, and the damaged file is kept beside."""
    change(path, "UPDATE seats SET final = 1 WHERE table_number = 2")
    store.close()
    saved = salvage(path)
    assert (saved.runs, saved.lost) == ((1,), ())
    assert saved.aside.exists()
    with Store(path) as again:
        assert again.faults() == ()
        assert again.batch_numbers(1) == {0}
        assert again.batch_results(1, 0) == make_batch()
        assert again.run(1, checks_digest=False).digest == whole.digest


def test_an_author_is_forgotten_and_no_digest_changes(store: Store, whole: RunRecord) -> None:
    """Only where the author is meant: of a team's by the name, and of own names always."""
    assert store.forget_author("Somebody", (), ("bolder",)) == {}
    assert store.run(whole.number) == whole
    assert store.forget_author("Ada Lovelace", (), ("bolder",)) == {whole.number: ()}
    again = store.run(whole.number)
    assert [each.author for each in again.entrants] == [None, None]
    assert again.digest == whole.digest == store.digest(again)
    assert store.forget_author("Ada Lovelace", ("bolder",), ()) == {whole.number: (1,)}


def test_what_was_changed_is_not_sealed_when_an_author_is_forgotten(
    path: Path, store: Store, whole: RunRecord
) -> None:
    """And nothing is forgotten."""
    change(path, "UPDATE entrants SET name = 'best' WHERE number = 0")
    with pytest.raises(StoreDamagedError):
        store.forget_author("Ada Lovelace", ("bolder",), ())
    change(path, "UPDATE entrants SET name = 'bold' WHERE number = 0")
    assert store.run(whole.number) == whole
