"""`run` and `resume`: play a tournament, show how it goes, print its leaderboard."""

from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import NamedTuple

import click

from tourney.cli.options import (
    ENGINE,
    FORMAT,
    SEED,
    STORE,
    STRICT_PLUGINS,
    TRUST_SUBMISSIONS,
    WORKERS,
    fault_words,
    note,
    note_faults,
    prints_aside,
    resume_words,
)
from tourney.cli.progress import LiveBoard
from tourney.entries import Tournament, enter, enter_again, run_record
from tourney.errors import StoreError, WorkerError
from tourney.floor import FloorReport, duration_words
from tourney.leaderboard import choose_columns, render
from tourney.ledger import BlockKey, Verdict
from tourney.plugins import Registry, load_plugins
from tourney.schedule import Batch
from tourney.store import RunRecord, Store
from tourney.tournament import TournamentResult, play_run
from tourney.workers import make_workers

PROBE_ROUNDS = 200


@click.command("run")
@click.argument("config", type=click.Path(path_type=Path))
@STORE
@WORKERS
@SEED
@ENGINE
@FORMAT
@click.option(
    "--dry-run", is_flag=True, help="Show entrants, blocks and time, by a few trial rounds."
)
@TRUST_SUBMISSIONS
@STRICT_PLUGINS
def run_command(
    config: Path,
    store: Path,
    workers: int,
    seed: int | None,
    engine: str,
    codec: str,
    dry_run: bool,
    trust_submissions: bool,
    strict_plugins: bool,
) -> int:
    """Run a tournament and print its leaderboard.

    CONFIG is a YAML file. Every finished batch is kept, so that an interrupted run can go on.
    """
    registry = load_plugins(strict=strict_plugins)
    warn_of_quarantine(registry)
    with prints_aside():
        tournament = enter(config, registry, rng_seed=seed, trusts_files=trust_submissions)
    if dry_run:
        return show_plan(tournament, workers, engine)
    with Store.open(store) as kept:
        run = kept.create_run(run_record(tournament))
        kind = "rehearsal (its seed is known)" if run.rehearsal else "secret shoes"
        note(f"run {run.number} in {store}: {run.name}, {kind}, commitment {run.commitment}")
        return _play(tournament, kept, run, registry, (store, workers, engine, codec))


@click.command("resume")
@click.argument("run", required=False)
@STORE
@WORKERS
@ENGINE
@FORMAT
@TRUST_SUBMISSIONS
@STRICT_PLUGINS
def resume_command(
    run: str | None,
    store: Path,
    workers: int,
    engine: str,
    codec: str,
    trust_submissions: bool,
    strict_plugins: bool,
) -> int:
    """Go on with a run that was interrupted.

    RUN is a number or a name; without it the latest run is meant.
    """
    registry = load_plugins(strict=strict_plugins)
    with Store.open(store, create=False) as kept:
        record = kept.run(run)
        tournament = enter_again(record, registry, trusts_files=trust_submissions)
        stored = len(kept.batch_numbers(record.number))
        note(f"run {record.number} in {store}: {record.name}, going on after {stored} batches")
        return _play(tournament, kept, record, registry, (store, workers, engine, codec))


def _play(
    tournament: Tournament,
    store: Store,
    run: RunRecord,
    registry: Registry,
    how: tuple[Path, int, str, str],
) -> int:
    path, workers, engine, codec = how
    remedy = f"to go on: {resume_words(run, tournament, path)}"
    board = LiveBoard(tournament.config.name)
    live: AbstractContextManager[object] = board if board.is_wanted else nullcontext()
    try:
        with prints_aside(), live:
            result = play_run(
                tournament,
                store,
                run,
                workers=workers,
                engine=engine,
                on_batch=board.update if board.is_wanted else None,
            )
    except KeyboardInterrupt:
        note(f"interrupted; every finished batch is kept\n{remedy}")
        raise
    except (StoreError, WorkerError):
        note(remedy)
        raise
    columns = choose_columns(tournament.config.leaderboard.columns, registry.columns, codec)
    click.echo(render(result.standings, columns, codec))
    return show_footer(result)


def show_footer(result: TournamentResult) -> int:
    """Say how the floor fared and whose competitors failed; give the exit status."""
    note(floor_words(result.floor))
    run = result.run
    if not run.rehearsal:
        note(f"secret {run.secret.hex()}, salt {run.salt.hex()}")
    return 1 if note_faults(result.standings) else 0


def floor_words(report: FloorReport) -> str:
    """Say how long the floor took and how busy it was."""
    return (
        f"on the floor: {duration_words(report.seconds)} simulated, {report.blocks:,} blocks; "
        f"{report.tables.capacity} tables in use {report.tables.utilisation:.0%}, "
        f"{report.dealers.capacity} dealers {report.dealers.utilisation:.0%} of the time"
    )


def warn_of_quarantine(registry: Registry) -> None:
    """Say which plugins are in quarantine."""
    for plugin in registry.quarantined:
        note(f"plugin {plugin.origin} is in quarantine: {plugin.fault}")


def show_plan(tournament: Tournament, workers: int, engine: str) -> int:
    """Print what a run would play, and about how long it would take; give the exit status."""
    config = tournament.config
    schedule = tournament.format.schedule(tournament.field)
    with prints_aside():
        probed = _probe(tournament, engine)
    click.echo(f"{config.name}: {config.game.preset}, {config.format.kind}")
    for record in tournament.records:
        options = "".join(f" {name}={value}" for name, value in record.options)
        origin = record.distribution or "a file"
        click.echo(f"  {record.name}: {record.strategy}{options} ({origin})")
    first = next(iter(next(schedule.waves()))).blocks
    click.echo(
        f"at most {len(first) * schedule.batches:,} blocks in {schedule.batches:,} batches, "
        f"{tournament.format.scheduled_rounds:,} rounds at a table"
    )
    seconds = probed.round_seconds * sum(block.rounds for block in first) * schedule.batches
    on = f"{workers} workers" if workers > 1 else "1 worker"
    click.echo(f"about {duration_words(seconds / workers)} on {on}, if every bankroll lasts")
    for name, verdict in probed.faults:
        note(f"{name}: {fault_words(verdict)} (round {verdict.round} of a trial)")
    return 1 if probed.faults else 0


class Probe(NamedTuple):
    """What a few rounds of every entrant showed."""

    round_seconds: float  # of one worker
    faults: tuple[tuple[str, Verdict], ...]  # names of entrants, and what they did wrong


def _probe(tournament: Tournament, engine: str) -> Probe:
    """Play a few rounds of every entrant, on a table that no run has."""
    field = tournament.field
    specs = tournament.specs()
    blocks = tuple(
        field.block(BlockKey(-1, 0, number, 0, 1), ((number, field.bankroll),), PROBE_ROUNDS)
        for number in specs
    )
    with make_workers(1, specs, engine) as crew:
        played = [
            (batch.seconds, result)
            for batch in crew.play(
                [Batch(0, number, (block,)) for number, block in enumerate(blocks)]
            )
            for result in batch.results
        ]
    seconds = sum(each for each, _ in played)
    rounds = sum(result.rounds for _, result in played)
    faults = [
        (specs[seat.entrant].name, seat.verdict)
        for _, result in played
        for seat in result.seats
        if seat.verdict
    ]
    return Probe(seconds / max(rounds, 1), tuple(faults))
