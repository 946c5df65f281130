"""`run` and `resume`: play a tournament, show how it goes, print its leaderboard."""

import shlex
from contextlib import AbstractContextManager, nullcontext
from math import inf
from pathlib import Path
from typing import NamedTuple

import click

from tourney.cli.options import (
    CLUSTER,
    ENGINE,
    FORMAT,
    INSECURE_CLUSTER,
    SEED,
    STORE,
    STRICT_PLUGINS,
    TRUST_SUBMISSIONS,
    WORKERS,
    fault_words,
    note,
    note_confinement,
    note_faults,
    note_sureness,
    prints_aside,
    resume_words,
)
from tourney.cli.progress import LiveBoard
from tourney.cli.telling import TELL_ALL, Asked, Telling
from tourney.config import FloorConfig
from tourney.entries import Tournament, catalog_of, enter, enter_again, run_record
from tourney.errors import StoreError, WorkerError
from tourney.floor import FloorReport, duration_words, time_words
from tourney.leaderboard import choose_columns, render
from tourney.ledger import BlockKey, Verdict
from tourney.plugins import Registry, load_plugins
from tourney.plugins.words import joined
from tourney.schedule import Batch, Block, Field
from tourney.store import RunRecord, Store
from tourney.submissions import other_games
from tourney.tournament import TournamentResult, play_run
from tourney.workers import Cluster, check_playable, make_workers

PROBE_ROUNDS = 200
PROBE_GAMES, PROBE_GAME = 4, 12
"""At tables of several: how often everybody begins a trial, and its rounds at most."""


@click.command("run")
@click.argument("config", type=click.Path(path_type=Path))
@STORE
@WORKERS
@CLUSTER
@INSECURE_CLUSTER
@SEED
@ENGINE
@FORMAT
@click.option(
    "--dry-run", is_flag=True, help="Show entrants, blocks and time, by a few trial rounds."
)
@click.option(
    "--confine",
    type=click.Choice(("files", "all")),
    default="files",
    show_default=True,
    help="Whose code is confined: that of files and packages, or installed strategies, too.",
)
@TRUST_SUBMISSIONS
@STRICT_PLUGINS
@TELL_ALL
def run_command(
    config: Path,
    store: Path,
    workers: int,
    cluster: str | None,
    insecure_cluster: bool,
    seed: int | None,
    engine: str,
    codec: str,
    dry_run: bool,
    confine: str,
    trust_submissions: bool,
    strict_plugins: bool,
    tell_all: bool,
) -> int:
    """Run a tournament and print its leaderboard.

    CONFIG is a YAML file. Every finished batch is kept, so that an interrupted run can go on.
    """
    place = _place(cluster, is_insecure=insecure_cluster)
    registry = load_plugins(strict=strict_plugins)
    warn_of_quarantine(registry)
    with prints_aside():
        tournament = enter(
            config,
            registry,
            rng_seed=seed,
            trusts_files=trust_submissions,
            confines_all=confine == "all",
        )
        check_playable(tournament.specs().values(), tournament.rules, engine)
    warn_of_other_games(tournament, registry)
    if dry_run:
        return show_plan(tournament, workers, engine)
    with Store.open(store) as kept:
        run = kept.create_run(run_record(tournament))
        kind = "rehearsal (its seed is known)" if run.rehearsal else "secret shoes"
        note(f"run {run.number} in {store}: {run.name}, {kind}, commitment {run.commitment}")
        how = (store, workers, engine, codec, place)
        return play_and_show(tournament, kept, run, registry, how, Asked(tells_all=tell_all))


@click.command("resume")
@click.argument("run", required=False)
@STORE
@WORKERS
@CLUSTER
@INSECURE_CLUSTER
@ENGINE
@FORMAT
@TRUST_SUBMISSIONS
@STRICT_PLUGINS
@TELL_ALL
def resume_command(
    run: str | None,
    store: Path,
    workers: int,
    cluster: str | None,
    insecure_cluster: bool,
    engine: str,
    codec: str,
    trust_submissions: bool,
    strict_plugins: bool,
    tell_all: bool,
) -> int:
    """Go on with a run that was interrupted.

    RUN is a number or a name; without it the latest run is meant.
    """
    place = _place(cluster, is_insecure=insecure_cluster)
    registry = load_plugins(strict=strict_plugins)
    with Store.open(store, create=False) as kept:
        record = kept.run(run)
        tournament = enter_again(record, registry, trusts_files=trust_submissions)
        stored = len(kept.batch_numbers(record.number))
        batches = "1 batch" if stored == 1 else f"{stored} batches"
        how = f"going on after {batches}"
        if record.status == "finished":
            how = "finished already: nothing is left to play"
        note(f"run {record.number} in {store}: {record.name}, {how}")
        doing = (store, workers, engine, codec, place)
        return play_and_show(tournament, kept, record, registry, doing, Asked(tells_all=tell_all))


