"""What the store keeps: `runs`, `leaderboard`, `replay` and `verify`."""

import sys
from functools import partial
from pathlib import Path

import click
from tabulate import tabulate

from tourney.audit import find_blocks, replay_block, verify_run
from tourney.classic import Excerpt, Transcript
from tourney.cli.options import (
    ENGINE,
    FORMAT,
    RUN,
    STORE,
    TRUST_SUBMISSIONS,
    WORKERS,
    fault_words,
    note,
    note_faults,
    prints_aside,
    resume_words,
)
from tourney.entries import Tournament, enter_again, versions
from tourney.errors import RunNotFound
from tourney.leaderboard import choose_columns, render
from tourney.ledger import BlockKey, SeatResult
from tourney.plugins import load_plugins
from tourney.schedule import Batch
from tourney.standings import fold
from tourney.store import EntrantRecord, RunRecord, Store

SAMPLE = 20
MOST_DIGITS = 18
"""Of the number of a round."""


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
                each.created,
            )
            for each in kept.runs()
        ]
    headers = ["Run", "Name", "Status", "Batches", "Entrants", "Created"]
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
def leaderboard_command(run: str | None, store: Path, codec: str) -> None:
    """Print the leaderboard of a run.

    RUN is a number or a name; without it the latest run is meant.
    """
    registry = load_plugins()
    with Store.open(store, create=False) as kept:
        record = kept.run(run)
        tournament = enter_again(record, registry, trusts_files=True)  # plays nothing
        standings = fold(kept.seat_results(record.number), tournament.labels, tournament.scoring)
    columns = choose_columns(tournament.config.leaderboard.columns, registry.columns, codec)
    click.echo(render(standings, columns, codec))
    if record.status != "finished":
        note(f"run {record.number} is not finished: {resume_words(record, tournament, store)}")
    note_faults(standings)


@click.command("replay")
@RUN
@STORE
@click.option(
    "--entrant", required=True, metavar="NAME", help="Name of the entrant, as on the leaderboard."
)
@click.option(
    "--table", required=True, type=click.IntRange(1), metavar="N", help="Number of the table."
)
@click.option("--rounds", metavar="A-B", help="Show these rounds only.")
@TRUST_SUBMISSIONS
def replay_command(
    run: str | None,
    store: Path,
    entrant: str,
    table: int,
    rounds: str | None,
    trust_submissions: bool,
) -> None:
    """Show hands of an entrant, card by card.

    RUN is a number or a name; without it the latest run is meant.
    """
    shown = _rounds(rounds)
    registry = load_plugins()
    with Store.open(store, create=False) as kept:
        record = kept.run(run)
        tournament = enter_again(record, registry, trusts_files=trust_submissions)
        number = _entrant_number(tournament, entrant)
        mark = "" if tournament.config.game.preset == "eecs280" else "# "
        write = partial(click.echo, file=sys.stdout)
        transcript = Transcript(write, mark, tournament.rules.unit)
        for place in _places(tournament, kept, record, number, table):
            with prints_aside():
                result = replay_block(tournament, kept, record, place, Excerpt(transcript, shown))
        seat = next(seat for seat in result.seats if seat.entrant == number)
    _end_replay(transcript, seat, seat.rounds + result.key.first_round - 1, shown)


def _end_replay(transcript: Transcript, seat: SeatResult, rounds: int, shown: range) -> None:
    """Say how the table ended for an entrant, if the end was to be shown."""
    last = max(rounds, 1)  # whoever played none ended before the first
    if last in shown:
        transcript.ended(seat.final, rounds)
    elif shown.start > last:
        raise click.BadParameter(
            f"expected some of the {rounds} rounds that were played, got {shown.start} and later",
            param_hint="--rounds",
        )
    if seat.verdict:
        note(f"{fault_words(seat.verdict)} (round {seat.verdict.round})")


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


def _rounds(text: str | None) -> range:
    if text is None:
        return range(1, 2**62)
    first, dash, last = text.partition("-")
    if not (first.isdecimal() and (last.isdecimal() or not dash)):
        raise click.BadParameter(
            f"expected A-B, such as 10-20; got {text!r}", param_hint="--rounds"
        )
    if max(len(first), len(last)) > MOST_DIGITS:
        raise click.BadParameter(
            f"expected numbers of at most {MOST_DIGITS} digits, got more", param_hint="--rounds"
        )
    low, high = int(first), int(last or first)
    if not 1 <= low <= high:
        raise click.BadParameter(
            f"expected a first round of at least 1 and a last one not before it; got {text!r}",
            param_hint="--rounds",
        )
    return range(low, high + 1)


def _places(
    tournament: Tournament, store: Store, run: RunRecord, entrant: int, table: int
) -> tuple[tuple[Batch, BlockKey], ...]:
    """Find the blocks of an entrant at a table, or say how many tables there are."""
    try:
        return find_blocks(tournament, store, run, entrant, table - 1)
    except RunNotFound as error:
        most = max((each.key.table for each in store.blocks(run.number, entrant)), default=-1) + 1
        name = tournament.labels[entrant].name
        expected = f"a table of {name}, 1 to {most}" if most else f"a table {name} has played"
        raise click.BadParameter(
            f"expected {expected}, got {table}", param_hint="--table"
        ) from error


def _entrant_number(tournament: Tournament, name: str) -> int:
    names = [label.name for label in tournament.labels]
    for number, known in enumerate(names):
        if known.casefold() == name.casefold():
            return number
    raise click.BadParameter(
        f"expected one of {', '.join(names)}; got {name!r}", param_hint="--entrant"
    )
