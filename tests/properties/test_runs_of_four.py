"""What holds of runs holds at tables of four: results depend on batches and players alone."""

from random import Random

import pytest

from tourney.execution.workers.worker_choice import make_workers
from tourney.game.turns import Watcher
from tourney.standings.fold import rank
from tourney.standings.tallies import Count
from tourney.tournament.audit import find_blocks, replay_block, verify_run

from .any_run import STRAIGHTS, Club, PlayedRun

FIVE = (
    "{strategy: first-legal, as: One}",
    "{strategy: first-legal, as: Two}",
    "{strategy: thrifty, as: Three}",
    "{strategy: thrifty, as: Four}",
    "{file: quintet.py, as: Five}",
)
FORMS = pytest.mark.parametrize(
    "form",
    [
        "{kind: duplicate, tables: 8, rounds: 5, block_rounds: 2, batch_tables: 3}",
        "{kind: match, tables: 4, games: 2, batch_tables: 2}",
    ],
)

QUINTET = """\
from tourney import Card, StraightsPlayer, StraightsView


class Quintet(StraightsPlayer):
    decisions = 0

    def play(self, view: StraightsView) -> Card:
        Quintet.decisions += 1
        if Quintet.decisions % 90 == 0:
            raise RuntimeError
        cards = view.legal_plays or view.hand
        return cards[self.random.randrange(len(cards)) * Quintet.decisions % len(cards)]
"""


def play(club: Club, form: str, **how: int | None) -> PlayedRun:
    """Play five at Straights, one of whom keeps things in its class and fails now and then."""
    club.add_file("quintet.py", QUINTET)
    return club.play(*FIVE, form=form, game=STRAIGHTS, **how)  # type: ignore[arg-type]  # numbers


@pytest.mark.prove
@FORMS
@pytest.mark.parametrize(("workers", "batches_a_task"), [(1, 3), (2, None), (2, 1)])
def test_the_number_of_workers_is_no_matter(
    club: Club, form: str, workers: int, batches_a_task: int | None
) -> None:
    """Nor is how many batches travel together."""
    alone = play(club, form)
    together = play(club, form, workers=workers, batches_a_task=batches_a_task)
    assert together.digest == alone.digest
    assert together.result.standings == alone.result.standings
    assert together.result.floor == alone.result.floor


@pytest.mark.prove
@FORMS
def test_every_block_can_be_replayed(club: Club, form: str) -> None:
    """Alone and as a batch it comes to what is stored, verdicts too."""
    played = play(club, form)
    how = (played.tournament, played.store, played.record)
    places = {
        place[1]: place
        for table in {block.key.table for block in played.blocks(4)}
        for place in find_blocks(*how, 4, table)
    }
    for place in places.values():
        replay_block(*how, place, Watcher())  # raises if it comes to anything else
    assert len(places) == len(played.blocks(4))
    assert verify_run(*how, sample=None).differing == ()
    assert any(row.faults for row in played.result.standings)


@FORMS
def test_batches_may_be_played_in_any_order(club: Club, form: str) -> None:
    """The results and the standings are those of the run."""
    played = play(club, form)
    tournament = played.tournament
    (wave,) = tournament.format.schedule(tournament.field).waves()
    batches = list(wave)
    Random(3).shuffle(batches)
    count = Count(5, tournament.scoring)
    with make_workers(1, tournament.specs()) as crew:
        for one in crew.play(batches):
            assert played.store.batch_results(played.record.number, one.number) == one.results
            for result in one.results:
                count.take(result)
    how = (tournament.labels, tournament.scoring)
    ranked = rank(count.tallies, *how, orders=count.orders)
    assert ranked == played.result.standings
