"""`verify`: whether all that is stored is what was written, and whether it plays as it did.

Also what it says of a damaged store, and `verify --repair`: what is lost is played again.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click

from tourney.cli.anchor_options import AUTHORITIES, PUBLIC_VALUE, anchor_option
from tourney.cli.options import (
    ENGINE,
    NO_SANDBOX,
    RUN,
    STORE,
    WORKERS,
    NamedFile,
    note,
    prints_aside,
    refuse_beside,
    shared_option,
)
from tourney.cli.run_warnings import note_confinement
from tourney.errors import StoreDamagedError
from tourney.fairness.anchors import read_anchor
from tourney.formats.stages import is_of_plugins
from tourney.plugins.loading import load_plugins
from tourney.report.publish.site_report import SiteReport
from tourney.report.publish.verify_site import verify_site
from tourney.store.records import RunRecord
from tourney.store.recovery import salvage
from tourney.store.store import Store
from tourney.tournament.audit import Soundness, Verification, look_over, verify_run
from tourney.tournament.divergence import explained, other_versions
from tourney.tournament.loading import Tournament, enter_again
from tourney.tournament.stored_standings import refold, standings_of
from tourney.tournament.tournament import play_run

SAMPLE = 20
MOST_DIFFERENCES = 100
"""Between a site and what it proves, that are told."""


@click.command("verify")
@RUN
@STORE
@WORKERS
@ENGINE
@click.option("--full", "everything", is_flag=True, help="Replay every batch.")
@click.option(
    "--sample",
    type=click.IntRange(1),
    metavar="N",
    default=None,
    show_default=str(SAMPLE),
    help="Replay this many random batches; for a site, this many tables, by default all.",
)
@shared_option(
    "--site", type=NamedFile(exists=True, file_okay=False, path_type=Path), metavar="DIR"
)
@anchor_option()
@PUBLIC_VALUE
@AUTHORITIES
@click.option(
    "--repair",
    "repairs",
    is_flag=True,
    help="Delete damaged parts first, and play them again.",
)
@NO_SANDBOX
def verify_command(
    run: str | None,
    store: Path,
    site: Path | None,
    anchor: Path | None,
    public_value: str,
    authorities: tuple[Path, ...],
    workers: int,
    engine: str,
    everything: bool,
    sample: int | None,
    repairs: bool,
    trust_submissions: bool,
) -> int:
    """Check that a run is as it was stored, and play it again.

    All that is stored is read and has to give its digests; replayed batches have to give them,
    too. RUN is a number or a name; without it the latest run is meant. With --site a published
    site is verified from its files alone, without a store or a competitor: the board is counted
    again from the published tables, the pages are made again from the data, and published hands
    are dealt again from the secret. With --anchor its commitments are compared with the anchor.
    """
    if everything:
        refuse_beside("--full", "sample")
    if site:
        refuse_beside("--site", "run", "store", "repairs")
        report = verify_site(
            site,
            load_plugins(),
            None if everything else sample,
            anchor=read_anchor(anchor) if anchor else None,
            roots=authorities,
            public_value=public_value,
        )
        return _show_proofs(site, report)
    if anchor or public_value or authorities:
        raise click.UsageError(
            "expected --site beside --anchor, --public-value and --authority, got none"
        )
    if repairs:
        mend_file(store)
    elif faults_told(store):
        return 1
    with Store.open(store, create=False) as kept:
        record = kept.run(run, checks_digest=False)
        tournament = enter_again(record, load_plugins(), trusts_files=trust_submissions, tell=note)
        if repairs:
            with kept.held(record.number, note):
                record = mend_run(tournament, kept, record, workers, engine)
        over = look_over(tournament, kept, record)
        is_sound = is_whole(tournament, record, over) and count_fits(kept, record)
        if not (is_sound and board_holds(tournament, kept, record)):
            return 1
        with prints_aside():
            seen = verify_run(
                tournament,
                kept,
                record,
                sample=None if everything else sample or SAMPLE,
                workers=workers,
                engine=engine,
            )
        if repairs and everything and not seen.differing and record.digest != over.digest:
            record = kept.keep_digest(record)
            note(
                f"run {record.number}: every batch plays as stored: this is its digest from now on"
            )
    show_replays(record, seen, tournament)
    if record.status == "finished":
        click.echo(f"run {record.number}: digest {over.digest.hex()}")
    return 0 if digest_fits(record, over) and not seen.differing else 1


def show_replays(run: RunRecord, seen: Verification, tournament: Tournament) -> None:
    """Say which batches gave the stored digests when they were played again."""
    same = seen.replayed - len(seen.differing)
    click.echo(
        f"run {run.number}: {same} of {seen.replayed} replayed batches give the stored "
        f"digests ({seen.stored} stored)"
    )
    note_confinement(replace(run, confinement=tournament.confinement or ""), was_seen=True)
    for differing in seen.differing:
        note(f"batch {differing.batch.number}: expected the stored digest, got another")
        for _, line in explained(differing, [label.name for label in tournament.labels]):
            note(line)
        if differing.game or (differing.suspects and differing.is_game_in_doubt):
            asked = f"tourney check --game {tournament.config.game.preset}"
            note(f"whether the game is always the same, and how to mend it, says: {asked}")
    if seen.differing:
        for line in other_versions(run):
            note(line)


def _show_proofs(folder: Path, report: SiteReport) -> int:
    """Say what was found of a site, and give the exit status."""
    for line in report.verified:
        click.echo(f"verified: {line}")
    for line in report.open:
        click.echo(f"not verified: {line}")
    for line in report.differing[:MOST_DIFFERENCES]:
        note(line)
    count = len(report.differing)
    if count > MOST_DIFFERENCES:
        note(f"and {count - MOST_DIFFERENCES:,} more")
    if not count:
        return 0
    note(f"{folder}: {count:,} differences" if count > 1 else f"{folder}: 1 difference")
    return 1


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


def is_whole(tournament: Tournament, run: RunRecord, seen: Soundness) -> bool:
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
    if lines and is_of_plugins(tournament.format):
        note("its format is a plugin's: if that decides by more than results and lots, as by")
        note("`random` or a clock, no batch fits, and no store is at fault")
    _tell(lines, REMEDY.format(run.number))
    return not lines


def count_fits(store: Store, run: RunRecord) -> bool:
    """Say whether a finished run has as many batches as it says, and tell if not."""
    try:
        store.check_count(run.number)
    except StoreDamagedError as error:
        note(str(error))
        return False
    return True


def digest_fits(run: RunRecord, seen: Soundness) -> bool:
    """Say whether a finished run has the digest that it finished with, and tell if not."""
    if run.status != "finished" or run.digest == seen.digest:
        return True
    note(
        f"run {run.number}: expected the digest that it finished with, "
        f"{(run.digest or b'').hex() or 'none'}, got {seen.digest.hex()} from what is stored now: "
        "batches are missing or were added, or the digest was changed (to play what is missing and "
        f"to have the digest that all batches give: tourney verify {run.number} --full --repair)"
    )
    return False


def board_holds(tournament: Tournament, store: Store, run: RunRecord) -> bool:
    """Say whether the standings that were kept are what results come to, and tell if not."""
    if standings_of(tournament, store, run) == refold(tournament, store, run):
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
