"""What `verify` says of a damaged store, and `verify --repair`: what is lost is played again."""

from collections.abc import Sequence
from pathlib import Path

from tourney.cli.options import note, prints_aside
from tourney.event.audit import Soundness, look_over
from tourney.event.entering import Tournament
from tourney.event.run_standings import fold_anew, standings_of
from tourney.event.store import RunRecord, Store, salvage
from tourney.event.tournament import play_run

REMEDY = "to keep what is sound and play the rest again: tourney verify {} --repair"

MOST_TOLD = 10
"""Faults of a file, or batches, that are told one by one."""


def faults_told(store: Path) -> int:
    """Say what SQLite finds wrong with a store; give how much."""
    with Store.open(store, create=False) as kept:
        faults = kept.faults()
    _tell(
        [f"{store}: expected a sound file, got: {fault}" for fault in faults], REMEDY.format("RUN")
    )
    return len(faults)


def mend_file(store: Path) -> None:
    """Put what is sound of a store into its place, if SQLite finds it damaged."""
    if not faults_told(store):
        return
    done = salvage(store)
    note(f"{store}: what is sound of it was saved; as it was, it is kept as {done.aside}")
    for run in done.lost:
        note(f"run {run} is lost: its configuration, its entrants or their sources are damaged")


def mend_run(
    tournament: Tournament, store: Store, run: RunRecord, workers: int, engine: str
) -> RunRecord:
    """Drop batches that are not sound, and play them again if the run was over.

    Returns: The run as it is then.
    """
    dropped: list[int] = []
    store.drop_batches(run.number, ())  # with what belongs to no batch
    while bad := look_over(tournament, store, run).damaged:
        store.drop_batches(run.number, bad)
        dropped += bad
    if dropped:
        note(f"run {run.number}: {_batches(dropped)} dropped, to be played again")
    if run.status == "finished":
        store.reopen_run(run.number)
        again = store.run(run.number)
        with prints_aside():
            play_run(tournament, store, again, workers=workers, engine=engine)
        if strange := look_over(tournament, store, run).unreached:
            store.drop_batches(run.number, strange)
            note(f"run {run.number}: {_batches(strange)} dropped, which its format does not have")
        store.finish_run(run.number, "finished", run.finished or "")
    return store.run(run.number, checks_digest=False)


def is_whole(run: RunRecord, seen: Soundness) -> bool:
    """Say whether every batch is what was written and has its place, and tell which is not."""
    lines = [
        f"batch {batch}: expected what was stored, got a damaged or changed one"
        for batch in seen.damaged
    ]
    lines += [
        f"batch {batch}: expected one that the format comes to, got one that it does not have, or "
        "not before others that are missing"
        for batch in seen.unreached
    ]
    _tell(lines, REMEDY.format(run.number))
    return not lines


def digest_fits(run: RunRecord, seen: Soundness) -> bool:
    """Say whether a finished run has the digest that it finished with, and tell if not."""
    if run.status != "finished" or run.digest == seen.digest:
        return True
    note(
        f"run {run.number}: expected the digest that it finished with, "
        f"{(run.digest or b'').hex() or 'none'}, got {seen.digest.hex()} from what is stored now: "
        "batches are missing or were added, or the digest was changed (to play what is missing and "
        f"to have the digest that all batches give: tourney verify {run.number} --all --repair)"
    )
    return False


def board_holds(tournament: Tournament, store: Store, run: RunRecord) -> bool:
    """Say whether the standings that were kept are what results come to, and tell if not."""
    if standings_of(tournament, store, run) == fold_anew(tournament, store, run):
        return True
    note(
        f"run {run.number}: expected the board that its results come to, got another that was kept "
        f"(to fold it again: tourney verify {run.number} --repair)"
    )
    return False


def _tell(lines: Sequence[str], remedy: str) -> None:
    for line in lines[:MOST_TOLD]:
        note(line)
    if len(lines) > MOST_TOLD:
        note(f"and {len(lines) - MOST_TOLD:,} more")
    if lines:
        note(remedy)


def _batches(numbers: Sequence[int]) -> str:
    what = "batch" if len(numbers) == 1 else "batches"
    more = f" and {len(numbers) - MOST_TOLD:,} more" if len(numbers) > MOST_TOLD else ""
    return f"{what} {', '.join(map(str, numbers[:MOST_TOLD]))}{more}"
