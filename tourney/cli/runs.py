"""`runs`: the runs of a store."""

from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

import click
from tabulate import tabulate

from tourney.cli.options import RUN, STORE, note, refuse_beside
from tourney.config.words import without_addresses
from tourney.lazy import Module
from tourney.plugins.fault_text import printable
from tourney.store.checksums import check_seed
from tourney.store.records import EntrantRecord, RunRecord, RunState, need_words
from tourney.store.store import Store
from tourney.tournament.sandbox_level import confinement_words

if TYPE_CHECKING:
    from tourney.config import documents
    from tourney.fairness import commitments
    from tourney.plugins import loading
else:  # used by few runs
    documents = Module("tourney.config.documents")
    loading = Module("tourney.plugins.loading")
    commitments = Module("tourney.fairness.commitments")

REHEARSAL, SECRET = "rehearsal", "secret shoes"
"""Kinds of runs: grades and pages come from a rehearsal only where it is named."""
COMMITTED = "committed"
"""Status of a run that `commit` made and nobody has played yet."""


@click.command("runs")
@STORE
@click.option(
    "--delete",
    type=click.IntRange(1, 2**63 - 1),
    metavar="RUN",
    help="Delete the run of this number and all its results.",
)
@RUN
def runs_command(store: Path, delete: int | None, run: str | None) -> None:
    """List the runs, show one, or delete one.

    RUN is a number or a name: its commitment, versions and entrants are shown, and its
    secret once it has finished.
    """
    if delete is not None:
        refuse_beside("--delete", "run")
    with Store.open(store, create=False) as kept:
        if delete is not None:
            with kept.held(delete, note):
                kept.delete_run(delete)
            note(f"run {delete} deleted from {store}")
            return
        if run is not None:
            record = kept.run(run)
            if not record.rehearsal:
                check_seed(record, documents.plain_data(record.config).get("seed"))
            facts = _facts(kept, record)
            click.echo(tabulate(facts, tablefmt="plain", disable_numparse=True))
            return
        listed = kept.runs()
        for each in listed:
            if each.status == "finished":  # it must have its digest, as for every other command
                kept.run(each.number)
        rows = [
            (
                each.number,
                each.name,
                REHEARSAL if each.rehearsal else SECRET,
                _shown_status(kept, each.number, each.status),
                f"{each.batches}/{each.expected_batches or '?'}",
                each.entrants,
                printable(each.confinement) or "-",
                each.created,
            )
            for each in listed
        ]
    headers = ["Run", "Name", "Kind", "Status", "Batches", "Entrants", "Sandbox", "Created"]
    click.echo(tabulate(rows, headers=headers, disable_numparse=True))
    if any(status == "interrupted" for _, _, _, status, *_ in rows):
        command = f"tourney resume RUN --store {quote(str(store))}"
        note(f"to resume an interrupted run: {command}")
    if any(status == COMMITTED for _, _, _, status, *_ in rows):
        command = f"tourney run CONFIG --anchor FILE --store {quote(str(store))}"
        note(f"to play a committed run: {command}")


def _shown_status(store: Store, number: int, status: RunState) -> str:
    """Return the status of a run, or that it is only committed so far."""
    if status != "interrupted" or not store.run(number).is_anchored or store.batch_numbers(number):
        return status
    return COMMITTED


def _facts(store: Store, run: RunRecord) -> list[tuple[str, str]]:
    """Return the facts of a run; its secret only when no shoe depends on it any more."""
    is_over = run.status == "finished"
    state = _shown_status(store, run.number, store.status(run.number))
    lease = store.lease(run.number) if state == "running" else None
    committed = commitments.commitments_of(run) if run.blinding else ()
    return [
        ("run", f"{run.number}, {run.name}, {state}"),
        *([("played by", str(lease))] if lease else ()),
        ("created", run.created),
        ("finished", run.finished or ""),
        ("configuration", run.config_source),
        ("versions", ", ".join(f"{name} {number}" for name, number in run.versions)),
        *([("plugins", need_words(run.needs))] if run.needs else ()),
        ("kind", f"{REHEARSAL} (its seed is known)" if run.rehearsal else SECRET),
        ("confinement", confinement_words(run).partition(" ")[2] or "no entrant brought code"),
        ("commitment", run.commitment if not committed else committed[0].commitment),
        *((f"extension {number}", each.commitment) for number, each in enumerate(committed[1:], 1)),
        *([("public value", run.public_value)] if run.public_value else ()),
        ("secret", run.secret.hex() if is_over else "published when the run has finished"),
        ("salt", run.salt.hex() if is_over else "published when the run has finished"),
        ("digest", run.digest.hex() if run.digest else "given when the run has finished"),
        *(
            (f"entrant {entrant.number + 1}", f"{entrant.name}: {_origin(entrant)}")
            for entrant in run.entrants
        ),
    ]


def _origin(entrant: EntrantRecord) -> str:
    language = loading.installed_languages().get(
        entrant.kind
    )  # the store may name an unknown language
    is_told = language is not None and (language.is_installed or language.is_built)
    origin = entrant.distribution if is_told else "a file"
    excluded = "" if entrant.excluded is None else f"; excluded: {printable(entrant.excluded)}"
    strategy = without_addresses(entrant.strategy)
    return f"{strategy} ({origin}), source {entrant.digest.hex()[:12]}{excluded}"
