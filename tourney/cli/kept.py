"""What the store keeps: `runs`, `leaderboard` and `verify`."""

from datetime import UTC, datetime
from pathlib import Path

import click
from tabulate import tabulate

from tourney.audit import verify_run
from tourney.cli.options import (
    ENGINE,
    FORMAT,
    RUN,
    STORE,
    TRUST_SUBMISSIONS,
    WORKERS,
    note,
    note_confinement,
    note_faults,
    note_sureness,
    prints_aside,
    resume_words,
)
from tourney.cli.telling import policy_options
from tourney.entries import enter_again, versions
from tourney.leaderboard import choose_columns, render
from tourney.leaderboard.policy import Names, Policy, told_rows
from tourney.plugins import load_plugins
from tourney.store import EntrantRecord, RunRecord, Store
from tourney.tournament import standings_of
from tourney.trust import confinement_words

SAMPLE = 20


@click.command("runs")
@STORE
@click.option(
    "--delete",
    type=click.IntRange(1, 2**63 - 1),
    metavar="RUN",
    help="Delete the run of this number and all its results.",
)
@click.argument("run", required=False)
def runs_command(store: Path, delete: int | None, run: str | None) -> None:
    """List the runs, show one, or delete one.

    RUN is a number or a name: its commitment, versions and entrants are shown, and its
    secret once it has finished.
    """
    with Store.open(store, create=False) as kept:
        if delete is not None:
            kept.delete_run(delete)
            note(f"run {delete} deleted from {store}")
            return
        if run is not None:
            click.echo(tabulate(_facts(kept.run(run)), tablefmt="plain", disable_numparse=True))
            return
        rows = [
            (
                each.number,
                each.name,
                each.status,
                f"{each.batches}/{each.expected_batches or '?'}",
                each.entrants,
                each.confinement or "-",
                each.created,
            )
            for each in kept.runs()
        ]
    headers = ["Run", "Name", "Status", "Batches", "Entrants", "Confinement", "Created"]
    click.echo(tabulate(rows, headers=headers, disable_numparse=True))


def _facts(run: RunRecord) -> list[tuple[str, str]]:
    """Give what is known about a run; its secret only when no shoe is left to deal from it."""
    is_over = run.status == "finished"
    return [
        ("run", f"{run.number}, {run.name}, {run.status}"),
        ("created", run.created),
        ("finished", run.finished or ""),
        ("configuration", run.config_source),
        ("versions", ", ".join(f"{name} {number}" for name, number in run.versions)),
        ("kind", "rehearsal (its seed is known)" if run.rehearsal else "secret shoes"),
        ("confinement", confinement_words(run).partition(" ")[2] or "nobody brought code"),
        ("commitment", run.commitment),
        ("secret", run.secret.hex() if is_over else "published when the run has finished"),
        ("salt", run.salt.hex() if is_over else "published when the run has finished"),
        *(
            (f"entrant {entrant.number + 1}", f"{entrant.name}: {_origin(entrant)}")
            for entrant in run.entrants
        ),
    ]


def _origin(entrant: EntrantRecord) -> str:
    origin = entrant.distribution or "a file"
    return f"{entrant.strategy} ({origin}), source {entrant.digest.hex()[:12]}"


@click.command("leaderboard")
@RUN
@STORE
@FORMAT
@policy_options
def leaderboard_command(
    run: str | None,
    store: Path,
    codec: str,
    names: Names,
    top: int | None,
    freeze: datetime | None,
    reveal: datetime | None,
) -> None:
    """Print the leaderboard of a run.

    RUN is a number or a name; without it the latest run is meant.
    """
    policy = Policy(names, top, freeze, reveal)
    registry = load_plugins()
    with Store.open(store, create=False) as kept:
        record = kept.run(run)
        tournament = enter_again(record, registry, plays=False)
        standings = standings_of(tournament, kept, record)
    standings = told_rows(policy, standings, record.finished, datetime.now(UTC))
    wanted, measure = tournament.config.leaderboard.columns, tournament.measure
    columns = choose_columns(
        wanted, registry.columns, codec, measure, follows_luck=tournament.follows_luck
    )
    click.echo(render(standings, columns, codec))
    note_sureness(tournament, standings)
    if record.status != "finished":
        note(f"run {record.number} is not finished: {resume_words(record, tournament, store)}")
    note_confinement(record)
    note_faults(standings)


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
    default=SAMPLE,
    show_default=True,
    help="Replay so many batches, drawn at random.",
)
@TRUST_SUBMISSIONS
def verify_command(
    run: str | None,
    store: Path,
    workers: int,
    engine: str,
    everything: bool,
    sample: int,
    trust_submissions: bool,
) -> int:
    """Play batches of a run again and compare digests.

    RUN is a number or a name; without it the latest run is meant.
    """
    registry = load_plugins()
    with Store.open(store, create=False) as kept:
        record = kept.run(run)
        tournament = enter_again(record, registry, trusts_files=trust_submissions)
        with prints_aside():
            seen = verify_run(
                tournament,
                kept,
                record,
                sample=None if everything else sample,
                workers=workers,
                engine=engine,
            )
    same = seen.replayed - len(seen.differing)
    click.echo(
        f"run {record.number}: {same} of {seen.replayed} replayed batches give the stored "
        f"digests ({seen.stored} stored)"
    )
    for batch in seen.differing:
        note(f"batch {batch}: expected the stored digest, got another")
    if seen.differing and record.versions != versions():
        was, now = (
            ", ".join(f"{name} {number}" for name, number in each)
            for each in (record.versions, versions())
        )
        note(f"played with {was}; verified with {now}: another version may play otherwise")
    return 1 if seen.differing else 0
