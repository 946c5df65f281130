"""`verify`: checks that stored data is unchanged and that play repeats.

`verify --repair` plays damaged batches again.
"""

import shlex
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import click

from tourney.cli.anchor_options import AUTHORITIES, PUBLIC_VALUE, anchor_option
from tourney.cli.options import (
    CONFINE,
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
from tourney.cli.run_warnings import note_confinement, warn_of_quarantine
from tourney.errors import (
    RunNotFoundError,
    StoreDamagedError,
    StoreNotFoundError,
    TourneyError,
)
from tourney.fairness.anchors import read_anchor
from tourney.formats.stages import is_of_plugins
from tourney.plugins.loading import load_plugins
from tourney.report.publish.published_results import SiteReport
from tourney.report.publish.verify_site import verify_site
from tourney.standings.standing import is_same_board
from tourney.store.records import RunRecord
from tourney.store.recovery import salvage
from tourney.store.store import Store
from tourney.tournament.audit import Soundness, Verification, look_over, verify_run
from tourney.tournament.divergence import explained, other_versions
from tourney.tournament.loading import Tournament, enter_again
from tourney.tournament.sandbox_level import check_confinable
from tourney.tournament.stored_standings import refold, standings_of
from tourney.tournament.tournament import play_run

SAMPLE = 20
MOST_DIFFERENCES = 100
"""Printed differences between a site and its proof."""


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
@CONFINE
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
    confine: str,
    trust_submissions: bool,
) -> int:
    """Check that a run is as it was stored, and play it again.

    All stored data is read and must match its digests; replayed batches must match, too. RUN is a
    number or a name; the default is the latest run. With --site a published site is verified from
    its
    files alone, without a store or a competitor: the board is counted again from the published
    tables,
    the pages are made again from the data, and published hands are dealt again from the secret.
    With
    --anchor its commitments are compared with the anchor.
    """
    if everything:
        refuse_beside("--full", "sample")
    if site:
        refuse_beside("--site", "run", "store", "repairs", "confine")
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
        raise click.UsageError("--anchor, --public-value and --authority need --site")
    _check_no_site(run, store)
    if repairs:
        repair_file(store)
    elif show_file_faults(store):
        return 1
    with Store.open(store, create=False) as kept:
        record = kept.run(run, checks_digest=False)
        asked = confined_all(record) if confine == "all" else record
        tournament = entered(asked, trusts_files=trust_submissions)
        if repairs:
            with kept.held(record.number, note):
                record = repair_run(tournament, kept, record, workers, engine)
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
    show_replays(asked, seen, tournament)
    if record.status == "finished":
        click.echo(f"run {record.number}: digest {over.digest.hex()}")
    return 0 if digest_fits(record, over) and not seen.differing else 1


def _check_no_site(run: str | None, store: Path) -> None:
    """Suggest --site for the folder of a site, unless a run of the store has its name.

    Raises: TourneyError.
    """
    if run is None or not (Path(run) / "data.json").is_file():
        return
    with (
        suppress(RunNotFoundError, StoreNotFoundError),
        Store.open(store, create=False) as kept,
    ):
        kept.run(run, checks_digest=False)
        return
    raise TourneyError(
        f"{run} is the folder of a site, not a run (did you mean "
        f"`tourney verify --site {shlex.quote(run)}`?)"
    )


def entered(run: RunRecord, *, trusts_files: bool) -> Tournament:
    """Make the tournament of a run again, to play it."""
    registry = load_plugins()
    warn_of_quarantine(registry)
    tournament = enter_again(run, registry, trusts_files=trusts_files, tell=note)
    if run.confines_all:
        check_confinable(tournament.entrants)
    return tournament


def confined_all(run: RunRecord) -> RunRecord:
    """Return a record whose installed strategies play in the sandbox, too, when it is replayed."""
    return replace(run, settings=(*dict(run.settings, confine="all").items(),))


