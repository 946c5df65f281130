"""The standings of a stored run: read if they were stored, otherwise computed from its results."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tourney import lazy
from tourney.standings.fold import fold, fold_blocks, rank
from tourney.standings.standing import (
    FINISH,
    PLACE,
    POINTS,
    Standing,
    fold_version,
    read_standings,
    with_best_play,
)
from tourney.standings.tallies import Count
from tourney.store.records import RunRecord
from tourney.store.store import Store
from tourney.tournament.loading import Tournament

if TYPE_CHECKING:
    from tourney.tournament import progress as course
else:
    course = lazy.Module("tourney.tournament.progress")


def standings_of(tournament: Tournament, store: Store, run: RunRecord) -> tuple[Standing, ...]:
    """Return the standings of a run, stored or computed."""
    lines = store.standings(run, fold_version())
    if lines is not None:
        return read_standings(lines)
    return refold(tournament, store, run)


def refold(tournament: Tournament, store: Store, run: RunRecord) -> tuple[Standing, ...]:
    """Compute the standings of a run from its results, even if they are stored."""
    return with_target(tournament, _folded(tournament, store, run))


def with_target(tournament: Tournament, standings: tuple[Standing, ...]) -> tuple[Standing, ...]:
    """Add the value of optimal play, if it is known."""
    return with_best_play(standings, tournament.rules, tournament.config.minimum)


def _folded(tournament: Tournament, store: Store, run: RunRecord) -> tuple[Standing, ...]:
    """Compute the standings of a run from its results."""
    how, excluded = (tournament.labels, tournament.scoring), tournament.excluded
    if tournament.measure is FINISH:
        count = Count(len(tournament.records), tournament.scoring)
        followed = course.retraced(tournament, store, run.number, count.take)
        return rank(
            count.tallies, *how, followed.finishes, better=followed.better, excluded=excluded
        )
    # Places and ratings need whole blocks.
    if tournament.measure in (PLACE, POINTS):
        return fold_blocks(store.blocks(run.number), *how, excluded)
    return fold(store.seat_results(run.number), *how, excluded)