def play_and_show(
    tournament: Tournament,
    store: Store,
    run: RunRecord,
    registry: Registry,
    how: tuple[Path, int, str, str, Cluster | None],
    asked: Asked,
) -> int:
    """Play a run, or what is left of it, and print its board; give the exit status.

    Args:
        tournament: The tournament.
        store: Where results are kept.
        run: The run in that store.
        registry: What names stand for.
        how: The store's file, workers, engine, format of the board, and a cluster if any.
        asked: What the command line says of what may be told.
    """
    path, workers, engine, codec, place = how
    on_cluster = f" {shlex.join(place.options)}" if place else ""
    remedy = f"to go on: {resume_words(run, tournament, path)}{on_cluster}"
    board = LiveBoard(tournament.config.name, asked.of(tournament, None))
    live: AbstractContextManager[object] = board if board.is_wanted else nullcontext()
    try:
        with prints_aside(), live:
            result = play_run(
                tournament,
                store,
                run,
                workers=workers,
                engine=engine,
                cluster=place,
                on_batch=board.update if board.is_wanted else None,
                tell=board.tell if board.is_wanted else note,
            )
    except KeyboardInterrupt:
        note(f"interrupted; every finished batch is kept\n{remedy}")
        raise
    except (StoreError, WorkerError):
        note(remedy)
        raise
    wanted, measure = tournament.config.leaderboard.columns, tournament.measure
    columns = choose_columns(
        wanted,
        registry.columns,
        codec,
        measure,
        follows_luck=tournament.follows_luck,
        has_chips=tournament.rules.most_points is None,
    )
    telling = asked.of(tournament, result.run.finished)
    shown = telling.rows(result.standings)
    click.echo(render(shown, columns, codec))
    telling.note()
    note_sureness(tournament, shown)
    show_footer(result, tournament.config.floor, telling)
    return 1 if any(row.verdict for row in result.standings) else 0


def _place(name: str | None, *, is_insecure: bool) -> Cluster | None:
    """Find out which cluster is meant, before anything is done for the run."""
    if name is None:
        return None
    cluster = Cluster(name, is_insecure)
    cluster.check_installed()
    return cluster


def show_footer(result: TournamentResult, floor: FloorConfig, telling: Telling) -> None:
    """Say how the floor fared and whose competitors failed, as far as that may be told."""
    run = result.run
    if not telling.is_sealed:
        note(floor_words(result.floor, floor))
        # With it anybody could play the run again, and know.
        if not run.rehearsal:
            note(f"secret {run.secret.hex()}, salt {run.salt.hex()}")
    note_confinement(run)
    note_faults(telling.rows(result.standings))


def floor_words(report: FloorReport, floor: FloorConfig) -> str:
    """Say how long the floor took, from when to when if it has a start, and how busy it was."""
    clock = ""
    if floor.start_time:
        begin, end = (time_words(floor, seconds) for seconds in (0, report.seconds))
        clock = f" from {begin} to {end}"
    return (
        f"on the floor: {duration_words(report.seconds)} simulated{clock}, "
        f"{report.blocks:,} blocks; "
        f"{report.tables.capacity} tables in use {report.tables.utilisation:.0%}, "
        f"{report.dealers.capacity} dealers {report.dealers.utilisation:.0%} of the time"
    )


def warn_of_quarantine(registry: Registry) -> None:
    """Say which plugins are in quarantine."""
    for plugin in registry.quarantined:
        note(f"plugin {plugin.origin} is in quarantine: {plugin.fault}")


def warn_of_other_games(tournament: Tournament, registry: Registry) -> None:
    """Say which folders of submissions are for another game."""
    config = tournament.config
    sources = (each.file or each.package or each.chart for each in config.entrants)
    for line in other_games(filter(None, sources), config.game, catalog_of(registry)):
        note(line)