def show_replays(run: RunRecord, seen: Verification, tournament: Tournament) -> None:
    """Print which batches gave the stored digests when replayed."""
    same = seen.replayed - len(seen.differing)
    click.echo(
        f"run {run.number}: {same} of {seen.replayed} replayed batches give the stored "
        f"digests ({seen.stored} stored)"
    )
    note_confinement(replace(run, confinement=tournament.confinement or ""), was_seen=True)
    for differing in seen.differing:
        note(f"batch {differing.batch.number}: its digest differs from the stored one")
        for _, line in explained(differing, [label.name for label in tournament.labels]):
            note(line)
        if differing.game or (differing.suspects and differing.is_game_in_doubt):
            asked = f"tourney check --game {tournament.config.game.preset}"
            note(f"to check that the game is repeatable: {asked}")
    if seen.differing:
        for line in other_versions(run):
            note(line)


def _show_proofs(folder: Path, report: SiteReport) -> int:
    """Print the results for a site, and return the exit status."""
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
        rest = (
            f"; {len(report.open)} things cannot be verified from the files" if report.open else ""
        )
        click.echo(f"{folder}: no difference found{rest}")
        return 0
    note(f"{folder}: {count:,} differences" if count > 1 else f"{folder}: 1 difference")
    return 1


REMEDY = "to keep intact batches and play the rest again: tourney verify {} --repair"

MOST_SHOWN = 10
"""Printed faults of a file, or batches."""


def show_file_faults(store: Path) -> int:
    """Print SQLite's faults of a store; return their number."""
    with Store.open(store, create=False) as kept:
        faults = kept.faults()
    _tell([f"{store}: the file is damaged: {fault}" for fault in faults], REMEDY.format("RUN"))
    return len(faults)


def repair_file(store: Path) -> None:
    """Replace a store by its intact parts, if SQLite finds damage."""
    if not show_file_faults(store):
        return
    done = salvage(store)
    note(f"{store}: its intact parts were saved; the original is kept as {done.aside}")
    for run in done.lost:
        note(f"run {run} is lost: its configuration, its entrants or their sources are damaged")


def repair_run(
    tournament: Tournament, store: Store, run: RunRecord, workers: int, engine: str
) -> RunRecord:
    """Drop damaged batches, and play them again if the run was finished.

    Returns: The repaired run.
    """
    dropped: list[int] = []
    store.drop_batches(run.number, ())  # also drops data without a batch
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
    """Check that every batch is unchanged and has its place; print the others."""
    lines = [f"batch {batch} is damaged or changed" for batch in seen.damaged]
    lines += [
        f"batch {batch} does not belong to the format, or comes after missing batches"
        for batch in seen.unreached
    ]
    if lines and is_of_plugins(tournament.format):
        note("its format is from a plugin: if it depends on more than results and lots, such as")
        note("`random` or a clock, no batch fits, and the store is not at fault")
    _tell(lines, REMEDY.format(run.number))
    return not lines


def count_fits(store: Store, run: RunRecord) -> bool:
    """Check that a finished run has its number of batches; print a difference."""
    try:
        store.check_count(run.number)
    except StoreDamagedError as error:
        note(str(error))
        return False
    return True


def digest_fits(run: RunRecord, seen: Soundness) -> bool:
    """Check that a finished run has its digest; print a difference."""
    if run.status != "finished" or run.digest == seen.digest:
        return True
    note(
        f"run {run.number}: its digest was {(run.digest or b'').hex() or 'missing'} at the end, "
        f"but the stored batches give {seen.digest.hex()}: "
        "batches are missing or were added, or the digest was changed (to play missing batches and "
        f"store the digest of all batches: tourney verify {run.number} --full --repair)"
    )
    return False


def board_holds(tournament: Tournament, store: Store, run: RunRecord) -> bool:
    """Check that the stored standings match the results; print a difference."""
    if is_same_board(standings_of(tournament, store, run), refold(tournament, store, run)):
        return True
    note(
        f"run {run.number}: the stored board differs from the results "
        f"(to calculate it again: tourney verify {run.number} --repair)"
    )
    return False


def _tell(lines: Sequence[str], remedy: str) -> None:
    for line in lines[:MOST_SHOWN]:
        note(line)
    if len(lines) > MOST_SHOWN:
        note(f"and {len(lines) - MOST_SHOWN:,} more")
    if lines:
        note(remedy)


def _batches(numbers: Sequence[int]) -> str:
    what = "batch" if len(numbers) == 1 else "batches"
    more = f" and {len(numbers) - MOST_SHOWN:,} more" if len(numbers) > MOST_SHOWN else ""
    return f"{what} {', '.join(map(str, numbers[:MOST_SHOWN]))}{more}"
