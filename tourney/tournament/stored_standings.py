"""The standings of a stored run, and the exclusion of entrants from them."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from tourney import lazy
from tourney.errors import TourneyError
from tourney.plugins.fault_text import printable
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


def exclude(store: Store, run: RunRecord, entrant: int, reason: str | None) -> None:
    """Take an entrant off the board of a run; its results stay, so the run can be verified.

    Args:
        store: The store of the run.
        run: The run.
        entrant: The number of the entrant.
        reason: Why; stored with the run. `None` puts the entrant back.
    Raises: TourneyError, if the run is not finished, the entrant is on the board already, the
        reason is empty, or nobody would be left.
    """
    record, number = run.entrants[entrant], run.number
    where = shlex.quote(str(store.path))
    if run.status != "finished":
        raise TourneyError(
            f"run {number} is not finished; wait for it, or play the rest with `tourney resume "
            f"{number} --store {where}`, and exclude {record.name} then"
        )
    if reason is None and record.excluded is None:
        raise TourneyError(f"{record.name} is on the board of run {number} already")
    if reason is not None and not reason.strip():
        raise TourneyError(f"{record.name}: give a reason; it is stored with the run")
    others = [each for each in run.entrants if each.excluded is None and each is not record]
    if reason is not None and not others:
        raise TourneyError(
            f"{record.name} is the last entrant on the board of run {number}; to discard the run, "
            f"use `tourney runs --delete {number} --store {where}`"
        )
    store.exclude_entrant(number, entrant, None if reason is None else printable(reason))
