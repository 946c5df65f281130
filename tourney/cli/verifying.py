"""`verify`: whether all that is stored is what was written, and whether it plays as it did."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click

from tourney.cli.anchoring import AUTHORITIES, PUBLIC_VALUE, anchor_option
from tourney.cli.notes import note_confinement
from tourney.cli.options import ENGINE, RUN, STORE, TRUST_SUBMISSIONS, WORKERS, note, prints_aside
from tourney.cli.repairing import (
    board_holds,
    digest_fits,
    faults_told,
    is_whole,
    mend_file,
    mend_run,
)
from tourney.entrants import load_plugins
from tourney.entrants.words import joined
from tourney.event.anchors import read_anchor
from tourney.event.audit import Verification, look_over, verify_run
from tourney.event.differing import Differing
from tourney.event.entering import Tournament, enter_again, versions
from tourney.event.store import RunRecord, Store
from tourney.show import publish

SAMPLE = 20
MOST_SUSPECTS = 12
"""That a message names."""
MOST_DIFFERENCES = 100
"""Between a site and what it proves, that are told."""


@click.command("verify")
@RUN
@STORE
@WORKERS
@ENGINE
@click.option("--all", "everything", is_flag=True, help="Replay every batch.")
@click.option(
    "--sample",
    type=click.IntRange(1),
    metavar="N",
    default=None,
    show_default=str(SAMPLE),
    help="Replay so many batches, drawn at random; of a site so many tables, by default all.",
)
@click.option(
    "--site",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="DIR",
    help="Verify a published site from its files alone, instead of a run.",
)
@anchor_option("With --site: the anchor as it was seen, to be compared with.")
@PUBLIC_VALUE
@AUTHORITIES
@click.option(
    "--repair",
    "repairs",
    is_flag=True,
    help="Drop what is damaged first, and play it again.",
)
@TRUST_SUBMISSIONS
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
    too. RUN is a number or a name; without it the latest run is meant. With --site no store and no
    competitor is needed: the board is counted again from the published tables, the pages are
    made again from the data, and published hands are dealt again from the secret.
    """
    if site:
        if run is not None:
            raise click.UsageError("expected a run or --site, got both: leave out one of them")
        report = publish.verify_site(
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
        tournament = enter_again(record, load_plugins(), trusts_files=trust_submissions)
        if repairs:
            with kept.held(record.number, note):
                record = mend_run(tournament, kept, record, workers, engine)
        over = look_over(tournament, kept, record)
        if not (is_whole(record, over) and board_holds(tournament, kept, record)):
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
        _note_blame(differing, [label.name for label in tournament.labels])
    if seen.differing and run.versions != versions():
        was, now = (
            ", ".join(f"{name} {number}" for name, number in each)
            for each in (run.versions, versions())
        )
        note(f"played with {was}; verified with {now}: another version may play otherwise")


def _note_blame(differing: Differing, names: Sequence[str]) -> None:
    """Say whose answers differ, or who may have answered otherwise."""
    for entrant, (key, verdict) in differing.blamed.items():
        note(
            f"{names[entrant]} is never the same twice: {verdict.message} "
            f"(table {key.table + 1}, round {verdict.round})"
        )
    if differing.suspects:
        named = [names[entrant] for entrant in differing.suspects[:MOST_SUSPECTS]]
        more = " …" if len(differing.suspects) > MOST_SUSPECTS else ""
        note(f"one of these does not play as it did: {joined(named, 'or')}{more}")


def _show_proofs(folder: Path, report: publish.SiteReport) -> int:
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