def show_plan(tournament: Tournament, workers: int, engine: str) -> int:
    """Print what a run would play, and about how long it would take; give the exit status."""
    config = tournament.config
    schedule = tournament.format.schedule(tournament.field)
    with prints_aside():
        probed = _probe(tournament, engine)
    click.echo(f"{config.name}: {config.game.preset}, {config.format.kind}")
    for record, spec in zip(tournament.records, tournament.entrants, strict=True):
        options = "".join(f" {name}={value}" for name, value in record.options)
        origin = (record.distribution or "a file") + (", confined" if spec.confinement else "")
        click.echo(f"  {record.name}: {record.strategy}{options} ({origin})")
    if level := tournament.confinement:
        click.echo(f"confinement {level}: {_shut_in(tournament)}")
    first = next(iter(next(schedule.waves()))).blocks
    words = tournament.format.table_words(tournament.rules)
    if schedule.batches is None:
        click.echo(f"{words}; how long it takes depends on the results")
        return _show_faults(probed)
    click.echo(
        f"at most {len(first) * schedule.batches:,} blocks in {schedule.batches:,} batches, {words}"
    )
    # A game that ends at so many points is over long before its cap, as the trial has shown.
    rounds = sum(min(block.rounds, probed.most_rounds) for block in first)
    seconds = probed.round_seconds * rounds * schedule.batches
    on = f"{workers} workers" if workers > 1 else "1 worker"
    lasting = "" if tournament.rules.most_points else ", if every bankroll lasts"
    click.echo(f"about {duration_words(seconds / workers)} on {on}{lasting}")
    return _show_faults(probed)


def _shut_in(tournament: Tournament) -> str:
    """Say whose code a run would shut in, or let run here."""
    names = [spec.name for spec in tournament.entrants if spec.confinement]
    if names:
        return f"the code of {joined(names, 'and')} runs in processes of its own"
    files = [record.name for record in tournament.records if record.runs_code]
    return f"the code of {joined(files, 'and')} runs with all your rights"


def _show_faults(probed: "Probe") -> int:
    """Say who failed in the trial; give the exit status."""
    for name, verdict in probed.faults:
        note(f"{name}: {fault_words(verdict)} (round {verdict.round} of a trial)")
    return 1 if probed.faults else 0


class Probe(NamedTuple):
    """What a few rounds of every entrant showed."""

    round_seconds: float  # of one worker
    most_rounds: float  # that a block lasts, where a game ends by itself
    faults: tuple[tuple[str, Verdict], ...]  # names of entrants, and what they did wrong


def _probe(tournament: Tournament, engine: str) -> Probe:
    """Play a few rounds of every entrant, on tables that no run has."""
    specs = tournament.specs()
    trials = _trials(tournament)
    with make_workers(1, specs, engine) as crew:
        played = tuple(crew.play(trials))
    results = [result for batch in played for result in batch.results]
    rounds = sum(result.rounds for result in results)
    faults: dict[str, Verdict] = {}
    for seat in (seat for result in results for seat in result.seats):
        if seat.verdict:
            faults.setdefault(specs[seat.entrant].name, seat.verdict)
    is_game = tournament.rules.most_points is not None
    caps = [block.rounds for trial in trials for block in trial.blocks]
    is_ended = is_game and any(result.rounds < caps[0] for result in results)
    most = rounds / len(results) if is_ended else inf
    seconds = sum(batch.seconds for batch in played)
    return Probe(seconds / max(rounds, 1), most, tuple(faults.items()))


def _trials(tournament: Tournament) -> tuple[Batch, ...]:
    """Draw up a few rounds of every entrant: alone, or with those who follow it in the list."""
    field = tournament.field
    if 1 in field.rules.seats:
        alone = (_trial(field, number, 1, PROBE_ROUNDS) for number in range(field.entrants))
        return tuple(Batch(0, number, (block,)) for number, block in enumerate(alone))
    # By the rules that the format plays, in which a game may end.
    first = next(iter(next(tournament.format.schedule(field).waves()))).blocks[0]
    field, seats = field.playing(first.rules), min(field.rules.seats)
    tables = range(field.entrants * PROBE_GAMES)
    # In one batch, because to load everybody for each would take longer than to play.
    return (Batch(0, 0, tuple(_trial(field, table, seats, PROBE_GAME) for table in tables)),)


def _trial(field: Field, table: int, seats: int, rounds: int) -> Block:
    """Draw up a block of a trial."""
    company = tuple(((table + other) % field.entrants, field.bankroll) for other in range(seats))
    return field.block(BlockKey(-1, 0, table, 0, 1), company, rounds)
