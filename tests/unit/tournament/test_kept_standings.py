"""The leaderboard of a run is what its results come to, kept or folded again."""

from pathlib import Path

import pytest

from tourney import play_tournament
from tourney.plugins.loading import load_plugins
from tourney.standings.standing import Standing, fold_version
from tourney.store.store import Store
from tourney.tournament.loading import enter_again
from tourney.tournament.stored_standings import standings_of
from tourney.tournament.tournament import resume_tournament

CONFIG = """\
name: Kept
seed: 3
game: ve280
bankroll: 100
minimum: 5
format: {kind: duplicate, tables: 4, rounds: 50, block_rounds: 20}
entrants: [{strategy: simple}, {strategy: counting}]
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Give the store of a run that was played."""
    (tmp_path / "kept.yaml").write_text(CONFIG, encoding="utf-8")
    play_tournament(tmp_path / "kept.yaml", store=tmp_path / "kept.db", engine="reference")
    return tmp_path / "kept.db"


def board(path: Path, *, is_kept: bool) -> tuple[Standing, ...]:
    """Give the standings of the run, and make sure where they come from."""
    with Store.open(path, create=False) as store:
        run = store.run()
        assert (store.standings(run, fold_version()) is not None) == is_kept
        return standings_of(enter_again(run, load_plugins()), store, run)


def forget_a_batch(path: Path) -> None:
    """Leave a store as it is before the last batch of a run is written."""
    with Store.open(path, create=False) as store:
        last = max(store.batch_numbers(1))
        store._database.execute("DELETE FROM batches WHERE number = ?", (last,))
        store.reopen_run(1)


def test_kept_standings_are_those_that_results_come_to(path: Path) -> None:
    """A finished run is folded once."""
    kept = board(path, is_kept=True)
    with Store.open(path, create=False) as store:
        store.keep_standings(store.run(1), "another version", "of other numbers")
    assert board(path, is_kept=False) == kept


def test_a_run_that_goes_on_is_folded_again(path: Path) -> None:
    """What it came to before is not what it comes to now."""
    kept = board(path, is_kept=True)
    forget_a_batch(path)
    assert board(path, is_kept=False) != kept
    resume_tournament(store=path)
    assert board(path, is_kept=True) == kept
