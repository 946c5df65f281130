"""Formats that decide by results: places depend on the configuration and the players alone."""

import json

import pytest

from tourney.standings.data import as_csv, as_json
from tourney.tournament.audit import verify_run
from tourney.tournament.loading import run_record
from tourney.tournament.tournament import Play, play_run

from .any_run import Club, PlayedRun

SEVEN = (
    "strategy: simple",
    "strategy: counting",
    "strategy: chaser",
    "strategy: sharp",
    "strategy: mimic",
    "strategy: progression",
    "{strategy: simple, as: Simple 2}",
)
FORMS = (
    "{kind: knockout, seats: 3, wildcards: 1, reentries: 1, rounds: 12, times: 6, batch_tables: 2}",
    "{kind: elimination-blackjack, seats: 4, advance: 2, rounds: 12, out_after: [4, 8], "
    "times: 6, batch_tables: 2}",
    "{kind: roundrobin, rounds: 8, seatings: all, batch_tables: 2}",
    "{kind: swiss, rounds: 8, waves: 4, batch_tables: 1}",
    "{kind: ladder, rounds: 8, waves: 5, batch_tables: 1}",
)
EITHER = pytest.mark.parametrize(
    "form", FORMS, ids=["knockout", "elimination", "roundrobin", "swiss", "ladder"]
)


class Stopped(Exception):  # noqa: N818 - no error: the test's own way out
    """Ends a run before it is over."""


@EITHER
def test_the_number_of_workers_and_dealers_is_no_matter(club: Club, form: str) -> None:
    """Every hand and every place is the same; with fewer dealers it only takes longer."""
    alone = club.play(*SEVEN, form=form)
    together = club.play(*SEVEN, form=form, workers=2, batches_a_task=1)
    fewer = club.play(*SEVEN, form=form, floor="{tables: 4, dealers: 1}")
    assert alone.digest == together.digest == fewer.digest
    assert alone.result.standings == together.result.standings == fewer.result.standings


@pytest.mark.prove
@EITHER
def test_a_run_that_was_stopped_goes_on_to_the_same_places(club: Club, form: str) -> None:
    """Wherever it was stopped."""
    whole = club.play(*SEVEN, form=form)
    for batches in (1, 4, 9):
        resumed = _stopped_and_resumed(club, whole, batches)
        assert resumed == whole.result.standings


@EITHER
def test_boards_of_equals_leave_all_ranks_open(club: Club, form: str) -> None:
    """Their places are won, but no order is claimed, wherever the board is shown."""
    rows = club.play("{strategy: simple, count: 7}", form=form).result.standings
    assert {row.rank_set for row in rows} == {(1, 7)}
    assert as_csv(rows).splitlines()[1].split(",")[1] == "1 to 7"
    assert {row["rank_set"] for row in json.loads(as_json(rows))} == {"1 to 7"}


def test_who_is_better_is_told_in_a_long_round_robin(club: Club) -> None:
    """Finisher bets by what the other one has; among the others nobody is told apart."""
    form = "{kind: roundrobin, rounds: 20, times: 30}"
    club_of = ("{strategy: simple, count: 4}", "strategy: finisher")
    rows = club.play(*club_of, form=form).result.standings
    assert rows[0].name == "finisher"
    assert [row.rank_set for row in rows] == [(1, 1), *[(2, 5)] * 4]


@EITHER
def test_batches_can_be_verified(club: Club, form: str) -> None:
    """They are drawn again from what is stored."""
    whole = club.play(*SEVEN, form=form)
    seen = verify_run(whole.tournament, whole.store, whole.record, sample=None)
    assert (seen.replayed, seen.differing) == (seen.stored, ())
    assert seen.stored > 9


def _stopped_and_resumed(club: Club, whole: PlayedRun, batches: int) -> object:
    """Play as many batches of a run again as another one, stop, go on, and give the standings."""

    def stop(play: Play) -> None:
        if play.batches_done == batches:
            raise Stopped

    record = whole.store.create_run(run_record(whole.tournament))
    with pytest.raises(Stopped):
        play_run(whole.tournament, whole.store, record, on_batch=stop)
    result = play_run(whole.tournament, whole.store, whole.store.run(record.number))
    assert whole.store.run_digest(record.number) == whole.digest
    return result.standings
