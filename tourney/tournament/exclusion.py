"""Exclusion: an entrant is taken off the board of a finished run, or put back."""

from tourney.errors import TourneyError
from tourney.plugins.fault_text import printable
from tourney.store.records import RunRecord
from tourney.store.store import Store


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
    if run.status != "finished":
        raise TourneyError(
            f"run {number} is not finished; wait for it, or play the rest with `tourney resume "
            f"{number}`, and exclude {record.name} then"
        )
    if reason is None and record.excluded is None:
        raise TourneyError(f"{record.name} is on the board of run {number} already")
    if reason is not None and not reason.strip():
        raise TourneyError(f"{record.name}: give a reason; it is stored with the run")
    others = [each for each in run.entrants if each.excluded is None and each is not record]
    if reason is not None and not others:
        raise TourneyError(
            f"{record.name} is the last entrant on the board of run {number}; to discard the run, "
            f"use `tourney runs --delete {number}`"
        )
    store.exclude_entrant(number, entrant, None if reason is None else printable(reason))
