"""Real tournaments of many tables: workers, kills and the store change no place."""

from dataclasses import replace

import pytest

from tourney.execution.workers.pool import InlineWorkers
from tourney.plugins.loading import load_plugins
from tourney.tournament.loading import enter_again
from tourney.tournament.stored_standings import standings_of
from tourney.tournament.tournament import Play, play_run

from .any_run import Club, PlayedRun

FORM = (
    "{kind: multi-table, seats: 3, block_rounds: 5, level_rounds: 5, rise_percent: 100, "
    "late_levels: 2, rebuys: 1, addon: 30, addon_level: 1, batch_tables: 2}"
)
ENTRANTS = (
    "{strategy: simple, count: 8, policy: {rebuys: 1, addon: true}}",
    "{strategy: counting, count: 7}",
    "{strategy: mimic, count: 3, policy: {late: 1}}",
)


class KilledError(Exception):
    """Stands for the end of a process."""


def interrupted(run: PlayedRun, batches: int) -> None:
    """Play the same tournament as another run of its store, and stop after some batches."""
    tournament, store = run.tournament, run.store
    record = store.create_run(replace(run.record, number=0, name=f"killed {batches}"))

    def kill(play: Play) -> None:
        if play.batches_done == batches:
            raise KilledError

    workers = InlineWorkers(tournament.specs(), "reference")
    with pytest.raises(KilledError):
        Play(tournament, store, record, workers, on_batch=kill).play()


def test_the_number_of_workers_is_no_matter(club: Club) -> None:
    """One process or two, one batch at a time or three: the same results and places."""
    one, two = (
        club.play(*ENTRANTS, form=FORM, workers=workers, batches_a_task=task)
        for workers, task in ((1, None), (2, 3))
    )
    assert one.digest == two.digest
    assert one.result.standings == two.result.standings


@pytest.mark.parametrize("batches", [1, 2, 5, 9])
def test_a_killed_run_resumes_to_the_same_places(club: Club, batches: int) -> None:
    """From what the store keeps alone, policies of entrants included."""
    whole = club.play(*ENTRANTS, form=FORM)
    interrupted(whole, batches)
    record = whole.store.run(f"killed {batches}")
    again = enter_again(record, load_plugins(), trusts_files=True)
    assert again.field.policies == whole.tournament.field.policies is not None
    result = play_run(again, whole.store, record)
    assert result.standings == whole.result.standings
    assert whole.store.run_digest(record.number) == whole.digest
    assert result.floor == whole.result.floor


def test_standings_can_be_folded_again(club: Club) -> None:
    """Following the same course through what is stored gives the same board."""
    run = club.play(*ENTRANTS, form=FORM)
    record = run.store.create_run(replace(run.record, number=0, name="copy"))
    for number in run.store.batch_numbers(run.record.number):
        results = run.store.batch_results(run.record.number, number)
        assert results is not None
        run.store.add_batch(record.number, 0, number, results, 0.0, "nobody")
    assert standings_of(run.tournament, run.store, record) == run.result.standings
