"""What the store keeps: `runs` and `leaderboard`."""

from pathlib import Path
from shlex import quote

import click
from tabulate import tabulate

from tourney.cli.boards import WIDE, print_board
from tourney.cli.exporting import (
    BOARD_FORMAT,
    OUTPUT,
    PER_TABLE,
    board,
    write_out,
)
from tourney.cli.options import (
    RUN,
    STORE,
    note,
    note_confinement,
    note_faults,
    note_sureness,
    resume_words,
)
from tourney.cli.telling import Asked, policy_options
from tourney.entries import enter_again
from tourney.leaderboard import choose_columns
from tourney.leaderboard.parquet import PARQUET
from tourney.plugins import installed_languages, load_plugins
from tourney.plugins.words import printable
from tourney.store import EntrantRecord, RunRecord, Store
from tourney.tournament import standings_of
from tourney.trust import confinement_words


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
            with kept.held(delete, note):
                kept.delete_run(delete)
            note(f"run {delete} deleted from {store}")
            return
        if run is not None:
            facts = _facts(kept, kept.run(run))
            click.echo(tabulate(facts, tablefmt="plain", disable_numparse=True))
            return
        rows = [
            (
                each.number,
                each.name,
                each.status,
                f"{each.batches}/{each.expected_batches or '?'}",
                each.entrants,
                printable(each.confinement) or "-",
                each.created,
            )
            for each in kept.runs()
        ]
    headers = ["Run", "Name", "Status", "Batches", "Entrants", "Confinement", "Created"]
    click.echo(tabulate(rows, headers=headers, disable_numparse=True))
    if any(status == "interrupted" for _, _, status, *_ in rows):
        command = f"tourney resume RUN --store {quote(str(store))}"
        note(f"to go on with one that was interrupted: {command}")


def _facts(store: Store, run: RunRecord) -> list[tuple[str, str]]:
    """Give what is known about a run; its secret only when no shoe is left to deal from it."""
    is_over, state = run.status == "finished", store.status(run.number)
    lease = store.lease(run.number) if state == "running" else None
    return [
        ("run", f"{run.number}, {run.name}, {state}"),
        *([("played by", str(lease))] if lease else ()),
        ("created", run.created),
        ("finished", run.finished or ""),
        ("configuration", run.config_source),
        ("versions", ", ".join(f"{name} {number}" for name, number in run.versions)),
        ("kind", "rehearsal (its seed is known)" if run.rehearsal else "secret shoes"),
        ("confinement", confinement_words(run).partition(" ")[2] or "nobody brought code"),
        ("commitment", run.commitment),
        ("secret", run.secret.hex() if is_over else "published when the run has finished"),
        ("salt", run.salt.hex() if is_over else "published when the run has finished"),
        ("digest", run.digest.hex() if run.digest else "given when the run has finished"),
        *(
            (f"entrant {entrant.number + 1}", f"{entrant.name}: {_origin(entrant)}")
            for entrant in run.entrants
        ),
    ]


def _origin(entrant: EntrantRecord) -> str:
    language = installed_languages().get(entrant.kind)  # a store may name any
    origin = entrant.distribution if language and language.is_installed else "a file"
    return f"{entrant.strategy} ({origin}), source {entrant.digest.hex()[:12]}"


@click.command("leaderboard")
@RUN
@STORE
@BOARD_FORMAT
@WIDE
@OUTPUT
@PER_TABLE
@policy_options
def leaderboard_command(
    run: str | None,
    store: Path,
    codec: str,
    output: Path | None,
    per_table: bool,
    asked: Asked,
) -> None:
    """Print the leaderboard of a run.

    RUN is a number or a name; without it the latest run is meant.
    """
    registry = load_plugins()
    with Store.open(store, create=False) as kept:
        record = kept.run(run)
        tournament = enter_again(record, registry, plays=False)
        everybody = standings_of(tournament, kept, record)
        telling = asked.of(tournament, record.finished)
        standings = telling.rows(everybody)
        if per_table:
            # Brings along what publishes pages, which a board needs not.
            from tourney.cli.tables import tables_as, tables_of  # noqa: PLC0415 - see above

            rows = tables_of(tournament, kept, record, everybody, standings)
            write_out(tables_as(rows, codec), output)
            telling.note()
            return
    wanted, measure = tournament.config.leaderboard.columns, tournament.measure
    columns = choose_columns(
        wanted,
        registry.columns,
        codec,
        measure,
        follows_luck=tournament.follows_luck,
        has_chips=tournament.rules.most_points is None,
    )
    if output is None and codec != PARQUET:
        print_board(standings, columns, codec)
    else:
        write_out(board(standings, columns, codec), output)
    telling.note()
    note_sureness(tournament, standings)
    if record.status != "finished":
        note(f"run {record.number} is not finished: {resume_words(record, tournament, store)}")
    note_confinement(record)
    note_faults(standings)
